"""Segments, and the tree in which every character of a request belongs to exactly one leaf."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from covel_inspector.domain.request import Group, Place, Request
from covel_inspector.domain.sentence import Sentence


class Kind(StrEnum):
    """What a segment is. One colour a kind, the same everywhere; the values appear in JSON."""

    GROUP = "group"
    TOOL = "tool"
    PREAMBLE = "preamble"
    BODY = "body"
    WORLD_LORE = "world-lore"
    LORE = "lore"
    EXTENSION = "extension"
    EVENTS = "events"
    ACTIVATION = "activation"
    INPUTS = "inputs"
    EXPORTS = "exports"
    OWN_DATA = "own-data"
    TURN_CONTEXT = "turn-context"
    SUMMARY = "summary"
    HISTORY = "history"
    NOTE = "note"
    PICTURES = "pictures"
    PLAYER_LINE = "player-line"
    STORY = "story"
    CUE = "cue"
    TOOL_CALL = "tool-call"
    TOOL_RESULT = "tool-result"
    REASONING = "reasoning"
    LOOP_NOTE = "loop-note"
    RETRY_HINT = "retry-hint"
    PRUNE_MARKER = "prune-marker"
    RESPONSE_FORMAT = "response-format"
    MARK = "mark"
    SEPARATOR = "separator"
    UNKNOWN = "unknown"


class Volatility(StrEnum):
    """How often a segment's text is expected to change."""

    STABLE = "stable"
    SESSION = "session"
    TURN = "turn"


class Grade(StrEnum):
    """How sure an attribution is, best first."""

    EXACT = "exact"
    TEMPLATE = "template"
    STRUCTURAL = "structural"
    TAG = "tag"
    GUESS = "guess"
    UNKNOWN = "unknown"

    @property
    def rank(self) -> int:
        """0 for exact, growing with doubt."""
        return tuple(Grade).index(self)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a segment's text comes from. Empty fields are not known or do not apply."""

    plugin: str = ""
    runtime: str = ""
    segment: str = ""
    """The id under which its plugin declares it, or the tag that encloses it."""
    file: str = ""
    line: int = 0
    """First line in ``file``, from 1; 0 when unknown."""
    table: str = ""
    rows: tuple[str, ...] = ()
    """Row ids in ``table``."""
    variable: str = ""
    """Path of the template variable whose value this is."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A named stretch of a request: a leaf with a place, or a branch with children.

    ``key`` is the same in every turn for the same piece, so that two turns can be paired; it is unique among
    siblings. A leaf has ``place`` and ``text`` (the part's text at that place); a branch has neither.
    Token counts are not kept here: they are computed outside and cached by text.
    """

    key: str
    kind: Kind
    title: Sentence
    text: str = ""
    place: Place | None = None
    children: tuple["Segment", ...] = ()
    role: str = ""
    origin: Origin = Origin()
    volatility: Volatility | None = None
    position: str = ""
    """As declared or seen: system, pre-history, post-history, depth 2, before, after …"""
    order: float | None = None
    audience: str = ""
    grade: Grade = Grade.UNKNOWN
    reason: Sentence = field(default_factory=lambda: Sentence(""))
    """One line: how the attribution was made, or what the assembler followed."""
    notes: tuple[Sentence, ...] = ()
    """Why it is here, a sentence each."""
    taken: bool = False
    """In a rebuilt tree: the text had to be taken from the recording, ``reason`` says why."""
    fixed_tokens: int | None = None
    """What the engine counts for it whatever its text: a picture, or a text that is stored nowhere. None: estimated."""

    @property
    def is_leaf(self) -> bool:
        """True when the segment stands for a stretch of text itself."""
        return self.place is not None

    def leaves(self) -> Iterator["Segment"]:
        """The leaves below (or the segment itself), in wire order."""
        if self.is_leaf:
            yield self
        for child in self.children:
            yield from child.leaves()

    def walk(self) -> Iterator["Segment"]:
        """The segment and everything below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def whole_text(self) -> str:
        """The leaves' texts joined."""
        return "".join(leaf.text for leaf in self.leaves())

    def tokens(self, estimate: Callable[[str], int]) -> int:
        """Tokens by an engine's estimate, leaf by leaf; what is no text counts as the engine counts it."""
        return sum(estimate(leaf.text) if leaf.fixed_tokens is None else leaf.fixed_tokens for leaf in self.leaves())


