"""A list or tree of finished rows in a panel: one selection, columns that share the width, all by keyboard."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyleOptionViewItem, QToolTip, QWidget

from covel_inspector.app.panels.listed_rows import Column, Drawing, Label, Row, walk
from covel_inspector.app.panels.rows_delegate import INSET, RowsDelegate
from covel_inspector.app.panels.rows_header import RowsHeader
from covel_inspector.app.panels.rows_model import RowsModel
from covel_inspector.app.plain_text import tip
from covel_inspector.app.row_view import RowTreeView
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.domain import Sentence

_MEASURED = 400
"""Rows whose texts are measured for the width of a column."""

_LEAST = 56
"""Pixels of a column that shares what is left."""


class RowsView(RowTreeView[Row]):
    """Shows :class:`Row` trees. The current row and what is open are kept by key when rows are replaced."""

    row_chosen = Signal(object)
    """The :class:`Row` that the reader made current, or None. Silent when rows are only replaced."""
    row_activated = Signal(object)
    """Enter or a double click on a :class:`Row`."""
    item_clicked = Signal(object, int)
    """A :class:`Row` and the item of its drawing that was clicked."""
    item_wanted = Signal(object, int)
    """A :class:`Row`, and 1 or -1: to the next or previous item of its drawing that matters (Ctrl with right, left)."""

    def __init__(self, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        self.listed = RowsModel(len(columns))
        self._headings = RowsHeader(self._labels)
        super().__init__(self.listed, parent, self._headings)
        self.columns = tuple(columns)
        self._delegate = RowsDelegate(self)
        self._accent = QColor(LIGHT.accent)
        self.setItemDelegate(self._delegate)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(False)
        self.setMouseTracking(True)
        self.setIndentation(2 * INSET)
        self.selectionModel().currentRowChanged.connect(self._current_changed)
        self.activated.connect(self._activate)

    # Content

    def say_headings(self, said: Callable[[Sentence], str]) -> None:
        """Say the titles of the columns."""
        rights = frozenset(number for number, column in enumerate(self.columns) if column.right)
        helps = [said(column.help) if column.help is not None else "" for column in self.columns]
        self.listed.set_headings([said(column.title) for column in self.columns], rights, helps)
        self._set_widths()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Replace all rows; the current one stays current when its path is still there."""
        current = self.current_row()
        path = current.path if current is not None else ()
        scrolled = self.verticalScrollBar().value()
        self._is_filling = True
        self.listed.show_rows(rows)
        self.setRootIsDecorated(any(row.children for row in self.listed.rows))
        for row in walk(self.listed.rows):
            if row.children and self.is_open(row, usually=row.opens):
                self.expand(self.listed.index_of(row))
        self._set_widths()
        kept = next((row for row in walk(self.listed.rows) if row.path == path), None)
        if kept is not None:
            self.go_to(kept)
        self._is_filling = False
        self.verticalScrollBar().setValue(scrolled)

    def first_row(self, fits: Callable[[Row], bool]) -> Row | None:
        """The first row that fits."""
        return next((row for row in walk(self.listed.rows) if fits(row)), None)

    def choose(self, row: Row, *, quietly: bool = False) -> None:
        """Make a row current, opening what hides it. ``quietly``: without telling anybody."""
        self._is_filling = quietly
        self.go_to(row)
        self._is_filling = False

    # Look

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._delegate.take(colours)
        self._headings.apply_theme(colours)
        self._accent = QColor(colours.accent)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """A larger font makes wider columns and higher rows."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange, QEvent.Type.StyleChange):
            self._set_widths()
            self.scheduleDelayedItemsLayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns share the width anew."""
        super().resizeEvent(event)
        self._set_widths()

    def _set_widths(self) -> None:
        rows = list(walk(self.listed.rows))[:_MEASURED]
        room = self.viewport().width()
        stretchy = [number for number, column in enumerate(self.columns) if column.stretch]
        widths = [self._natural(number, column, rows) for number, column in enumerate(self.columns)]
        left = room - sum(width for number, width in enumerate(widths) if number not in stretchy)
        if left < room // 2:
            # Figures and small facts give way to the words that a reader came for.
            most = room // 2 // max(1, len(widths) - len(stretchy))
            widths = [min(width, most) for width in widths]
            left = room - sum(width for number, width in enumerate(widths) if number not in stretchy)
        wants = {number: self._wanted(number, self.columns[number], rows) for number in stretchy}
        for number, width in self._shared(left, wants).items():
            widths[number] = max(_LEAST, width)
        for number, width in enumerate(widths):
            self.header().resizeSection(number, width)

    def _wanted(self, number: int, column: Column, rows: Sequence[Row]) -> int:
        """Pixels beyond which a stretching column gains nothing."""
        texts = [self._delegate.width_of(row, number, self.font()) for row in rows]
        return max((self._natural(number, column, rows), *texts))

    def _shared(self, room: int, wants: Mapping[int, int]) -> dict[int, int]:
        """The room by the columns' parts; what one does not need goes to the others, at last to the widest part."""
        widths: dict[int, int] = {}
        open_ = dict(wants)
        while open_:
            parts = sum(self.columns[number].stretch for number in open_)
            left = room - sum(widths.values())
            shares = {number: left * self.columns[number].stretch // max(1, parts) for number in open_}
            content = [number for number in open_ if open_[number] <= shares[number]]
            if not content:
                return widths | shares
            for number in content:
                widths[number] = open_.pop(number)
        if widths:
            last = max(widths, key=lambda number: self.columns[number].stretch)
            widths[last] += max(0, room - sum(widths.values()))
        return widths

    def _labels(self, column: int, width: int) -> Sequence[Label]:
        """What the drawings of a column are headed by: those of all its rows have the same items."""
        first = next(iter(self.listed.rows), None)
        drawing = first.cells[column].drawing if first is not None else None
        return drawing.labels(width) if drawing is not None else ()

    def _natural(self, number: int, column: Column, rows: Sequence[Row]) -> int:
        metrics = QFontMetrics(self.font())
        heading = self.listed.headerData(number, Qt.Orientation.Horizontal)
        widest = metrics.horizontalAdvance(str(heading)) + 24
        if column.stretch:
            return widest
        for row in rows:
            widest = max(widest, self._delegate.width_of(row, number, self.font()))
        letter = metrics.averageCharWidth()
        return min(max(widest, letter * column.least), letter * column.most + 2 * INSET)

    def drawRow(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Qt: paint a row; the current one has a mark at its left, so that the tint is not the only sign.

        A frame around it says that the keyboard is here.
        """
        super().drawRow(painter, option, index)
        if self.currentIndex().isValid() and self.listed.row_of(index) is self.current_row():
            painter.fillRect(QRect(0, option.rect.top(), 3, option.rect.height()), self._accent)
            if self.hasFocus():
                painter.setPen(self._accent)
                painter.drawRect(QRect(0, option.rect.top(), self.viewport().width() - 1, option.rect.height() - 1))

    # Mouse and keys

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on an item of a drawing."""
        super().mouseReleaseEvent(event)
        found = self._item_under(event.position().toPoint().x(), event.position().toPoint().y())
        if found is not None and event.button() is Qt.MouseButton.LeftButton:
            self.item_clicked.emit(found[0], found[2])

    def viewportEvent(self, event: QEvent) -> bool:
        """Tool tips of the items of a drawing, and of texts that are elided."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            told = self.tip_at(event.pos())
            if told:
                QToolTip.showText(event.globalPos(), tip(told), self)
                return True
        return super().viewportEvent(event)

    def tip_at(self, place: QPoint) -> str:
        """What a tool tip says at a place: what is told of the row, and before it the cell's text if it is elided."""
        found = self._item_under(place.x(), place.y())
        if found is not None:
            return found[1].tip_of(found[2])
        index = self.indexAt(place)
        row = self.listed.row_of(index)
        if row is None:
            return ""
        text = row.cells[index.column()].text
        is_elided = self._delegate.width_of(row, index.column(), self.font()) > self.visualRect(index).width()
        return "\n".join(filter(None, (text if is_elided and text not in row.tip else "", row.tip)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl with left or right steps through the items of the row's drawing."""
        row = self.current_row()
        if (
            row is not None
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
            and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
        ):
            self.item_wanted.emit(row, 1 if event.key() == Qt.Key.Key_Right else -1)
            return
        super().keyPressEvent(event)

    def _item_under(self, x: int, y: int) -> tuple[Row, Drawing, int] | None:
        index = self.indexAt(QPoint(x, y))
        row = self.listed.row_of(index)
        drawing = row.cells[index.column()].drawing if row is not None else None
        if row is None or drawing is None:
            return None
        rect = self.visualRect(index)
        item = drawing.item_at(x - rect.left() - INSET, rect.width() - 2 * INSET)
        return (row, drawing, item) if item is not None else None

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not self._is_filling:
            self.row_chosen.emit(self.listed.row_of(current))

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        row = self.listed.row_of(index)
        if row is not None:
            self.row_activated.emit(row)
