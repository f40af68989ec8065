"""Widgets that paint themselves, and what all of them need: the colours in force, more room when the font grows."""

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


class PaintedText(PaintedWidget):
    """Paints one text, which a screen reader is told as well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""

    @property
    def text(self) -> str:
        """The whole text, whatever there is room for."""
        return self._text

    def say(self, text: str) -> None:
        """Show a text."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()
