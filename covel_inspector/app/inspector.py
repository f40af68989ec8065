"""Between state and desk: opens sources, answers moves of the reader with the work they need. No widgets."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from covel_inspector.app.asking import Asking, spot_in_turn
from covel_inspector.app.opening import Opened, Opening, OpenSource, read_lists
from covel_inspector.app.picking import Lists, call_a_turn_before, call_before, first_call, last_turn, requests_of
from covel_inspector.app.picking import main_runtime as main_runtime_of
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot, State, WhatIf
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.work import Desk, Failure
from covel_inspector.domain import Problem, Source, say


class Inspector(QObject):
    """The window's logic. Lives in the window's thread; everything slow happens in the desk's."""

    opening = Signal(str)
    """A location is being opened."""
    open_failed = Signal(object)
    """Failure: the file explains itself. What was open before stays open."""
    arrived = Signal(object)
    """Prepared: two sides ready to draw, to be painted before anything else is done."""
    prepared = Signal(object)
    """The same Prepared a moment later: now everything around the request may follow."""
    outdated_changed = Signal(bool)
    """True while what is shown is not what is chosen."""
    preparing_failed = Signal(object)
    noticed = Signal(object)
    """Sentence: something small the reader should know."""
    missed = Signal(object)
    """Sentence: the source is open, but what was asked for cannot be shown, and why."""
    busy_changed = Signal(bool)
    problems_read = Signal(object)
    """Tuple of Problem."""
    place_reached = Signal(object)
    """What :meth:`go_to_place` was asked for can be shown now: a Place of the request of B, or a segment's key."""

    def __init__(self, state: State, open_source: OpenSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.location = ""
        self.covel_root = ""
        self._opening = Opening(open_source, self)
        self._opening.opened.connect(self._opened)
        self._opening.failed.connect(self._failed_to_open)
        self._opening.busy_changed.connect(self.busy_changed)
        self._desk: Desk | None = None
        self._panel_desk: Desk | None = None
        self._wanted_place: tuple[str, object] | None = None
        self._kept: WhatIf | None = None
        self._asking = Asking(state, self)
        self._asking.arrived.connect(self._show)
        self._asking.outdated_changed.connect(self.outdated_changed)
        self._asking.prepared.connect(self.prepared)
        self._asking.prepared.connect(self._read_problems)
        self._asking.failed.connect(self.preparing_failed)

    @property
    def desk(self) -> Desk | None:
        """Where jobs on the opened source are done; None while nothing is open."""
        return self._desk

    @property
    def is_preparing(self) -> bool:
        """True while the request of the place is still on its way."""
        return self._asking.is_preparing

    @property
    def is_outdated(self) -> bool:
        """True while what is shown is not what is chosen."""
        return self._asking.is_outdated

    @property
    def opened_panel_desk(self) -> Desk | None:
        """The second desk, if a panel has needed it."""
        return self._panel_desk

    def panel_desk(self) -> Desk | None:
        """A second desk on the same source, for panels: a report over a whole session must not hold up a request.

        Opened when first asked for; None while nothing is open.
        """
        if self._panel_desk is None and self._desk is not None:
            self._panel_desk = self._opening.desk_on(self.location, self.covel_root or None)
        return self._panel_desk

    @property
    def latest(self) -> Prepared | None:
        """What was prepared last and is shown now."""
        return self._asking.latest

    # Opening and closing

    def open(self, location: str, covel_root: str | None = None, address: str = "") -> None:
        """Open a source, at an address if one is given. What is open stays so until the new one has answered."""
        self._kept = None
        self.opening.emit(location)
        self._opening.begin(location, covel_root, address)

    @property
    def is_opening(self) -> bool:
        """True while a source is being opened."""
        return self._opening.is_active

    @property
    def tried(self) -> str:
        """The location that was opened last, or tried."""
        return self._opening.location

    def reload(self) -> None:
        """Open the same source again, at the same place."""
        if self.location:
            kept = self.state.kept_what_if()
            self.open(self.location, self.covel_root or None, self.address_text)
            self._kept = kept

    def close(self) -> None:
        """Close what is open and wait for its thread."""
        self._opening.cancel()
        self._wanted_place = None
        if self._desk is not None:
            self._close_desks()
            self.state.open(None, "", ())
        self.location = self.covel_root = ""

    @property
    def address_text(self) -> str:
        """Text form of the place, empty when there is no call."""
        spot = self.state.spot
        return str(spot.address) if spot and spot.address else ""

    def _close_desks(self) -> None:
        self._asking.end()
        desks, self._desk, self._panel_desk = (self._panel_desk, self._desk), None, None
        for desk in desks:
            if desk is not None:
                desk.close()
                desk.deleteLater()

    @Slot(object)
    def _opened(self, opened: Opened) -> None:
        state = self.state
        self._close_desks()
        self._wanted_place = None
        self.location, self.covel_root = self._opening.location, self._opening.covel_root
        self._desk = self._opening.take(self)
        self._desk.busy_changed.connect(self.busy_changed)
        self._asking.begin(self._desk)
        state.open(opened.facts, opened.estimator, opened.sessions)
        if self._kept is not None:
            state.put_what_if(self._kept)
        if opened.lists is not None:
            self._take_lists(opened.lists)
            self._land(opened.lists, opened.address_text)
        why = opened.notice
        if not opened.sessions:
            why = say("There is no session in this file yet.")
        elif why is None and state.spot is None:
            why = say("There is no turn in this session yet.")
        if why is not None:
            self.noticed.emit(why)
            self.missed.emit(why)
        self._read_problems()

    @Slot(object)
    def _failed_to_open(self, trouble: Failure) -> None:
        self._kept = None
        self.open_failed.emit(trouble)

    # Moving

    def want_session(self, session: str) -> None:
        """Read the lists of a session if they are not read yet."""
        if self._desk is not None and session not in self.state.lists:
            self._desk.ask(partial(read_lists, session=session), self._take_lists, self._notice, f"session {session}")

    def go(self, text: str) -> None:
        """Go to an address in its text form, in which the session may be empty (this one) or shortened."""
        if self._desk is None:
            return
        if text.startswith(":") and self.state.spot is not None:
            text = self.state.spot.session + text
        self._desk.ask(partial(_find, text=text), self._found, self._notice, "go")

    def go_to_place(self, address_text: str, place: object) -> None:
        """Go to a call, and to a place in its request (or a segment, by its key) as soon as it is shown."""
        self._wanted_place = (address_text, place)
        if self.address_text != address_text:
            self.go(address_text)
        elif self.latest is not None:
            self._reach_place()

    def go_to_turn(self, session: str, number: str) -> None:
        """Go to a turn of a session whose lists are read."""
        lists = self.state.lists.get(session)
        if lists is None or lists.turn(number) is None:
            return
        self.state.go(spot_in_turn(lists, number, self.state.preferred_runtime))

    def step(self, by: int) -> None:
        """To an earlier (-1) or later (1) turn of the session; at the ends nothing happens."""
        lists, spot = self.state.here, self.state.spot
        if lists is None or spot is None:
            return
        position = lists.position(spot.turn) + by
        if 0 <= position < len(lists.turns):
            self.go_to_turn(spot.session, lists.turns[position].number)

    def go_to_end(self, *, last: bool) -> None:
        """To the first or the last turn of the session."""
        lists = self.state.here
        if lists is not None and lists.turns:
            self.go_to_turn(lists.session.id, lists.turns[-1 if last else 0].number)

    def choose_runtime(self, runtime: str) -> None:
        """Show another runtime of this turn, and prefer it from now on."""
        lists, spot = self.state.here, self.state.spot
        if lists is None or spot is None:
            return
        self.state.preferred_runtime = runtime
        call = first_call(lists, spot.turn, runtime)
        if call is not None:
            self.state.go(Spot(spot.session, spot.turn, call.address))

    def choose_call(self, number: int) -> None:
        """Show another call of this runtime in this turn, by its place among them."""
        lists, spot = self.state.here, self.state.spot
        if lists is None or spot is None or spot.address is None:
            return
        made = requests_of(lists, spot.turn, spot.address.runtime)
        if 0 <= number < len(made):
            self.state.go(Spot(spot.session, spot.turn, made[number].address))

    def step_call(self, by: int) -> None:
        """To an earlier or later call of this runtime in this turn."""
        lists, spot = self.state.here, self.state.spot
        if lists is None or spot is None or spot.address is None:
            return
        made = [call.address for call in requests_of(lists, spot.turn, spot.address.runtime)]
        if spot.address in made:
            self.choose_call(made.index(spot.address) + by)

    def other_address(self) -> str:
        """Address of the call that the target points at, as far as the lists tell; empty when unknown."""
        lists, spot, target = self.state.here, self.state.spot, self.state.target
        if lists is None or spot is None or spot.address is None:
            return ""
        if target.kind is TargetKind.ADDRESS:
            return target.address
        if target.kind is TargetKind.PREVIOUS_TURN:
            call = call_a_turn_before(lists, spot.address)
        elif target.kind is TargetKind.PREVIOUS_CALL:
            call = call_before(lists, spot.address)
        else:
            call = None
        return str(call.address) if call else ""

    def swap(self) -> None:
        """Go to the call on the other side, and compare it with this one."""
        there, here = self.other_address(), self.address_text
        if there and here:
            self.state.set_target(Target(TargetKind.ADDRESS, here))
            self.go(there)

    def _land(self, lists: Lists, address_text: str) -> None:
        state = self.state
        state.preferred_runtime = main_runtime_of(lists)
        call = next((call for call in (*lists.calls, *lists.unsent) if str(call.address) == address_text), None)
        if call is not None:
            state.preferred_runtime = call.address.runtime
            state.go(Spot(lists.session.id, call.address.turn, call.address))
            return
        turn = last_turn(lists, state.preferred_runtime)
        if turn is not None:
            self.go_to_turn(lists.session.id, turn.number)

    @Slot(object)
    def _take_lists(self, lists: Lists) -> None:
        self.state.put_lists(lists)

    @Slot(object)
    def _found(self, found: tuple[Lists, str]) -> None:
        lists, address_text = found
        if lists.session.id not in self.state.lists:
            self._take_lists(lists)
        self._land(lists, address_text)

    @Slot(object)
    def _notice(self, trouble: Failure) -> None:
        self.noticed.emit(trouble.sentence)

    # Preparing

    @Slot(object)
    def _show(self, prepared: Prepared) -> None:
        self.arrived.emit(prepared)
        self._reach_place()

    def _reach_place(self) -> None:
        wanted, self._wanted_place = self._wanted_place, None
        if wanted is not None and wanted[0] == self.address_text:
            self.place_reached.emit(wanted[1])

    def _read_problems(self) -> None:
        if self._desk is not None:
            self._desk.ask(_problems, self._take_problems, self._notice, "problems")

    @Slot(object)
    def _take_problems(self, problems: Sequence[Problem]) -> None:
        self.problems_read.emit(problems)


def _find(source: Source, *, text: str) -> tuple[Lists, str]:
    address = source.resolve(text)
    return read_lists(source, session=address.session), str(address)


def _problems(source: Source) -> tuple[Problem, ...]:
    return tuple(source.problems())
