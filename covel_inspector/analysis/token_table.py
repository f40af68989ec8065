"""Tokens of every segment of a tree, and of everything before a place."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from covel_inspector.analysis.counters import TokenCounter
from covel_inspector.domain import Place, Segment, SegmentTree


def request_tokens(tree: SegmentTree, estimate: Callable[[str], int]) -> int:
    """Tokens of a whole request, as :meth:`Segment.tokens` counts them: the sum that views show."""
    return sum(group.tokens(estimate) for group in tree.groups)


class TokenTable:
    """Token figures of one tree by one counter.

    Leaves are counted one by one; a branch, a group and the whole request are the sums of their leaves. Such a sum
    differs slightly from the count of the joined text (a tokenizer joins across borders, an estimator rounds each
    piece), so figures that add up in a view come from one table, and :attr:`whole` is there to compare. With
    ``has_fixed`` the engine's own counts of what is no text (pictures) stand for those of the counter.
    """

    def __init__(self, tree: SegmentTree, counter: TokenCounter, *, has_fixed: bool = False) -> None:
        self.tree = tree
        self.counter = counter
        self._leaves = [leaf for leaf in tree.leaves() if leaf.place is not None]
        self._counts = [
            leaf.fixed_tokens if has_fixed and leaf.fixed_tokens is not None else counter.count(leaf.text)
            for leaf in self._leaves
        ]
        self._starts = [(leaf.place.part, leaf.place.start) for leaf in self._leaves if leaf.place is not None]
        self._before = list(accumulate(self._counts, initial=0))
        self._by_place = {
            leaf.place: (leaf.text, count) for leaf, count in zip(self._leaves, self._counts, strict=True)
        }
        self._branches: dict[int, tuple[Segment, int]] = {}

    @property
    def total(self) -> int:
        """Sum over all leaves."""
        return self._before[-1]

    @property
    def whole(self) -> int:
        """Count of the request's parts, each as one text."""
        return sum(self.counter.count(part.text) for part in self.tree.request.parts)

    def of(self, segment: Segment) -> int:
        """Tokens of a segment of this tree, or of a branch made of its segments; others are counted on the spot."""
        if segment.place is not None:
            text, count = self._by_place.get(segment.place, ("", 0))
            return count if text == segment.text else self.counter.count(segment.text)
        known = self._branches.get(id(segment))
        if known is not None:
            return known[1]
        count = sum(self.of(child) for child in segment.children)
        self._branches[id(segment)] = (segment, count)
        return count

    def before(self, place: Place) -> int:
        """Tokens of everything in front of ``place.start``; a leaf that it cuts counts up to there."""
        index = bisect_right(self._starts, (place.part, place.start)) - 1
        if index < 0:
            return 0
        leaf = self._leaves[index]
        if leaf.place is None or leaf.place.part != place.part or place.start >= leaf.place.end:
            return self._before[index + 1]
        inside = place.start - leaf.place.start
        return self._before[index] + (self.counter.count(leaf.text[:inside]) if inside else 0)
