"""The two pictures of the Cache panel: shares as bars, and the request maps of all turns beside each other."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from covel_inspector.app.panels.cache_content import Column
from covel_inspector.app.panels.turn_columns import TurnColumns
from covel_inspector.app.theme import kind_qcolour

_FADED = 70
"""Of 255: how strong the part is painted that no cache could give."""


class CacheBars(TurnColumns):
    """A bar for each turn: the share of its first request that the turn before had already sent."""

    def paint_column(self, painter: QPainter, column: Column, rect: QRectF) -> None:
        """The share from the bottom; a break is marked by the warning colour, a missing call is a pale stub."""
        painter.fillRect(rect, QColor(self.colours.track))
        if column.row is None:
            return
        height = rect.height() * column.row.share
        if column.row.share:
            height = max(height, 2.0)
        bar = QRectF(rect.left(), rect.bottom() - height, rect.width(), height)
        painter.fillRect(bar, QColor(self.colours.accent))
        if column.row.cause.is_break:
            painter.fillRect(QRectF(rect.left(), bar.top() - 2, rect.width(), 2), QColor(self.colours.warning))


class CacheStrip(TurnColumns):
    """The request map of each turn, from the top down: what is shared in full colour, what is new faded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tallest = 0

    def set_tallest(self, tokens: int) -> None:
        """Tokens that the full height stands for."""
        self._tallest = tokens
        self.update()

    def paint_column(self, painter: QPainter, column: Column, rect: QRectF) -> None:
        """The blocks of a request, and a line where the shared part ends."""
        row = column.row
        if row is None or not self._tallest:
            painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 2), QColor(self.colours.track))
            return
        unit = rect.height() / self._tallest
        position = 0
        for block in row.strip:
            for start, end, alpha in _cut(position, position + block.tokens, row.strip_shared):
                colour = kind_qcolour(block.kind)
                colour.setAlpha(alpha)
                painter.fillRect(_band(rect, start * unit, (end - start) * unit), colour)
            position += block.tokens
        if row.strip_shared < position:
            line = self.colours.warning if row.cause.is_break else self.colours.map_mark
            painter.fillRect(_band(rect, row.strip_shared * unit - 1, 2), QColor(line))


def _band(rect: QRectF, top: float, height: float) -> QRectF:
    """A stretch of a column, as wide as the column."""
    return QRectF(rect.left(), rect.top() + top, rect.width(), height)


def _cut(start: int, end: int, shared: int) -> list[tuple[int, int, int]]:
    """A block in its shared and its new part, each with its strength."""
    middle = min(max(shared, start), end)
    return [(a, b, alpha) for a, b, alpha in ((start, middle, 255), (middle, end, _FADED)) if b > a]
