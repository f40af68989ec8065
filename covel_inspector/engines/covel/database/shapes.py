"""Which table and columns each kind of row is read from. Follows the reference on the database, section 2."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from covel_inspector.engines.covel.records import rows

R = TypeVar("R", bound=rows.Row)


@dataclass(frozen=True)
class Shape(Generic[R]):
    """A table as a row model sees it. Field names are column names unless ``renamed``."""

    table: str
    row: type[R]
    json: frozenset[str] = frozenset()
    """Fields that hold JSON text."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Field to column."""
    left_out: frozenset[str] = frozenset()
    """Fields that this reading leaves at their defaults, because they may be large."""
    order: tuple[str, ...] = ("created_at",)
    """Columns to sort by, as far as they exist; the row id comes last."""
    identity: tuple[str, ...] = ("id",)
    """Fields that name a row to people."""
    patient: bool = False
    """A row with an unreadable field is kept, with that field at its default."""

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Fields that are read."""
        return tuple(name for name in self.row.model_fields if name not in self.left_out)

    @cached_property
    def optional(self) -> frozenset[str]:
        """Fields whose default stands for NULL and for a missing column."""
        return frozenset(name for name, info in self.row.model_fields.items() if not info.is_required())

    def column(self, name: str) -> str:
        """The column of a field."""
        return self.renamed.get(name, name)


_TIMED = ("created_at", "seq")

SESSIONS = Shape("sessions", rows.SessionRow, frozenset({"active_plugins", "metadata"}), patient=True)
WORLDS = Shape("worlds", rows.WorldRow, frozenset({"tags", "metadata"}), patient=True)
TURN_MESSAGES = Shape(
    "turn_messages",
    rows.TurnMessageRow,
    frozenset({"ui"}),
    {"summary_id": "compacted_at_turn_id"},
    order=("created_at", "order"),
)
SUMMARIES = Shape("session_summaries", rows.SummaryRow, frozenset({"focus_sections"}))
TURN_RESULTS = Shape("turn_results", rows.TurnResultRow, frozenset({"runtime_results"}), order=_TIMED)
TURN_RESULTS_LIGHT = Shape("turn_results", rows.TurnResultRow, left_out=frozenset({"runtime_results"}), order=_TIMED)
TOOL_CALLS = Shape("tool_calls", rows.ToolCallRow, frozenset({"input", "output"}))
CHARACTERS = Shape("characters", rows.CharacterRow, frozenset({"fields"}))
CHARACTER_SCHEMAS = Shape(
    "character_schemas", rows.CharacterSchemaRow, frozenset({"types", "attributes"}), identity=("session_id",)
)
LOREBOOK = Shape("lorebook_entries", rows.LorebookRow, frozenset({"keys", "extra"}), identity=("owner", "id"))
PLUGIN_DATA = Shape("plugin_data", rows.PluginDataRow, frozenset({"value"}))
PLAYER_INPUTS = Shape("player_inputs", rows.PlayerInputRow, frozenset({"values"}))
SUSPENSIONS = Shape("suspensions", rows.SuspensionRow, frozenset({"pending_continuation"}))
SNAPSHOTS = Shape("state_snapshots", rows.SnapshotRow, frozenset({"payload"}))
SNAPSHOTS_LIGHT = Shape("state_snapshots", rows.SnapshotRow, left_out=frozenset({"payload"}))
RUNTIME_EXPORTS = Shape(
    "runtime_exports",
    rows.RuntimeExportRow,
    frozenset({"value"}),
    order=("committed_at",),
    identity=("producer_runtime_id", "record_as", "revision"),
)
EVENTS = Shape("events", rows.EventRow, frozenset({"payload"}))
TRACES = Shape("trace_events", rows.TraceRow, frozenset({"payload"}), order=_TIMED)
MEDIA = Shape("media_assets", rows.MediaAssetRow, frozenset({"meta"}))