class Setter(StrEnum):
    """Who draws a cache boundary."""

    ENGINE = "engine"
    PROVIDER = "provider"
    PREFIX = "prefix"


class Reader(StrEnum):
    """A later request that can read what a provider keeps of this one."""

    NEXT_STEP = "next-step"
    """The next step of the tool loop in the same turn."""
    NEXT_TURN = "next-turn"
    """The first request of this runtime in the next turn."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A cache boundary behind ``place.end`` of a part (``place.start == place.end``).

    ``readers``: who can read up to here, as long as nothing before it changes; empty where nobody has told.
    """

    number: int
    place: Place
    setter: Setter
    note: Sentence
    readers: tuple[Reader, ...] = ()


class AbsenceReason(StrEnum):
    """Why something that could have been in a request is not."""

    AUDIENCE = "audience"
    EMPTY = "empty"
    DISABLED = "disabled"
    NO_KEY = "no-key"
    WINDOW = "window"
    FILTER = "filter"
    COMPACTION = "compaction"
    PRUNED = "pruned"
    CUT = "cut"
    NOT_COMMITTED = "not-committed"
    PICTURE = "picture"
    HOOK = "hook"
    OMITTED = "omitted"
    FOLDED = "folded"
    NOT_STORED = "not-stored"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Absent:
    """Something the assembler left out, and why.

    ``after`` is the key of the segment behind which it would stand, empty when it has no such place.
    """

    key: str
    kind: Kind
    title: Sentence
    reason: AbsenceReason
    note: Sentence
    text: str = ""
    origin: Origin = Origin()
    after: str = ""
    grade: Grade = Grade.STRUCTURAL
    """How sure the reason is: exact when the rules were run or a record says so, structural when it follows from what
    is there, a guess when something else could be the reason too."""


@dataclass(frozen=True, slots=True)
class SegmentTree:
    """A request and its segments. Groups come in wire order.

    Invariant (checked by :meth:`gaps`): the leaves, in order, tile every part from its first to its last code point.
    """

    request: Request
    groups: tuple[Segment, ...]
    boundaries: tuple[Boundary, ...] = ()
    absent: tuple[Absent, ...] = ()

    def leaves(self) -> Iterator[Segment]:
        """All leaves in wire order."""
        for group in self.groups:
            yield from group.leaves()

    def walk(self) -> Iterator[Segment]:
        """All segments, parents first, in wire order."""
        for group in self.groups:
            yield from group.walk()

    def group(self, group: Group) -> Segment | None:
        """The top segment of a group, None when the request has no such group."""
        return next((segment for segment in self.groups if segment.key == group.value), None)

    def leaf_at(self, part: int, offset: int) -> Segment | None:
        """The leaf that holds a code point of a part."""
        for leaf in self.leaves():
            place = leaf.place
            if place is not None and place.part == part and place.start <= offset < place.end:
                return leaf
        return None

    def gaps(self) -> list[str]:
        """What breaks the invariant, in words for a developer; empty when all is well."""
        found: list[str] = []
        position = [0] * len(self.request.parts)
        last_part = 0
        for leaf in self.leaves():
            place = leaf.place
            if place is None:
                continue
            if place.part < last_part:
                found.append(f"{leaf.key}: part {place.part} after part {last_part}")
            last_part = place.part
            if place.start != position[place.part]:
                found.append(f"{leaf.key}: part {place.part} continues at {place.start}, not {position[place.part]}")
            if self.request.parts[place.part].text[place.start : place.end] != leaf.text:
                found.append(f"{leaf.key}: text is not what stands at its place")
            position[place.part] = place.end
        found.extend(
            f"part {number} ends at {len(part.text)}, leaves at {end}"
            for number, (part, end) in enumerate(zip(self.request.parts, position, strict=True))
            if end != len(part.text)
        )
        return found
