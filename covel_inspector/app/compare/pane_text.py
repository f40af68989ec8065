"""What a text widget is given in place of a source text.

Text widgets rewrite texts: carriage returns and U+2028 become newlines, lone surrogates vanish. So the widget gets a
drawn text in which such characters are marks, the source string is kept beside it, and positions go through one map.
Nothing is ever read back from a widget. Pure, without Qt.
"""

from dataclasses import dataclass
from functools import cached_property

from covel_inspector.domain import Segment
from covel_inspector.text.invisible import Drawn, draw_invisible
from covel_inspector.text.utf16 import Utf16Map

SHOWN_AT_FIRST = 200_000
"""Code points of a text that are shown until the reader asks for all of it."""

_GAP = "\n\n"
"""Between the messages of one branch; it stands in no request."""

_BLANKS = {0x20: "\u00b7", 0x3000: "\u25a1", 0x09: "\u2192"}
"""Marks for blanks, one code point each, drawn on request."""


@dataclass(frozen=True)
class PaneText:
    """A source text as a widget shows it.

    ``source`` is the whole text; ``limit`` is how many of its code points are shown. ``blanks`` marks blanks and tabs
    too. Positions are code points of ``source`` on one side and UTF-16 units of ``display`` on the other.
    """

    source: str
    limit: int = SHOWN_AT_FIRST
    blanks: bool = False

    @cached_property
    def display(self) -> str:
        """What the widget is given."""
        return self._drawn.text.translate(_BLANKS) if self.blanks else self._drawn.text

    @property
    def is_cut(self) -> bool:
        """True when the end of the source is not shown."""
        return len(self.source) > self.limit

    def to_display(self, index: int) -> int:
        """Where a code point of the source is displayed; what is not shown lies at the end."""
        return self._units.to_utf16(self._drawn.to_drawn(min(index, self.limit, len(self.source))))

    def to_source(self, index_utf16: int) -> int:
        """The code point of the source that is displayed there."""
        return self._drawn.to_source(self._units.from_utf16(index_utf16))

    def source_span(self, start_utf16: int, end_utf16: int) -> tuple[int, int]:
        """The code points behind a selection of the widget. A mark that is selected in part counts as a whole."""
        start, end = self.to_source(start_utf16), self.to_source(end_utf16)
        if end_utf16 > start_utf16 and self.to_display(end) < end_utf16:
            end += 1
        return start, end

    def source_between(self, start_utf16: int, end_utf16: int) -> str:
        """The source text behind a selection of the widget."""
        start, end = self.source_span(start_utf16, end_utf16)
        return self.source[start:end]

    @cached_property
    def _drawn(self) -> Drawn:
        return draw_invisible(self.source[: self.limit])

    @cached_property
    def _units(self) -> Utf16Map:
        return Utf16Map(self._drawn.text)


def segment_text(segment: Segment) -> tuple[str, bool]:
    """The text of a segment, and whether messages in it had to be set apart by a blank line that is not theirs."""
    leaves = list(segment.leaves())
    offsets = leaf_offsets(segment)
    pieces: list[str] = []
    position = 0
    for leaf, offset in zip(leaves, offsets, strict=True):
        if offset > position:
            pieces.append(_GAP)
        pieces.append(leaf.text)
        position = offset + len(leaf.text)
    return "".join(pieces), _GAP in pieces


def leaf_offsets(segment: Segment) -> list[int]:
    """Where each leaf of a segment begins in the text that :func:`segment_text` makes of it, in code points."""
    offsets: list[int] = []
    position = 0
    last_part: int | None = None
    for leaf in segment.leaves():
        part = leaf.place.part if leaf.place is not None else None
        if offsets and part != last_part:
            position += len(_GAP)
        offsets.append(position)
        position += len(leaf.text)
        last_part = part
    return offsets
