"""The hatched filler that stands where a side has nothing, and a pane made of it that says why."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from covel_inspector.app.painted import PaintedWidget

STEP = 7
"""Pixels between two lines of the filler, measured along the edge."""


def paint_hatch(painter: QPainter, rect: QRectF, line: QColor, step: int = STEP) -> None:
    """Slanting lines over a rectangle; they meet across neighbouring rectangles, because they start from x + y = 0."""
    painter.save()
    painter.setClipRect(rect)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, 1))
    height = rect.height()
    offset = (rect.left() + rect.bottom()) % step
    x = rect.left() - offset - step * (height // step + 1)
    while x < rect.right():
        painter.drawLine(int(x), int(rect.bottom()), int(x + height), int(rect.top()))
        x += step
    painter.restore()


class HatchedNotice(PaintedWidget):
    """A hatched pane with a sentence in its middle: "Side A has no such segment"."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def text(self) -> str:
        """The sentence."""
        return self._text

    def say(self, text: str) -> None:
        """Show a sentence."""
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a line or two."""
        return QSize(200, 96)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Hatching, and the sentence on a plain ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.colours.ground))
        paint_hatch(painter, QRectF(self.rect()), QColor(self.colours.border), 2 * STEP)
        if self._text:
            self._paint_sentence(painter)
        painter.end()

    def _paint_sentence(self, painter: QPainter) -> None:
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        room = QRectF(self.rect()).adjusted(24, 12, -24, -12)
        bounds = painter.boundingRect(room, int(flags), self._text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.colours.ground))
        painter.drawRoundedRect(bounds.adjusted(-12, -6, 12, 6), 4, 4)
        painter.setPen(QColor(self.colours.quiet))
        painter.drawText(room, int(flags), self._text)
