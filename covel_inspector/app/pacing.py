"""Repeated work while a reader drags: one piece at a time, never more often than the eye needs, always the latest."""

from PySide6.QtCore import QObject, QTimer, Signal

BEAT = 25
"""Milliseconds that changes are gathered before work begins."""


class Pacing(QObject):
    """Says when it is time to work on the latest change.

    Unlike a debounce it does not wait until the reader rests, and unlike numbered requests no answer is thrown away
    while the reader goes on: the next piece begins when the last one has come in, so a drag is followed all the way.
    """

    due = Signal()

    def __init__(self, parent: QObject | None = None, beat: int = BEAT) -> None:
        super().__init__(parent)
        self._is_working = False
        self._has_more = False
        self._timer = QTimer(self, singleShot=True, interval=beat)
        self._timer.timeout.connect(self._begin)

    def touch(self) -> None:
        """Something changed."""
        if self._is_working:
            self._has_more = True
        elif not self._timer.isActive():
            self._timer.start()

    def finish(self) -> None:
        """The piece of work that ``due`` asked for has come in, well or badly."""
        self._is_working = False
        if self._has_more:
            self._has_more = False
            self._timer.start()

    def stop(self) -> None:
        """Forget what changed, and that anything is worked on."""
        self._timer.stop()
        self._is_working = self._has_more = False

    def _begin(self) -> None:
        self._is_working = True
        self.due.emit()
