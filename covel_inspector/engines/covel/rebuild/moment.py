"""What was committed when a call was made. Follows the reference on the database, section 7."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from covel_inspector.engines.covel.records.executions import Executions
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
