"""A report as a row of blocks, written as plain text or as Markdown.

Texts in blocks may come from a story: each writer makes them safe for its own form.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from covel_inspector.report.terminal import Column, one_line, table, width


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of prose."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; each item may have a list of its own below it."""

    items: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has as many cells as there are columns."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Bullets | Table

_UNDERLINES = {1: "=", 2: "-"}
_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>|#~])")


def text_lines(blocks: Sequence[Block]) -> list[str]:
    """The lines of a text for terminals: a blank line between blocks, safe characters, straight columns."""
    return _joined(_text_block(block) for block in blocks)


def markdown_lines(blocks: Sequence[Block]) -> list[str]:
    """The lines of a Markdown text; signs of Markdown and HTML inside a story are escaped."""
    return _joined(_markdown_block(block) for block in blocks)


def _joined(blocks: Iterator[list[str]]) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        if lines:
            lines.append("")
        lines.extend(block)
    return lines


def _text_block(block: Block) -> list[str]:
    match block:
        case Heading(level, text):
            safe = one_line(text)
            return [safe, _UNDERLINES[level] * width(safe)] if level in _UNDERLINES else [safe]
        case Paragraph(text):
            return [one_line(text)]
        case Bullets(items):
            return _bullets(items, one_line)
        case Table(columns, rows):
            return table(columns, rows)


def _markdown_block(block: Block) -> list[str]:
    match block:
        case Heading(level, text):
            return [f"{'#' * level} {_marked(text)}"]
        case Paragraph(text):
            return [_marked(text)]
        case Bullets(items):
            return _bullets(items, _marked)
        case Table(columns, rows):
            return [
                _markdown_row([column.heading for column in columns]),
                "|" + "|".join(" ---: " if column.right else " --- " for column in columns) + "|",
                *(_markdown_row(row) for row in rows),
            ]


def _bullets(items: Sequence[tuple[str, tuple[str, ...]]], safe: Callable[[str], str]) -> list[str]:
    lines = []
    for item, below in items:
        lines.append(f"- {safe(item)}")
        lines.extend(f"  - {safe(one)}" for one in below)
    return lines


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_marked(cell) for cell in cells) + " |"


def _marked(text: str) -> str:
    return _MARKDOWN_SIGNS.sub(r"\\\1", one_line(text))
