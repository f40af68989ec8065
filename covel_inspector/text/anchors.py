"""Finds what two sequences have in common, by anchors, within a budget of steps.

Follows the scheme of the platform notes, section 6. What both begin and end with is set aside. Of the elements that
are unique in both sequences, the most that stand in one order are taken as anchors; the gaps between them are treated
in the same way, which also grows the anchors both ways. In a gap without unique elements, unique runs of elements serve
as anchors, and a small one is solved exactly.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from covel_inspector.text.shortest import shortest_edits

Match = tuple[int, int, int]
"""Start in A, start in B, number of equal elements."""

_RUNS = (2, 4, 8, 16, 32)
_SMALL_GAP = 300
_CANCEL_EVERY = 20_000


class Budget:
    """Counts steps, and remembers why it said no."""

    def __init__(self, steps: int, edits: int, cancelled: Callable[[], bool] | None = None) -> None:
        self.limit = steps
        self.edits = edits
        self.spent = 0
        self.bounded = False
        self.stopped = False
        self._cancelled = cancelled
        self._next_question = 0

    def spend(self, steps: int) -> bool:
        """Takes ``steps`` from the budget; False when the work must not be done."""
        if self.stopped:
            return False
        if self._cancelled is not None and self.spent >= self._next_question:
            self._next_question = self.spent + _CANCEL_EVERY
            if self._cancelled():
                self.stopped = True
                return False
        if self.spent + steps > self.limit:
            self.bounded = True
            return False
        self.spent += steps
        return True


@dataclass(frozen=True, slots=True)
class _Gap:
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    is_final: bool = False
    """Only head and tail are still looked at."""

    @property
    def size(self) -> int:
        return self.a_end - self.a_start + self.b_end - self.b_start


def find_matches(a: Sequence[int], b: Sequence[int], weak: frozenset[int], budget: Budget) -> list[Match]:
    """Equal stretches of two sequences of element numbers, in order, none overlapping.

    ``weak`` elements never anchor anything: they match only beside something else that does, or when a gap holds
    nothing but them.
    """
    matches: list[Match] = []
    gaps = [_Gap(0, len(a), 0, len(b))]
    while gaps:
        gap = _strip(a, b, gaps.pop(), matches, budget)
        if gap.a_start == gap.a_end or gap.b_start == gap.b_end or gap.is_final:
            continue
        if not budget.spend(gap.size):
            continue
        gaps.extend(_inside(a, b, gap, weak, matches, budget))
    return _joined(matches)


def _joined(matches: list[Match]) -> list[Match]:
    """Matches in order, neighbours without anything between them as one."""
    joined: list[Match] = []
    end = (-1, -1)
    for first, second, count in sorted(matches):
        if end == (first, second):
            start_a, start_b, before = joined[-1]
            joined[-1] = (start_a, start_b, before + count)
        else:
            joined.append((first, second, count))
        end = (first + count, second + count)
    return joined


def _strip(a: Sequence[int], b: Sequence[int], gap: _Gap, matches: list[Match], budget: Budget) -> _Gap:
    """The gap without what its two sides share at both ends; the shared ends become matches."""
    most = min(gap.a_end - gap.a_start, gap.b_end - gap.b_start)
    head = 0
    while head < most and a[gap.a_start + head] == b[gap.b_start + head]:
        head += 1
    tail = 0
    while tail < most - head and a[gap.a_end - 1 - tail] == b[gap.b_end - 1 - tail]:
        tail += 1
    budget.spent += head + tail
    if head:
        matches.append((gap.a_start, gap.b_start, head))
    if tail:
        matches.append((gap.a_end - tail, gap.b_end - tail, tail))
    return _Gap(gap.a_start + head, gap.a_end - tail, gap.b_start + head, gap.b_end - tail, gap.is_final)


def _inside(
    a: Sequence[int], b: Sequence[int], gap: _Gap, weak: frozenset[int], matches: list[Match], budget: Budget
) -> list[_Gap]:
    """Looks for anchors in a gap, records them, and returns the gaps between them."""
    in_b = set(b[gap.b_start : gap.b_end])
    common = in_b.intersection(a[gap.a_start : gap.a_end])
    strong = common - weak
    if not strong and (common != in_b or not common.issuperset(a[gap.a_start : gap.a_end])):
        return []
    common = strong or common
    a_indexes = [index for index in range(gap.a_start, gap.a_end) if a[index] in common]
    b_indexes = [index for index in range(gap.b_start, gap.b_end) if b[index] in common]
    a_values = [a[index] for index in a_indexes]
    b_values = [b[index] for index in b_indexes]

    pairs = _unique_pairs(a_values, b_values)
    is_small = len(a_values) + len(b_values) <= _SMALL_GAP
    if not pairs and not is_small:
        for run in _RUNS:
            if not budget.spend(2 * (len(a_values) + len(b_values))):
                return []
            pairs = _unique_pairs(_runs(a_values, run), _runs(b_values, run))
            if pairs:
                break
    if pairs:
        chain = longest_rising(pairs)
        return _between(gap, [(a_indexes[first], b_indexes[second]) for first, second in chain], matches)
    exact = shortest_edits(a_values, b_values, budget.edits, budget.spend)
    if exact is None:
        budget.bounded = budget.bounded or not budget.stopped
        return []
    return _between(gap, [(a_indexes[first], b_indexes[second]) for first, second in exact], matches, is_final=True)


def _between(
    gap: _Gap, anchors: Sequence[tuple[int, int]], matches: list[Match], *, is_final: bool = False
) -> list[_Gap]:
    """Records single anchors as matches and returns what lies before, between and behind them."""
    gaps: list[_Gap] = []
    a_position, b_position = gap.a_start, gap.b_start
    for first, second in anchors:
        matches.append((first, second, 1))
        if first > a_position and second > b_position:
            gaps.append(_Gap(a_position, first, b_position, second, is_final))
        a_position, b_position = first + 1, second + 1
    if a_position < gap.a_end and b_position < gap.b_end:
        gaps.append(_Gap(a_position, gap.a_end, b_position, gap.b_end, is_final))
    return gaps


def _runs(values: Sequence[int], length: int) -> list[tuple[int, ...]]:
    return list(zip(*(values[start:] for start in range(length)), strict=False))


def _unique_pairs(a: Sequence[object], b: Sequence[object]) -> list[tuple[int, int]]:
    """Indexes of elements that occur exactly once on both sides, in the order of A."""
    once_a = _once(a)
    once_b = _once(b)
    return [(index, once_b[value]) for value, index in once_a.items() if value in once_b]


def _once(values: Sequence[object]) -> dict[object, int]:
    first: dict[object, int] = {}
    repeated: set[object] = set()
    for index, value in enumerate(values):
        if value in first:
            repeated.add(value)
        else:
            first[value] = index
    for value in repeated:
        del first[value]
    return first


def longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain of pairs (ordered by their first number) in which the second number rises too."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        level = bisect_left(ends, second)
        before.append(at_end[level - 1] if level else -1)
        if level == len(ends):
            ends.append(second)
            at_end.append(number)
        else:
            ends[level] = second
            at_end[level] = number
    chain: list[tuple[int, int]] = []
    number = at_end[-1] if at_end else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    chain.reverse()
    return chain
