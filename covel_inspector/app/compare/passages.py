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
    """A leaf to be read. ``rest`` counts code points that are not shown; ``state`` is None unless compared."""

    voice: Voice
    segment: Segment
    title: Sentence
    text: str = ""
    rest: int = 0
    state: PairState | None = None
    key: str = ""
    """The leaf's path of keys: the same in every turn."""
    branch: Sentence | None = None
    """Title of the branch that the leaf is in, if any."""


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
        for leaf, path, branch in _leaves(group, group.key, None):
            if leaf.kind in _SILENT or not leaf.text.strip():
                continue
            state = states.get(id(leaf)) if states is not None else None
            voice = _voice(leaf, group)
            if path not in unfolded and (voice is Voice.FOLDED or left <= 0):
                found.append(Passage(Voice.FOLDED, leaf, leaf.title, "", len(leaf.text), state, path, branch))
                continue
            limit = len(leaf.text) if path in unfolded else min(LONGEST, left)
            text = leaf.text[:limit]
            left -= len(text)
            shown = Voice.PROSE if voice is Voice.FOLDED else voice
            found.append(Passage(shown, leaf, leaf.title, text, len(leaf.text) - len(text), state, path, branch))
    return found


def states_of(comparison: Comparison | None) -> dict[int, PairState] | None:
    """What happened to each leaf, by its ``id``; None when nothing was compared."""
    if comparison is None or comparison.a is None or comparison.b is None:
        return None
    return {
        id(leaf): pair.state
        for pair in comparison.rows()
        for side in (pair.a, pair.b)
        if side is not None
        for leaf in side.leaves()
    }


def leaves_of(pair: Pair | None) -> frozenset[int]:
    """``id`` of every leaf below a pair, on both sides."""
    if pair is None:
        return frozenset()
    return frozenset(id(leaf) for side in (pair.a, pair.b) if side is not None for leaf in side.leaves())


def _voice(leaf: Segment, group: Segment) -> Voice:
    if leaf.kind in _TECHNICAL or group.key in (Group.TOOLS.value, Group.RESPONSE_FORMAT.value):
        return Voice.FOLDED
    if leaf.kind is Kind.PLAYER_LINE or (leaf.kind is Kind.HISTORY and leaf.role == "user"):
        return Voice.PLAYER
    if leaf.kind in (Kind.HISTORY, Kind.STORY):
        return Voice.STORY
    text = leaf.text.lstrip()
    return Voice.FOLDED if text[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]") else Voice.PROSE


def _leaves(segment: Segment, path: str, branch: Sentence | None) -> Iterator[tuple[Segment, str, Sentence | None]]:
    if segment.is_leaf:
        yield segment, path, branch
    inside = segment.title if segment.kind is not Kind.GROUP else None
    for child in segment.children:
        yield from _leaves(child, f"{path}/{child.key}", inside)
