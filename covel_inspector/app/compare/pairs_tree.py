"""The tree of aligned pairs: one scroll bar, one selection, painted a row at a time across both halves."""

from collections.abc import Collection, Iterator, Mapping

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget

from covel_inspector.app.compare.pairs_delegate import PairsDelegate, RowPlace
from covel_inspector.app.compare.pairs_model import PairsModel
from covel_inspector.app.compare.rows import Column, PairRow, RowKind, walk
from covel_inspector.app.row_view import Path, RowTreeView
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.domain import Kind

_HEADING_PADDING = 24
"""Pixels of a heading beside its text."""


class PairsTree(RowTreeView[PairRow]):
    """Shows :class:`PairRow` trees. What the reader opened or closed is remembered by path, from turn to turn."""

    row_chosen = Signal(object)
    """The :class:`PairRow` that is current now, or None."""
    difference_wanted = Signal(int)
    """1 for the next difference, -1 for the previous one."""
    copy_wanted = Signal()
    """The reader wants the text of the current row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.pairs = PairsModel()
        super().__init__(self.pairs, parent)
        self.painter_of_rows = PairsDelegate(self)
        self._colours = LIGHT
        self._one_sided = False
        self._headings: dict[Column, tuple[str, str]] = {}
        self._marked: frozenset[str] = frozenset()
        self._prepare_look()
        self._set_header_font()
        self.selectionModel().currentRowChanged.connect(self._current_changed)

    def _prepare_look(self) -> None:
        self.setItemDelegate(self.painter_of_rows)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(True)
        self.setAllColumnsShowFocus(True)
        self.setMouseTracking(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.painter_of_rows.take(self._colours, self.font())

    def _set_header_font(self) -> None:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 0.92)
        # Given through the model: a style sheet puts an explicit font of the header back when it is applied anew.
        self.pairs.set_heading_font(font)
        self.header().setFixedHeight(QFontMetrics(font).height() + 8)

    # Content

    def show_rows(
        self,
        rows: list[PairRow],
        headings: tuple[str, ...],
        *,
        one_sided: bool,
        short: Mapping[Column, str] | None = None,
    ) -> None:
        """Replace all rows. The current row stays current when its path is still there, and at its height on screen.

        ``short``: headings for where there is too little room for those of ``headings``.
        """
        current = self.current_row()
        path = current.path if current is not None else ()
        height = self.visualRect(self.currentIndex()).top()
        self._one_sided = one_sided
        self._headings = {column: (headings[column], text) for column, text in (short or {}).items()}
        self._is_filling = True
        self.setUpdatesEnabled(False)
        try:
            self.pairs.show_rows(rows, headings)
            self._set_widths()
            self._open_rows()
        finally:
            self.setUpdatesEnabled(True)
            self._is_filling = False
        kept = self.row_at(path) if path else None
        self.choose(kept if kept is not None else self._first_worth_seeing())
        if kept is not None and 0 <= height < self.viewport().height():
            self._hold_height(height)

    def _hold_height(self, height: int) -> None:
        """Scroll so that the current row stands where it stood: the eye finds it again in the next turn."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.visualRect(self.currentIndex()).top() - height)
        self.scrollTo(self.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)

    def _open_rows(self) -> None:
        for row in walk(self.pairs.rows):
            if row.children and self.is_open(row, usually=row.opens):
                self.expand(self.pairs.index_of(row))

    def _first_worth_seeing(self) -> PairRow | None:
        rows = walk(self.pairs.rows)
        said = (row for row in rows if row.pair is not None and not row.is_group and row.pair.kind is not Kind.TOOL)
        return next((row for row in rows if row.is_difference), None) or next(said, rows[0] if rows else None)

    def row_at(self, path: Path) -> PairRow | None:
        """The row with a path; None when it is not there."""
        siblings = self.pairs.rows
        found: PairRow | None = None
        for key in path:
            found = next((row for row in siblings if row.key == key), None)
            if found is None:
                return None
            siblings = found.children
        return found

    def choose(self, row: PairRow | None) -> None:
        """Make a row current, opening what hides it, and bring it into sight."""
        if row is None:
            self.setCurrentIndex(QModelIndex())
            self.row_chosen.emit(None)
            return
        self.go_to(row)

    def choose_key(self, key: str) -> bool:
        """Make the row of a segment, or of something left out, current by its key; False when there is no such row."""
        wanted = row_of_key(walk(self.pairs.rows), key)
        if wanted is not None:
            self.choose(wanted)
        return wanted is not None

    def mark_keys(self, keys: Collection[str]) -> None:
        """Mark the rows of some segments, or of things left out, until told otherwise."""
        self._marked = frozenset(keys)
        self.viewport().update()

    def choose_difference(self, step: int) -> bool:
        """To the next (1) or previous (-1) difference; False when there is none in that direction."""
        rows = walk(self.pairs.rows)
        current = self.current_row()
        start = next((number for number, row in enumerate(rows) if row is current), -1 if step > 0 else len(rows))
        ahead: Iterator[PairRow] = iter(rows[start + 1 :] if step > 0 else reversed(rows[: max(0, start)]))
        found = next((row for row in ahead if row.is_difference), None)
        if found is None:
            return False
        self.choose(found)
        return True

    @Slot()
    def expand_everything(self) -> None:
        """Open all rows, and remember it for the turns to come."""
        self._open_all(is_open=True)

    @Slot()
    def collapse_everything(self) -> None:
        """Close all rows."""
        self._open_all(is_open=False)

    def _open_all(self, *, is_open: bool) -> None:
        self.setUpdatesEnabled(False)
        self._is_filling = True
        if is_open:
            self.expandAll()
        else:
            self.collapseAll()
        self._is_filling = False
        self.setUpdatesEnabled(True)
        for row in walk(self.pairs.rows):
            if row.children:
                self._choices[row.path] = is_open

    def choices(self) -> dict[Path, bool]:
        """What the reader opened and closed."""
        return dict(self._choices)

    def take_choices(self, choices: dict[Path, bool]) -> None:
        """Put back what :meth:`choices` gave."""
        self._choices = dict(choices)

    # Look

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self.painter_of_rows.take(colours, self.font())
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        """A larger font makes higher rows."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange, QEvent.Type.StyleChange):
            self.painter_of_rows.take(self._colours, self.font())
            self._set_header_font()
            self._set_widths()
            self.scheduleDelayedItemsLayout()
            self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Both halves stay equally wide."""
        super().resizeEvent(event)
        self._set_widths()

    def _set_widths(self) -> None:
        """The sign belongs to A's half, so that B begins in the middle like the panes above and below."""
        width = self.viewport().width()
        middle = self.width() // 2
        metrics = QFontMetrics(self.font())
        tokens = metrics.horizontalAdvance("0") * 7 + 12
        sign = metrics.horizontalAdvance("↕≠") + 14
        half = 0 if self._one_sided else min(middle, width)
        rest = width - half
        widths = {
            Column.A_TITLE: max(0, half - tokens - sign),
            Column.A_TOKENS: tokens if half else 0,
            Column.SIGN: sign if half else 0,
            # The hint is painted into what the title leaves free.
            Column.B_TITLE: max(0, rest - tokens),
            Column.B_HINT: 0,
            Column.B_TOKENS: tokens,
        }
        for column, size in widths.items():
            self.header().resizeSection(column, size)
        self._say_headings(widths)

    def _say_headings(self, widths: Mapping[Column, int]) -> None:
        """The whole headings where both have room, else both short."""
        metrics = QFontMetrics(self.header().font())
        wanted = {
            column: metrics.horizontalAdvance(whole) + _HEADING_PADDING for column, (whole, _) in self._headings.items()
        }
        fits = all(width <= widths[column] or not widths[column] for column, width in wanted.items())
        for column, (whole, short) in self._headings.items():
            self.pairs.set_heading(column, whole if fits else short)

    def drawRow(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Qt: paint a row. One call paints all its cells."""
        row = self.pairs.row_of(index)
        if row is not None:
            self.painter_of_rows.paint_row(painter, row, self._place(row, option.rect))

    def _place(self, row: PairRow, rect: QRect) -> RowPlace:
        header = self.header()
        columns = tuple(
            (header.sectionViewportPosition(column), header.sectionSize(column)) for column in range(len(Column))
        )
        whole = QRect(0, rect.top(), self.viewport().width(), rect.height())
        current = self.currentIndex()
        is_selected = current.isValid() and self.pairs.row_of(current) is row
        is_open = bool(row.children) and self.isExpanded(self.pairs.index_of(row))
        is_marked = not self._marked.isdisjoint(_keys(row))
        return RowPlace(whole, columns, is_selected, is_open, self._one_sided, self.hasFocus(), is_marked)

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on an arrow opens or closes the row."""
        index = self.indexAt(event.position().toPoint())
        row = self.pairs.row_of(index)
        if row is not None and row.children and event.button() is Qt.MouseButton.LeftButton:
            place = self._place(row, self.visualRect(index))
            if any(rect.contains(event.position()) for rect in self.painter_of_rows.arrow_rects(row, place)):
                self._toggle(row)
                return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right close and open, Enter toggles, Ctrl with up or down steps through the differences."""
        row = self.current_row()
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.difference_wanted.emit(1 if key == Qt.Key.Key_Down else -1)
        elif row is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and row.children:
            self._toggle(row)
        elif row is not None and key == Qt.Key.Key_Right and not event.modifiers():
            self._go_in(row)
        elif row is not None and key == Qt.Key.Key_Left and not event.modifiers():
            self._go_out(row)
        else:
            super().keyPressEvent(event)

    def _go_in(self, row: PairRow) -> None:
        index = self.pairs.index_of(row)
        if row.children and not self.isExpanded(index):
            self.expand(index)
        elif row.children:
            self.choose(row.children[0])

    def _go_out(self, row: PairRow) -> None:
        index = self.pairs.index_of(row)
        if row.children and self.isExpanded(index):
            self.collapse(index)
        elif row.parent is not None:
            self.choose(row.parent)

    def _toggle(self, row: PairRow) -> None:
        index = self.pairs.index_of(row)
        self.setExpanded(index, not self.isExpanded(index))

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.viewport().update()
        if not self._is_filling:
            if current.isValid():
                self.scrollTo(current, QAbstractItemView.ScrollHint.EnsureVisible)
            self.row_chosen.emit(self.pairs.row_of(current))


def row_of_key(rows: list[PairRow], key: str) -> PairRow | None:
    """The row of a segment of B, else of something left out, else of a segment of A."""
    found = (
        next((row for row in rows if row.pair is not None and row.pair.b is not None and row.pair.b.key == key), None),
        next((row for row in rows if row.absent is not None and row.absent.key == key), None),
        next((row for row in rows if row.pair is not None and row.pair.a is not None and row.pair.a.key == key), None),
    )
    return next((row for row in found if row is not None), None)


def _keys(row: PairRow) -> tuple[str, ...]:
    """What a row can be marked by: a branch of things left out by any of them."""
    if row.absent is not None:
        return (row.absent.key,)
    if row.kind is RowKind.ABSENTS:
        return tuple(child.absent.key for child in row.children if child.absent is not None)
    return (row.pair.key,) if row.pair is not None else ()
