"""Text that is safe on a terminal and stands in straight columns, Chinese included.

A story is written by strangers and by machines: an escape sequence in it must not move the cursor or colour the
screen of the person who reads a report. Exact text, for programs, is in the JSON forms.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from covel_inspector.text.invisible import draw_invisible


def visible(text: str) -> str:
    """Several lines of text with everything dangerous or invisible written as an escape (``\\x1b``, ``\\ud83d``).

    Newlines and tabs stay. Which characters a screen would swallow or obey is the text room's knowledge; on a
    terminal they are escapes in ASCII, which every terminal can show and everybody can search for.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    pieces: list[str] = []
    position = 0
    for mark in draw_invisible(text).marks:
        pieces += (text[position : mark.source], _escape(mark.code_point))
        position = mark.source + 1
    return "".join((*pieces, text[position:]))


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(text: str) -> str:
    """Like :func:`visible`, on one line: line breaks read ``⏎``, runs of blanks become one."""
    return visible(" ".join(text.replace("\r\n", "\n").replace("\n", " ⏎ ").split()))


def width(text: str) -> int:
    """Columns of a terminal that a text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(character_width(one) for one in text)


def character_width(character: str) -> int:
    """Columns that one character takes: 0, 1 or 2. What a terminal draws with ambiguous width counts one."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def clip(text: str, columns: int) -> str:
    """The beginning of a text that fits ``columns``; what is cut off is shown by ``…``."""
    if width(text) <= columns:
        return text
    used = 0
    for position, character in enumerate(text):
        used += character_width(character)
        if used > columns - 1:
            return text[:position].rstrip() + "…"
    return text


def pad(text: str, columns: int, right: bool = False) -> str:
    """The text filled with blanks to ``columns``, behind it or (``right``) before it."""
    blanks = " " * max(0, columns - width(text))
    return blanks + text if right else text + blanks


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, whether figures stand to the right, the most columns it may take."""

    heading: str
    right: bool = False
    most: int = 0
    """0 = as wide as its longest cell."""


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, headings first. Cells are made safe and one line each."""
    cells = [[one_line(column.heading) for column in columns]]
    cells.extend(
        [
            clip(one_line(cell), column.most) if column.most else one_line(cell)
            for column, cell in zip(columns, row, strict=True)
        ]
        for row in rows
    )
    widths = [max(width(row[number]) for row in cells) for number in range(len(columns))]
    return [
        "  ".join(
            pad(cell, columns_wide, column.right)
            for cell, columns_wide, column in zip(row, widths, columns, strict=True)
        ).rstrip()
        for row in cells
    ]
