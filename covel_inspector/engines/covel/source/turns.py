"""Turns of a session and the place of each call in them: numbers for people made from rows without order.

Turn ids are random; what orders turns is time. Follows the reference on the database, sections 4 and 8: executions
without a player's line (picture jobs, followers of a background job) get no number of their own, a failed turn has
an execution but no history row, and a fork's copied turns have rows but no executions.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from covel_inspector.domain import Event, Sentence, Turn, TurnKind, say
from covel_inspector.engines.covel.records.rows import CallRow, TurnResultRow


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """The start of a player's line: what a list shows of a turn."""

    turn_id: str
    content: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A trace event that is worth a mark in the list of turns."""

    turn_id: str
    event: Event
    note: Sentence | None = None


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Where a call stands: turn number, count within (turn, runtime), step of the tool loop."""

    row: CallRow
    turn: str
    index: int
    step: int


@dataclass(slots=True)
class _Gathered:
    started: str = ""
    line: str = ""
    has_line: bool = False
    origins: set[str] = field(default_factory=set)
    statuses: set[str] = field(default_factory=set)
    executions: int = 0
    calls: int = 0
    runtimes: dict[str, None] = field(default_factory=dict)

    def begins(self, moment: str) -> None:
        if moment and (not self.started or moment < self.started):
            self.started = moment


def list_turns(
    session: str,
    results: Iterable[TurnResultRow],
    lines: Iterable[PlayerLine],
    calls: Iterable[CallRow],
    marks: Iterable[Mark],
    torn: frozenset[str] = frozenset(),
) -> tuple[Turn, ...]:
    """The turns of a session in story order, numbered.

    ``results`` need no runtime results; a turn that only appears in calls (its execution never settled) counts too.
    ``torn`` names tables of which rows are lost: what is missing then proves nothing.
    """
    gathered: dict[str, _Gathered] = defaultdict(_Gathered)
    for line in lines:
        turn = gathered[line.turn_id]
        turn.line, turn.has_line = line.content, True
        turn.begins(line.created_at)
    for result in results:
        turn = gathered[result.turn_id]
        turn.origins.add(result.origin)
        turn.statuses.add(result.commit_status)
        turn.executions += 1
        turn.begins(execution_start(result))
    for call in calls:
        turn = gathered[call.turn_id]
        turn.calls += 1
        turn.runtimes[call.runtime_id] = None
        turn.begins(call.started_at or call.created_at)
    events: dict[str, dict[Event, None]] = defaultdict(dict)
    notes: dict[str, Sentence] = {}
    for mark in marks:
        events[mark.turn_id][mark.event] = None
        if mark.note is not None:
            notes.setdefault(mark.turn_id, mark.note)
    ordered = sorted(gathered.items(), key=lambda item: (item[1].started, item[0]))
    numbered = _numbers([(turn_id, _kind(turn)) for turn_id, turn in ordered])
    return tuple(
        Turn(
            session=session,
            number=numbered[turn_id],
            id=turn_id,
            kind=_kind(turn),
            line=turn.line,
            started_at=turn.started,
            call_count=turn.calls,
            runtimes=tuple(turn.runtimes),
            events=tuple(_events(turn, events[turn_id])),
            note=notes.get(turn_id) or _note(turn, torn),
        )
        for turn_id, turn in ordered
    )


def place_calls(calls: Sequence[CallRow], numbers: dict[str, str]) -> list[CallPlace]:
    """Each call with its turn number, its count within (turn, runtime) and its step.

    ``calls`` come in the order they were written; ``numbers`` maps turn ids to numbers. A first attempt opens the
    next step of its execution; a new execution (another trace id) begins at step 0 again.
    """
    in_order = sorted(enumerate(calls), key=lambda item: (item[1].started_at or item[1].created_at, item[0]))
    counts: dict[tuple[str, str], int] = defaultdict(int)
    steps: dict[tuple[str, str], int] = defaultdict(lambda: -1)
    places: list[CallPlace] = []
    for _, call in in_order:
        of_runtime = (call.turn_id, call.runtime_id)
        of_execution = (call.trace_id or call.turn_id, call.runtime_id)
        if call.attempt == 0 or steps[of_execution] < 0:
            steps[of_execution] += 1
        places.append(CallPlace(call, numbers.get(call.turn_id, "?"), counts[of_runtime], steps[of_execution]))
        counts[of_runtime] += 1
    return places


def execution_start(result: TurnResultRow) -> str:
    """The execution's start: its row is written at the end, so the duration is taken off. Text, as in the rows."""
    try:
        ended = datetime.fromisoformat(result.created_at)
    except ValueError:
        return result.created_at
    start = ended - timedelta(milliseconds=result.duration_ms)
    return start.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _kind(turn: _Gathered) -> TurnKind:
    is_player = turn.has_line or "player" in turn.origins or (not turn.origins and turn.calls > 0)
    return TurnKind.PLAYER if is_player else TurnKind.BACKGROUND


def _numbers(turns: Sequence[tuple[str, TurnKind]]) -> dict[str, str]:
    numbers: dict[str, str] = {}
    player = behind = 0
    for turn_id, kind in turns:
        if kind is TurnKind.PLAYER:
            player, behind = player + 1, 0
            numbers[turn_id] = str(player)
        else:
            behind += 1
            numbers[turn_id] = f"{player}+{behind}"
    return numbers


def _events(turn: _Gathered, marked: dict[Event, None]) -> Iterable[Event]:
    found = set(marked)
    if "failed" in turn.statuses:
        found.add(Event.FAILED)
    return sorted(found, key=list(Event).index)


def _note(turn: _Gathered, torn: frozenset[str]) -> Sentence | None:
    if turn.calls:
        is_line_lost = not turn.has_line and "player" in turn.origins and "turn_messages" in torn
        return say("The player's line may be lost: the file is damaged.") if is_line_lost else None
    if not turn.executions and "turn_results" not in torn and "trace_events" in torn:
        return say("No call of this turn was found: a fork copied it, or its calls are lost, for the file is damaged.")
    if "trace_events" in torn or (not turn.executions and "turn_results" in torn):
        return say("No call of this turn was found. Calls may be lost: the file is damaged.")
    if not turn.executions:
        return say("Copied by a fork: its calls were recorded in the session it was forked from.")
    if "failed" in turn.statuses:
        return say("The turn failed. No request of it is recorded: none was sent, or its calls are no longer kept.")
    return say("No model was called, or the calls are no longer kept.")
