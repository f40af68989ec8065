"""What was committed when a call was made. Follows the reference on the database, section 7.

A row belongs to the history of a call when its execution was committed before the call began; rows of a turn
without executions are copies made by a fork and count as committed. All times are the engine's ISO texts, which
sort as text.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from covel_inspector.engines.covel.records.rows import SummaryRow, TurnMessageRow, TurnResultRow


@dataclass(frozen=True, slots=True)
class Moment:
    """The call whose past is asked for. ``execution`` is None when its execution left no row."""

    turn_id: str
    runtime_id: str
    plugin_id: str
    started_at: str
    execution: TurnResultRow | None = None


@dataclass(frozen=True, slots=True)
class History:
    """History at a moment, in the engine's order.

    ``live`` are the rows that stand for themselves (their summary mark removed when it is younger than the call),
    ``compacted`` those that a summary stood for already, ``later`` those committed after the call.
    """

    live: tuple[TurnMessageRow, ...]
    compacted: tuple[TurnMessageRow, ...]
    later: tuple[TurnMessageRow, ...]
    summaries: tuple[SummaryRow, ...]


class Executions:
    """The executions of a session, to find the one that a row or a call belongs to."""

    def __init__(self, results: Iterable[TurnResultRow]) -> None:
        self._by_turn: dict[str, list[TurnResultRow]] = defaultdict(list)
        for result in sorted(results, key=lambda row: (row.created_at, row.seq)):
            self._by_turn[result.turn_id].append(result)

    def of(self, turn_id: str, moment: str) -> TurnResultRow | None:
        """The execution of a turn that was running at a moment: the first one settled at or after it."""
        results = self._by_turn.get(turn_id, ())
        index = bisect_left([result.created_at for result in results], moment)
        return results[index] if index < len(results) else None

    def commit_time(self, row: TurnMessageRow) -> str | None:
        """When a history row became visible to others; None = it was copied by a fork, so from the start."""
        if row.turn_id not in self._by_turn:
            return None
        execution = self.of(row.turn_id, row.created_at)
        return execution.created_at if execution is not None else row.created_at

    def of_turn(self, turn_id: str) -> Sequence[TurnResultRow]:
        """All executions of a turn, in order."""
        return self._by_turn.get(turn_id, ())


def history_at(
    rows: Sequence[TurnMessageRow], summaries: Sequence[SummaryRow], executions: Executions, moment: Moment
) -> History:
    """The session's history as the call found it, without the player's own row of the current turn."""
    known = tuple(summary for summary in summaries if summary.created_at <= moment.started_at)
    known_ids = {summary.id for summary in known}
    live: list[TurnMessageRow] = []
    compacted: list[TurnMessageRow] = []
    later: list[TurnMessageRow] = []
    for row in rows:
        if row.turn_id == moment.turn_id and row.source_type == "player":
            continue
        committed = executions.commit_time(row)
        if committed is not None and committed >= moment.started_at:
            later.append(row)
        elif row.summary_id in known_ids:
            compacted.append(row)
        else:
            live.append(replace_mark(row))
    return History(tuple(live), tuple(compacted), tuple(later), known)


def replace_mark(row: TurnMessageRow) -> TurnMessageRow:
    """The row as it was before its summary was made."""
    return row.model_copy(update={"summary_id": ""}) if row.summary_id else row


def moment_of(turn_id: str, runtime_id: str, plugin_id: str, started_at: str, executions: Executions) -> Moment:
    """The moment of a call, with the execution it ran in."""
    moment = Moment(turn_id, runtime_id, plugin_id or runtime_id.partition("/")[0], started_at)
    return replace(moment, execution=executions.of(turn_id, started_at))
