"""What the rows need to know of one side beyond its segments: figures, and by place: boundaries, left-out things."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from covel_inspector.app.sides import Figures, Side
from covel_inspector.domain import Absent, Boundary, Place, Segment, SegmentTree

Counted = tuple[Boundary, int | None]
"""A boundary and the tokens before it, None when nobody counted them."""


@dataclass(frozen=True, slots=True)
class SideFacts:
    """Facts of one side. ``gap_reasons`` says why this side lacks a segment that the other one has, by key: the gap
    says it, so that it needs no row of its own."""

    figures: Figures | None
    boundaries: dict[int, list[Counted]]
    """By ``id`` of the largest segment that ends there; a boundary inside a leaf hangs at that leaf."""
    absent: dict[str, list[Absent]]
    """Everything that was left out, by the key of the segment behind which it would stand."""
    absent_by_key: dict[str, Absent]
    """The same by its own key."""
    gap_reasons: dict[str, Absent]
    shared_end: Place | None

    def tokens(self, segment: Segment | None) -> int | None:
        """Tokens of a segment, None when it is not there or not counted."""
        return self.figures.of(segment) if self.figures is not None and segment is not None else None

    def boundaries_behind(self, segment: Segment | None) -> list[Counted]:
        """Boundaries that hang at a segment."""
        return list(self.boundaries.get(id(segment), ())) if segment is not None else []

    def shared_end_in(self, leaf: Segment | None) -> int | None:
        """Code points of a leaf that belong to the shared prefix, when the prefix ends inside it."""
        if leaf is None or leaf.place is None or self.shared_end is None or leaf.place.part != self.shared_end.part:
            return None
        inside = self.shared_end.start - leaf.place.start
        return inside if 0 < inside < len(leaf.place) else None

    def absent_behind(self, keys: Collection[str]) -> list[Absent]:
        """What would stand behind a segment with one of these keys."""
        return [one for key in keys if key for one in self.absent.get(key, ())]

    def absent_anywhere(self) -> list[Absent]:
        """Everything that was left out."""
        return [one for several in self.absent.values() for one in several]


def side_facts(side: Side | None, shared_end: Place | None, gaps: Collection[str]) -> SideFacts:
    """``gaps``: keys of the segments that only the other side has."""
    if side is None or side.tree is None:
        return SideFacts(None, {}, {}, {}, {}, None)
    absent: dict[str, list[Absent]] = defaultdict(list)
    by_key: dict[str, Absent] = {}
    for one in side.tree.absent:
        if by_key.setdefault(one.key, one) is one:
            absent[one.after].append(one)
    reasons = {key: by_key[key] for key in gaps if key in by_key}
    return SideFacts(side.figures, _boundaries(side, side.tree), dict(absent), by_key, reasons, shared_end)


def _boundaries(side: Side, tree: SegmentTree) -> dict[int, list[Counted]]:
    if not tree.boundaries:
        return {}
    before: tuple[int, ...] = side.figures.before if side.figures is not None else ()
    largest = _largest_ending_with(tree)
    found: dict[int, list[Counted]] = defaultdict(list)
    for number, boundary in enumerate(tree.boundaries):
        leaf = _leaf_before(tree, boundary.place)
        if leaf is None or leaf.place is None:
            continue
        is_inside = leaf.place.part == boundary.place.part and boundary.place.end < leaf.place.end
        hook = leaf if is_inside else largest[id(leaf)]
        found[id(hook)].append((boundary, before[number] if number < len(before) else None))
    return dict(found)


def _largest_ending_with(tree: SegmentTree) -> dict[int, Segment]:
    """From ``id`` of a leaf to the largest segment of which it is the last leaf."""
    largest: dict[int, Segment] = {}
    for segment in tree.walk():
        last = segment
        while last.children:
            last = last.children[-1]
        largest.setdefault(id(last), segment)
    return largest


def _leaf_before(tree: SegmentTree, place: Place) -> Segment | None:
    """The last leaf that begins before a boundary."""
    found: Segment | None = None
    for leaf in tree.leaves():
        if leaf.place is not None and (leaf.place.part, leaf.place.start) < (place.part, place.end):
            found = leaf
    return found
