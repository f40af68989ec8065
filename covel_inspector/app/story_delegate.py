"""How a row of the story is drawn: number, line, cached share and marks, on the eight-pixel grid."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from covel_inspector.app import icons
from covel_inspector.app.story_model import Role, StoryRow
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.domain import Event

_ALIGN = Qt.AlignmentFlag

LINE_FIRST = 3
"""Where the line would have less room than so many times its height, it takes that of the cached share."""


class StoryDelegate(QStyledItemDelegate):
    """Draws StoryRow values. Sessions are bold; a turn with a low cached share shows it bold and coloured."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._number_length = 2
        self._columns = (0, 0)
        self._columns_font = QFont()

    def set_number_length(self, length: int) -> None:
        """How many characters the longest turn number has."""
        self._number_length = length
        self._columns = (0, 0)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002 - Qt
        height = option.fontMetrics.height() + UNIT
        return QSize(80, height + height % 2)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(Role.ROW)
        if not isinstance(row, StoryRow):
            return
        colours = self._theme.colours
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        whole = QRect(0, option.rect.top(), option.rect.right() + 1, option.rect.height())
        painter.save()
        self._paint_ground(painter, whole, option, colours)
        painter.setFont(option.font)
        if row.number:
            self._paint_turn(painter, option, row, colours, selected=selected)
        else:
            self._paint_session(painter, option.rect.adjusted(2, 0, -UNIT, 0), option, row, colours)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, colours: Colours) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(colours.selected))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(colours.accent))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(colours.hover))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(colours.accent))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _paint_session(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, row: StoryRow, colours: Colours
    ) -> None:
        bold = QFont(option.font)
        bold.setBold(True)
        detail_width = option.fontMetrics.horizontalAdvance(row.detail) + UNIT
        metrics = QFontMetrics(bold)
        title_width = min(metrics.horizontalAdvance(row.text) + 2, max(rect.width() - detail_width, rect.width() // 2))
        painter.setFont(bold)
        painter.setPen(QColor(colours.text))
        title = metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, title_width)
        painter.drawText(rect.adjusted(0, 0, title_width - rect.width(), 0), _ALIGN.AlignVCenter, title)
        painter.setFont(option.font)
        painter.setPen(QColor(colours.quiet))
        rest = rect.adjusted(title_width + UNIT - 2, 0, 0, 0)
        detail = option.fontMetrics.elidedText(row.detail, Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, _ALIGN.AlignVCenter, detail)

    def has_room_for_shares(self, width: int, font: QFont) -> bool:
        """Whether a turn with at most one mark shows its cached share in a list of this width in pixels."""
        metrics, (number_width, cached_width) = QFontMetrics(font), self._measured(font)
        right = _marks_left(width - 1 - UNIT, metrics.ascent() + 2, 1) - UNIT // 2
        return _has_room(right - UNIT - number_width + 1, cached_width, metrics.height())

    def _paint_turn(
        self, painter: QPainter, option: QStyleOptionViewItem, row: StoryRow, colours: Colours, *, selected: bool
    ) -> None:
        number_width, cached_width = self._measured(option.font)
        rect = option.rect.adjusted(0, 0, -UNIT, 0)
        number = QRect(UNIT, rect.top(), number_width, rect.height())
        painter.setPen(QColor(colours.text if selected else colours.quiet))
        painter.drawText(number, _ALIGN.AlignVCenter | _ALIGN.AlignRight, row.number)
        right = self._paint_marks(painter, rect, option.fontMetrics.ascent() + 2, row.marks, colours)
        if row.cached and _has_room(right - number.right(), cached_width, option.fontMetrics.height()):
            share = QRect(right - cached_width, rect.top(), cached_width, rect.height())
            font = QFont(option.font)
            font.setBold(row.low)
            painter.setFont(font)
            painter.setPen(QColor(colours.warning if row.low else colours.quiet))
            painter.drawText(share, _ALIGN.AlignVCenter | _ALIGN.AlignRight, row.cached)
            painter.setFont(option.font)
            right = share.left()
        line = QRect(number.right() + UNIT, rect.top(), right - number.right() - 2 * UNIT, rect.height())
        painter.setPen(QColor(colours.quiet if row.quiet and not selected else colours.text))
        shown = option.fontMetrics.elidedText(row.text, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, _ALIGN.AlignVCenter | _ALIGN.AlignLeft, shown)

    def _paint_marks(
        self, painter: QPainter, rect: QRect, size: int, marks: tuple[Event, ...], colours: Colours
    ) -> int:
        """Draws the marks from the right edge, in columns so that rows compare; returns where they begin."""
        columns = max(len(marks), 1)
        left = _marks_left(rect.right(), size, columns)
        for place, event in enumerate(marks):
            box = QRectF(left + place * (size + 2), rect.center().y() - size / 2 + 1, size, size)
            value = colours.error if event is Event.FAILED else colours.warning
            icons.renderer(event.value, value).render(painter, box)
        return left - UNIT // 2

    def _measured(self, font: QFont) -> tuple[int, int]:
        if self._columns == (0, 0) or font != self._columns_font:
            bold = QFont(font)
            bold.setBold(True)
            metrics = QFontMetrics(bold)
            digits = metrics.horizontalAdvance("0" * max(self._number_length, 2))
            self._columns = (digits, metrics.horizontalAdvance("100\u202f%") + 2)
            self._columns_font = QFont(font)
        return self._columns


def _marks_left(right: int, size: int, columns: int) -> int:
    return right - columns * (size + 2) + 2


def _has_room(between: int, cached_width: int, line_height: int) -> bool:
    """Whether a line and a share fit between a turn's number and its marks, in pixels."""
    return between - 2 * UNIT - cached_width >= line_height * LINE_FIRST
