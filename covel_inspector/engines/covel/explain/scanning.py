"""The texts that are searched for lorebook keys, and every place in them where a key stands.

The engine searches one text: the last messages and the player's line, joined and lower-cased (the reference on the
assembler, section 10). Places are told in the texts as they are stored.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from covel_inspector.domain import LoreHit, Sentence
from covel_inspector.engines.covel.assembler.lore_keys import find_keys

_AROUND = 24
"""Code points shown on each side of a hit."""


@dataclass(frozen=True, slots=True)
class ScannedText:
    """A text of the scan: ``row`` None = the player's line. ``back`` counts messages, 0 = the player's line.

    ``told`` is what people call the message.
    """

    content: str
    row: str | None
    back: int
    told: Sentence | None = None


class Scan:
    """Some texts joined as the engine joins them. Oldest first, the player's line last."""

    def __init__(self, texts: Sequence[ScannedText]) -> None:
        self.texts = tuple(texts)
        self._lowered = [text.content.lower() for text in texts]
        self.joined = "\n".join(self._lowered)
        self._starts = list(accumulate((len(text) + 1 for text in self._lowered[:-1]), initial=0))

    def hits(self, key: str) -> Iterator[LoreHit]:
        """Every place where a key hits, as the engine finds it."""
        width = len(key.lower())
        return (self.place(key, start, start + width) for start in find_keys(key, self.joined))

    def place(self, key: str, start: int, end: int) -> LoreHit:
        """A stretch of the joined text as a place in the text where it begins."""
        number = bisect_right(self._starts, start) - 1
        first = self._starts[number]
        text = self.texts[number]
        limit = first + len(self._lowered[number])
        crosses = end > limit
        here = stored_offset(text.content, self._lowered[number], start - first)
        there = stored_offset(text.content, self._lowered[number], min(end, limit) - first)
        around = excerpt(text.content, here, there)
        return LoreHit(key, text.row, here, there, text.back, around, crosses, text.told)


def scan_of(player_line: str, newest_first: Iterable[ScannedText], depth: int) -> Scan:
    """The scan of an entry: ``newest_first`` are the committed messages, of which ``depth`` are searched."""
    return Scan([*reversed([*islice(newest_first, depth)]), ScannedText(player_line, None, 0)])


def stored_offset(content: str, lowered: str, offset: int) -> int:
    """The offset in ``content`` of an offset in its lower-cased form: a few letters become longer when lower-cased."""
    if len(content) == len(lowered):
        return offset
    reached = 0
    for number, character in enumerate(content):
        if reached >= offset:
            return number
        reached += len(character.lower())
    return len(content)


def excerpt(content: str, start: int, end: int) -> str:
    """The hit with some words around it, on one line."""
    first, last = max(0, start - _AROUND), min(len(content), end + _AROUND)
    words = " ".join(content[first:last].split())
    return f"{'…' if first else ''}{words}{'…' if last < len(content) else ''}"
