"""Rows of covel.db, after the JSON columns are decoded. Follows the reference on the database, sections 2 and 4.

Models are lenient where the engine's own writers are free (JSON columns), strict where a wrong type would make
us say something false. Unknown columns never reach them: readers select by name.
"""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf

from covel_inspector.domain import Sentence

Json = Any
"""A decoded JSON value."""


def _empty_when_null(value: object) -> object:
    return "" if value is None else value


OptionalText = Annotated[str, BeforeValidator(_empty_when_null)]
"""A nullable text column; NULL reads as the empty string where the engine makes no difference."""


class Row(BaseModel):
    """Base of all rows: immutable, built from a mapping of column name to value."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class SessionRow(Row):
    """``sessions``. ``active_plugins`` are plugin ids; ``metadata`` is free JSON (title, loreOverride …)."""

    id: str
    world_id: OptionalText = ""
    status: OptionalText = ""
    locale: OptionalText = ""
    active_plugins: tuple[str, ...] = ()
    metadata: dict[str, Json] = {}
    phase: OptionalText = ""
    completed_player_turns: int = 0
    created_at: OptionalText = ""
    updated_at: OptionalText = ""

    @property
    def title(self) -> str:
        """The title in the metadata, or the empty string."""
        title = self.metadata.get("title")
        return title if isinstance(title, str) else ""

    @property
    def lore_override(self) -> str | None:
        """What this session has in place of the world's lore, which may be an empty text; None = the world's own."""
        value = self.metadata.get("loreOverride")
        return value if isinstance(value, str) else None


class WorldRow(Row):
    """``worlds``. Plain texts in the world's own locale; other languages are in ``metadata.localizedText``."""

    id: str
    name: OptionalText = ""
    description: OptionalText = ""
    lore: str | None = None
    tags: tuple[str, ...] = ()
    locale: OptionalText = ""
    metadata: dict[str, Json] = {}
    created_at: OptionalText = ""
    updated_at: OptionalText = ""


class TurnMessageRow(Row):
    """``turn_messages``: one row of history. ``summary_id`` is the column ``compacted_at_turn_id``."""

    id: str
    session_id: str
    turn_id: str
    source_type: str
    source_plugin_id: OptionalText = ""
    source_runtime_id: OptionalText = ""
    role: str
    name: OptionalText = ""
    content: OptionalText = ""
    ui: Json = None
    order: int = 0
    created_at: OptionalText = ""
    summary_id: OptionalText = ""


class SummaryRow(Row):
    """``session_summaries``; the range is given by turn ids."""

    id: str
    session_id: str
    turn_range_start: OptionalText = ""
    turn_range_end: OptionalText = ""
    content: OptionalText = ""
    focus_sections: tuple[str, ...] = ()
    created_at: OptionalText = ""


class TurnResultRow(Row):
    """``turn_results``: one execution. ``runtime_results`` is the decoded list, as the engine wrote it."""

    id: str
    session_id: str
    turn_id: str
    runtime_results: tuple[dict[str, Json], ...] = ()
    origin: OptionalText = ""
    parent_turn_id: OptionalText = ""
    retry_scope: OptionalText = ""
    commit_status: OptionalText = ""
    duration_ms: int = 0
    created_at: OptionalText = ""
    seq: int = 0


class ToolCallRow(Row):
    """``tool_calls``: one executed tool call."""

    id: str
    session_id: str
    turn_id: str
    tool_name: str
    plugin_id: OptionalText = ""
    runtime_id: OptionalText = ""
    input: Json = None
    output: Json = None
    approval_status: OptionalText = ""
    created_at: OptionalText = ""


class CharacterRow(Row):
    """``characters``; identity is (session, id)."""

    id: str
    session_id: str
    name: str
    type: str
    description: OptionalText = ""
    fields: dict[str, Json] | None = None
    version: int = 1
    created_at: OptionalText = ""
    updated_at: OptionalText = ""


class LorebookRow(Row):
    """``lorebook_entries``. In older files ``owner`` is made from ``plugin_id``."""

    id: str
    session_id: str
    owner: OptionalText = ""
    keys: tuple[str, ...] = ()
    content: OptionalText = ""
    strategy: OptionalText = ""
    position: OptionalText = ""
    insertion_order: int = 100
    enabled: bool = True
    extra: Json = None
    created_at: OptionalText = ""
    updated_at: OptionalText = ""


class PluginDataRow(Row):
    """``plugin_data``. Namespaces that begin with ``_hidden.`` are never shown by default."""

    id: str
    session_id: str
    plugin_id: str
    namespace: str
    key: str
    value: Json = None
    created_at: OptionalText = ""
    updated_at: OptionalText = ""


class PlayerInputRow(Row):
    """``player_inputs``: a filled form."""

    id: str
    session_id: str
    turn_id: OptionalText = ""
    form_id: OptionalText = ""
    values: dict[str, Json] = {}
    created_at: OptionalText = ""


