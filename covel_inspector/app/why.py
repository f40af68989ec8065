"""The Why panel: answers in sentences about the selected segment or text, or about the whole call."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from covel_inspector.analysis.pairs import Pair
from covel_inspector.analysis.tokens import tokenizer
from covel_inspector.app.asking import PAINTING
from covel_inspector.app.figures import figure
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.observing import (
    LOOKING,
    OBSERVED,
    SessionObservations,
    is_observed,
    observation_of,
    with_observation,
)
from covel_inspector.app.page import NOTHING, Page
from covel_inspector.app.page_view import PageView
from covel_inspector.app.plain_text import breakable, label
from covel_inspector.app.sides import Side
from covel_inspector.app.theme import Theme
from covel_inspector.app.token_counts import SideCounts
from covel_inspector.app.why_chain import Further, needs_further
from covel_inspector.app.why_content import absent_page, call_page, segment_asked, segment_page
from covel_inspector.app.why_text import COUNTING, text_page, with_offer
from covel_inspector.app.wording import Wording
from covel_inspector.app.work import Failure
from covel_inspector.domain import Address, Segment, Sentence, Source, say


@dataclass(frozen=True, slots=True)
class _Counted:
    text: str
    tokens: int
    counter: str
    exact: bool
    note: Sentence


class WhyPanel(QWidget):
    """Follows the selection. ``link_wanted`` carries a Link for the window to follow."""

    link_wanted = Signal(object)

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inspector = inspector
        self._wording = wording
        self._page = NOTHING
        self._counted: _Counted | None = None
        self._counts = SideCounts.of(inspector)
        self._counts.switched.connect(self.refresh)
        self._observations = SessionObservations.of(inspector)
        self._observations.found.connect(self.refresh)
        self._observations.moved.connect(self._show_looking)
        self._further: Further | None = None
        self.title = label()
        self.title.setObjectName("panelTitle")
        self._area = PageView(wording, theme)
        self._area.link_wanted.connect(self.link_wanted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.title)
        layout.addWidget(self._area, 1)
        self.setMinimumWidth(200)
        wording.changed.connect(self.say_again)
        theme.changed.connect(self.say_again)
        inspector.state.selection_changed.connect(self.refresh)
        inspector.state.source_changed.connect(self._forget)
        inspector.prepared.connect(self.refresh)
        # A page is made of many labels: the request itself is painted first, and quick moves are drawn once.
        self._drawing = QTimer(self, singleShot=True, interval=PAINTING)
        self._drawing.timeout.connect(self._draw)
        self.say_again()

    @property
    def area(self) -> PageView:
        """What shows the page, and shows it by now."""
        if self._drawing.isActive():
            self._drawing.stop()
            self._draw()
        return self._area

    @property
    def page(self) -> Page:
        """What is shown."""
        return self._page

    def focus_page(self) -> None:
        """Put the keyboard into the panel."""
        self._area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def refresh(self) -> None:
        """Answer for the selection as it is now."""
        page = self._answer()
        if page != self._page:
            self._page = page
            self._drawing.start()
        self._look_further()

    @Slot()
    def _draw(self) -> None:
        self._area.show_page(self._page)
        self._show_tokens()
        self._ask_tokens()

    @Slot()
    def say_again(self) -> None:
        """Say all texts in the language and colours in force."""
        self.title.setText(self._wording.text(say("Why")))
        self.area.setAccessibleName(self._wording.text(say("Why: about the selection")))
        self._area.draw()
        self._show_tokens()

    @Slot()
    def _forget(self) -> None:
        self._further = None
        self.refresh()

    def _answer(self) -> Page:
        page = self._page_of_selection()
        return page if self._counts.is_on else with_offer(page)

    def _page_of_selection(self) -> Page:
        prepared, state = self._inspector.latest, self._inspector.state
        selected = state.selected
        if prepared is None:
            return NOTHING
        if isinstance(selected, Pair):
            further = self._further_of(selected)
            if state.picked is not None:
                page = text_page(state.picked, selected, prepared, further)
            else:
                page = segment_page(selected, prepared, further)
            return self._with_observation(page, selected)
        return absent_page(selected, prepared) if selected is not None else call_page(prepared)

    # What must be looked up

    def _further_of(self, pair: Pair) -> Further | None:
        side, further = self._side_of(pair), self._further
        return further if side is not None and further is not None and further.address == side.address_text else None

    def _side_of(self, pair: Pair) -> Side | None:
        """The side that is spoken of: where the text was selected, else the right one where it has the segment."""
        prepared = self._inspector.latest
        if prepared is None:
            return None
        return prepared.b if self._asked_segment(pair) is pair.b else prepared.a

    def _asked_segment(self, pair: Pair) -> Segment:
        picked = self._inspector.state.picked
        return segment_asked(pair, is_a=picked is not None and picked.is_a)

    def _look_further(self) -> None:
        """A variable's row and an entry's key are known to the source, not to the tree."""
        desk, pair = self._inspector.desk, self._inspector.state.selected
        if desk is None:
            return
        desk.cancel("further")
        if not isinstance(pair, Pair) or self._further_of(pair) is not None:
            return
        if not needs_further(self._asked_segment(pair)):
            return
        side = self._side_of(pair)
        if side is not None and side.call is not None and not side.changed:
            job = partial(_further, address=side.call.address)
            desk.ask(job, self._take_further, self._no_answer, "further")

    @Slot(object)
    def _take_further(self, further: Further) -> None:
        self._further = further
        self.refresh()

    # What all calls of the session tell

    def _with_observation(self, page: Page, pair: Pair) -> Page:
        side = self._side_of(pair)
        if side is None or side.call is None or not is_observed(self._asked_segment(pair)):
            return page
        observed = self._observations.want(side.call.address.session)
        seen = observation_of(self._asked_segment(pair), observed)
        # A segment that only a rebuilt request has was never seen.
        return page if seen is None and observed is not None else with_observation(page, seen)

    @Slot()
    def _show_looking(self) -> None:
        line = self._area.value_label(OBSERVED)
        if line is not None and any(fact.value == LOOKING for fact in self._page.facts):
            line.setText(self._wording.text(self._observations.looking()))

    # Tokens by a tokenizer

    def _ask_tokens(self) -> None:
        desk, page = self._inspector.desk, self._page
        if desk is None:
            return
        desk.cancel("tokens")
        if not self._counts.is_on:
            self._counted = None
        elif page.count_text and (self._counted is None or self._counted.text != page.count_text):
            self._counted = None
            desk.ask(
                partial(_count, text=page.count_text, model=page.model), self._take_count, self._no_answer, "tokens"
            )

    @Slot(object)
    def _take_count(self, counted: _Counted) -> None:
        self._counted = counted
        self._show_tokens()

    @Slot(object)
    def _no_answer(self, trouble: Failure) -> None:
        """What is shown stays as it is; the log has the reason."""

    def _show_tokens(self) -> None:
        counted, line = self._counted, self._area.value_label(_TOKENS)
        if (
            not self._counts.is_on
            or counted is None
            or line is None
            or counted.text != self._page.count_text
            or not counted.text
        ):
            return
        more = _counted_line(counted)
        estimate = next(fact.value for fact in self._page.facts if fact.label == _TOKENS)
        said = [self._wording.text(one) for one in (estimate, more) if one is not None and one != COUNTING]
        line.setText(breakable("\n".join(said)))
        line.setToolTip(self._wording.text(counted.note))


_TOKENS = say("Tokens")


def _count(_source: Source, *, text: str, model: str) -> _Counted:
    counter = tokenizer(model)
    return _Counted(text, counter.count(text), counter.name, counter.exact, counter.note)


def _counted_line(counted: _Counted) -> Sentence:
    """A count that was not made with the model's own tokenizer says so."""
    if counted.exact:
        return say("{n} counted with {counter}", n=figure(counted.tokens), counter=counted.counter)
    return say("{n} counted with {counter}, the nearest tokenizer", n=figure(counted.tokens), counter=counted.counter)


def _further(source: Source, *, address: Address) -> Further:
    report = source.template(address)
    variables = report.variables if report is not None else ()
    return Further(
        str(address),
        {variable.path: variable for variable in variables},
        {state.key: state for state in source.lorebook(address)},
    )
