"""When to begin with work that a reader asks for again and again: by dragging, or by stepping through a list."""

from PySide6.QtCore import QObject, QTimer, Signal

BEAT = 25
"""Milliseconds that changes are gathered before work begins."""

BURST = 120
"""Milliseconds within which a further step belongs to those before it."""


class Steps(QObject):
    """Says when it is time to show the latest of many steps: the first at once, those that follow quickly at rest."""

    due = Signal()

    def __init__(self, parent: QObject | None = None, burst: int = BURST) -> None:
        super().__init__(parent)
        self._burst = burst
        self._is_wanted = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._rest)

    @property
    def is_waiting(self) -> bool:
        """True between a step and the moment it is due."""
        return self._is_wanted

    def touch(self) -> None:
        """A step was made."""
        if not self._timer.isActive():
            # What is changed together in one go is one step.
            self._timer.start(0)
        elif not self._is_wanted or self._timer.interval():
            self._timer.start(self._burst)
        self._is_wanted = True

    def stop(self) -> None:
        """Forget the steps."""
        self._timer.stop()
        self._is_wanted = False

    def _rest(self) -> None:
        if self._is_wanted:
            self._is_wanted = False
            self._timer.start(self._burst)
            self.due.emit()


class Pacing(QObject):
    """Says when it is time to work on the latest change, one piece at a time, never more often than the eye needs.

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
