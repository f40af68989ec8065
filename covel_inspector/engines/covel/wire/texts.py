"""Texts under way to a body: each knows which code points of it are which of the request.

A text is put together from texts of the request and fixed ones. What a wire does to it (marks deleted, blanks cut,
texts joined, wrapped) keeps the origin of every code point that stays.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from covel_inspector.domain import Group, JsonPath
from covel_inspector.engines.covel.records.naming import SENTINEL


class Spot(NamedTuple):
    """A string of the request: a part, or a string inside the JSON that a part's text is.

    ``group`` is TOOLS, RESPONSE_FORMAT, or MESSAGES for every message, the system prompt included. ``number`` and
    ``ordinal`` count as the parts of a request do. Each of ``levels`` reads the string so far as JSON and goes to the
    string at a path in it.
    """

    group: Group
    number: int
    ordinal: int = 0
    levels: tuple[JsonPath, ...] = ()

    def inside(self, *path: str | int) -> "Spot":
        """The string at a path of the JSON that this one is."""
        return self._replace(levels=(*self.levels, path))

    def below(self, path: JsonPath) -> "Spot":
        """The string further down in the JSON of the last level."""
        if not self.levels:
            return self._replace(levels=(path,))
        return self._replace(levels=(*self.levels[:-1], (*self.levels[-1], *path)))


class Stretch(NamedTuple):
    """``length`` code points from ``at`` of a text are those from ``start`` of a string of the request."""

    at: int
    length: int
    spot: Spot
    start: int


class Text:
    """A string and where it is from. Never changed once made; stretches are in order and do not overlap."""

    __slots__ = ("stretches", "string")

    def __init__(self, string: str, stretches: Sequence[Stretch] = ()) -> None:
        self.string = string
        self.stretches = stretches

    def __bool__(self) -> bool:
        return bool(self.string)

    def __add__(self, other: "Text") -> "Text":
        if not other.string:
            return self
        by = len(self.string)
        return Text(self.string + other.string, (*self.stretches, *_shifted(other.stretches, by)))

    def cut(self, start: int, end: int) -> "Text":
        """The code points from ``start`` up to ``end``."""
        kept = []
        for at, length, spot, first in self.stretches:
            left, right = max(at, start), min(at + length, end)
            if left < right:
                kept.append(Stretch(left - start, right - left, spot, first + left - at))
        return Text(self.string[start:end], kept)


NOTHING = Text("")


def quoted(string: str, spot: Spot, start: int = 0) -> Text:
    """A string of the request as it stands there, from a code point of it on."""
    return Text(string, (Stretch(0, len(string), spot, start),)) if string else NOTHING


def unmarked(text: Text) -> Text:
    """The text with every cache mark of the engine deleted, and nothing else changed."""
    if SENTINEL not in text.string:
        return text
    return joined("", split_at_marks(text))


def split_at_marks(text: Text) -> list[Text]:
    """The pieces between the engine's cache marks, empty ones included."""
    pieces: list[Text] = []
    position = 0
    while True:
        mark = text.string.find(SENTINEL, position)
        if mark < 0:
            pieces.append(text.cut(position, len(text.string)))
            return pieces
        pieces.append(text.cut(position, mark))
        position = mark + len(SENTINEL)


def joined(joint: str, texts: Iterable[Text]) -> Text:
    """Texts in a row with a fixed text between them."""
    strings: list[str] = []
    stretches: list[Stretch] = []
    position = 0
    for text in texts:
        if strings:
            position += len(joint)
        strings.append(text.string)
        stretches.extend(_shifted(text.stretches, position) if position else text.stretches)
        position += len(text.string)
    return Text(joint.join(strings), stretches)


def _shifted(stretches: Iterable[Stretch], by: int) -> Iterable[Stretch]:
    return (Stretch(at + by, length, spot, start) for at, length, spot, start in stretches)
