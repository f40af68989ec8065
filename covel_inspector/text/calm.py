"""Keeps a comparison calm: no confetti of single words or blanks that happen to be the same."""

from collections.abc import Sequence

from covel_inspector.text.hunks import DiffLimits, Hunk, HunkKind, hunk_of, tidy
from covel_inspector.text.units import is_weak


def calm(hunks: Sequence[Hunk], a: str, limits: DiffLimits) -> list[Hunk]:
    """Hunks of one changed block, with equal stretches given up that only disturb.

    Given up are equal stretches between two changes that hold nothing but blanks and punctuation, or that are no longer
    than the change on either side, unless they end a line (line ends keep two columns level); and all of them when
    hardly anything in the block is equal.
    """
    stack: list[Hunk] = []
    for hunk in hunks:
        stack.append(hunk)
        while len(stack) >= 3 and hunk.kind is not HunkKind.EQUAL and _is_confetti(stack[-3:], a, limits):
            after, _, before = stack.pop(), stack.pop(), stack.pop()
            stack.append(hunk_of(before.a_start, after.a_end, before.b_start, after.b_end))
    if _equal_share(stack, a) < limits.kept_share:
        return [hunk_of(hunks[0].a_start, hunks[-1].a_end, hunks[0].b_start, hunks[-1].b_end)]
    return list(tidy(stack))


def _is_confetti(three: Sequence[Hunk], a: str, limits: DiffLimits) -> bool:
    before, island, after = three
    text = a[island.a_start : island.a_end]
    length = len(text)
    if before.kind is HunkKind.EQUAL or length > limits.kept_island or "\n" in text:
        return False
    return is_weak(text) or (length <= _size(before) and length <= _size(after))


def _size(hunk: Hunk) -> int:
    return max(hunk.a_end - hunk.a_start, hunk.b_end - hunk.b_start)


def _equal_share(hunks: Sequence[Hunk], a: str) -> float:
    """Equal code points, blanks left out, against the longer side of the block."""
    equal = sum(len("".join(a[hunk.a_start : hunk.a_end].split())) for hunk in hunks if hunk.kind is HunkKind.EQUAL)
    longer = max(hunks[-1].a_end - hunks[0].a_start, hunks[-1].b_end - hunks[0].b_start)
    return equal / longer if longer else 1.0
