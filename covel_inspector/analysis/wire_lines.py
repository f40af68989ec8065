"""The text of a body in lines for a screen: folded, shortened and broken, while every line knows what it stands for.

A prompt inside JSON is one line of up to a megabyte. So strings are broken behind each escaped line feed and after
:data:`WIDEST` code points, long ones are cut, and objects and arrays can be folded. Nothing of that is part of the
text: a line is a stretch of it, and copying takes the text between two offsets. Offsets are code points of the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from covel_inspector.analysis.wire_text import INDENT, Node, NodeKind, WireText
from covel_inspector.domain.wire import JsonPath

WIDEST = 1_200
"""Code points of a string in one line."""

SHOWN_OF_STRING = 6_000
"""Code points (escapes included) of a string that are shown until the reader asks for all of it."""

SHOWN_OF_CODED = 96
"""The same for base64, which nobody reads."""

MOST = 160_000
"""Code points of all strings together that are shown at first; where it would be more, less is shown of each."""

LEAST_OF_STRING = 240
"""The least that is shown of each."""

MANY = 12_000
"""Values of a body above which it is folded at first."""

_CODED = re.compile(r"(?:data:[\w/+.-]*;base64,)?[A-Za-z0-9+/_-]{256,}={0,2}", re.ASCII)
_LONGEST_ESCAPE = len(r"\u0000")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Folding:
    """What the reader folded, and which long strings she opened."""

    folded: frozenset[JsonPath] = frozenset()
    opened: frozenset[JsonPath] = frozenset()


@dataclass(frozen=True, slots=True)
class Stub:
    """Stands in a line for what is not shown: ``start`` to ``end`` of the text, of the value ``node``."""

    start: int
    end: int
    node: Node


class WireLine(NamedTuple):
    """A line: ``indent`` blanks, the text from ``start`` to ``end``, and behind a stub also ``tail`` to ``last``.

    ``indent`` counts only blanks that do not stand in the text. ``begins`` is the object or array whose bracket ends
    the line and which can be folded. ``in_string`` is true when the line goes on inside a string.
    """

    start: int
    end: int
    indent: int = 0
    stub: Stub | None = None
    tail: int = 0
    last: int = 0
    begins: Node | None = None
    in_string: bool = False

    @property
    def until(self) -> int:
        """Where what the line stands for ends, hidden text included."""
        return self.last if self.stub is not None else self.end


@dataclass(frozen=True)
class WireLines:
    """All lines of a text in order. They cover it but for the line feeds between them."""

    wire: WireText
    folding: Folding = field(default_factory=Folding)

    @cached_property
    def lines(self) -> tuple[WireLine, ...]:
        """The lines."""
        return tuple(_lines(self.wire, self.folding))

    def prepare(self) -> None:
        """Make the lines now, wherever this is called."""
        self.line_of(0)

    def line_of(self, offset: int) -> int:
        """The number of the line that stands for an offset."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def is_shown(self, offset: int) -> bool:
        """False when the offset lies in something folded or cut away."""
        stub = self.lines[self.line_of(offset)].stub
        return stub is None or not stub.start <= offset < stub.end

    @cached_property
    def _starts(self) -> list[int]:
        return [line.start for line in self.lines]


def first_folding(wire: WireText) -> Folding:
    """Nothing folded; in a body of very many values what lies below the second level."""
    return Folding(all_containers(wire, 2)) if len(wire.nodes) > MANY else Folding()


def all_containers(wire: WireText, depth: int = 1) -> frozenset[JsonPath]:
    """The paths of all objects and arrays with entries, from a depth on (the body itself has 0)."""
    return frozenset(
        node.path
        for node in wire.nodes
        if node.kind in (NodeKind.OBJECT, NodeKind.ARRAY) and node.count and len(node.path) >= depth
    )


