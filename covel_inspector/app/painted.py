"""Widgets that paint themselves: all need the colours in force, and more room when the font grows."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from covel_inspector.app.theme_colours import LIGHT, Colours


class PaintedWidget(QWidget):
    """Keeps the colours it is painted in as ``colours``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colours: Colours = LIGHT

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self.colours = colours
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """A larger font needs more room."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.updateGeometry()
