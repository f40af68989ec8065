"""A plugin as its files declare it, and what of it was sent in one turn."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.address import Address
from covel_inspector.domain.segment import Kind, Volatility
from covel_inspector.domain.sentence import Sentence


class Fate(StrEnum):
    """What became of a declared piece in one request."""

    SENT = "sent"
    ALTERED = "altered"
    """Something stands there, but not what the file holds now."""
    UNSENT = "unsent"
    """It stands in a request that was rebuilt but never sent."""
    AUDIENCE = "audience"
    """It is for other runtimes."""
    EMPTY = "empty"
    """It has no text, or none in the session's language."""
    NOT_ACTIVE = "not-active"
    """Its plugin is not active in this session."""
    NOT_RUN = "not-run"
    """No runtime that could read it called a model in this turn."""
    TRIMMED = "trimmed"
    """The request's budget left it out."""
    HOOK = "hook"
    """A hook removed it."""
    UNKNOWN = "unknown"
    """It is not in the request, or nobody can tell: the sentence says which."""


@dataclass(frozen=True, slots=True)
class DeclaredSegment:
    """A segment that a plugin declares in its files, or one that its code made and a recording shows.

    ``volatility`` None = not known. ``tokens`` by the engine's estimate of the text in the session's language.
    """

    key: str
    """Key of its segment in a tree."""
    id: str
    is_static: bool
    """True for text in the files; False for what plugin code makes: then nothing below is declared, only observed."""
    position: str = ""
    role: str = ""
    audience: str = ""
    volatility: Volatility | None = None
    order: float | None = None
    text: str = ""
    tokens: int = 0
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class DeclaredInput:
    """An input that a runtime declares: its name, and where it is from in one line."""

    name: str
    source: str
    scope: str = "turn"
    required: bool | None = None


@dataclass(frozen=True, slots=True)
class PieceUse:
    """A piece of a plugin in one request, recorded or never sent, or its absence from it.

    ``address`` is None when the piece could stand in no request of the turn. ``share`` is the part of that
    request's tokens (0.0 to 1.0).
    """

    key: str
    kind: Kind
    title: Sentence
    address: Address | None
    fate: Fate
    why: Sentence
    tokens: int = 0
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class RuntimeReport:
    """A runtime: what its manifest declares, and its calls in the turn.

    ``max_turns`` None = the whole history. ``tokens`` counts what this runtime itself brings (its body).
    """

    id: str
    is_agent: bool
    stage: str = ""
    trigger: str = ""
    """In one line, as declared; empty when it always runs."""
    visibility: str = ""
    contract: str = ""
    slot: str = ""
    concealed: bool = False
    max_turns: int | None = None
    include_summaries: bool = False
    advertise_events: bool = False
    inputs: tuple[DeclaredInput, ...] = ()
    own_data: tuple[str, ...] = ()
    """Tags of its blocks of own rows."""
    tools: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    calls: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class PluginReport:
    """One plugin in one turn.

    ``is_declared`` is False for a plugin that only the database names (no folder given, or none holds it).
    ``active`` None = the session does not say. ``tokens`` and ``share`` count all its pieces in all requests of the
    turn that were sent, those of a tool loop each; ``requests`` of them hold any. Where none that was sent does, they
    count the rebuilt ones that were not.
    """

    id: str
    name: str
    version: str = ""
    is_declared: bool = True
    active: bool | None = None
    user_copy: bool = False
    file: str = ""
    line: int = 0
    segments: tuple[DeclaredSegment, ...] = ()
    points: tuple[str, ...] = ()
    """Extension points it hangs on, ``point · id``."""
    hooks: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    """Topics it may emit."""
    settings: tuple[tuple[str, str], ...] = ()
    """Key and default, as text."""
    runtimes: tuple[RuntimeReport, ...] = ()
    uses: tuple[PieceUse, ...] = ()
    tokens: int = 0
    share: float = 0.0
    requests: int = 0
    unattributed: Sentence | None = None
    """For a plugin whose code may add segments, none of which was found: what can be told of them."""
    notes: tuple[Sentence, ...] = ()
