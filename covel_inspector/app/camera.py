"""Paints the window into a file when the place is shown; or finds out that there is nothing to paint, and why."""

from PySide6.QtCore import QObject, QTimer, Slot

from covel_inspector.app.window import MainWindow
from covel_inspector.app.work import Failure
from covel_inspector.domain import Sentence, say

LONGEST = 60_000
"""Milliseconds after which a picture is taken of whatever is there."""

_REST = 700
"""Milliseconds that panels and texts have to settle after the place is shown."""


class Camera(QObject):
    """Takes one picture and closes the window. ``trouble`` says afterwards why there is none, else it is None."""

    def __init__(self, window: MainWindow, file: str) -> None:
        super().__init__(window)
        self._window, self._file = window, file
        self._is_set = False
        self.trouble: Sentence | None = None
        inspector = window.inspector
        inspector.prepared.connect(self._soon)
        inspector.preparing_failed.connect(self._fail)
        inspector.open_failed.connect(self._fail)
        inspector.missed.connect(self._miss)
        QTimer.singleShot(LONGEST if inspector.is_opening or inspector.location else 0, self._soon)

    @Slot()
    def _soon(self) -> None:
        if not self._is_set:
            self._is_set = True
            QTimer.singleShot(_REST, self._take)

    @Slot(object)
    def _fail(self, failure: Failure) -> None:
        self._miss(failure.sentence)

    @Slot(object)
    def _miss(self, why: Sentence) -> None:
        """What was asked for cannot be shown: a picture of something else would pass for it."""
        if self.trouble is None:
            self._is_set = True
            self.trouble = why
            QTimer.singleShot(0, self._window.close)

    @Slot()
    def _take(self) -> None:
        if self.trouble is None and not self._window.grab().save(self._file):
            self.trouble = say("The picture could not be written to {file}: choose another place.", file=self._file)
        self._window.close()
