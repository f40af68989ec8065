"""A request as passages to be read: what is prose, what is dialogue, and what is folded to a line. Pure, without Qt."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from covel_inspector.analysis.compare import Comparison, Pair, PairState
from covel_inspector.app.picked_text import PickedSpan, spans_between
from covel_inspector.domain import Group, Kind, Segment, SegmentTree, Sentence, say

LONGEST = 20_000
"""Code points of one passage that are shown before it is unfolded."""

MOST = 120_000
"""Code points of a document. Beyond that the oldest history is folded into one line, then what stands at the end."""

_EARLIER = "earlier"
"""Last step of the key of folded history."""


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

    def spans(self, start: int, end: int) -> tuple[PickedSpan, ...]:
        """The stretches of leaves that lie between two places of its text, in code points."""
        leaves = list(self.segment.leaves())
        offsets = list(accumulate((len(leaf.text) for leaf in leaves), initial=0))[:-1]
        return spans_between(leaves, offsets, start, end)


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
_PAST = frozenset({Kind.HISTORY, Kind.NOTE})
_SILENT = frozenset({Kind.MARK, Kind.SEPARATOR})
_FLOWING = frozenset({Kind.PREAMBLE, Kind.BODY, Kind.SUMMARY, Kind.INPUTS, Kind.EXPORTS})
"""Branches that read as one text: a reader does not care which word of the body was a variable."""


_Piece = tuple[Segment, str, Sentence | None]
"""A segment that is read as a whole, its path of keys, and the title of the branch it is in."""


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
        pieces = [piece for piece in _pieces(group, group.key, None) if piece[0].kind not in _SILENT]
        texts = [segment.whole_text for segment, _, _ in pieces]
        surplus = sum(min(len(text), LONGEST) for text in texts) - left
        earlier = _earlier_history(pieces, states, surplus) if f"{group.key}/{_EARLIER}" not in unfolded else []
        hidden = {id(segment) for segment in earlier}
        if earlier:
            found.append(_folded_history(group, earlier))
        for (segment, path, branch), text in zip(pieces, texts, strict=True):
            if not text.strip() or id(segment) in hidden:
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


def _earlier_history(pieces: list[_Piece], states: Mapping[int, PairState] | None, surplus: int) -> list[Segment]:
    """The oldest messages of the history that must be folded away to save ``surplus`` code points, if any.

    Messages that differ stay: they are what a reader looks for.
    """
    folded: list[Segment] = []
    for segment, _, _ in pieces:
        if surplus <= 0:
            break
        if segment.kind not in _PAST or (states is not None and states.get(id(segment)) is not PairState.EQUAL):
            continue
        folded.append(segment)
        surplus -= len(segment.text)
    return folded if len(folded) > 1 else []


def _folded_history(group: Segment, earlier: list[Segment]) -> Passage:
    title = say("Earlier history · {n} messages", n=len(earlier))
    key = f"{group.key}/{_EARLIER}"
    together = Segment(_EARLIER, Kind.HISTORY, title, children=tuple(earlier))
    return Passage(Voice.FOLDED, together, title, "", sum(len(one.text) for one in earlier), key=key)


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


def _pieces(segment: Segment, path: str, branch: Sentence | None) -> Iterator[_Piece]:
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
