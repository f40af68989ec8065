"""The margin of the wire view: arrows that fold, and the colour of the segment that each line comes from."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from covel_inspector.app.theme import UNIT, kind_qcolour
from covel_inspector.app.theme_colours import LIGHT, Colours

if TYPE_CHECKING:
    from covel_inspector.app.compare.wire_edit import WireEdit

_BAR = UNIT // 2


class WireGutter(QWidget):
    """Paints beside the lines in sight; a click on an arrow folds."""

    fold_wanted = Signal(int)
    """Number of the line."""

    def __init__(self, edit: "WireEdit") -> None:
        super().__init__(edit)
        self._edit = edit
        self._colours = LIGHT

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self.update()

    def wanted_width(self) -> int:
        """Room for an arrow, the colour, and air."""
        return self._arrow_width() + _BAR + UNIT

    def sizeHint(self) -> QSize:
        """As wide as wanted."""
        return QSize(self.wanted_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Arrows and colours of the lines in sight."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(self._colours.ground))
        document, segments = self._edit.drawn, self._edit.segments
        if document is not None and segments is not None:
            folded = self._edit.folding.folded
            for block, rect in self._edit.visible_blocks():
                if block.blockNumber() >= len(document.drawn):
                    break
                line = document.drawn[block.blockNumber()].line
                leaf = segments.at(line.start + 1) or segments.first_in(line.start, max(line.until, line.start + 1))
                if leaf is not None:
                    bar = QRectF(self._arrow_width(), rect.top(), _BAR, rect.height())
                    painter.fillRect(bar, kind_qcolour(leaf.kind))
                if line.begins is not None:
                    self._paint_arrow(painter, rect.top(), is_folded=line.begins.path in folded)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Taken, so that the release comes here too."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on an arrow folds, elsewhere nothing."""
        if event.button() is Qt.MouseButton.LeftButton and event.position().x() < self._arrow_width():
            cursor = self._edit.cursorForPosition(QPoint(0, int(event.position().y())))
            self.fold_wanted.emit(cursor.blockNumber())

    def _arrow_width(self) -> int:
        return self._edit.fontMetrics().height()

    def _paint_arrow(self, painter: QPainter, top: float, *, is_folded: bool) -> None:
        height = self._edit.fontMetrics().height()
        middle, half = QPointF(height / 2, top + height / 2), height / 6
        if is_folded:
            corners = [QPointF(-half * 0.7, -half), QPointF(half, 0), QPointF(-half * 0.7, half)]
        else:
            corners = [QPointF(-half, -half * 0.7), QPointF(half, -half * 0.7), QPointF(0, half)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colours.quiet))
        painter.drawPolygon(QPolygonF([middle + corner for corner in corners]))
        painter.restore()
