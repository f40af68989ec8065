"""Compares two texts the way a reader does: lines first, then characters and words inside changed blocks.

All positions are code points. Work is bounded in steps, never by a clock, so the same two texts always give the same
hunks. Drawing them is the caller's work. Standard library only.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate

from covel_inspector.text.anchors import Budget, find_matches
from covel_inspector.text.calm import calm
from covel_inspector.text.hunks import DiffLimits, Hunk, HunkKind, Outcome, TextDiff, apply, hunk_of, tidy
from covel_inspector.text.slide import slide
from covel_inspector.text.units import is_weak, split_lines, split_units

__all__ = ["DiffLimits", "Hunk", "HunkKind", "Outcome", "TextDiff", "apply", "diff_texts"]

_DEFAULT = DiffLimits()


def diff_texts(a: str, b: str, limits: DiffLimits = _DEFAULT, cancelled: Callable[[], bool] | None = None) -> TextDiff:
    """What changed from ``a`` to ``b``.

    ``cancelled`` is asked now and then; once it answers True, what has not been looked at yet is shown as replaced.
    """
    if a == b:
        hunks = (Hunk(HunkKind.EQUAL, 0, len(a), 0, len(b)),) if a else ()
        return TextDiff(hunks, Outcome.COMPLETE)
    budget = Budget(limits.steps, limits.edits, cancelled)
    blocks = _aligned(split_lines(a, limits.long_line), split_lines(b, limits.long_line), 0, 0, budget)
    found: list[Hunk] = []
    for block in _without_weak_islands(blocks, a):
        if block.kind is HunkKind.REPLACE:
            found.extend(_inside(a, b, block, limits, budget))
        else:
            found.append(block)
    outcome = Outcome.COMPLETE
    if budget.stopped:
        outcome = Outcome.CANCELLED
    elif budget.bounded:
        outcome = Outcome.BOUNDED
    return TextDiff(tuple(slide(tidy(found), a, b)), outcome, budget.spent)


def _inside(a: str, b: str, block: Hunk, limits: DiffLimits, budget: Budget) -> list[Hunk]:
    """The hunks of one changed block, in units of reading."""
    a_units = split_units(a[block.a_start : block.a_end])
    b_units = split_units(b[block.b_start : block.b_end])
    hunks = _aligned(a_units, b_units, block.a_start, block.b_start, budget)
    return calm(hunks, a, limits)


def _aligned(
    a_pieces: Sequence[str], b_pieces: Sequence[str], a_start: int, b_start: int, budget: Budget
) -> list[Hunk]:
    """Hunks between two rows of pieces that begin at the given code points."""
    numbers: dict[str, int] = {}
    a_numbers = [numbers.setdefault(piece, len(numbers)) for piece in a_pieces]
    b_numbers = [numbers.setdefault(piece, len(numbers)) for piece in b_pieces]
    weak = frozenset(number for piece, number in numbers.items() if is_weak(piece))
    a_offsets = list(accumulate(map(len, a_pieces), initial=a_start))
    b_offsets = list(accumulate(map(len, b_pieces), initial=b_start))
    hunks: list[Hunk] = []
    a_position = b_position = 0
    matches = find_matches(a_numbers, b_numbers, weak, budget)
    for first, second, count in [*matches, (len(a_pieces), len(b_pieces), 0)]:
        hunks.append(hunk_of(a_offsets[a_position], a_offsets[first], b_offsets[b_position], b_offsets[second]))
        a_position, b_position = first + count, second + count
        hunks.append(
            Hunk(HunkKind.EQUAL, a_offsets[first], a_offsets[a_position], b_offsets[second], b_offsets[b_position])
        )
    return list(tidy(hunks))


def _without_weak_islands(blocks: Sequence[Hunk], a: str) -> Sequence[Hunk]:
    """Changed blocks of lines that only blank lines keep apart become one, so that a reader sees one change."""
    joined: list[Hunk] = []
    for number, block in enumerate(blocks):
        is_island = 0 < number < len(blocks) - 1 and block.kind is HunkKind.EQUAL
        if is_island and is_weak(a[block.a_start : block.a_end]):
            joined.append(hunk_of(block.a_start, block.a_end, block.b_start, block.b_end))
        else:
            joined.append(block)
    return tidy(joined)
