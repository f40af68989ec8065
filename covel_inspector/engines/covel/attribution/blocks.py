"""Tagged blocks at the top level of a text, found in one pass."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_-]*)((?:\s[^<>\n]*)?)>")
_NAME = re.compile(r"""\b(?:name|id)\s*=\s*(?:"([^"\n]{1,80})"|'([^'\n]{1,80})')""")


@dataclass(frozen=True, slots=True)
class Block:
    """A tagged block: ``start`` at its ``<``, ``end`` behind its closing tag, ``inner`` the offsets of what it holds.

    ``label`` is the tag's name, with the value of its ``name`` or ``id`` attribute behind a colon if it has one.
    """

    tag: str
    label: str
    start: int
    end: int
    inner: tuple[int, int]


class Blocks:
    """The tagged blocks of the stretch ``start`` to ``end`` of a text.

    A block opens where a line begins, never inside one, and ends with its matching close tag. An open tag without a
    close tag is no block.
    """

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self._text = text
        self._end = len(text) if end is None else end
        self._by_start: dict[int, Block] = {}
        waiting: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for found in _TAG.finditer(text, start, self._end):
            first, tag = found.start(), found[2]
            if found[1]:
                if waiting[tag]:
                    opened, inner, label = waiting[tag].pop()
                    self._by_start[opened] = Block(tag, label, opened, found.end(), (inner, first))
            elif first == start or text[first - 1] == "\n":
                waiting[tag].append((first, found.end(), _label(tag, found[3])))

    def at(self, start: int) -> Block | None:
        """The block that opens exactly at ``start``."""
        return self._by_start.get(start)

    def enclose(self, start: int, end: int) -> bool:
        """Whether a bigger block holds all from ``start`` to ``end``."""
        return any(
            block.start <= start and end <= block.end and block.end - block.start > end - start
            for block in self._by_start.values()
        )

    def paragraphs(self, start: int, end: int) -> Iterator[Block]:
        """The blocks between ``start`` and ``end`` that begin and end with a paragraph and lie in no other one."""
        text, position = self._text, start
        while position < end:
            block = self._by_start.get(position)
            if block is not None and block.end <= end and ends_paragraph(text, block.end, end):
                yield block
                position = block.end
            following = text.find("\n\n", position, end)
            if following < 0:
                return
            position = following + 2


def ends_paragraph(text: str, position: int, end: int) -> bool:
    """True when ``position`` is ``end``, or a blank line follows."""
    return position == end or text.startswith("\n\n", position, end)


def paragraph_starts(text: str, start: int, end: int) -> Iterator[int]:
    """Where a segment may begin: at ``start``, and behind every pair of line feeds up to ``end``."""
    yield start
    position = text.find("\n\n", start, end)
    while position >= 0:
        yield position + 2
        position = text.find("\n\n", position + 1, end)


def _label(tag: str, attributes: str) -> str:
    named = _NAME.search(attributes) if attributes else None
    return f"{tag}:{named[1] or named[2]}" if named else tag
