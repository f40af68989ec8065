"""Folding for search: texts that a reader takes for the same become the same, and every hit is mapped back.

Case, width (full and half), compatibility forms (NFKC), composed and decomposed accents, straight and curly quotes
are folded; each blank or line end is one blank; characters without width and soft hyphens vanish. Simplified and
traditional characters stay apart. All positions are code points of the source text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice
from unicodedata import normalize

_COMBINING = "\u0300-\u036f\u3099\u309a\uff9e\uff9f"
_CLUSTER = re.compile(rf"[^{_COMBINING}][{_COMBINING}]+", re.DOTALL)
_BLANK = re.compile(r"\s")
_QUOTES = str.maketrans("“”„‟«»‘’‚‛′″", '""""""\'\'\'\'\'"')
_NO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


@dataclass(frozen=True, slots=True)
class Span:
    """A hit: ``start`` to ``end`` in code points of the text that was searched."""

    start: int
    end: int


class Folded:
    """A text prepared for searching, once for any number of phrases."""

    __slots__ = ("_starts", "text")

    def __init__(self, source: str) -> None:
        self._starts: list[int] | None = None
        """Source index of every folded character, and the length; None when both count alike."""
        if source.isascii():
            self.text = _BLANK.sub(" ", source).lower()
            return
        table = {ord(character): _fold(character) for character in set(source)}
        has_clusters = _CLUSTER.search(source) is not None
        if not has_clusters and all(len(folded) == 1 for folded in table.values()):
            self.text = source.translate(table)
            return
        pieces, lengths = _pieces(source, table)
        self.text = "".join(pieces)
        offsets = list(accumulate(lengths, initial=0))
        self._starts = [start for piece, start in zip(pieces, offsets, strict=False) for _ in range(len(piece))]
        self._starts.append(len(source))

    def find(self, phrase: str) -> Iterator[Span]:
        """Hits of a phrase from the front, not overlapping. An empty phrase (also after folding) has none."""
        wanted = fold(phrase)
        if not wanted:
            return
        position = self.text.find(wanted)
        while position >= 0:
            end = position + len(wanted)
            yield self._span(position, end)
            position = self.text.find(wanted, end)

    def __contains__(self, phrase: str) -> bool:
        return fold(phrase) in self.text

    def _span(self, start: int, end: int) -> Span:
        starts = self._starts
        if starts is None:
            return Span(start, end)
        last = starts[end - 1]
        while starts[end] == last:
            end += 1
        return Span(starts[start], starts[end])


def fold(text: str) -> str:
    """The folded form of a text."""
    return Folded(text).text


def find_all(text: str, phrase: str, limit: int | None = None) -> list[Span]:
    """The hits of ``phrase`` in ``text``, at most ``limit``."""
    return list(islice(Folded(text).find(phrase), limit))


def find_exact(text: str, phrase: str, limit: int | None = None) -> list[Span]:
    """The hits of ``phrase`` as it is, without folding."""
    spans: list[Span] = []
    position = text.find(phrase) if phrase else -1
    while position >= 0 and (limit is None or len(spans) < limit):
        spans.append(Span(position, position + len(phrase)))
        position = text.find(phrase, position + len(phrase))
    return spans


@lru_cache(maxsize=8192)
def _fold(cluster: str) -> str:
    if cluster.isspace():
        return " "
    folded = normalize("NFKC", normalize("NFKC", cluster.translate(_QUOTES)).casefold())
    return folded.translate(_QUOTES).translate(_NO_WIDTH)


def _pieces(source: str, table: dict[int, str]) -> tuple[list[str], list[int]]:
    """Folded pieces and how many code points of the source each stands for."""
    pieces: list[str] = []
    lengths: list[int] = []
    position = 0
    for match in _CLUSTER.finditer(source):
        pieces.extend(table[ord(character)] for character in source[position : match.start()])
        lengths.extend([1] * (match.start() - position))
        pieces.append(_fold(match.group()))
        lengths.append(match.end() - match.start())
        position = match.end()
    pieces.extend(table[ord(character)] for character in source[position:])
    lengths.extend([1] * (len(source) - position))
    return pieces, lengths
