"""Paints the rows of a list in a panel: dot, icon, text in its tone, bar, drawing."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from covel_inspector.app.icons import renderer
from covel_inspector.app.panels.listed_rows import Cell, Row
from covel_inspector.app.row_model import ROW_ROLE
from covel_inspector.app.theme import kind_qcolour
from covel_inspector.app.theme_colours import LIGHT, Colours

INSET = 8
"""Pixels at both ends of a cell."""

_MOST = 400
"""Characters of a cell that are drawn."""

_AIR = 8
"""Pixels above and below the text together: Chinese and emoji need more height than Latin letters."""


class RowsDelegate(QStyledItemDelegate):
    """One row, one height; the font's own size decides how large everything is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._colours = LIGHT

    def take(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours

    def width_of(self, row: Row, column: int, font: QFont) -> int:
        """Pixels that a cell would like to have, insets included."""
        cell = row.cells[column]
        if cell.drawing is not None:
            return cell.drawing.width() + 2 * INSET
        letters = QFontMetrics(_bold(font) if cell.bold else font)
        width = letters.horizontalAdvance(cell.text[:200])
        sign = _sign_size(letters)
        width += sign + INSET if cell.icon else 0
        width += sign + INSET // 2 if column == 0 and row.kind is not None else 0
        return width + 2 * INSET

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Qt: the height of a row."""
        return QSize(0, QFontMetrics(option.font).height() + _AIR)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Qt: paint a cell."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        cell = row.cells[index.column()]
        painter.save()
        self._paint_ground(painter, option)
        rect = QRect(option.rect).adjusted(INSET, 0, -INSET, 0)
        metrics = QFontMetrics(option.font)
        if index.column() == 0 and row.kind is not None:
            rect.setLeft(self._paint_dot(painter, rect, row, metrics))
        if cell.icon:
            rect.setLeft(self._paint_icon(painter, rect, cell, metrics))
        if cell.share is not None:
            self._paint_share(painter, rect, cell.share)
        if cell.drawing is not None:
            cell.drawing.paint(painter, rect, self._colours)
        elif cell.text:
            side = int(index.data(Qt.ItemDataRole.TextAlignmentRole))
            self._paint_text(painter, rect, cell, option.font, side, is_faint=row.is_faint)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(self._colours.selected))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(self._colours.hover))

    def _paint_dot(self, painter: QPainter, rect: QRect, row: Row, metrics: QFontMetrics) -> int:
        size = max(8, round(metrics.height() * 0.55))
        top = rect.center().y() - size / 2 + 0.5
        dot = QRectF(rect.left(), top, size, size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = kind_qcolour(row.kind) if row.kind is not None else QColor(self._colours.quiet)
        if row.is_faint:
            painter.setPen(colour)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            dot = dot.adjusted(0.5, 0.5, -0.5, -0.5)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
        painter.drawRoundedRect(dot, 2, 2)
        return rect.left() + size + INSET

    def _paint_icon(self, painter: QPainter, rect: QRect, cell: Cell, metrics: QFontMetrics) -> int:
        size = _sign_size(metrics)
        place = QRectF(rect.left(), rect.center().y() - size / 2 + 0.5, size, size)
        renderer(cell.icon, getattr(self._colours, cell.icon_tone)).render(painter, place)
        return rect.left() + size + INSET - 2

    def _paint_share(self, painter: QPainter, rect: QRect, share: float) -> None:
        height = 4
        track = QRectF(rect.left(), rect.bottom() - height, rect.width(), height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colours.track))
        painter.drawRoundedRect(track, 2, 2)
        if share > 0:
            painter.setBrush(QColor(self._colours.accent))
            filled = max(2.0, track.width() * min(1.0, share))
            painter.drawRoundedRect(QRectF(track.left(), track.top(), filled, height), 2, 2)

    def _paint_text(
        self, painter: QPainter, rect: QRect, cell: Cell, usual: QFont, side: int, *, is_faint: bool
    ) -> None:
        font = _bold(usual) if cell.bold else usual
        tone = "quiet" if is_faint and cell.tone == "text" else cell.tone
        painter.setFont(font)
        painter.setPen(QColor(getattr(self._colours, tone)))
        shown = QFontMetrics(font).elidedText(cell.text[:_MOST], Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, side | int(Qt.TextFlag.TextSingleLine), shown)


def _sign_size(metrics: QFontMetrics) -> int:
    return max(12, round(metrics.height() * 0.9))


def _bold(font: QFont) -> QFont:
    made = QFont(font)
    made.setWeight(QFont.Weight.DemiBold)
    return made
