"""What attribution may use: the rows and files of one session, and the moment of one call."""

from dataclasses import dataclass

from covel_inspector.engines.covel.records.manifests import Checkout
from covel_inspector.engines.covel.records.rows import (
    CharacterRow,
    LorebookRow,
    PluginDataRow,
    RuntimeExportRow,
    SessionRow,
    SummaryRow,
    SuspensionRow,
    ToolCallRow,
    TraceRow,
    TurnMessageRow,
    TurnResultRow,
    WorldRow,
)


@dataclass(frozen=True, slots=True)
class SessionEvidence:
    """Everything about one session that attribution may use; built once per session.

    ``rows`` in (created_at, order, id) order, compacted ones included; ``traces`` only the small events that bear on
    prompts (``context.pruned``, ``hook.rewrote``). Times are ISO texts in UTC and compare as text.
    Whatever is not at hand may be left empty: attribution then says "unknown" more often.
    """

    session: SessionRow
    world: WorldRow | None = None
    rows: tuple[TurnMessageRow, ...] = ()
    summaries: tuple[SummaryRow, ...] = ()
    lorebook: tuple[LorebookRow, ...] = ()
    tool_calls: tuple[ToolCallRow, ...] = ()
    turn_results: tuple[TurnResultRow, ...] = ()
    plugin_data: tuple[PluginDataRow, ...] = ()
    suspensions: tuple[SuspensionRow, ...] = ()
    characters: tuple[CharacterRow, ...] = ()
    exports: tuple[RuntimeExportRow, ...] = ()
    traces: tuple[TraceRow, ...] = ()
    checkout: Checkout | None = None


@dataclass(frozen=True, slots=True)
class CallMoment:
    """When and for whom a call was made.

    ``started_at`` is the ISO time of the request (``startedAt`` of the payload, not the row's own time), empty when
    unknown; ``step`` counts the tool loop from 0, ``attempt`` the tries of this step.
    """

    turn_id: str
    runtime_id: str
    plugin_id: str
    started_at: str = ""
    step: int = 0
    attempt: int = 0
