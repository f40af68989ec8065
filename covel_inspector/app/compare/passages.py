"""A request as passages to be read: what is prose, what is dialogue, and what is folded to a line. Pure, without Qt."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from covel_inspector.analysis.compare import Comparison, Pair, PairState
from covel_inspector.domain import Group, Kind, Segment, SegmentTree, Sentence

LONGEST = 20_000
"""Code points of one passage that are shown before it is unfolded."""

MOST = 400_000
"""Code points of a document; what comes after them is folded."""


class Voice(Enum):
    """How a passage is set."""

    HEADING = "heading"
    """A group: the system prompt, the messages."""
    PROSE = "prose"
    PLAYER = "player"
    STORY = "story"
    FOLDED = "folded"
    """One line; a click unfolds it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch to be read: a leaf, or a branch whose leaves make one text.

    ``rest`` counts code points that are not shown; ``state`` is None unless compared.
    """

    voice: Voice
    segment: Segment
    title: Sentence
    text: str = ""
    rest: int = 0
    state: PairState | None = None
    key: str = ""
    """The segment's path of keys: the same in every turn."""
    branch: Sentence | None = None
    """Title of the branch that the segment is in, if any."""

    @property
    def leaves(self) -> frozenset[int]:
        """``id`` of each leaf that is read here."""
        return frozenset(id(leaf) for leaf in self.segment.leaves())


_TECHNICAL = frozenset(
    {
        Kind.TOOL,
        Kind.TOOL_CALL,
        Kind.TOOL_RESULT,
        Kind.REASONING,
        Kind.RESPONSE_FORMAT,
        Kind.EVENTS,
        Kind.EXPORTS,
        Kind.INPUTS,
        Kind.OWN_DATA,
    }
)
_SILENT = frozenset({Kind.MARK, Kind.SEPARATOR})
_FLOWING = frozenset({Kind.PREAMBLE, Kind.BODY, Kind.SUMMARY})
"""Branches that read as one text: a reader does not care which word of the body was a variable."""


def passages(
    tree: SegmentTree, states: Mapping[int, PairState] | None = None, unfolded: frozenset[str] = frozenset()
) -> list[Passage]:
    """All passages of a request in wire order.

    ``states``: by ``id`` of a segment, what happened to it; ``unfolded``: keys of passages that the reader opened.
    """
    found: list[Passage] = []
    left = MOST
    for group in tree.groups:
        found.append(Passage(Voice.HEADING, group, group.title, key=group.key))
        for segment, path, branch in _pieces(group, group.key, None):
            text = segment.whole_text
            if segment.kind in _SILENT or not text.strip():
                continue
            state = states.get(id(segment)) if states is not None else None
            voice = _voice(segment, text, group)
            if path not in unfolded and (voice is Voice.FOLDED or left <= 0):
                found.append(Passage(Voice.FOLDED, segment, segment.title, "", len(text), state, path, branch))
                continue
            shown = text if path in unfolded else text[: min(LONGEST, left)]
            left -= len(shown)
            voice = Voice.PROSE if voice is Voice.FOLDED else voice
            rest = len(text) - len(shown)
            found.append(Passage(voice, segment, segment.title, shown, rest, state, path, branch))
    return found


def states_of(comparison: Comparison | None) -> dict[int, PairState] | None:
    """What happened to each segment, by its ``id``; None when nothing was compared."""
    if comparison is None or comparison.a is None or comparison.b is None:
        return None
    return {id(side): pair.state for pair in comparison.walk() for side in (pair.a, pair.b) if side is not None}


def partners_of(comparison: Comparison | None) -> dict[int, Segment]:
    """A's segment to each segment of B that it is paired with, and the other way round, by ``id``."""
    partners: dict[int, Segment] = {}
    for pair in comparison.walk() if comparison is not None else ():
        if pair.a is not None and pair.b is not None:
            partners[id(pair.a)], partners[id(pair.b)] = pair.b, pair.a
    return partners


def leaves_of(pair: Pair | None) -> frozenset[int]:
    """``id`` of every leaf below a pair, on both sides."""
    if pair is None:
        return frozenset()
    return frozenset(id(leaf) for side in (pair.a, pair.b) if side is not None for leaf in side.leaves())


def _voice(segment: Segment, text: str, group: Segment) -> Voice:
    if segment.kind in _TECHNICAL or group.key in (Group.TOOLS.value, Group.RESPONSE_FORMAT.value):
        return Voice.FOLDED
    if segment.kind is Kind.PLAYER_LINE or (segment.kind is Kind.HISTORY and segment.role == "user"):
        return Voice.PLAYER
    if segment.kind in (Kind.HISTORY, Kind.STORY):
        return Voice.STORY
    bare = text.strip()
    return Voice.FOLDED if bare[:1] in ("{", "[") and bare[-1:] in ("}", "]") else Voice.PROSE


def _pieces(segment: Segment, path: str, branch: Sentence | None) -> Iterator[tuple[Segment, str, Sentence | None]]:
    """Leaves, and branches that read as one text, with their paths and the titles of the branches they are in."""
    if segment.is_leaf or (segment.kind in _FLOWING and _is_one_text(segment)):
        yield segment, path, branch
        return
    inside = segment.title if segment.kind is not Kind.GROUP else None
    for child in segment.children:
        yield from _pieces(child, f"{path}/{child.key}", inside)


def _is_one_text(segment: Segment) -> bool:
    parts = {leaf.place.part for leaf in segment.leaves() if leaf.place is not None}
    return len(parts) == 1
