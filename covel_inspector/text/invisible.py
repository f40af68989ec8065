"""Makes characters visible that a screen would swallow: NUL, private marks, odd blanks, lone surrogates, controls.

Pure: text in, text and a map of positions out. Positions are code points, of the source or of the drawn text as named.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_NAMES = {
    "\u0085": "NEL",
    "\u00a0": "NBSP",
    "\u00ad": "SHY",
    "\u034f": "CGJ",
    "\u061c": "ALM",
    "\u180e": "MVS",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u2028": "LS",
    "\u2029": "PS",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u202f": "NNBSP",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\ufeff": "BOM",
}

_JOINER_IN_EMOJI = (
    "(?<=[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff\U0001f1e6-\U0001f1ff])\u200d(?=[\u2600-\u27bf\U0001f300-\U0001faff])"
)
_INVISIBLE = re.compile(
    f"(?!{_JOINER_IN_EMOJI})"
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\ud800-\udfff"
    "\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e001f\U000f0000-\U0010ffff]"
)

_PRINTABLE_BUT_INVISIBLE = "\u034f"
"""The one of them that Python calls printable."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A drawn stand-in: code point ``source`` of the source is drawn at ``start`` to ``end`` of the drawn text."""

    source: int
    start: int
    end: int
    code_point: int

    @property
    def name(self) -> str:
        """What a tip says about it: ``U+00A0 NBSP``."""
        short = _NAMES.get(chr(self.code_point), "")
        return f"U+{self.code_point:04X} {short}".rstrip()


@dataclass(frozen=True)
class Drawn:
    """A text as it is drawn, its marks in order, and the way between both positions in O(log n)."""

    text: str
    marks: tuple[Mark, ...]

    @cached_property
    def _sources(self) -> list[int]:
        return [mark.source for mark in self.marks]

    @cached_property
    def _starts(self) -> list[int]:
        return [mark.start for mark in self.marks]

    def to_drawn(self, source: int) -> int:
        """Where the code point ``source`` of the source is drawn; the source's length gives the drawn length."""
        number = bisect_right(self._sources, source) - 1
        if number < 0:
            return source
        mark = self.marks[number]
        return mark.start if mark.source == source else mark.end + source - mark.source - 1

    def to_source(self, drawn: int) -> int:
        """The code point of the source at a drawn position; anywhere inside a mark: the character it stands for."""
        number = bisect_right(self._starts, drawn) - 1
        if number < 0:
            return drawn
        mark = self.marks[number]
        return mark.source if drawn < mark.end else mark.source + 1 + drawn - mark.end


def draw_invisible(text: str) -> Drawn:
    """``text`` with marks: control pictures (␀ ␍) for controls, a short name or number in ⟨⟩ for all else.

    Line feeds, tabs, the plain and the ideographic blank, and joiners inside an emoji stay as they are. Text widgets
    change none of the characters that are left.
    """
    if text.isprintable() and _PRINTABLE_BUT_INVISIBLE not in text:
        return Drawn(text, ())
    pieces: list[str] = []
    marks: list[Mark] = []
    position = shift = 0
    for match in _INVISIBLE.finditer(text):
        source = match.start()
        label = label_of(match.group())
        pieces += (text[position:source], label)
        start = source + shift
        marks.append(Mark(source, start, start + len(label), ord(match.group())))
        shift += len(label) - 1
        position = source + 1
    if not marks:
        return Drawn(text, ())
    pieces.append(text[position:])
    return Drawn("".join(pieces), tuple(marks))


def label_of(character: str) -> str:
    """The mark that stands for one invisible character."""
    number = ord(character)
    if number < 0x20:
        return chr(0x2400 + number)
    if number == 0x7F:
        return "␡"
    return f"⟨{_NAMES.get(character) or format(number, '04X')}⟩"
