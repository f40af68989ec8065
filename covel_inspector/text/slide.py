"""Moves an inserted or deleted stretch to where a reader would have put its borders.

When the text in front of a stretch ends like the stretch itself, the stretch may as well begin earlier: "ab|cab|" is
the same insertion as "|abc|ab". Among such positions the one at a line, sentence or word border reads best.
"""

from collections.abc import Sequence

from covel_inspector.text.hunks import Hunk, HunkKind, hunk_of

_FARTHEST = 400
"""Code points that a stretch is moved at most."""

_NEVER_FIRST = "。！？；.!?;，,、”’)）」』\n"
_SENTENCE_ENDS = (".", "!", "?", ";", '."', '!"', '?"', "。”", "！”", "？”", "。」", "！」", "？」", "。』", "。）")

_PARAGRAPH_END, _LINE_END, _SENTENCE_END, _CLAUSE_END, _NOTHING = 4, 3, 2, 1, 0


def slide(hunks: Sequence[Hunk], a: str, b: str) -> list[Hunk]:
    """The same hunks, with lonely insertions and deletions at better borders; B is still rebuilt."""
    moved = list(hunks)
    for number in range(1, len(moved) - 1):
        before, hunk, after = moved[number - 1 : number + 2]
        if hunk.kind is HunkKind.INSERT:
            left, right = _reach(b, hunk.b_start, hunk.b_end, _room(before), _room(after))
            shift = _best(b, hunk.b_start, hunk.b_end, left, right)
        elif hunk.kind is HunkKind.DELETE:
            left, right = _reach(a, hunk.a_start, hunk.a_end, _room(before), _room(after))
            shift = _best(a, hunk.a_start, hunk.a_end, left, right)
        else:
            continue
        if shift:
            moved[number - 1 : number + 2] = _shifted(before, hunk, after, shift)
    return moved


def _room(equal: Hunk) -> int:
    """How far a neighbour may give way: it never vanishes."""
    return min(equal.a_end - equal.a_start - 1, _FARTHEST)


def _reach(text: str, start: int, end: int, room_left: int, room_right: int) -> tuple[int, int]:
    """How far the stretch may be moved to the left and to the right without another meaning."""
    left = 0
    while left < room_left and text[start - left - 1] == text[end - left - 1]:
        left += 1
    right = 0
    while right < room_right and text[start + right] == text[end + right]:
        right += 1
    return left, right


def _best(text: str, start: int, end: int, left: int, right: int) -> int:
    """The shift whose worse border is best; staying wins a draw, then the nearest."""
    if not left and not right:
        return 0
    shifts = sorted(range(-left, right + 1), key=abs)
    return max(shifts, key=lambda shift: min(_border(text, start + shift), _border(text, end + shift)))


def _border(text: str, position: int) -> int:
    """How natural it is to begin or end at ``position``."""
    last = text[position - 1]
    if last == "\n" and text[position : position + 1] not in ("\n", "\r"):
        return _PARAGRAPH_END if text.endswith(("\n\n", "\n\r\n"), max(0, position - 3), position) else _LINE_END
    if position < len(text) and (text[position] in _NEVER_FIRST or (text[position] in "\"'" and last in ".!?")):
        return _NOTHING
    last_word = text[max(0, position - 3) : position].rstrip()
    if last in "。！？；!?" or (last_word != last and last_word.endswith(_SENTENCE_ENDS)):
        return _SENTENCE_END
    return _CLAUSE_END if last.isspace() or last in "，、,：" else _NOTHING


def _shifted(before: Hunk, hunk: Hunk, after: Hunk, shift: int) -> list[Hunk]:
    moved = hunk_of(hunk.a_start + shift, hunk.a_end + shift, hunk.b_start + shift, hunk.b_end + shift)
    return [
        Hunk(HunkKind.EQUAL, before.a_start, moved.a_start, before.b_start, moved.b_start),
        moved,
        Hunk(HunkKind.EQUAL, moved.a_end, after.a_end, moved.b_end, after.b_end),
    ]
