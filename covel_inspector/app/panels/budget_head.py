"""The first lines of the Budget panel: what came of it, and the limit; side by side where both fit."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from covel_inspector.app.pills import WrappedLine
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import Colours


class BudgetHead(QWidget):
    """A heading in bold and a quiet line on the limit; nothing of them is cut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = WrappedLine(bold=True)
        self.limit_line = WrappedLine(quiet=True)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(self.heading)
        self._box.addWidget(self.limit_line)
        self._box.addStretch(1)

    def say(self, heading: str, limit: str) -> None:
        """Show both texts."""
        self.heading.say(heading)
        self.limit_line.say(limit)
        self._fit()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for line in (self.heading, self.limit_line):
            line.apply_theme(colours)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Below each other where there is too little room for both in one line."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wanted = self.heading.sizeHint().width() + self.limit_line.sizeHint().width() + UNIT * 2
        fits = wanted <= self.width()
        self._box.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)
        self._box.setSpacing(UNIT * 2 if fits else 0)
