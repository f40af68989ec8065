"""A panel made of a list and a page about the chosen row; what is chosen in it and in the request goes together."""

from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.page import NOTHING, Link, LinkTo, Page
from covel_inspector.app.page_view import PageView
from covel_inspector.app.panels.kept_sizes import KeptSizes
from covel_inspector.app.panels.listed_rows import Column, Row
from covel_inspector.app.panels.panel import Panel
from covel_inspector.app.panels.rows_view import RowsView
from covel_inspector.app.plain_text import label
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Absent, Place, Segment, SegmentTree, Sentence, say


class ListPanel(Panel):
    """Subclasses say which rows there are, what is told about one, and where in the request it stands."""

    listed = Signal()
    """Other rows are shown."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme, columns: tuple[Column, ...]) -> None:
        super().__init__(inspector, wording, theme)
        self._wanted_item = ""
        self._followed = ""
        """Key of what was chosen in the request last: a step to another turn chooses it anew, which is no choice."""
        self._empty: Sentence | None = None
        self.list = RowsView(columns)
        self.page_view = PageView(wording, theme)
        self.empty = label(tone="quiet")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._sizes = KeptSizes(self.splitter)
        self.head = QHBoxLayout()
        """Above the list: what subclasses put there."""
        self._pages = QStackedWidget()
        self._lay_out()
        self.list.row_chosen.connect(self._choose_row)
        self.list.row_activated.connect(self._activate_row)
        self.page_view.link_wanted.connect(self.follow_link)
        inspector.state.selection_changed.connect(self._follow_selection)

    # To override

    def page_of(self, row: Row) -> Page:
        """What is told about a row."""
        raise NotImplementedError

    def place_of(self, row: Row) -> tuple[str, Place | str] | None:  # noqa: ARG002 - for subclasses
        """Address of the call and place in its request (or key of a segment) that the row is about, if any."""
        return None

    def stands_for(self, row: Row, segment: Segment | Absent) -> bool:  # noqa: ARG002 - for subclasses
        """Whether the row is about what the reader chose in the request: a segment, or something left out."""
        return False

    def row_of_item(self, item: str) -> Row | None:
        """The row that a link from elsewhere names, if it is there."""
        return self.list.first_row(lambda row: row.key == item)

    # For subclasses

    @property
    def tree(self) -> SegmentTree | None:
        """The request of the call the reader is at, when it is shown."""
        latest = self.inspector.latest
        side = latest.b if latest is not None else None
        return side.tree if side is not None and side.address_text == self.inspector.address_text else None

    def show_rows(self, rows: list[Row], empty: Sentence) -> None:
        """Show other rows; ``empty`` is said when there are none."""
        self._empty = empty
        self.empty.setText(self.wording.text(empty))
        self._pages.setCurrentIndex(1 if rows else 0)
        self._beside.setVisible(bool(rows))
        self.list.show_rows(rows)
        if not self._choose_wanted() and self.list.current_row() is None and not self._choose_selected() and rows:
            self.list.choose(self.list.listed.rows[0], quietly=True)
        self.show_page()

    def show_page(self) -> None:
        """Tell about the current row."""
        row = self.list.current_row()
        self.page_view.show_page(self.page_of(row) if row is not None else NOTHING)

    def choose_item(self, item: str) -> None:
        """Choose the row that a link from elsewhere names, now or as soon as it is there."""
        self._wanted_item = item
        if self._choose_wanted():
            self.show_page()

    @Slot(object)
    def follow_link(self, link: Link) -> None:
        """A link of the page: places go through the panel's own signals, all others to the window."""
        if link.to is LinkTo.PLACE:
            self.place_wanted.emit(link.target, link.place)
        elif link.to is LinkTo.ADDRESS:
            self.address_wanted.emit(link.target)
        elif link.to is LinkTo.COMMAND:
            self.command_wanted.emit(link.target)
        else:
            self.link_wanted.emit(link)

    # What the dock calls

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self.list.apply_theme(colours)
        self.page_view.draw()

    def apply_wording(self) -> None:
        """Say the fixed texts again."""
        self.list.say_headings(self.wording.text)
        self.page_view.setAccessibleName(self.wording.text(say("About the chosen line")))
        if self._empty is not None:
            self.empty.setText(self.wording.text(self._empty))
        self.page_view.draw()

    def focus_panel(self) -> None:
        """The list takes the keyboard."""
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def export_state(self) -> dict[str, object]:
        """How wide list and page are."""
        return {"sizes": self._sizes.sizes}

    def apply_state(self, values: dict[str, Any]) -> None:
        """Put the widths back."""
        self._sizes.put_back(values.get("sizes"))

    # Inside

    def _lay_out(self) -> None:
        self._beside = page = QWidget()
        page.setMinimumWidth(UNIT * 22)
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.page_view)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.head.setContentsMargins(UNIT + 4, UNIT // 2, UNIT, UNIT // 2)
        self.head.setSpacing(UNIT)
        column.addLayout(self.head)
        self.empty.setContentsMargins(UNIT * 2, UNIT, UNIT * 2, UNIT)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.list)
        column.addWidget(self._pages, 1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(page)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 7)
        self.splitter.setStretchFactor(1, 3)
        self.splitter.setSizes([700, 300])
        self.set_content(self.splitter)

    @Slot(object)
    def _choose_row(self, row: Row | None) -> None:
        self.show_page()
        place = self.place_of(row) if row is not None else None
        if place is not None and place[0] == self.inspector.address_text and not self._is_chosen(row):
            self.place_wanted.emit(*place)

    @Slot(object)
    def _activate_row(self, row: Row) -> None:
        place = self.place_of(row)
        if place is not None:
            self.place_wanted.emit(*place)

    @Slot()
    def _follow_selection(self) -> None:
        segment = self._selected_segment()
        key = segment.key if segment is not None else ""
        if not self.is_active or key == self._followed:
            return
        self._followed = key
        if self._choose_selected():
            self.show_page()

    def _choose_selected(self) -> bool:
        """Choose the row of what is chosen in the request; False when there is none, or it is chosen already."""
        segment = self._selected_segment()
        if segment is None or self._is_chosen(self.list.current_row()):
            return False
        row = self.list.first_row(lambda row: self.stands_for(row, segment))
        if row is not None:
            self.list.choose(row, quietly=True)
        return row is not None

    def _is_chosen(self, row: Row | None) -> bool:
        segment = self._selected_segment()
        return row is not None and segment is not None and self.stands_for(row, segment)

    def _selected_segment(self) -> Segment | Absent | None:
        selected = self.inspector.state.selected
        return selected.shown if isinstance(selected, Pair) else selected

    def _choose_wanted(self) -> bool:
        row = self.row_of_item(self._wanted_item) if self._wanted_item else None
        if row is None:
            return False
        self._wanted_item = ""
        self.list.choose(row, quietly=True)
        return True


def small_label() -> QLabel:
    """A quiet line beside a field."""
    made = label(tone="quiet")
    made.setWordWrap(False)
    return made
