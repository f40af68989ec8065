"""Two texts beside each other on a terminal, changed words marked, equal stretches shortened."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from covel_inspector.report.terminal import character_width, pad, visible
from covel_inspector.text.diff import Hunk, HunkKind, diff_texts


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs that are drawn; ``ASCII`` for outputs that have no others."""

    bar: str = " │ "
    gap: str = "⋮"
    line_end: str = "⏎"
    rule: str = "─"
    equal: str = "="
    changed: str = "≠"
    added: str = "+"
    removed: str = "-"
    moved: str = "↕"


UNICODE = Signs()
ASCII = Signs(bar=" | ", gap=":", line_end="\\n", rule="-", changed="#", moved="~")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of each text (None = that side has none here), marked and safe."""

    a: str | None
    b: str | None
    is_changed: bool


def aligned_rows(a: str, b: str, signs: Signs = UNICODE) -> list[Row]:
    """The lines of both texts, aligned where the texts are equal.

    What A lost stands in ``[-…-]``, what B gained in ``{+…+}``; a changed line break is drawn as a sign.
    """
    rows: list[Row] = []
    left, right, changed = [""], [""], False
    for hunk in diff_texts(a, b).hunks:
        if hunk.kind is HunkKind.EQUAL:
            first, *more = visible(a[hunk.a_start : hunk.a_end]).split("\n")
            left[-1] += first
            right[-1] += first
            for piece in more:
                rows.extend(_paired(left, right, changed))
                left, right, changed = [piece], [piece], False
        else:
            changed = True
            _append(left, a[hunk.a_start : hunk.a_end], "[-{}-]", signs)
            _append(right, b[hunk.b_start : hunk.b_end], "{{+{}+}}", signs)
            if not left[-1] and not right[-1]:
                # The change ends with a line: what follows stands on lines of its own.
                rows.extend(_paired(left[:-1], right[:-1], changed))
                left, right, changed = [""], [""], False
    rows.extend(_paired(left, right, changed))
    return rows


def _append(lines: list[str], text: str, frame: str, signs: Signs) -> None:
    if not text:
        return
    pieces = visible(text).split("\n")
    for number, piece in enumerate(pieces):
        is_last = number == len(pieces) - 1
        shown = piece if is_last else piece + signs.line_end
        marked = frame.format(shown) if shown else ""
        if number:
            lines.append(marked)
        else:
            lines[-1] += marked


def _paired(left: list[str], right: list[str], changed: bool) -> Iterator[Row]:
    return (Row(a, b, changed) for a, b in zip_longest(left, right))


def side_by_side(a: str, b: str, columns: int, signs: Signs = UNICODE, context: int = 2) -> list[str]:
    """Both texts in two halves of ``columns``; equal lines farther than ``context`` from a change are counted."""
    half = max(8, (columns - len(signs.bar)) // 2)
    rows = aligned_rows(a, b, signs)
    near = _near(rows, context)
    lines: list[str] = []
    skipped = 0
    for row, is_near in zip(rows, near, strict=True):
        if not is_near:
            skipped += 1
            continue
        if skipped:
            lines.append(f"{signs.gap} {skipped}")
            skipped = 0
        lines.extend(_drawn(row, half, signs))
    if skipped:
        lines.append(f"{signs.gap} {skipped}")
    return lines


def _near(rows: list[Row], context: int) -> list[bool]:
    near = [False] * len(rows)
    for number, row in enumerate(rows):
        if row.is_changed:
            for close in range(max(0, number - context), min(len(rows), number + context + 1)):
                near[close] = True
    return near


def _drawn(row: Row, half: int, signs: Signs) -> Iterator[str]:
    left = _wrapped(row.a, half)
    right = _wrapped(row.b, half)
    for a, b in zip_longest(left, right, fillvalue=""):
        yield f"{pad(a, half)}{signs.bar}{b}".rstrip()


def _wrapped(text: str | None, columns: int) -> list[str]:
    """The text cut into pieces that fit; tabs count as four blanks."""
    if text is None:
        return []
    pieces: list[str] = []
    piece, used = "", 0
    for character in text.replace("\t", "    "):
        wide = character_width(character)
        if used + wide > columns:
            pieces.append(piece)
            piece, used = "", 0
        piece += character
        used += wide
    return [*pieces, piece]


def changed_hunks(a: str, b: str) -> tuple[Hunk, ...]:
    """The places where the two texts differ, in code points."""
    return diff_texts(a, b).changes
