"""What the session loader reads before a snapshot is made. Follows the reference on the assembler, section 9."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from covel_inspector.domain import Sentence
from covel_inspector.engines.covel.assembler.provenance import NOWHERE, Json, Provenance


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """A lorebook entry as it is stored. ``keys`` None = the record has none.

    ``owner_kind`` is world, player or plugin, ``owner_id`` the world's or plugin's id; ``extra`` is the free JSON
    column.
    """

    id: str
    content: str
    keys: tuple[str, ...] | None = None
    enabled: bool = True
    strategy: str = ""
    position: str = ""
    insertion_order: float = 100
    owner_kind: str = "world"
    owner_id: str = ""
    extra: Json = None
    provenance: Provenance = NOWHERE

    @property
    def inner_extra(self) -> Mapping[str, Json]:
        """The object whose fields count: ``extra.extra`` when it is an object, else ``extra``; empty without one."""
        if not isinstance(self.extra, Mapping):
            return {}
        inner = self.extra.get("extra")
        return inner if isinstance(inner, Mapping) else self.extra

    @property
    def owner(self) -> str:
        """As in the database: ``world``, ``player``, or ``plugin:`` and the plugin's id."""
        return f"plugin:{self.owner_id}" if self.owner_kind == "plugin" else self.owner_kind or "world"


@dataclass(frozen=True, slots=True)
class WorldRecord:
    """A stored world: texts in its own locale, other languages in ``metadata.localizedText``. None = not set."""

    id: str
    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    lore: str | None = None
    locale: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorldContext:
    """What the extensions of the point ``session.world-context@1`` gave."""

    schema: Json = None
    dimensions: Mapping[str, Json] | None = None
    dimension_provider: str | None = None
    entries: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScannedMessage:
    """A committed message whose text may wake lorebook entries; ``row`` is its id, ``told`` what people call it."""

    content: str
    row: str = ""
    told: Sentence | None = None


@dataclass(frozen=True, slots=True)
class SessionState:
    """Everything a snapshot is made of. ``recent_messages`` is the tail of the log, oldest first.

    ``lore_override`` None = no override; the empty string is one. ``world`` None = no such world record.
    """

    session_id: str = ""
    locale: str | None = None
    turn_number: float | None = None
    world_id: str | None = None
    player_message: str = ""
    lore_override: str | None = None
    characters: tuple[Mapping[str, Json], ...] = ()
    current_character_id: str | None = None
    last_form_values: Json = None
    lorebook: tuple[LoreEntry, ...] = ()
    world: WorldRecord | None = None
    world_context: WorldContext = WorldContext()
    recent_messages: tuple[ScannedMessage, ...] = ()
    world_provenance: Provenance = NOWHERE
    instruction_override: str = ""
