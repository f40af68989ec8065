"""Where two documents of passages must be padded, so that the same segment stands at the same height. Pure, no Qt."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from covel_inspector.app.compare.passages import Passage
from covel_inspector.domain import Segment

Anchor = tuple[int, int]
"""Numbers of two passages, of A and of B, that belong at the same height."""


@dataclass(frozen=True, slots=True)
class Padding:
    """Pixels to be left free in one document: above some passages, by their numbers, and behind the last one."""

    above: Mapping[int, float] = field(default_factory=dict)
    end: float = 0.0


def anchors(ours: Sequence[Passage], theirs: Sequence[Passage], partners: Mapping[int, Segment]) -> list[Anchor]:
    """Pairs of passages in an order that both documents have: of those that moved, as few as possible are left out.

    ``partners`` as :func:`~covel_inspector.app.compare.passages.partners_of` gives them.
    """
    by_segment = {id(passage.segment): number for number, passage in enumerate(theirs)}
    by_key = {passage.key: number for number, passage in enumerate(theirs)}
    found: list[Anchor] = []
    for number, passage in enumerate(ours):
        partner = partners.get(id(passage.segment))
        other = by_segment.get(id(partner)) if partner is not None else by_key.get(passage.key)
        if other is not None:
            found.append((number, other))
    return _rising(found)


def paddings(
    pairs: Sequence[Anchor], tops_a: Sequence[float], tops_b: Sequence[float], end_a: float, end_b: float
) -> tuple[Padding, Padding]:
    """What each document must be padded with. ``tops`` and ``end`` are pixels of the documents without any padding."""
    above_a: dict[int, float] = {}
    above_b: dict[int, float] = {}
    shift_a = shift_b = 0.0
    for a, b in pairs:
        difference = (tops_a[a] + shift_a) - (tops_b[b] + shift_b)
        if difference < 0:
            above_a[a] = -difference
            shift_a -= difference
        elif difference > 0:
            above_b[b] = difference
            shift_b += difference
    rest = (end_a + shift_a) - (end_b + shift_b)
    return Padding(above_a, max(0.0, -rest)), Padding(above_b, max(0.0, rest))


def _rising(pairs: Sequence[Anchor]) -> list[Anchor]:
    """The longest row of pairs in which the second numbers rise as the first ones do."""
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        place = bisect_left(ends, second)
        before.append(at[place - 1] if place else -1)
        if place == len(ends):
            ends.append(second)
            at.append(number)
        else:
            ends[place], at[place] = second, number
    row: list[Anchor] = []
    number = at[-1] if at else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]
