"""Paints a row of the side-by-side tree across both halves. Every tint stands beside a sign or a word."""

from dataclasses import dataclass
from typing import Self

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from covel_inspector.app.compare.hatch import paint_hatch
from covel_inspector.app.compare.rows import Column, Half, Look, PairRow, RowKind
from covel_inspector.app.row_model import ROW_ROLE
from covel_inspector.app.theme import kind_qcolour
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.domain import Kind

_INSET = 10
_USUAL_HEIGHT = 18
"""Height in pixels of a line in the usual font; what is drawn beside letters grows with them."""
_SHARED_WIDTH = 3
_HATCH_ALPHA = 52
_LEAST_LETTERS = 7
_BETWEEN = 12
"""Least pixels between a title and the hint behind it."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Pixels of what is drawn beside the letters: indentation of a level, dot, arrow, gap between them."""

    step: int
    dot: int
    arrow: int
    gap: int

    @classmethod
    def of(cls, line_height: int) -> Self:
        """For letters of this height."""
        share = max(1.0, line_height / _USUAL_HEIGHT)
        return cls(round(16 * share), round(9 * share), round(8 * share), round(6 * share))


_MARK_ALPHA = 150
_MARK_WIDTH = 4


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Where a row is painted: its rectangle and the left edge and width of each column, in pixels of the viewport."""

    rect: QRect
    columns: tuple[tuple[int, int], ...]
    is_selected: bool = False
    is_open: bool = False
    one_sided: bool = False
    """Only B is shown: the columns of A have no width."""
    has_focus: bool = False
    """The keyboard is in the tree."""
    is_marked: bool = False
    """Somebody points at this row, such as a step of the budget that touched it."""

    def column(self, column: Column) -> QRectF:
        """The rectangle of one cell."""
        left, width = self.columns[column]
        return QRectF(left, self.rect.top(), width, self.rect.height())

    def half_a(self) -> QRectF:
        """A's half, the sign's column included."""
        return self.column(Column.A_TITLE).united(self.column(Column.SIGN))

    def half_b(self) -> QRectF:
        """B's half."""
        return self.column(Column.B_TITLE).united(self.column(Column.B_TOKENS))


