"""Two trees side by side: what a comparison of segments says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from covel_inspector.domain import Kind, Place, Segment, SegmentTree, Sentence


class PairState(StrEnum):
    """What happened to a segment on the way from A to B."""

    EQUAL = "equal"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    MOVED_CHANGED = "moved-changed"


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the aligned tree: a segment of A, its partner in B, or one of them alone.

    ``key`` is B's key, or A's when there is no B. A branch is EQUAL only when all below it is. ``moved_from`` says
    where a moved segment stood in A; ``notes`` name differences that the texts do not show (another role).
    """

    key: str
    a: Segment | None
    b: Segment | None
    state: PairState
    children: tuple["Pair", ...] = ()
    moved_from: Sentence | None = None
    notes: tuple[Sentence, ...] = ()

    @property
    def shown(self) -> Segment:
        """The segment that names the row: B's, else A's."""
        segment = self.b or self.a
        if segment is None:
            raise ValueError(f"pair {self.key} has no segment on either side")
        return segment

    @property
    def kind(self) -> Kind:
        """Kind of the segment that names the row."""
        return self.shown.kind

    @property
    def is_quiet(self) -> bool:
        """True for separators and cache marks: they are compared like any other text, but a view may hide them."""
        return all(side is None or side.kind in (Kind.SEPARATOR, Kind.MARK) for side in (self.a, self.b))

    @property
    def is_different(self) -> bool:
        """True unless EQUAL."""
        return self.state is not PairState.EQUAL

    def walk(self) -> Iterator["Pair"]:
        """The pair and everything below it, parents first, in the order of rows."""
        yield self
        for child in self.children:
            yield from child.walk()

    def rows(self) -> Iterator["Pair"]:
        """The pairs without children below (or the pair itself)."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.rows()


@dataclass(frozen=True)
class Comparison:
    """Two trees, aligned: one pair a group, in wire order, with everything below.

    ``shared`` counts the code points that the two requests share from the front (tools, system prompt, messages);
    ``shared_end_a`` and ``shared_end_b`` are the places where that ends, None when nothing more is there.
    ``is_complete`` is False when the comparison was cancelled: then there are no pairs.
    """

    a: SegmentTree | None
    b: SegmentTree | None
    pairs: tuple[Pair, ...]
    shared: int = 0
    shared_end_a: Place | None = None
    shared_end_b: Place | None = None
    counts: Mapping[PairState, int] = field(default_factory=dict)
    """Rows without children, separators and marks left out, by state."""
    is_complete: bool = True

    def walk(self) -> Iterator[Pair]:
        """All pairs, parents first."""
        for pair in self.pairs:
            yield from pair.walk()

    def rows(self) -> Iterator[Pair]:
        """All pairs without children, in the order of rows."""
        for pair in self.pairs:
            yield from pair.rows()

    @cached_property
    def differences(self) -> tuple[Pair, ...]:
        """The rows without children that differ, quiet ones left out unless nothing else differs."""
        different = [pair for pair in self.rows() if pair.is_different]
        return tuple([pair for pair in different if not pair.is_quiet] or different)

    @property
    def first_difference(self) -> Pair | None:
        """The first of :attr:`differences`."""
        return self.differences[0] if self.differences else None

    @property
    def is_equal(self) -> bool:
        """True when no row differs; a cancelled comparison does not know, and says False."""
        return self.is_complete and not self.differences
