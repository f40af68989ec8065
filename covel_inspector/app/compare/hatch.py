"""The hatched filler that stands where a side has nothing, and a pane made of it that says why."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from covel_inspector.app.painted import PaintedText
from covel_inspector.app.plain_text import tip

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


class HatchedNotice(PaintedText):
    """A hatched pane with a sentence in its middle: "Side A has no such segment"."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def say(self, text: str) -> None:
        """Show a sentence."""
        super().say(text)
        self._offer_tip()

    @property
    def is_cut(self) -> bool:
        """True while there is too little room for all of the sentence."""
        return self._bounds(self._room()).height() > self._room().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt: more or less of the sentence fits."""
        super().resizeEvent(event)
        self._offer_tip()

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
        room = self._room()
        bounds = self._bounds(room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.colours.ground))
        painter.drawRoundedRect(bounds.adjusted(-12, -6, 12, 6), 4, 4)
        painter.setPen(QColor(self.colours.quiet))
        painter.drawText(room, self._flags(room), self._text)

    def _room(self) -> QRectF:
        """Where the sentence may stand: in a low pane without air above and below."""
        whole = QRectF(self.rect())
        airy = whole.adjusted(24, 12, -24, -12)
        return airy if self._bounds(airy).height() <= airy.height() else whole.adjusted(16, 2, -16, -2)

    def _bounds(self, room: QRectF) -> QRectF:
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        return QFontMetricsF(self.font()).boundingRect(room, flags, self._text)

    def _flags(self, room: QRectF) -> int:
        """Its beginning is read when not all of it fits."""
        is_cut = self._bounds(room).height() > room.height()
        upright = Qt.AlignmentFlag.AlignTop if is_cut else Qt.AlignmentFlag.AlignVCenter
        return int(Qt.AlignmentFlag.AlignHCenter | upright | Qt.TextFlag.TextWordWrap)

    def _offer_tip(self) -> None:
        self.setToolTip(tip(self._text) if self.is_cut else "")
