"""Covel's `Source`: sessions, turns, calls, recorded and rebuilt requests, verdicts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from covel_inspector.domain import (
    Address,
    BodySource,
    BudgetRun,
    Call,
    Changes,
    CompactionReport,
    Event,
    Facts,
    FunctionCall,
    GoOn,
    MeasuredRequest,
    Observation,
    Problem,
    Protocol,
    SegmentTree,
    Sentence,
    Session,
    Severity,
    SourceError,
    Status,
    Turn,
    Verdict,
    WireBody,
    plain,
    say,
)
from covel_inspector.engines.covel.attribution import CallMoment, attribute
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.checkout import read_checkout
from covel_inspector.engines.covel.database import CovelDatabase, open_database
from covel_inspector.engines.covel.rebuild.absences import MissingRows
from covel_inspector.engines.covel.rebuild.rebuilding import CallToRebuild, Rebuilt, target_of
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.rebuild.traced import PruningEvent, pruning_event
from covel_inspector.engines.covel.rebuild.verdict import judge
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.manifests import Checkout
from covel_inspector.engines.covel.records.rows import BadRow, SessionRow, TraceRow, TurnResultRow
from covel_inspector.engines.covel.source.budgets import budget_of
from covel_inspector.engines.covel.source.compactions import compaction_report
from covel_inspector.engines.covel.source.explaining import Explaining
from covel_inspector.engines.covel.source.function_calls import function_calls
from covel_inspector.engines.covel.source.gathering import gather_session, loop_traces
from covel_inspector.engines.covel.source.learning import learned_record
from covel_inspector.engines.covel.source.listing import SessionListing, list_session
from covel_inspector.engines.covel.source.measuring import measured_requests
from covel_inspector.engines.covel.source.observing import Observations
from covel_inspector.engines.covel.source.rebuilds import Rebuilds, keep
from covel_inspector.engines.covel.source.recordings import explained
from covel_inspector.engines.covel.source.resolving import check_call, resolve_session
from covel_inspector.engines.covel.source.turns import CallPlace
from covel_inspector.engines.covel.source.unreadable import told_once, why_unreadable
from covel_inspector.engines.covel.source.unsent import lent_calls, nothing_recorded, payload_or_lent
from covel_inspector.engines.covel.source.wires import WireQuestion, built_wire, recorded_wire, with_provider_boundaries
from covel_inspector.engines.covel.textpack import TextPack, default_pack

_KEPT_SESSIONS = 6
"""Sessions whose rows are kept whole: a report over thousands of them must not fill the memory."""


class CovelSource(Explaining):
    """A Covel database, and a checkout or home folder when one was given.

    What was read of a session is kept until something is committed; of single calls only the last few trees are.
    """

    def __init__(
        self, location: str, database: CovelDatabase, checkout: Checkout | None = None, pack: TextPack | None = None
    ) -> None:
        self._location = location
        self._database = database
        self._checkout = checkout
        self._pack = pack
        self._mark = database.data_version()
        self._session_rows: dict[str, SessionRow] | None = None
        self._sessions: tuple[Session, ...] | None = None
        self._listings: dict[str, SessionListing] = {}
        self._records: dict[str, SessionRecord] = {}
        self._missing: dict[str, MissingRows] = {}
        self._observations = Observations(database)
        self._recorded: dict[Address, SegmentTree | None] = {}
        self._rebuilds = Rebuilds(self._calls_to_rebuild)
        self._failed: list[TurnResultRow] | None = None
        self._problems: list[Problem] = []

    @property
    def location(self) -> str:
        """The text it was opened from."""
        return self._location

    @property
    def estimator_name(self) -> str:
        """Name of the engine's own token estimate."""
        return "Covel estimate"

    def estimate(self, text: str) -> int:
        """Tokens of a text by the engine's rule: CJK units count one, all others a quarter."""
        return covel_tokens(text)

    def facts(self) -> Facts:
        """Counts and the way the file was opened."""
        counts = self._database.counts()
        calls, runtimes = counts.calls, counts.runtimes
        if not (calls and runtimes) and self._database.problems():
            # A damaged file cannot count, but what can be read of it can be counted.
            known = [call.address for session in self._rows() for call in self.calls(session)]
            calls, runtimes = max(calls, len(known)), len({address.runtime for address in known})
        return Facts(
            engine="Covel",
            location=self._location,
            generation=str(self._database.generation.value),
            access=self._database.access.reason,
            sessions=counts.sessions,
            calls=calls,
            runtimes=runtimes,
        )

    def sessions(self) -> Sequence[Session]:
        """All sessions, oldest first; the counts of each come with its list of turns."""
        self._refresh()
        if self._sessions is None:
            self._sessions = tuple(self._session(row) for row in self._rows().values())
        return self._sessions

    def turns(self, session: str) -> Sequence[Turn]:
        """The turns of a session in story order."""
        return self._listing(session).turns

    def calls(self, session: str, turn: str | None = None) -> Sequence[Call]:
        """The recorded calls of a session, or of one of its turns."""
        calls = self._listing(session).calls
        return calls if turn is None else tuple(call for call in calls if call.address.turn == turn)

    def unsent(self, session: str, turn: str | None = None) -> Sequence[Call]:
        """Calls that failed before they were sent, by the errors of their runtimes."""
        calls = (one.call for one in self._listing(session).unsent.values())
        return tuple(call for call in calls if turn is None or call.address.turn == turn)

    def resolve(self, text: str) -> Address:
        """A full address from its text form. Raises AddressError when it names nothing or more than one call."""
        given = Address.parse(text)
        session = resolve_session(given.session, text, list(self._rows()), self.sessions)
        address = Address(session, given.turn, given.runtime, given.call)
        check_call(address, text, self._listing(session))
        return address

    def recorded(self, address: Address) -> SegmentTree | None:
        """The recorded request as a tree; None when it is concealed, broken, or was not recorded."""
        self._refresh()
        if address not in self._recorded:
            keep(self._recorded, address, self._attributed(address))
        return self._recorded[address]

    def rebuilt(self, address: Address, changes: Changes | None = None) -> SegmentTree | None:
        """The request as the embedded assembler builds it; None when it cannot be rebuilt."""
        tree = self._rebuild(address, changes or Changes()).tree
        question = self._wire_question(address, tree, is_recorded=False)
        return tree if question is None or question.lender else with_provider_boundaries(question)

    def budget(self, address: Address, changes: Changes | None = None) -> BudgetRun | None:
        """What the token budget did to the rebuilt request; None when it cannot be rebuilt."""
        return budget_of(partial(self._rebuild, address), changes or Changes(), self._pruning_event(address))

    def compactions(self, session: str) -> CompactionReport:
        """The session's summaries with the rows they cover, the attempts, and when the next one is due."""
        self._refresh()
        record = self._record(session)
        if record is None:
            raise SourceError(say("There is no session {session} in this file.", session=session))
        return compaction_report(record, self._listing(session), self.recorded)

    def observed(self, session: str, go_on: GoOn | None = None) -> Mapping[str, Observation] | None:
        """How each extension segment behaved over the session; None when ``go_on`` put the work aside."""
        self._refresh()
        record = self._record(session)
        places = self._listing(session).places.values()
        return self._observations.of(record, places, go_on) if record is not None else {}

    def measured(self, session: str | None = None) -> Iterator[MeasuredRequest]:
        """The recorded calls taken apart for the prefix measurement; numbers of turns that were listed before."""
        listed = ((key, listing) for key, listing in self._listings.items())
        numbers = {(key, turn.id): turn.number for key, listing in listed for turn in listing.turns}
        return measured_requests(self._database, session, numbers)

    def function_calls(self, session: str) -> Sequence[FunctionCall]:
        """Model calls that functions of plugins made in a session."""
        return function_calls(self._database, session)

    def wire(
        self,
        address: Address,
        protocol: Protocol | None = None,
        source: BodySource = BodySource.RECORDED,
        changes: Changes | None = None,
    ) -> WireBody | None:
        """The body of a call; None when there is none of this kind, or its parts are not known."""
        is_rebuilt = source is BodySource.BUILT_FROM_REBUILT
        tree = self.rebuilt(address, changes) if is_rebuilt else self.recorded(address)
        question = self._wire_question(address, tree, is_recorded=not is_rebuilt)
        if question is None:
            return None
        if source is BodySource.RECORDED:
            return recorded_wire(question, protocol)
        return built_wire(question, protocol, source)

    def verdict(self, address: Address) -> Verdict:
        """Recorded against rebuilt, always without changes."""
        recorded = self.recorded(address)
        unreadable = self._unreadable(address) if recorded is None else None
        if unreadable is not None:
            return Verdict(Status.NOTHING_RECORDED, unreadable)
        rebuilt = self._rebuild(address, Changes())
        if rebuilt.tree is None:
            return Verdict(Status.IMPOSSIBLE, rebuilt.reason)
        if recorded is None:
            return Verdict(Status.NOTHING_RECORDED, nothing_recorded(rebuilt.request))
        return judge(recorded, rebuilt.tree, rebuilt.borrowed)

    def problems(self) -> Sequence[Problem]:
        """Everything noticed so far that could not be read as it should, in the database and in the folder."""
        from_files = self._checkout.problems if self._checkout is not None else ()
        return told_once((*self._database.problems(), *from_files, *self._problems))

    def changed_since(self, mark: str) -> tuple[str, bool]:
        """A new mark, and whether anything was committed since the given one."""
        now = self._database.data_version()
        return now, bool(mark) and now != mark

    def interrupt(self) -> None:
        """Stop the running read. May be called from any thread."""
        self._database.interrupt()

    def close(self) -> None:
        """Give the file back. Idempotent."""
        self._database.close()

    def payload(self, address: Address) -> RecordedCall | None:
        """The recorded payload of a call; None when there is none that can be read."""
        place = self._listing(address.session).places.get(address)
        if place is None:
            return None
        call = self._database.call_payload(place.row.id)
        if isinstance(call, BadRow):
            self._note_bad(call, address)
            return None
        return call

    def _refresh(self) -> None:
        """Forget what was read when the file has changed since."""
        mark = self._database.data_version()
        if mark == self._mark:
            return
        self._mark = mark
        self._session_rows = self._sessions = self._failed = None
        for kept in (self._listings, self._records, self._missing, self._observations, self._recorded):
            kept.clear()
        self._rebuilds.clear()
        self._problems.clear()

    def _rows(self) -> dict[str, SessionRow]:
        if self._session_rows is None:
            self._session_rows = {row.id: row for row in self._database.sessions()}
            for session in self._database.sessions_with_calls():
                if session not in self._session_rows:
                    self._session_rows[session] = SessionRow(id=session)
                    told = say("made calls, but has no row: its title, language and plugins are unknown")
                    self._problems.append(Problem(Severity.ERROR, f"sessions {session}", told))
        return self._session_rows

    def _session(self, row: SessionRow) -> Session:
        world = self._database.world(row.world_id) if row.world_id else None
        name = world.name if world is not None else ""
        turns, calls = self._database.session_counts(row.id)
        return Session(
            id=row.id,
            title=row.title or name or row.id,
            locale=row.locale,
            world=name or row.world_id,
            turn_count=turns,
            call_count=calls,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )

    def _listing(self, session: str) -> SessionListing:
        self._refresh()
        if session not in self._listings:
            self._listings[session] = list_session(self._database, session)
        return self._listings[session]

    def _record(self, session: str) -> SessionRecord | None:
        if session not in self._records:
            row = self._rows().get(session)
            if row is None:
                return None
            if self._failed is None:
                self._failed = self._database.failed_turn_results()
            elsewhere = [result for result in self._failed if result.session_id != session]
            record = gather_session(self._database, row, self._checkout, self._pack or default_pack(), elsewhere)
            listing = self._listing(session)
            pruned = {turn.number for turn in listing.turns if Event.PRUNED in turn.events}
            places = list(listing.places.values())
            learned = learned_record(self._database, record, places, pruned, self._pack, tuple(self._rows().values()))
            learned = replace(learned, turn_numbers={turn.id: turn.number for turn in listing.turns})
            keep(self._records, session, learned, _KEPT_SESSIONS)
        return self._records[session]

    def _attributed(self, address: Address) -> SegmentTree | None:
        call = self.payload(address)
        record = self._record(address.session)
        if call is None or record is None or call.concealed or not call.messages:
            return None
        moment, place = self._call_moment(address), self._listing(address.session).places[address]
        missing = self._missing.get(address.session)
        if missing is None or missing.record is not record:
            missing = MissingRows(record)
            keep(self._missing, address.session, missing, _KEPT_SESSIONS)
        tree = attribute(call, moment, record.index)
        traces = partial(self._loop_traces, address)
        tree = explained(tree, record, missing, place.row, moment, traces, target_of(call))
        question = WireQuestion(address.session, call, tree, record.pack, self._checkout)
        return with_provider_boundaries(question)

    def _wire_question(self, address: Address, tree: SegmentTree | None, is_recorded: bool) -> WireQuestion | None:
        record, listing = self._record(address.session), self._listing(address.session)
        payload, lender = payload_or_lent(address, listing.unsent.get(address), listing.calls, self.payload)
        if tree is None or payload is None or record is None:
            return None
        return WireQuestion(address.session, payload, tree, record.pack, self._checkout, is_recorded, lender)

    def _call_moment(self, address: Address) -> CallMoment:
        place = self._place(address)
        row = place.row
        return CallMoment(row.turn_id, row.runtime_id, row.plugin_id, row.started_at, place.step, row.attempt)

    def _loop_traces(self, address: Address) -> tuple[TraceRow, ...]:
        row = self._place(address).row
        return tuple(loop_traces(self._database, address.session, row.turn_id, row.trace_id))

    def _rebuild(self, address: Address, changes: Changes) -> Rebuilt:
        self._refresh()
        record = self._record(address.session)
        if record is None or self._listing(address.session).place(address) is None:
            return Rebuilt(None, say("there is no such call"))
        if not address.runtime:
            return Rebuilt(None, say("its row names no runtime, so nothing tells how it was built"))
        return self._rebuilds.rebuilt(address, record, changes)

    def _pruning_event(self, address: Address) -> PruningEvent | None:
        record, place = self._record(address.session), self._listing(address.session).place(address)
        return pruning_event(record.evidence.traces, place.row) if record is not None and place is not None else None

    def _unreadable(self, address: Address) -> Sentence | None:
        """Why the recording of a call cannot be read; None when it can, or there is none."""
        place = self._listing(address.session).places.get(address)
        return why_unreadable(place, self._database.call_payload(place.row.id)) if place is not None else None

    def _place(self, address: Address) -> CallPlace:
        place = self._listing(address.session).place(address)
        if place is None:
            raise SourceError(say("There is no call {address} in this file.", address=str(address)))
        return place

    def _calls_to_rebuild(self, address: Address) -> Sequence[CallToRebuild]:
        """The call with what is known of it; for one that was never sent, one version for each call that may lend."""
        listing = self._listing(address.session)
        known = CallToRebuild(
            moment=self._call_moment(address),
            recorded=self.recorded(address),
            payload=self.payload(address),
            concealed=self._place(address).row.concealed,
            traces=self._loop_traces(address),
        )
        unsent = listing.unsent.get(address)
        if unsent is None:
            return (known,)
        return lent_calls(known, unsent, listing.calls, self.recorded, self.payload)

    def _note_bad(self, bad: BadRow, address: Address) -> None:
        problem = Problem(Severity.ERROR, f"{bad.table} {bad.id}", bad.sentence or plain(bad.reason), address)
        if problem not in self._problems:
            self._problems.append(problem)


def open_covel(location: str, covel_root: str | None = None, texts: str | None = None) -> CovelSource:
    """Open a Covel database. Raises SourceError with one clear sentence.

    ``covel_root`` is a checkout or home folder, ``texts`` a text pack that replaces what would be learned.
    """
    checkout = read_checkout(covel_root) if covel_root else None
    pack = default_pack().overlaid(TextPack.load(Path(texts))) if texts else None
    return CovelSource(location, open_database(location), checkout, pack)
