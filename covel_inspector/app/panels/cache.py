"""The Cache panel: how much of each request the provider could serve from its cache, and what broke it."""

from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from covel_inspector.analysis.cache_rows import CacheReport, CacheRow
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.cache_asking import read_report
from covel_inspector.app.panels.cache_content import CacheContent, SameCause, cache_content, headings, same_cause
from covel_inspector.app.panels.cache_detail import CacheDetail
from covel_inspector.app.panels.cache_pictures import CacheBars, CacheStrip
from covel_inspector.app.panels.cache_table import CacheTable
from covel_inspector.app.panels.cache_trial import is_tried, trial_told
from covel_inspector.app.panels.cache_words import counted_elsewhere
from covel_inspector.app.panels.kept_sizes import KeptSizes
from covel_inspector.app.panels.panel import Panel, Work
from covel_inspector.app.panels.turn_columns import TurnColumns
from covel_inspector.app.pills import ElidedLine
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.what_if.changing import TRIED_DEPTH, lore_at_depth
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Address, Sentence, say
from covel_inspector.report.cache import CAUSE_KIND

VIEWS: tuple[tuple[str, Sentence], ...] = (
    ("bars", say("Shares")),
    ("strip", say("Request maps")),
    ("table", say("Table")),
)


_MOST_REPORTS = 12


