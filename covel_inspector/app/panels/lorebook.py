"""The Lorebook panel: which entries a call holds and why, which not and why, when they were in, and what a line would
wake."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.page import NOTHING, Page
from covel_inspector.app.panels.list_panel import ListPanel, small_label
from covel_inspector.app.panels.listed_rows import Row
from covel_inspector.app.panels.lorebook_page import entry_page
from covel_inspector.app.panels.lorebook_rows import COLUMNS, Entry, counts, lorebook_rows
from covel_inspector.app.panels.panel import Watch, Work
from covel_inspector.app.panels.silence import no_lorebook
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording
from covel_inspector.app.work import Failure, Ticket
from covel_inspector.domain import Absent, Address, LoreHistory, LoreState, Place, Segment, Sentence, Source, say

_PAUSE = 200
"""Milliseconds that typing must rest before a line is tried."""

_LANE = "try line"


@dataclass(frozen=True, slots=True)
class _Answer:
    address: Address
    states: tuple[LoreState, ...]
    history: LoreHistory


@dataclass(frozen=True, slots=True)
class _Tried:
    address: Address
    line: str
    states: tuple[LoreState, ...]


class LorebookPanel(ListPanel):
    """Follows the call. A line that is tried changes nothing: it only tells what it would do."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme, COLUMNS)
        self._answer: _Answer | None = None
        self._tried: _Tried | None = None
        self.line = QLineEdit()
        self.filter = QLineEdit()
        self.count = small_label()
        for field in (self.line, self.filter):
            field.setClearButtonEnabled(True)
        self.head.addWidget(self.line, 3)
        self.head.addWidget(self.count)
        self.head.addStretch(1)
        self.head.addWidget(self.filter, 1)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._try)
        self.line.textChanged.connect(self._type)
        self.line.returnPressed.connect(self._try)
        self.filter.textChanged.connect(self._list)
        self.list.item_clicked.connect(self._go_to_turn)
        self.list.item_wanted.connect(self._step_turn)

    # The panel

    def wanted(self) -> Work | Sentence | None:
        """The entries of the call, and of its runtime's other calls."""
        spot = self.inspector.state.spot
        if spot is None:
            return say("Choose a turn to see which lorebook entries it holds.")
        if spot.address is None:
            return no_lorebook(self.inspector.state.turn)
        known = self._answer.history if self._answer is not None else None
        return Work(spot.address, partial(_read, address=spot.address, known=known))

    def show_answer(self, answer: _Answer) -> None:
        """Entries of another call."""
        self._answer = answer
        self._list()
        if self.line.text().strip():
            self._try()

    def forget(self) -> None:
        """Another source, or the file has changed."""
        self._answer = self._tried = None
        super().forget()

    def show_place(self) -> None:
        """The request arrives after the entries, and with it the places of the keys."""
        if self._answer is not None and self.list.current_row() is not None:
            self.show_page()

    def apply_wording(self) -> None:
        """Say all texts again."""
        super().apply_wording()
        text = self.wording.text
        self.line.setPlaceholderText(text(say("Try a line: what would the player's words wake?")))
        self.line.setAccessibleName(text(say("A line to try on the lorebook")))
        self.filter.setPlaceholderText(text(say("Filter entries")))
        self.filter.setAccessibleName(text(say("Filter entries")))
        self.list.setAccessibleName(text(say("Lorebook entries")))
        self._list()

    def key_order(self) -> tuple[QWidget, ...]:
        """The fields above the list come before it."""
        return (self.line, self.filter, self.list, self.page_view)

    # The list

    def page_of(self, row: Row) -> Page:
        """About an entry."""
        answer, entry = self._answer, row.subject
        if answer is None or not isinstance(entry, Entry):
            return NOTHING
        return entry_page(entry, answer.address, answer.history.addresses, self.tree, self.inspector.state.estimator)

    def place_of(self, row: Row) -> tuple[str, Place | str] | None:
        """Where the entry stands in the request, or among what was left out."""
        tree = self.tree
        keys = {one.key for group in (tree.walk(), tree.absent) for one in group} if tree is not None else set()
        return (self.inspector.address_text, row.key) if row.key in keys else None

    def stands_for(self, row: Row, segment: Segment | Absent) -> bool:
        """Entries have the keys of their segments."""
        return row.key == segment.key

    @Slot()
    def _list(self) -> None:
        answer, text = self._answer, self.wording.text
        if answer is None:
            return
        tried = self._tried.states if self._tried is not None and self._tried.address == answer.address else None
        counted = counts(answer.states, tried)
        call = self.inspector.state.call
        if call is not None and not call.is_sent:
            counted = say("{counts} · never sent: by the rules alone", counts=counted)
        self.count.setText(text(counted))
        rows = lorebook_rows(answer.states, tried, answer.history, answer.address, self.wording, self.filter.text())
        nothing = say("No entry fits the filter.") if answer.states else say("This session has no lorebook entries.")
        self.show_rows(rows, nothing)

    # Trying a line

    @Slot()
    def _type(self) -> None:
        if self.line.text().strip():
            self._pause.start()
        else:
            self._pause.stop()
            self._tried = None
            self._list()

    @Slot()
    def _try(self) -> None:
        self._pause.stop()
        desk, answer, line = self.inspector.panel_desk(), self._answer, self.line.text()
        if desk is None or answer is None or not line.strip():
            return
        desk.ask_patiently(
            partial(_try_line, address=answer.address, line=line), self._take_tried, self._fail_try, _LANE
        )

    @Slot(object)
    def _take_tried(self, tried: _Tried) -> None:
        if tried.line == self.line.text():
            self._tried = tried
            self._list()

    @Slot(object)
    def _fail_try(self, trouble: Failure) -> None:
        self.noticed.emit(trouble.sentence)

    # Turns

    @Slot(object, int)
    def _go_to_turn(self, _row: Row, item: int) -> None:
        if self._answer is not None:
            self.address_wanted.emit(str(self._answer.history.addresses[item]))

    @Slot(object, int)
    def _step_turn(self, row: Row, step: int) -> None:
        entry = row.subject
        strip = entry.strip if isinstance(entry, Entry) else None
        number = strip.next_in(step) if strip is not None else None
        if number is not None:
            self._go_to_turn(row, number)
        else:
            self.noticed.emit(say("This entry is in no further turn in that direction."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape empties the tried line."""
        if event.key() == Qt.Key.Key_Escape and self.line.text():
            self.line.clear()
            return
        super().keyPressEvent(event)


def _read(source: Source, watch: Watch, *, address: Address, known: LoreHistory | None) -> _Answer:
    states = tuple(source.lorebook(address))
    watch.check()
    if known is None or (known.session, known.runtime) != (address.session, address.runtime):
        known = source.lorebook_history(address.session, address.runtime)
    return _Answer(address, states, known)


def _try_line(source: Source, ticket: Ticket, *, address: Address, line: str) -> _Tried:
    ticket.check()
    return _Tried(address, line, tuple(source.try_line(address, line)))