class PairsDelegate(QStyledItemDelegate):
    """Heights of rows, and their painting. The view calls :meth:`paint_row` once a row instead of once a cell."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._colours = LIGHT
        self._fonts: tuple[QFont, QFont, QFont] | None = None
        self._sizes = _Sizes.of(_USUAL_HEIGHT)
        self._row_height = 0
        self._line_height = 0

    def take(self, colours: Colours, font: QFont) -> None:
        """Colours and the font of the view; called before the first painting and on every change."""
        self._colours = colours
        small = QFont(font)
        small.setPointSizeF(font.pointSizeF() * 0.88)
        bold = QFont(font)
        bold.setBold(True)
        for one in (font, small, bold):
            # Figures of one width, so that columns of them can be read downwards.
            one.setFeature(QFont.Tag("tnum"), 1)
        self._fonts = (QFont(font), small, bold)
        self._sizes = _Sizes.of(QFontMetrics(font).height())
        self._row_height = QFontMetrics(font).height() + 5
        self._line_height = QFontMetrics(small).height() + 3

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Qt: the height of a row; widths are the view's business."""
        row = index.data(ROW_ROLE)
        is_line = isinstance(row, PairRow) and row.kind is RowKind.BOUNDARY
        return QSize(0, self._line_height if is_line else self._row_height)

    def arrow_rects(self, row: PairRow, place: RowPlace) -> list[QRectF]:
        """Where a click opens or closes a row."""
        if not row.children:
            return []
        rects = []
        for half, column in ((row.a, Column.A_TITLE), (row.b, Column.B_TITLE)):
            cell = place.column(column)
            if half.there and cell.width() > 0:
                left = cell.left() + _INSET + row.level * self._sizes.step + self._sizes.dot
                rects.append(QRectF(left, cell.top(), self._sizes.arrow + 2 * self._sizes.gap, cell.height()))
        return rects

    def paint_row(self, painter: QPainter, row: PairRow, place: RowPlace) -> None:
        """The whole row."""
        painter.save()
        if row.kind is RowKind.BOUNDARY:
            self._paint_boundary(painter, row, place)
        else:
            self._paint_ground(painter, row, place)
            if not place.one_sided:
                self._paint_half(painter, row, row.a, place, Column.A_TITLE, Column.A_TOKENS)
                self._paint_sign(painter, row, place)
            self._paint_half(painter, row, row.b, place, Column.B_TITLE, Column.B_TOKENS)
            if not place.one_sided:
                self._paint_hint(painter, row, place, row.hint_a, Column.A_TITLE)
            self._paint_hint(painter, row, place, row.hint, Column.B_TITLE)
            self._paint_selection(painter, place)
        painter.restore()

    # Ground

    def _paint_ground(self, painter: QPainter, row: PairRow, place: RowPlace) -> None:
        colours, look = self._colours, row.look
        tint = {
            Look.CHANGED: colours.changed,
            Look.ADDED: colours.added,
            Look.REMOVED: colours.removed,
            Look.MOVED: colours.moved,
            Look.MOVED_CHANGED: colours.moved,
        }.get(look)
        if tint is not None and not row.is_group:
            painter.fillRect(place.rect, QColor(tint))
        if not place.one_sided:
            line = QColor(colours.border)
            if look in (Look.ADDED, Look.REMOVED):
                line = QColor(colours.added_mark if look is Look.ADDED else colours.removed_mark)
                line.setAlpha(_HATCH_ALPHA)
            if look is Look.ADDED or (row.kind in (RowKind.ABSENT, RowKind.ABSENTS) and not row.a.there):
                paint_hatch(painter, place.half_a(), line)
            elif look is Look.REMOVED or (row.kind in (RowKind.ABSENT, RowKind.ABSENTS) and not row.b.there):
                paint_hatch(painter, place.half_b(), line)
        self._paint_shared(painter, row, place)
        if place.is_marked:
            ground = QColor(colours.selected)
            ground.setAlpha(_MARK_ALPHA)
            painter.fillRect(place.rect, ground)
            edge = QRectF(place.rect.right() - _MARK_WIDTH, place.rect.top(), _MARK_WIDTH + 1, place.rect.height())
            painter.fillRect(edge, QColor(colours.accent))

    def _paint_shared(self, painter: QPainter, row: PairRow, place: RowPlace) -> None:
        """A strip along what both requests share from the front; it ends inside the row in which sharing ends.

        An open branch is shaded whole when sharing goes on below it: its line stands before all that it holds.
        """
        if row.shared <= 0.0:
            return
        colour = QColor(self._colours.accent)
        colour.setAlpha(110)
        for half, column in ((row.a, Column.A_TITLE), (row.b, Column.B_TITLE)):
            if half.there:
                cell = place.column(column)
                is_whole = row.shared >= 1.0 or place.is_open
                height = cell.height() if is_whole else max(2.0, cell.height() * row.shared)
                painter.fillRect(QRectF(cell.left(), cell.top(), _SHARED_WIDTH, height), colour)

    def _paint_selection(self, painter: QPainter, place: RowPlace) -> None:
        if place.is_selected:
            painter.setPen(QPen(QColor(self._colours.accent), 2 if place.has_focus else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            inset = 1.0 if place.has_focus else 0.5
            painter.drawRect(QRectF(place.rect).adjusted(inset, inset, -inset, -inset))

    # Cells

    def _paint_half(
        self, painter: QPainter, row: PairRow, half: Half, place: RowPlace, title: Column, tokens: Column
    ) -> None:
        cell = place.column(title)
        is_only_quoted = row.is_away and title is Column.A_TITLE
        is_grey = is_only_quoted or row.kind in (RowKind.ABSENT, RowKind.ABSENTS)
        x = cell.left() + _INSET + row.level * self._sizes.step
        if half.there and half.kind is not None:
            self._paint_dot(painter, half.kind, x, cell, is_hollow=is_grey)
        x += self._sizes.dot + self._sizes.gap
        if row.children and half.there:
            self._paint_arrow(painter, QRectF(x, cell.top(), self._sizes.arrow, cell.height()), is_open=place.is_open)
            x += self._sizes.arrow + self._sizes.gap - 1
        hint = row.hint if title is Column.B_TITLE else row.hint_a
        right = _hint_end(place, title)
        right -= self._hint_width(hint, right - x, half.title)
        colour = self._colours.quiet if is_grey else self._colours.text
        used = self._text(painter, half.title, QRectF(x, cell.top(), right - x, cell.height()), colour)
        if half.remark:
            rest = QRectF(x + used + (10 if used else 0), cell.top(), 0, cell.height())
            rest.setRight(right)
            self._text(painter, half.remark, rest, self._colours.quiet, small=True)
        self._text(painter, half.tokens, place.column(tokens).adjusted(0, 0, -8, 0), self._colours.quiet, right=True)

    def _paint_dot(self, painter: QPainter, kind: Kind, x: float, cell: QRectF, *, is_hollow: bool) -> None:
        dot = QRectF(x, cell.top() + round((cell.height() - self._sizes.dot) / 2), self._sizes.dot, self._sizes.dot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_hollow:
            painter.setPen(QPen(kind_qcolour(kind), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(dot.adjusted(1, 1, -1, -1), 2, 2)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(kind_qcolour(kind))
            painter.drawRoundedRect(dot, 2, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_arrow(self, painter: QPainter, box: QRectF, *, is_open: bool) -> None:
        middle = box.center()
        size = self._sizes.arrow / 8
        if is_open:
            points = [QPointF(-3.5, -2), QPointF(3.5, -2), QPointF(0, 2.5)]
        else:
            points = [QPointF(-2, -3.5), QPointF(2.5, 0), QPointF(-2, 3.5)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colours.text))
        painter.drawPolygon(QPolygonF([middle + point * size for point in points]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_sign(self, painter: QPainter, row: PairRow, place: RowPlace) -> None:
        colours = self._colours
        colour = {
            Look.CHANGED: colours.changed_mark,
            Look.ADDED: colours.added_mark,
            Look.REMOVED: colours.removed_mark,
            Look.MOVED: colours.moved_mark,
            Look.MOVED_CHANGED: colours.moved_mark,
        }.get(row.look, colours.quiet)
        painter.setFont(self._font(bold=row.look is not Look.EQUAL))
        painter.setPen(QColor(colour))
        painter.drawText(place.column(Column.SIGN), int(Qt.AlignmentFlag.AlignCenter), row.sign)

    def _paint_hint(self, painter: QPainter, row: PairRow, place: RowPlace, hint: str, title: Column) -> None:
        if hint:
            right = _hint_end(place, title)
            left = place.column(title).left() + _INSET + row.level * self._sizes.step + self._sizes.dot
            half = row.b if title is Column.B_TITLE else row.a
            width = self._hint_width(hint, right - left - self._sizes.gap, half.title) - _BETWEEN
            room = QRectF(right - width, place.rect.top(), width, place.rect.height())
            self._text(painter, hint, room, self._colours.quiet, right=True, small=True)

    def _hint_width(self, hint: str, room: float, title: str) -> float:
        """What the hint takes from a title, the gap included: what the title leaves, and at least a third.

        Nothing, where only a letter or two of it could be read.
        """
        if not hint:
            return 0.0
        small = QFontMetrics(self._font(small=True))
        wanted = small.horizontalAdvance(hint) + 2 + _BETWEEN
        left_over = room - QFontMetrics(self._font()).horizontalAdvance(title) - self._sizes.arrow
        given = min(wanted, max(left_over, room / 3))
        least = _LEAST_LETTERS * small.averageCharWidth() + _BETWEEN
        return float(given) if given >= min(wanted, least) else 0.0

    # Boundaries

    def _paint_boundary(self, painter: QPainter, row: PairRow, place: RowPlace) -> None:
        colours = self._colours
        painter.fillRect(place.rect, QColor(colours.boundary))
        accent = QColor(colours.accent)
        pen = QPen(accent, 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        rect = place.rect
        painter.drawLine(rect.left(), rect.top(), rect.right(), rect.top())
        says_the_same = row.a.there and row.b.there and row.a.remark == row.b.remark
        if row.a.there and not place.one_sided:
            room = QRectF(rect) if says_the_same else place.half_a()
            self._paint_boundary_half(painter, row.a, room)
        if row.b.there and (place.one_sided or not says_the_same):
            self._paint_boundary_half(painter, row.b, place.half_b())

    def _paint_boundary_half(self, painter: QPainter, half: Half, room: QRectF) -> None:
        colours = self._colours
        left, middle = room.left() + _INSET, room.center().y() + 0.5
        painter.setPen(QPen(QColor(colours.accent), 1))
        painter.drawLine(QPointF(left, middle), QPointF(left + 12, middle))
        x = left + 17
        used = self._text(
            painter, half.title, QRectF(x, room.top(), room.right() - x, room.height()), colours.link, small=True
        )
        x += used + 10
        rest = QRectF(x, room.top(), room.right() - x - 4, room.height())
        self._text(painter, half.remark, rest, colours.quiet, small=True)

    # Text

    def _text(
        self,
        painter: QPainter,
        text: str,
        room: QRectF,
        colour: str,
        *,
        right: bool = False,
        small: bool = False,
    ) -> float:
        """Draw one elided line; gives the width it took."""
        if not text or room.width() < 4:
            return 0.0
        font = self._font(small=small)
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()) + 1)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
        return float(metrics.horizontalAdvance(shown))

    def _font(self, *, small: bool = False, bold: bool = False) -> QFont:
        if self._fonts is None:
            return QFont()
        return self._fonts[1] if small else self._fonts[2] if bold else self._fonts[0]


def _hint_end(place: RowPlace, title: Column) -> float:
    """Where the hint behind a title ends."""
    return place.column(Column.B_HINT if title is Column.B_TITLE else title).right() - 4
