"""Where two requests part: the first row of their comparison that differs at or behind the end of the shared prefix."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from covel_inspector.analysis.compare import compare
from covel_inspector.analysis.pairs import Comparison, Pair
from covel_inspector.domain import Group, Kind, Place, Segment, SegmentTree

HISTORY_KINDS = frozenset({Kind.HISTORY, Kind.NOTE, Kind.SUMMARY})
LOOP_KINDS = frozenset({Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.REASONING, Kind.LOOP_NOTE, Kind.RETRY_HINT})
TAIL_KINDS = frozenset({Kind.TURN_CONTEXT, Kind.PICTURES, Kind.PLAYER_LINE, Kind.STORY, Kind.CUE, *LOOP_KINDS})
"""What is new in every turn and stands behind the history."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the comparison with its group, its number, and whether it belongs to the turn context."""

    pair: Pair
    group: Group
    number: int
    in_context: bool

    @property
    def kind(self) -> Kind:
        """Kind of the segment that names the row."""
        return self.pair.kind

    @property
    def segment(self) -> Segment:
        """The later request's segment, else the earlier one's."""
        return self.pair.shown


class Parting:
    """The comparison of two requests, read from the front."""

    def __init__(self, before: SegmentTree, now: SegmentTree) -> None:
        self.comparison: Comparison = compare(before, now)
        self.rows: tuple[Row, ...] = tuple(_rows(self.comparison))
        self.different: tuple[Row, ...] = tuple(self._behind())
        self.tail_from = self._tail()

    @property
    def first(self) -> Row | None:
        """The first row that differs where the prefix ends; None when none does."""
        return self.different[0] if self.different else None

    @property
    def place(self) -> Place | None:
        """Where the later request goes on differently; None when it ends there."""
        return self.comparison.shared_end_b

    def in_tail(self, row: Row) -> bool:
        """Whether a row belongs to what is new in every turn."""
        return row.group is Group.MESSAGES and row.number >= self.tail_from

    def history(self) -> list[Row]:
        """The rows of history, summaries and notes, in order."""
        return [row for row in self.rows if row.group is Group.MESSAGES and row.kind in HISTORY_KINDS]

    def _behind(self) -> Iterator[Row]:
        a, b = self.comparison.shared_end_a, self.comparison.shared_end_b
        found = [
            row for row in self.rows if row.pair.is_different and (_reaches(row.pair.a, a) or _reaches(row.pair.b, b))
        ]
        loud = [row for row in found if not row.pair.is_quiet]
        hashed = [row for row in loud if row.group is not Group.RESPONSE_FORMAT]
        yield from hashed or loud or found

    def _tail(self) -> int:
        last = max((row.number for row in self.history()), default=-1)
        return next(
            (
                row.number
                for row in self.rows
                if row.number > last and row.group is Group.MESSAGES and (row.in_context or row.kind in TAIL_KINDS)
            ),
            len(self.rows),
        )


def _rows(comparison: Comparison) -> Iterator[Row]:
    number = 0
    for group in comparison.pairs:
        for pair, in_context in _leaves(group, in_context=False):
            yield Row(pair, Group(group.key), number, in_context)
            number += 1


def _leaves(pair: Pair, *, in_context: bool) -> Iterator[tuple[Pair, bool]]:
    in_context = in_context or pair.kind is Kind.TURN_CONTEXT
    if not pair.children:
        yield pair, in_context
    for child in pair.children:
        yield from _leaves(child, in_context=in_context)


def _reaches(segment: Segment | None, end: Place | None) -> bool:
    """Whether a segment goes beyond the end of the shared prefix."""
    if segment is None or end is None:
        return False
    places = [leaf.place for leaf in segment.leaves() if leaf.place is not None]
    return any((place.part, place.end) > (end.part, end.start) for place in places)


def excerpts(old: str, new: str, before: int = 24, length: int = 96) -> tuple[str, str]:
    """Both texts around their first difference, short enough for a line of a table."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, same - before)
    return _cut(old, start, length), _cut(new, start, length)


def _cut(text: str, start: int, length: int) -> str:
    piece = text[start : start + length]
    return f"{'…' if start and piece else ''}{piece}{'…' if start + length < len(text) else ''}"


def texts(rows: Sequence[Row]) -> set[str]:
    """The later request's texts of some rows."""
    return {row.pair.b.whole_text for row in rows if row.pair.b is not None}
