"""Where moved segments stand in A, and which way they went. Pure."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from covel_inspector.analysis.compare import Comparison, Pair, PairState
from covel_inspector.domain import Segment, SegmentTree, Sentence, say

UP, DOWN, SOMEWHERE = "↑", "↓", "↕"

_MOVED = frozenset({PairState.MOVED, PairState.MOVED_CHANGED})


@dataclass(frozen=True, slots=True)
class Move:
    """One moved pair, as A sees it.

    ``arrow`` points down when the segment came nearer to the end of the request. ``branch`` is the branch of A that
    holds it, None when the row hangs there too; ``stands`` says its place in A in a few words.
    """

    arrow: str
    branch: Segment | None
    stands: Sentence


def moves_of(comparison: Comparison) -> dict[int, Move]:
    """All moves of a comparison, by ``id`` of the segment of B."""
    moved = [pair for pair in comparison.walk() if pair.state in _MOVED]
    if not moved or comparison.a is None or comparison.b is None:
        return {}
    places_a, places_b = _places(comparison.a), _places(comparison.b)
    still = [*_standing_still(comparison.pairs, places_a, places_b)]
    still_a, still_b = sorted(a for a, _ in still), sorted(b for _, b in still)
    parents = {id(child): segment for segment in comparison.a.walk() for child in segment.children}
    neighbours = {id(child): before for segment in comparison.a.walk() for before, child in _steps(segment)}
    holders = {id(child): pair for pair in comparison.walk() for child in pair.children}
    found = {}
    for pair in moved:
        here, there = pair.a, pair.b
        if here is None or there is None or id(here) not in places_a or id(there) not in places_b:
            continue
        passed = bisect_left(still_b, places_b[id(there)]) - bisect_left(still_a, places_a[id(here)])
        arrow = DOWN if passed > 0 else UP if passed < 0 else SOMEWHERE
        branch, holder = parents.get(id(here)), holders.get(id(pair))
        if holder is not None and holder.a is branch:
            branch = None
        found[id(there)] = Move(arrow, branch, _stands(branch, neighbours.get(id(here))))
    return found


def _places(tree: SegmentTree) -> dict[int, int]:
    """The rank of each segment when the tree is read from top to bottom, parents first."""
    return {id(segment): rank for rank, segment in enumerate(tree.walk())}


def _standing_still(
    pairs: tuple[Pair, ...], places_a: dict[int, int], places_b: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Ranks of the partners that did not move; what lies inside a moved one moved along."""
    for pair in pairs:
        if pair.state in _MOVED:
            continue
        if pair.a is not None and pair.b is not None and id(pair.a) in places_a and id(pair.b) in places_b:
            yield places_a[id(pair.a)], places_b[id(pair.b)]
        yield from _standing_still(pair.children, places_a, places_b)


def _steps(branch: Segment) -> Iterator[tuple[Segment | None, Segment]]:
    """Each child with the one before it that says something."""
    before: Segment | None = None
    for child in branch.children:
        yield before, child
        if child.whole_text.strip():
            before = child


def _stands(branch: Segment | None, before: Segment | None) -> Sentence:
    if branch is not None:
        return say("stands in {branch}", branch=branch.title)
    if before is None:
        return say("stands first here")
    return say("stands behind “{segment}”", segment=before.title)
