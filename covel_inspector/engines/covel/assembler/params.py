"""What the assembler takes: one frozen value per input. Follows the reference on the assembler, section 2.

Values that came from JSON (outputs, settings, slots, rows of plugin data, the world view) stay decoded JSON:
dicts, lists, strings, numbers, booleans, None. They are never changed here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from covel_inspector.domain import Absent, Sentence
from covel_inspector.engines.covel.assembler.provenance import NOWHERE, Json, Provenance
from covel_inspector.engines.covel.assembler.session_state import LoreEntry
from covel_inspector.engines.covel.budget.limits import BudgetOptions

__all__ = [
    "NOWHERE",
    "Activation",
    "CompletedResult",
    "ContextParams",
    "HistoryRow",
    "Inject",
    "Json",
    "LoreContribution",
    "Manifest",
    "PluginDataInject",
    "PluginRow",
    "PromptSegment",
    "Provenance",
    "RuntimeInject",
    "SessionMeta",
    "SessionSnapshot",
    "Summary",
    "TurnInput",
]

_EMPTY: Mapping[str, Json] = MappingProxyType({})
_EMPTY_PROVENANCE: Mapping[str, Provenance] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RuntimeInject:
    """An inject that prints one field of a finished runtime's output; ``as_tag`` as declared, brackets or not."""

    source: str
    field: str
    as_tag: str


@dataclass(frozen=True, slots=True)
class PluginDataInject:
    """An inject that shows rows of the runtime's own plugin; ``format`` is summary, full or ids-only."""

    namespace: str
    as_tag: str
    format: str = "summary"
    max_entries: int = 50


Inject = RuntimeInject | PluginDataInject


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the assembler asks of a runtime's manifest. ``output_schema`` counts when it is truthy in JavaScript."""

    name: str
    plugin_id: str
    output_kind: str = ""
    output_contract: str | None = None
    advertise_events: bool = False
    require_tool_use: bool = False
    complete_after_tools: tuple[str, ...] = ()
    output_schema: Json = None
    injects: tuple[Inject, ...] = ()

    @property
    def tells_story(self) -> bool:
        """True for runtimes whose output is the story."""
        return self.output_kind == "story"


@dataclass(frozen=True, slots=True)
class TurnInput:
    """The turn: the player's line as typed, the session's locale, and the runtime of a manual run."""

    session_id: str = ""
    turn_id: str = ""
    player_message: str = ""
    locale: str | None = None
    manual_runtime_id: str | None = None
    provenance: Provenance = NOWHERE