class CachePanel(Panel):
    """Pictures and a table for all turns of a runtime, and the cause of the break for the call the reader is at."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme)
        self._reports: dict[tuple[str, str], CacheReport] = {}
        self._report: CacheReport | None = None
        self._content: CacheContent | None = None
        self._filter: SameCause | None = None
        self.caption = ElidedLine(quiet=True)
        self.buttons = {identifier: QToolButton() for identifier, _ in VIEWS}
        self.filter_button = QPushButton()
        self.bars, self.strip, self.table = CacheBars(), CacheStrip(), CacheTable()
        self.areas = {picture: _scrolled(picture) for picture in self._pictures()}
        self.views = QStackedWidget()
        self.detail = CacheDetail(wording)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._sizes = KeptSizes(self.splitter)
        self._lay_out()
        self.set_content(self.splitter)
        self._connect()

    # What the panel shows

    @property
    def view(self) -> str:
        """Id of the chosen view."""
        return VIEWS[self.views.currentIndex()][0]

    @property
    def shown(self) -> CacheContent | None:
        """What is drawn."""
        return self._content

    @property
    def row(self) -> CacheRow | None:
        """The row of the call the reader is at."""
        address = self._address()
        return self._content.by_address.get(address) if self._content is not None and address is not None else None

    def wanted(self) -> Work | Sentence | None:
        """The report over the session, for the runtime the reader is at."""
        spot, lists = self.inspector.state.spot, self.inspector.state.here
        runtime = self._runtime()
        if spot is None or lists is None:
            return say("Choose a turn to see what became of its prefix.")
        if not runtime:
            return say("No model was called in this session, so there is nothing that could be cached.")
        if (spot.session, runtime) in self._reports:
            return None
        return Work((spot.session, runtime), partial(read_report, session=spot.session, runtime=runtime))

    def show_answer(self, answer: Any) -> None:
        """A report was read; it is kept, for readers go back and forth between runtimes."""
        self._reports[answer.session, self._runtime()] = answer
        while len(self._reports) > _MOST_REPORTS:
            self._reports.pop(next(iter(self._reports)))

    @Slot()
    def forget(self) -> None:
        """Another source is open, or the file has changed."""
        self._reports.clear()
        self._report = self._content = None
        super().forget()

    def show_place(self) -> None:
        """Outline the turn, choose the row, tell of the call."""
        spot = self.inspector.state.spot
        known = self._reports.get((spot.session, self._runtime())) if spot is not None else None
        if known is not None and known is not self._report:
            self._report, self._filter = known, None
            self._fill()
            return
        content, spot = self._content, self.inspector.state.spot
        if content is None or spot is None or content.runtime != self._runtime():
            return
        number = content.column_of(spot.turn)
        for picture in self._pictures():
            picture.set_current(number)
            self._scroll_to(picture, number)
        self.table.set_current(self._address())
        self._tell()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for part in (self.caption, self.bars, self.strip, self.detail):
            part.apply_theme(colours)

    def apply_wording(self) -> None:
        """Say all texts again."""
        text = self.wording.text
        for identifier, title in VIEWS:
            self.buttons[identifier].setText(text(title))
        self.bars.setAccessibleName(text(say("Shares of all turns that were already sent the turn before")))
        self.strip.setAccessibleName(text(say("Request maps of all turns, with the place where sharing ends")))
        self.table.setAccessibleName(text(say("All requests of this runtime")))
        self._fill()

    def export_state(self) -> dict[str, object]:
        """The chosen view, and how wide its parts are."""
        return {"view": self.view, "sizes": self._sizes.sizes}

    def apply_state(self, values: dict[str, Any]) -> None:
        """Put the chosen view and the widths back."""
        self._sizes.put_back(values.get("sizes"))
        if values.get("view") in self.buttons:
            self.choose_view(str(values["view"]))

    def focus_panel(self) -> None:
        """The keyboard goes into the picture or table."""
        focus = self.table if self.view == "table" else self._pictures()[0 if self.view == "bars" else 1]
        focus.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def choose_view(self, identifier: str) -> None:
        """``bars``, ``strip`` or ``table``."""
        number = next(number for number, (name, _) in enumerate(VIEWS) if name == identifier)
        self.views.setCurrentIndex(number)
        self.buttons[identifier].setChecked(True)
        self._say_caption()

    # Inside

    def _fill(self) -> None:
        lists, runtime = self.inspector.state.here, self._runtime()
        if self._report is None or lists is None:
            return
        self._content = content = cache_content(self._report, runtime, lists, self.wording)
        for picture in self._pictures():
            picture.show_columns(content.columns)
        self.strip.set_tallest(content.tallest)
        self._apply_filter()
        self._say_caption()
        self.show_place()

    def _apply_filter(self) -> None:
        content, cause = self._content, self._filter
        if content is None:
            return
        rows = content.table if cause is None else content.with_cause(cause)
        self.table.show_rows(rows, headings(self.wording), self._address())
        marked = frozenset(number for number, column in enumerate(content.columns) if cause and column.cause == cause)
        for picture in self._pictures():
            picture.mark(marked)
        self.filter_button.setVisible(cause is not None)
        if cause is not None and rows:
            name = CAUSE_KIND[rows[0].row.cause.kind]
            self.filter_button.setText(self.wording.text(say("Only: {cause} ({n}) ×", cause=name, n=len(rows))))

    def _say_caption(self) -> None:
        runtime = self._runtime()
        captions = {
            "bars": (
                say("{runtime} · share of each first request that the turn before had already sent", runtime=runtime),
                say("{runtime} · already sent by the turn before", runtime=runtime),
            ),
            "strip": (
                say("{runtime} · first requests from their beginning down; faded: new", runtime=runtime),
                say("{runtime} · top down; faded: new", runtime=runtime),
            ),
            "table": (
                say("{runtime} · all requests, each with the one before it", runtime=runtime),
                say("{runtime} · all requests", runtime=runtime),
            ),
        }
        self.caption.say(*map(self.wording.text, captions[self.view]), runtime)

    def _tell(self) -> None:
        row, content = self.row, self._content
        same = len(content.with_cause(same_cause(row))) if content is not None and row is not None else 0
        spot = self.inspector.state.spot
        nothing = say(
            "{runtime} made no call in turn {turn}.", runtime=self._runtime(), turn=spot.turn if spot else "–"
        )
        call = self.inspector.state.call
        if call is not None and not call.is_sent:
            nothing = say("{why} So no cache was read or written.", why=call.why_unsent)
        is_compared = row is not None and str(row.against or "") == self.inspector.other_address()
        changes, latest = self.inspector.state.changes, self.inspector.latest
        is_at_depth = row is not None and (row.cause.key, TRIED_DEPTH) in changes.lore_depth
        self.detail.show_row(
            row,
            self._report,
            same,
            nothing,
            self._elsewhere(row),
            is_compared=is_compared,
            trial=trial_told(latest, row.address, changes) if row is not None else None,
            is_at_depth=is_at_depth and row is not None and is_tried(latest, row.address, changes),
        )

    def _elsewhere(self, row: CacheRow | None) -> Sentence | None:
        """What the request of a row counts elsewhere, while it is shown above."""
        prepared = self.inspector.latest
        b = prepared.b if prepared is not None else None
        if row is None or b is None or b.figures is None or b.rebuilt or b.address_text != str(row.address):
            return None
        return counted_elsewhere(row, b.figures.total)

    def _runtime(self) -> str:
        state = self.inspector.state
        return state.spot.address.runtime if state.spot and state.spot.address else state.preferred_runtime

    def _address(self) -> Address | None:
        spot = self.inspector.state.spot
        return spot.address if spot is not None else None

    def _pictures(self) -> tuple[TurnColumns, TurnColumns]:
        return self.bars, self.strip

    def _scroll_to(self, picture: TurnColumns, number: int) -> None:
        if number >= 0:
            place = picture.rect_of(number).center().toPoint()
            self.areas[picture].ensureVisible(place.x(), place.y(), UNIT * 4, 0)

    # What the reader does

    @Slot(int)
    def _choose_column(self, number: int) -> None:
        column = self._content.columns[number] if self._content is not None else None
        spot = self.inspector.state.spot
        if column is None or spot is None:
            return
        if column.row is not None:
            self.address_wanted.emit(str(column.row.address))
        else:
            self.inspector.go_to_turn(spot.session, column.turn)

    @Slot(object)
    def _choose_address(self, address: Address) -> None:
        self.address_wanted.emit(str(address))

    @Slot(str)
    def _follow(self, link: str) -> None:
        row = self.row
        if row is None:
            return
        if link == "place":
            place = row.cause.place if row.cause.place is not None else row.cause.key
            self.place_wanted.emit(str(row.address), place)
        elif link == "depth":
            self._try_depth(row)
        elif link == "compare":
            self.inspector.state.set_target(Target(TargetKind.ADDRESS, str(row.against)))
        else:
            self._filter = same_cause(row)
            self._apply_filter()
            self.choose_view("table")

    def _try_depth(self, row: CacheRow) -> None:
        """The request of a row with its guilty lorebook entry further behind, as a "what if"."""
        state, runtime = self.inspector.state, row.address.runtime
        self.place_wanted.emit(str(row.address), row.cause.key)
        state.set_changes(lore_at_depth(state.changes_of(runtime), row.cause.key, TRIED_DEPTH), runtime)
        state.set_target(Target(TargetKind.WHAT_IF))

    @Slot()
    def _clear_filter(self) -> None:
        self._filter = None
        self._apply_filter()

    def _connect(self) -> None:
        for picture in self._pictures():
            picture.column_chosen.connect(self._choose_column)
        self.table.address_chosen.connect(self._choose_address)
        self.detail.link_activated.connect(self._follow)
        self.filter_button.clicked.connect(self._clear_filter)

    def _lay_out(self) -> None:
        group = QButtonGroup(self)
        head = QHBoxLayout()
        head.setContentsMargins(UNIT * 2 - 4, UNIT // 2, UNIT, UNIT // 2)
        head.setSpacing(0)
        head.addWidget(self.caption, 1)
        self.filter_button.setProperty("link", "true")
        self.filter_button.hide()
        head.addWidget(self.filter_button)
        head.addSpacing(UNIT)
        for number, (identifier, _) in enumerate(VIEWS):
            button = self.buttons[identifier]
            button.setCheckable(True)
            button.setChecked(number == 0)
            button.setProperty("segment", ("first", "middle", "last")[number])
            button.clicked.connect(partial(self.choose_view, identifier))
            group.addButton(button)
            head.addWidget(button)
        for widget in (*self.areas.values(), self.table):
            self.views.addWidget(widget)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, UNIT // 2)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.views, 1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.detail)
        self.splitter.setSizes([1000, 1100])
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)


def _scrolled(picture: TurnColumns) -> QScrollArea:
    """A picture that scrolls sideways when there are more turns than room."""
    area = _Flat()
    area.setWidget(picture)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setViewportMargins(UNIT * 2 - 6, 0, UNIT, 0)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class _Flat(QScrollArea):
    """Asks for no height of its own."""

    def sizeHint(self) -> QSize:
        return QSize(UNIT * 40, UNIT * 10)

    def minimumSizeHint(self) -> QSize:
        return QSize(UNIT * 20, UNIT * 6)
