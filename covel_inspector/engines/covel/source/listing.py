"""The turns and calls of one session, joined from the light rows of the database. No payload is parsed here."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from covel_inspector.domain import Address, Call, Event, Turn, Usage
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.records.rows import CallRow, EventMarkRow, ResponseRow, TurnResultRow
from covel_inspector.engines.covel.source.turns import CallPlace, Mark, PlayerLine, list_turns, place_calls
from covel_inspector.engines.covel.source.unsent import FAILED_EVENT, UnsentCall, told_failure, unsent_calls

_EVENTS = {
    "context.compacted": Event.COMPACTED,
    "context.pruned": Event.PRUNED,
    "runtime.failed": Event.FAILED,
    "turn.suspended": Event.SUSPENDED,
    "hook.rewrote": Event.HOOK_REWROTE,
}


@dataclass(frozen=True, slots=True)
class SessionListing:
    """Turns in story order, calls in the order they were made, and where each call stands."""

    turns: tuple[Turn, ...]
    calls: tuple[Call, ...]
    places: dict[Address, CallPlace]
    unsent: dict[Address, UnsentCall] = field(default_factory=dict)
    """Calls that failed before they were sent."""

    def place(self, address: Address) -> CallPlace | None:
        """Where a call stands, sent or not."""
        unsent = self.unsent.get(address)
        return unsent.place if unsent is not None else self.places.get(address)

    def turn(self, number: str) -> Turn | None:
        """The turn of a number."""
        return next((turn for turn in self.turns if turn.number == number), None)


def list_session(database: CovelDatabase, session: str) -> SessionListing:
    """Read the light rows of a session and join them."""
    rows = database.call_rows(session)
    results = database.turn_results(session)
    events = database.event_marks(session)
    marks = [*_marks(events, rows), *_failures(database, session, results)]
    lines = [PlayerLine(row.turn_id, row.content, row.created_at) for row in database.player_lines(session)]
    turns = list_turns(session, results, lines, rows, marks, database.torn_tables)
    numbers = {turn.id: turn.number for turn in turns}
    responses = _pair(rows, database.responses(session))
    calls: list[Call] = []
    places: dict[Address, CallPlace] = {}
    for place in place_calls(rows, numbers):
        address = Address(session, place.turn, place.row.runtime_id, place.index)
        calls.append(_call(address, place, responses.get(place.row.id)))
        places[address] = place
    failed = _failed_results(database, session, results, events)
    unsent = unsent_calls(session, failed, list(places.values()), numbers, events)
    return SessionListing(turns, tuple(calls), places, {one.call.address: one for one in unsent})


def _marks(events: Iterable[EventMarkRow], rows: Iterable[CallRow]) -> Iterable[Mark]:
    calls = list(rows)
    started = sorted((call.started_at, call.turn_id) for call in calls if call.started_at)
    for event in events:
        kind = _EVENTS.get(event.type)
        if kind is None:
            continue
        turn_id = event.turn_id
        if kind is Event.COMPACTED:
            # The event is filed under the last turn that it covers, but it happened just before the next call.
            turn_id = next((turn for moment, turn in started if moment >= event.created_at), turn_id)
        yield Mark(turn_id, kind)
    for call in calls:
        if call.attempt > 0:
            yield Mark(call.turn_id, Event.RETRIED)


def _failed_results(
    database: CovelDatabase, session: str, results: Iterable[TurnResultRow], events: Sequence[EventMarkRow]
) -> Iterable[TurnResultRow]:
    """The whole rows of executions in which a runtime failed; no others are read."""
    turns = dict.fromkeys(result.turn_id for result in results if result.commit_status == "failed")
    turns.update(dict.fromkeys(event.turn_id for event in events if event.type == FAILED_EVENT))
    for turn_id in turns:
        yield from database.turn_result_rows(session, turn_id)


def _failures(database: CovelDatabase, session: str, results: Iterable[TurnResultRow]) -> Iterable[Mark]:
    """What a failed execution says of itself; only the rows of failed turns are read whole."""
    failed = dict.fromkeys(result.turn_id for result in results if result.commit_status == "failed")
    for turn_id in failed:
        for row in database.turn_result_rows(session, turn_id):
            for result in row.runtime_results:
                error = result.get("error")
                if isinstance(error, str) and error:
                    yield Mark(turn_id, Event.FAILED, told_failure(str(result.get("runtimeId", "?")), error))


def _pair(calls: Sequence[CallRow], responses: Sequence[ResponseRow]) -> dict[str, ResponseRow]:
    """Call row id → its answer: within (execution, runtime) the n-th call belongs to the n-th answer of its attempt.

    Follows the reference on the database, section 5.7; the emitter's counter orders both.
    """
    waiting: dict[tuple[str, str], list[ResponseRow]] = defaultdict(list)
    for response in sorted(responses, key=lambda row: (row.payload_seq is None, row.payload_seq or 0, row.created_at)):
        waiting[response.trace_id or response.turn_id, response.runtime_id].append(response)
    paired: dict[str, ResponseRow] = {}
    ordered = sorted(calls, key=lambda row: (row.payload_seq is None, row.payload_seq or 0, row.created_at))
    for call in ordered:
        queue = waiting[call.trace_id or call.turn_id, call.runtime_id]
        match = next((n for n, response in enumerate(queue) if response.attempt == call.attempt), None)
        if match is not None:
            paired[call.id] = queue.pop(match)
    return paired


def _call(address: Address, place: CallPlace, response: ResponseRow | None) -> Call:
    row = place.row
    usage = None
    if response is not None:
        usage = Usage(
            response.input_tokens,
            response.output_tokens,
            response.cached_input_tokens,
            response.cache_write_input_tokens,
        )
    return Call(
        address=address,
        row=row.id,
        turn_id=row.turn_id,
        step=place.step,
        attempt=row.attempt,
        model=row.model,
        provider=row.provider,
        slot=row.slot,
        plugin=row.plugin_id,
        started_at=row.started_at,
        payload_bytes=row.payload_bytes,
        concealed=row.concealed,
        finish=response.finish_reason if response is not None else "",
        usage=usage,
        problem=row.problem,
    )
