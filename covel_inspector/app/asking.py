"""From the place to what is shown there: when a comparison is asked for, and what is prepared before it is wanted."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from covel_inspector.app.ahead import Ahead, can_wait, key_of
from covel_inspector.app.gone import gone
from covel_inspector.app.pacing import Pacing, Steps
from covel_inspector.app.picking import Lists, first_call
from covel_inspector.app.preparing import Counts, Question, prepare
from covel_inspector.app.preparing_what_if import prepare_what_if
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot, State
from covel_inspector.app.targets import TargetKind
from covel_inspector.app.work import Desk, Failure, Ticket
from covel_inspector.domain import Source

PAINTING = 20
"""Milliseconds in which the request itself is painted before everything around it follows."""

_IDLE = 80
"""Milliseconds without work after which neighbours are prepared."""

_LANE, _LANE_AHEAD = "compare", "ahead"


class Asking(QObject):
    """Follows the state. A single step is answered at once, many in a row when the reader rests."""

    arrived = Signal(object)
    """Prepared: to be painted now, before anything else is done."""
    prepared = Signal(object)
    """The same Prepared a little later: now the rest may follow."""
    failed = Signal(object)
    """Failure: there is nothing to show."""
    outdated_changed = Signal(bool)
    """True as soon as what is shown is not what is chosen; False when it is again."""

    def __init__(self, state: State, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._desk: Desk | None = None
        self._counts = Counts()
        self._ahead = Ahead()
        self._neighbours: list[Question] = []
        self._looked_at: Question | None = None
        self._last_position = 0
        self.is_outdated = False
        """True while something is shown that is not what is chosen."""
        self.is_preparing = False
        """True from a move until what is chosen is shown, or cannot be."""
        self.latest: Prepared | None = None
        """What is shown."""
        self._steps = Steps(self)
        self._steps.due.connect(self.ask)
        self._pacing = Pacing(self)
        self._pacing.due.connect(self.ask)
        self._telling = QTimer(self, singleShot=True, interval=PAINTING)
        self._telling.timeout.connect(self._tell)
        self._idle = QTimer(self, singleShot=True, interval=_IDLE)
        self._idle.timeout.connect(self._look_ahead)
        state.spot_changed.connect(self._touch)
        state.target_changed.connect(self._touch)
        state.changes_changed.connect(self._touch_changes)

    def begin(self, desk: Desk) -> None:
        """Another source is open: nothing of the last one is known any more."""
        self._desk = desk
        self._counts, self._ahead = Counts(), Ahead()

    def end(self) -> None:
        """Nothing is open."""
        for timer in (self._telling, self._idle):
            timer.stop()
        self._steps.stop()
        self._pacing.stop()
        self._neighbours = []
        self._looked_at = self.latest = self._desk = None
        self.is_preparing = False
        self._say_outdated(is_outdated=False)

    @Slot()
    def ask(self) -> None:
        """Ask for the place now."""
        spot, lists = self._state.spot, self._state.here
        if self._desk is None or spot is None or lists is None:
            return
        question = self._question(spot, lists)
        if self._looked_at is None or key_of(self._looked_at) != key_of(question):
            self._desk.cancel(_LANE_AHEAD)
        job = partial(_answer, question=question, counts=self._counts, ahead=self._ahead)
        self._desk.ask_patiently(job, self._take, self._fail, _LANE)

    # Moves

    @Slot()
    def _touch(self) -> None:
        self._pacing.stop()
        self._idle.stop()
        self._neighbours = []
        self.is_preparing = self._state.spot is not None and self._desk is not None
        if self._desk is not None and self.is_preparing:
            self._desk.cancel(_LANE)
            self._steps.touch()
        else:
            self._steps.stop()
        self._say_outdated(is_outdated=self.is_preparing and self.latest is not None)

    @Slot()
    def _touch_changes(self) -> None:
        """Changes are followed at once while "what if" is shown; a move that still settles brings them along."""
        if self._desk is not None and self._state.target.kind is TargetKind.WHAT_IF and not self._steps.is_waiting:
            self._pacing.touch()

    def _say_outdated(self, *, is_outdated: bool) -> None:
        if is_outdated is not self.is_outdated:
            self.is_outdated = is_outdated
            self.outdated_changed.emit(is_outdated)

    # Answers

    @Slot(object)
    def _take(self, prepared: Prepared) -> None:
        self.latest = prepared
        self.is_preparing = False
        self._neighbours = self._next_questions()
        self._say_outdated(is_outdated=False)
        self.arrived.emit(prepared)
        if not self._telling.isActive():
            self._telling.start()
        self._pacing.finish()

    @Slot()
    def _tell(self) -> None:
        if self.latest is not None:
            self.prepared.emit(self.latest)
            self._idle.start()

    @Slot(object)
    def _fail(self, trouble: Failure) -> None:
        self.latest = None
        self.is_preparing = False
        self._telling.stop()
        self._say_outdated(is_outdated=False)
        self.failed.emit(trouble)
        self._pacing.finish()

    # Neighbours

    def _next_questions(self) -> list[Question]:
        """The turns before and behind the place, the one in the direction of the last step first."""
        spot, lists = self._state.spot, self._state.here
        if spot is None or lists is None:
            return []
        position = lists.position(spot.turn)
        directions = (-1, 1) if position < self._last_position else (1, -1)
        self._last_position = position
        beside = [lists.turns[position + by].number for by in directions if 0 <= position + by < len(lists.turns)]
        spots = [spot_in_turn(lists, number, self._state.preferred_runtime) for number in beside]
        return [question for spot in spots if can_wait(question := self._question(spot, lists))]

    @Slot()
    def _look_ahead(self) -> None:
        desk = self._desk
        if desk is None or not self._neighbours:
            return
        if not desk.is_idle:
            self._idle.start()
            return
        question = self._looked_at = self._neighbours.pop(0)
        job = partial(_answer, question=question, counts=self._counts, ahead=self._ahead)
        desk.ask_patiently(job, self._go_on, self._go_on, _LANE_AHEAD)

    @Slot(object)
    def _go_on(self, _answer: object) -> None:
        """Whether it could be prepared will be told when it is wanted."""
        self._looked_at = None
        self._idle.start()

    def _question(self, spot: Spot, lists: Lists) -> Question:
        state = self._state
        runtime = spot.address.runtime if spot.address is not None else state.preferred_runtime
        return Question(spot, lists, state.target, state.changes_of(runtime))


def spot_in_turn(lists: Lists, number: str, preferred: str) -> Spot:
    """Where to land in a turn of a session."""
    call = first_call(lists, number, preferred)
    return Spot(lists.session.id, number, call.address if call is not None else None)


def _answer(source: Source, ticket: Ticket, *, question: Question, counts: Counts, ahead: Ahead) -> Prepared:
    """Runs in the source's thread."""
    known = ahead.find(source, question) or gone(source, question)
    if known is not None:
        return known
    work = prepare_what_if if question.target.kind is TargetKind.WHAT_IF else prepare
    made = work(source, question, counts, lambda: ticket.stopped)
    ahead.keep(source, question, made)
    return made
