"""Which segment stands where in the text of a body, and back. Offsets are code points of the text."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from covel_inspector.analysis.wire_text import WireText
from covel_inspector.domain import Segment, SegmentTree


@dataclass(frozen=True, slots=True)
class LeafSpan:
    """A stretch of the text that a leaf of the tree stands for. A leaf has several where the body cuts it."""

    start: int
    end: int
    leaf: Segment


@dataclass(frozen=True)
class WireSegments:
    """All stretches of a text that come from a segment, in order; an inner one follows the one around it."""

    wire: WireText
    spans: tuple[LeafSpan, ...]

    @classmethod
    def of(cls, wire: WireText, tree: SegmentTree, instead: Mapping[int, Segment] | None = None) -> Self:
        """``tree`` is that of the request which the body's traces count in.

        ``instead``: by ``id`` of a leaf of it, the leaf of another tree that is named in its place.
        """
        others = instead or {}
        found = [
            LeafSpan(start, end, others.get(id(leaf), leaf))
            for leaf in tree.leaves()
            if leaf.place is not None
            for start, end in wire.spans_of(leaf.place)
        ]
        return cls(wire, tuple(sorted(found, key=lambda span: (span.start, -span.end))))

    def at(self, offset: int) -> Segment | None:
        """The leaf whose text stands at an offset."""
        for number in range(bisect_right(self._starts, offset) - 1, -1, -1):
            span = self.spans[number]
            if offset < span.end:
                return span.leaf
            if self._reach[number] <= offset:
                return None
        return None

    def near(self, offset: int) -> Segment | None:
        """The leaf at an offset; on a key, bracket or mark the first one of the smallest value with one."""
        found = self.at(offset)
        path = self.wire.node_at_line(offset).path
        while found is None and path:
            node = self.wire.node_of(path)
            found = self.first_in(node.start, node.end) if node is not None else None
            path = path[:-1]
        return found

    def first_in(self, start: int, end: int) -> Segment | None:
        """The first leaf whose text begins in a stretch."""
        number = bisect_right(self._starts, start - 1)
        return self.spans[number].leaf if number < len(self.spans) and self.spans[number].start < end else None

    def of_leaves(self, leaves: Iterable[Segment]) -> list[tuple[int, int]]:
        """Where the texts of some leaves stand, in order."""
        wanted = {id(leaf) for leaf in leaves}
        return [(span.start, span.end) for span in self.spans if id(span.leaf) in wanted]

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.spans]

    @cached_property
    def _reach(self) -> list[int]:
        """How far any of the spans up to each one reaches."""
        reach, far = [], 0
        for span in self.spans:
            far = max(far, span.end)
            reach.append(far)
        return reach