@dataclass(frozen=True, slots=True)
class CompletedResult:
    """A finished runtime of this turn; ``runtime`` is ``plugin/runtime`` or ``plugin``. None = it gave no output."""

    runtime: str
    output: Json = None


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A row of the message log, or a story of this execution.

    ``summary_id`` is the mark of a compacted row (``compactedAtTurnId``). ``ui`` is the decoded list of blocks.
    """

    role: str
    content: str
    name: str = ""
    id: str = ""
    turn_id: str = ""
    source_type: str = ""
    source_runtime_id: str = ""
    summary_id: str = ""
    ui: Json = None
    provenance: Provenance = NOWHERE


@dataclass(frozen=True, slots=True)
class Summary:
    """A stored summary; summaries are given oldest first."""

    id: str
    content: str
    focus_sections: tuple[str, ...] = ()
    provenance: Provenance = NOWHERE


@dataclass(frozen=True, slots=True)
class PromptSegment:
    """An extension segment.

    ``position`` is system, pre-history, post-history, or depth with ``depth`` set. ``audience`` is all, self, story,
    or the empty string with ``contract`` set. ``order`` None = not given (0).
    """

    id: str
    content: str
    position: str = "system"
    depth: float | None = None
    role: str = ""
    audience: str = "all"
    contract: str | None = None
    volatility: str = "stable"
    order: float | None = None
    plugin_id: str = ""
    provenance: Provenance = NOWHERE


@dataclass(frozen=True, slots=True)
class LoreContribution:
    """An active lorebook entry as the snapshot gives it: heading line and content, trimmed in the prompt only.

    ``position`` is before_plugin, after_plugin or at_depth; ``depth`` counts messages from the end (None = 4).
    ``notes`` say why it is active. ``owner`` is world, player, or ``plugin:`` and the id of the plugin that owns it.
    """

    id: str
    content: str
    position: str = "after_plugin"
    order: float = 0
    depth: float | None = None
    label: str = ""
    owner: str = "world"
    notes: tuple[Sentence, ...] = ()
    provenance: Provenance = NOWHERE
    entry: LoreEntry | None = None
    """The lorebook entry it was made of, None when the contribution was given as it is."""


@dataclass(frozen=True, slots=True)
class SessionMeta:
    """Characters (decoded objects, given order), the latest form's values, and the current character of the main
    seat (None = the first character of type ``player``)."""

    turn_number: float | None = None
    characters: tuple[Mapping[str, Json], ...] = ()
    last_form_values: Json = None
    current_character_id: str | None = None


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """The session as the loader saw it. Follows the reference on the assembler, sections 9 and 10.

    ``world`` is the world view as decoded JSON, None without one.
    ``left_out`` holds the lorebook entries that are not active, each with its reason.
    """

    session_id: str = ""
    turn_number: float | None = None
    locale: str | None = None
    meta: SessionMeta | None = None
    world: Mapping[str, Json] | None = None
    contributions: tuple[LoreContribution, ...] = ()
    left_out: tuple[Absent, ...] = ()
    world_provenance: Provenance = NOWHERE


@dataclass(frozen=True, slots=True)
class Activation:
    """Why the runtime runs. ``has_payload`` tells a missing payload from null."""

    source: str
    detached: bool = False
    payload: Json = None
    has_payload: bool = True


@dataclass(frozen=True, slots=True)
class PluginRow:
    """A row of plugin data; times are ISO texts."""

    plugin_id: str
    namespace: str
    key: str
    value: Json
    created_at: str = ""
    updated_at: str = ""
    id: str = ""
    provenance: Provenance = NOWHERE


@dataclass(frozen=True, slots=True)
class ContextParams:
    """Everything one context is built from.

    ``prompt_template`` is the runtime's body, trimmed and without front matter. ``plugin_data`` None = no store.
    ``framework_preamble`` None = the usual preamble, the empty string removes it. ``estimator`` names a token
    estimator (``covel``, ``chars4``); pruning happens only with it and ``context_budget``.
    ``instruction_override`` is the environment's choice of the instruction language (en, zh or empty).
    ``rendered_variables`` maps a template path to the text that is inserted in its place, as it stands, instead of
    the computed value (for rows that are newer than the call); such stretches are marked in the tree.
    ``left_out`` is what never reached the assembler (history filter and window), for the picture of what is absent.
    """

    manifest: Manifest
    prompt_template: str = ""
    turn_input: TurnInput = TurnInput()
    completed_results: tuple[CompletedResult, ...] = ()
    message_history: tuple[HistoryRow, ...] = ()
    execution_story: tuple[HistoryRow, ...] = ()
    picture_attachments: int = 0
    summaries: tuple[Summary, ...] = ()
    prompt_segments: tuple[PromptSegment, ...] = ()
    session: SessionSnapshot | None = None
    session_meta: SessionMeta | None = None
    """Used only when the snapshot has none."""
    user_settings: Mapping[str, Json] = field(default_factory=lambda: _EMPTY)
    event_catalog: str = ""
    input_slots: Mapping[str, Json] = field(default_factory=lambda: _EMPTY)
    export_slots: Mapping[str, Json] = field(default_factory=lambda: _EMPTY)
    activation: Activation | None = None
    framework_preamble: str | None = None
    estimator: str | None = None
    context_budget: BudgetOptions | None = None
    plugin_data: Sequence[PluginRow] | None = None
    instruction_override: str = ""
    rendered_variables: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    body_provenance: Provenance = NOWHERE
    preamble_provenance: Provenance = NOWHERE
    events_provenance: Provenance = NOWHERE
    slot_provenance: Mapping[str, Provenance] = field(default_factory=lambda: _EMPTY_PROVENANCE)
    """Where inputs were taken from, by the name of their slot."""
    activation_provenance: Provenance = NOWHERE
    left_out: tuple[Absent, ...] = ()