class SuspensionRow(Row):
    """``suspensions``: a run that waits, with its frozen continuation."""

    id: str
    session_id: str
    turn_id: str
    runtime_id: str
    plugin_id: OptionalText = ""
    reason: OptionalText = ""
    pending_continuation: dict[str, Json] = {}
    created_at: OptionalText = ""
    resolved_at: OptionalText = ""


class SnapshotRow(Row):
    """``state_snapshots``. ``payload`` is the decoded snapshot, empty when only listed."""

    id: str
    session_id: str
    turn_id: OptionalText = ""
    kind: OptionalText = ""
    parent_id: OptionalText = ""
    payload: dict[str, Json] = {}
    created_at: OptionalText = ""


class RuntimeExportRow(Row):
    """``runtime_exports``: a committed value that other runtimes may read."""

    session_id: str
    producer_plugin_id: str
    producer_runtime_id: str
    record_as: str
    revision: int = 0
    plugin_version: OptionalText = ""
    result_id: OptionalText = ""
    value: Json = None
    committed_at: OptionalText = ""


class EventRow(Row):
    """``events``: a domain event; ``turn_id`` is the turn that raised it."""

    id: str
    session_id: str
    type: str
    topic: str
    payload: Json = None
    target_runtime: OptionalText = ""
    turn_id: OptionalText = ""
    created_at: OptionalText = ""


class TraceRow(Row):
    """A ``trace_events`` row with its decoded payload."""

    id: str
    session_id: str
    type: str
    trace_id: OptionalText = ""
    turn_id: OptionalText = ""
    payload: dict[str, Json] = {}
    created_at: OptionalText = ""
    seq: int = 0


class CallRow(Row):
    """What a list needs of an ``llm.calling`` row: small fields taken out by the database, the payload not parsed.

    ``payload_seq`` orders the events of one turn (the emitter's own counter), None when absent.
    """

    id: str
    session_id: str
    turn_id: OptionalText = ""
    trace_id: OptionalText = ""
    created_at: OptionalText = ""
    seq: int = 0
    payload_bytes: int = 0
    runtime_id: OptionalText = ""
    plugin_id: OptionalText = ""
    slot: OptionalText = ""
    model: OptionalText = ""
    provider: OptionalText = ""
    attempt: int = 0
    started_at: OptionalText = ""
    payload_seq: int | None = None
    concealed: bool = False
    row: int = 0
    """The row id of SQLite: grows in the order of writing."""
    problem: InstanceOf[Sentence] | None = Field(default=None, exclude=True)
    """Why the payload cannot be read, for a row that is broken; the small fields are then empty."""


class ResponseRow(Row):
    """What pairing needs of an ``llm.responded`` row; the counts are None when the provider reported none."""

    id: str
    session_id: str
    turn_id: OptionalText = ""
    trace_id: OptionalText = ""
    created_at: OptionalText = ""
    seq: int = 0
    runtime_id: OptionalText = ""
    attempt: int = 0
    payload_seq: int | None = None
    finish_reason: OptionalText = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None
    duration_ms: float | None = None
    error: OptionalText = ""
    row: int = 0
    """As in :class:`CallRow`."""


class EventMarkRow(Row):
    """A trace event worth a mark in the navigator, without its payload.

    ``type`` is the event's name; ``status`` the payload's (``runtime.completed`` may say ``failed``).
    """

    id: str
    session_id: str
    type: str
    turn_id: OptionalText = ""
    trace_id: OptionalText = ""
    created_at: OptionalText = ""
    seq: int = 0
    runtime_id: OptionalText = ""
    status: OptionalText = ""


class PlayerLineRow(Row):
    """The beginning of what the player wrote in a turn."""

    turn_id: str
    content: OptionalText = ""
    created_at: OptionalText = ""


class MediaAssetRow(Row):
    """``media_assets``: facts about a picture; its bytes are not in the database."""

    id: str
    mime: OptionalText = ""
    size: int = 0
    path: OptionalText = ""
    meta: Json = None
    owner_session_id: OptionalText = ""
    owner_plugin_id: OptionalText = ""
    created_at: OptionalText = ""


class CharacterSchemaRow(Row):
    """``character_schemas``: which types and attributes the characters of a session have."""

    session_id: str
    version: int = 1
    types: Json = None
    attributes: Json = None


class Counts(Row):
    """How much is in a file. ``runtimes`` counts different runtimes that called a model."""

    sessions: int = 0
    calls: int = 0
    runtimes: int = 0


class BadRow(Row):
    """A row that does not validate, or was shown with replaced characters: kept, named and shown.

    ``id`` is empty when a whole table is meant.
    """

    table: str
    id: str
    reason: str
    """One line in English: which column, and what is wrong with it."""
    sentence: InstanceOf[Sentence] | None = Field(default=None, exclude=True)
    """The same for translation."""
