"""Reads one session whole, for attribution and rebuilding. Done once a session, on first need."""

from collections.abc import Iterable, Sequence

from covel_inspector.engines.covel.attribution import SessionEvidence, index_session
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.rebuild.limits import overflows
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.executions import Executions
from covel_inspector.engines.covel.records.manifests import Checkout
from covel_inspector.engines.covel.records.rows import SessionRow, TraceRow, TurnResultRow
from covel_inspector.engines.covel.textpack import TextPack

_TRACES = ("context.pruned", "context.compacted", "context.compaction.failed", "hook.rewrote")
_LOOP_TRACES = ("llm.responded", "tool.completed", "tool.failed")


def gather_session(
    database: CovelDatabase,
    session: SessionRow,
    checkout: Checkout | None,
    pack: TextPack,
    failed_elsewhere: Iterable[TurnResultRow] = (),
) -> SessionRecord:
    """Everything of a session. ``failed_elsewhere`` are failed executions of other sessions: their errors name limits.

    Hidden namespaces of plugin data are left out: no prompt may hold them.
    """
    results = tuple(database.turn_results(session.id, with_results=True))
    evidence = SessionEvidence(
        session=session,
        world=database.world(session.world_id) if session.world_id else None,
        rows=tuple(database.turn_messages(session.id)),
        summaries=tuple(database.summaries(session.id)),
        lorebook=tuple(database.lorebook(session.id)),
        tool_calls=tuple(database.tool_calls(session.id)),
        turn_results=results,
        plugin_data=tuple(row for row in database.plugin_data(session.id) if not row.namespace.startswith("_hidden.")),
        suspensions=tuple(database.suspensions(session.id)),
        characters=tuple(database.characters(session.id)),
        exports=tuple(database.runtime_exports(session.id)),
        traces=tuple(database.traces(session.id, _TRACES)),
        checkout=checkout,
    )
    return SessionRecord(
        evidence=evidence,
        index=index_session(evidence),
        executions=Executions(results),
        pack=pack,
        events=tuple(database.events(session.id)),
        player_inputs=tuple(database.player_inputs(session.id)),
        overflows=tuple(overflows([*results, *failed_elsewhere])),
        media_bytes={asset.id: asset.size for asset in database.media(session.id)},
    )


def loop_traces(database: CovelDatabase, session: str, turn_id: str, trace_id: str) -> Sequence[TraceRow]:
    """The answers and tool results of one execution, in the engine's order."""
    rows = database.traces(session, _LOOP_TRACES, turn_id=turn_id)
    own = [row for row in rows if not trace_id or row.trace_id == trace_id]
    return sorted(own, key=_emitted)


def _emitted(row: TraceRow) -> tuple[bool, int, str, int]:
    number = row.payload.get("seq")
    return (not isinstance(number, int), number if isinstance(number, int) else 0, row.created_at, row.seq)
