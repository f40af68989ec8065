"""The pieces a context is put together from: stretches of text that know what they are.

The context only joins their texts; the segment tree is told from the very same pieces.
"""

from dataclasses import dataclass
from typing import Any

from covel_inspector.engines.covel.assembler.params import (
    HistoryRow,
    LoreContribution,
    PluginDataInject,
    PluginRow,
    PromptSegment,
    RuntimeInject,
    Summary,
)
from covel_inspector.engines.covel.records.calls import KernelMessage


@dataclass(frozen=True, slots=True)
class PreamblePart:
    """Lines of the preamble; ``part`` is runtime, language, completion, or empty when it was given as one text."""

    part: str
    name_known: bool = True
    """False when the language's name is not in our list."""
    given: bool = False
    """True when the text came from outside instead of the text pack."""


@dataclass(frozen=True, slots=True)
class TemplatePart:
    """A literal stretch of the body, or a variable's value (``path`` set)."""

    text: str
    path: str = ""
    escaped: bool = False
    given: bool = False
    """True when the caller gave the text instead of the computed value."""


@dataclass(frozen=True, slots=True)
class Body:
    """The runtime's body after its template pass."""

    parts: tuple[TemplatePart, ...]


@dataclass(frozen=True, slots=True)
class WorldLore:
    """The ``<world-lore>`` block. ``tokens`` is the engine's estimate of the whole lore, ``rest`` what was cut off."""

    tokens: int
    truncated: bool
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Events:
    """The ``<available-events>`` block."""


@dataclass(frozen=True, slots=True)
class ActivationBlock:
    """The ``<runtime-activation>`` block; ``staged`` ones stand in the system prompt."""

    source: str
    staged: bool


@dataclass(frozen=True, slots=True)
class Injected:
    """One field of a finished runtime's output."""

    inject: RuntimeInject
    tag: str


@dataclass(frozen=True, slots=True)
class OwnData:
    """Rows of the runtime's own plugin; ``total`` counts the rows of the namespace."""

    inject: PluginDataInject
    tag: str
    rows: tuple[PluginRow, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Slots:
    """``<runtime-inputs>`` or ``<runtime-exports>``; ``replaced`` names the slots that only point at the story."""

    tag: str
    names: tuple[str, ...]
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """The current message; ``kind`` is typed, manual or empty."""

    kind: str


@dataclass(frozen=True, slots=True)
class Story:
    """A story of this execution."""

    row: HistoryRow
    number: int


@dataclass(frozen=True, slots=True)
class Cue:
    """The note behind the story."""


@dataclass(frozen=True, slots=True)
class TurnContextMessage:
    """The turn context: its pieces, with what stands between two of them."""

    pieces: tuple["Piece", ...]
    gaps: tuple[str, ...]
    """One gap fewer than pieces."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures message; ``rows`` oldest first."""

    rows: tuple[HistoryRow, ...]


@dataclass(frozen=True, slots=True)
class PruneMarker:
    """The message that stands for pruned ones."""

    count: int


Source = (
    PreamblePart
    | Body
    | WorldLore
    | Events
    | ActivationBlock
    | Injected
    | OwnData
    | Slots
    | PlayerLine
    | Story
    | Cue
    | TurnContextMessage
    | Pictures
    | PruneMarker
    | PromptSegment
    | LoreContribution
    | HistoryRow
    | Summary
)
"""What a piece is made of."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text and what it is."""

    text: str
    source: Source


@dataclass(frozen=True, slots=True)
class Section:
    """A segment of the system prompt: pieces joined by ``joiner``; ``mark`` names the cache mark behind it, if any."""

    name: str
    pieces: tuple[Piece, ...]
    joiner: str = "\n\n"
    mark: str = ""

    @property
    def text(self) -> str:
        """The pieces joined, without the mark."""
        return self.joiner.join([piece.text for piece in self.pieces])


@dataclass(frozen=True, slots=True)
class PlacedMessage:
    """A message and what it is made of."""

    message: KernelMessage
    source: Source

    @property
    def is_user(self) -> bool:
        """True for the user role."""
        return self.message.role == "user"


def message(role: str, content: Any, name: str = "") -> KernelMessage:
    """A kernel message; the name is there only when it is not empty."""
    if name:
        return KernelMessage(role=role, content=content, name=name)
    return KernelMessage(role=role, content=content)