def unfolded_to(folding: Folding, wire: WireText, offset: int) -> Folding:
    """The folding with everything open that hides an offset."""
    node = wire.node_at(offset)
    above = {node.path[:length] for length in range(len(node.path) + 1)}
    opened = folding.opened
    if node.kind is NodeKind.STRING and offset >= node.start + 1 + _shown_of(wire, node, _most_of_string(wire)):
        opened = opened | {node.path}
    return Folding(folding.folded - above, opened)


def _lines(wire: WireText, folding: Folding) -> Iterator[WireLine]:
    nodes, text = wire.nodes, wire.text
    most = _most_of_string(wire)
    number = 0
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        while number < len(nodes) and nodes[number].start < start:
            number += 1
        node = nodes[number] if number < len(nodes) and nodes[number].start <= end else None
        if node is None or node.kind is NodeKind.OTHER or not node.count:
            yield WireLine(start, end)
        elif node.kind is NodeKind.STRING:
            yield from _string_lines(wire, folding, node, start, end, most)
        elif node.path in folding.folded:
            last = text.find("\n", node.end)
            end = len(text) if last < 0 else last
            yield WireLine(start, node.start + 1, 0, Stub(node.start + 1, node.end - 1, node), node.end - 1, end, node)
        else:
            yield WireLine(start, end, begins=node)
        start = end + 1


def _string_lines(wire: WireText, folding: Folding, node: Node, start: int, end: int, most: int) -> Iterator[WireLine]:
    first, last = node.start + 1, node.end - 1
    shown = last - first if node.path in folding.opened else _shown_of(wire, node, most)
    cut = first + shown if last - first > shown else None
    stop = last if cut is None else _whole_escape(wire.text, first, cut)
    indent = len(node.path) * len(INDENT)
    breaks = [*_breaks(wire.text, first, stop), end if cut is None else stop]
    position = start
    for place, behind in enumerate(breaks):
        is_last = place + 1 == len(breaks)
        stub = Stub(stop, last, node) if is_last and cut is not None else None
        yield WireLine(
            position,
            behind,
            indent if place else 0,
            stub,
            last if stub is not None else 0,
            end if stub is not None else 0,
            None,
            bool(place),
        )
        position = behind


def _breaks(text: str, first: int, stop: int) -> Iterator[int]:
    """Where the lines of a string end, but for the last one: behind escaped line feeds, and where they get too wide."""
    position = first
    for match in _ESCAPE.finditer(text, first, stop):
        behind = match.end()
        if match.group(1) == "n" and behind < stop:
            yield from _narrow(text, position, behind)
            yield behind
            position = behind
    yield from _narrow(text, position, stop)


def _narrow(text: str, position: int, stop: int) -> Iterator[int]:
    while stop - position > WIDEST:
        position = _whole_escape(text, position, position + WIDEST)
        yield position


def _whole_escape(text: str, first: int, cut: int) -> int:
    """``cut``, or a little earlier when it stands inside an escape."""
    begin = text.rfind("\\", max(first, cut - _LONGEST_ESCAPE + 1), cut)
    if begin < 0:
        return cut
    run = begin
    while run > first and text[run - 1] == "\\":
        run -= 1
    is_second = (begin - run) % 2 == 1
    length = _LONGEST_ESCAPE if text[begin + 1] == "u" else 2
    return cut if is_second or begin + length <= cut else begin


def _shown_of(wire: WireText, node: Node, most: int) -> int:
    """Code points of a string's JSON that are shown at first."""
    length = node.end - node.start - 2
    if length > SHOWN_OF_CODED * 2 and _CODED.fullmatch(wire.text, node.start + 1, node.end - 1):
        return SHOWN_OF_CODED
    # A rest of a few words is not worth a click.
    return length if length <= most + most // 10 else most


def _most_of_string(wire: WireText) -> int:
    """As much as fits when every string is shown equally."""
    lengths = sorted(node.count for node in wire.nodes if node.kind is NodeKind.STRING)
    left = MOST
    for number, length in enumerate(lengths):
        share = left // (len(lengths) - number)
        if length > share:
            return min(max(share, LEAST_OF_STRING), SHOWN_OF_STRING)
        left -= length
    return SHOWN_OF_STRING
