"""A body as the JSON text a person reads, and where in that text each trace and each cache mark stands.

The text is true JSON: two blanks of indent, keys in the order of the body, characters beyond ASCII as they are, lone
surrogates escaped. Reading it gives the body again. All offsets are code points of that text.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from covel_inspector.domain import Place
from covel_inspector.domain.wire import JsonPath, WireBody, WireMark, WireTrace

INDENT = "  "

_encode = json.encoder.encode_basestring
_LONE = re.compile("[\ud800-\udfff]")


class NodeKind(Enum):
    """What a value is."""

    OBJECT = "object"
    ARRAY = "array"
    STRING = "string"
    OTHER = "other"
    """A number, ``true``, ``false`` or ``null``."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value of the body and its stretch of the text, quotes and brackets included.

    ``count`` counts the entries of an object or array, and the code points of a string's value.
    """

    path: JsonPath
    kind: NodeKind
    start: int
    end: int
    count: int = 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where the text of a trace stands: part of a string, escapes included and quotes not, or a whole value."""

    start: int
    end: int
    trace: WireTrace
    is_whole: bool = False

    @property
    def is_literal(self) -> bool:
        """True when the request has the same code points there; a value out of a part's JSON is escaped there."""
        return not self.is_whole and self.trace.end - self.trace.start == len(self.trace.place)


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """The block that carries a cache mark; what lies before its end can be kept by the provider."""

    start: int
    end: int
    mark: WireMark


@dataclass(frozen=True)
class WireText:
    """A body as text.

    ``nodes`` are in the order of their starts, parents first. ``stretches`` are the traces of strings, in order and
    disjoint; ``wholes`` are those of other values (a tool that was decoded), outer ones first.
    """

    body: WireBody
    text: str
    nodes: tuple[Node, ...]
    stretches: tuple[Stretch, ...]
    wholes: tuple[Stretch, ...]
    marks: tuple[MarkedBlock, ...]

    def node_at(self, offset: int) -> Node:
        """The smallest value whose stretch holds an offset; the whole body where no smaller one does."""
        number = bisect_right(self._node_starts, offset) - 1
        while number > 0 and self.nodes[number].end <= offset:
            number = self._parents[number]
        return self.nodes[max(number, 0)]

    def node_at_line(self, offset: int) -> Node:
        """The smallest value at an offset; on a key, or on blanks before one, the value that the key is of."""
        number = bisect_left(self._node_starts, offset)
        if number < len(self.nodes) and "\n" not in self.text[offset : self.nodes[number].start]:
            return self.nodes[number]
        return self.node_at(offset)

    def node_of(self, path: JsonPath) -> Node | None:
        """The value at a path."""
        return self._by_path.get(path)

    def spans_of(self, place: Place) -> list[tuple[int, int]]:
        """Where a stretch of the request stands in the text; empty when the body does not carry it."""
        found = [
            (whole.start, whole.end)
            for whole in self.wholes
            if (there := whole.trace.place).part == place.part and place.start < there.end and there.start < place.end
        ]
        for stretch in self._by_part.get(place.part, ()):
            there = stretch.trace.place
            start, end = max(place.start, there.start), min(place.end, there.end)
            if start < end:
                found.append((self._offset(stretch, start, is_start=True), self._offset(stretch, end)))
        return sorted(found)

    def value(self, path: JsonPath) -> Any:
        """The value at a path of the body. Raises LookupError when there is none."""
        return value_at(self.body.body, path)

    def _offset(self, stretch: Stretch, index: int, *, is_start: bool = False) -> int:
        """The offset of a code point of the request that lies in the stretch, or at its end."""
        there, trace = stretch.trace.place, stretch.trace
        if index <= there.start or (index < there.end and not stretch.is_literal and is_start):
            return stretch.start
        if index >= there.end or not stretch.is_literal:
            return stretch.end
        text = self.value(trace.path)
        return stretch.start + len(escaped(text[trace.start : trace.start + index - there.start]))

    @cached_property
    def _node_starts(self) -> list[int]:
        return [node.start for node in self.nodes]

    @cached_property
    def _by_path(self) -> Mapping[JsonPath, Node]:
        return {node.path: node for node in self.nodes}

    @cached_property
    def _parents(self) -> list[int]:
        parents: list[int] = []
        open_: list[int] = []
        for number, node in enumerate(self.nodes):
            while open_ and self.nodes[open_[-1]].end <= node.start:
                open_.pop()
            parents.append(open_[-1] if open_ else 0)
            open_.append(number)
        return parents

    @cached_property
    def _by_part(self) -> Mapping[int, Sequence[Stretch]]:
        found: dict[int, list[Stretch]] = defaultdict(list)
        for stretch in self.stretches:
            found[stretch.trace.place.part].append(stretch)
        return found


def wire_text(body: WireBody) -> WireText:
    """Write a body as text. Traces and marks whose path leads nowhere are left out."""
    writer = _Writer(body)
    writer.write()
    by_path = {node.path: node for node in writer.nodes}
    wholes = [
        Stretch(node.start, node.end, trace, is_whole=True)
        for trace in body.traces
        if (node := by_path.get(trace.path)) is not None and node.kind is not NodeKind.STRING
    ]
    marks = [
        MarkedBlock(node.start, node.end, mark) for mark in body.marks if (node := by_path.get(mark.path)) is not None
    ]
    return WireText(
        body,
        "".join(writer.pieces),
        tuple(writer.nodes),
        tuple(sorted(writer.stretches, key=lambda stretch: (stretch.start, stretch.end))),
        tuple(sorted(wholes, key=lambda whole: (whole.start, -whole.end))),
        tuple(sorted(marks, key=lambda marked: (marked.end, marked.mark.number))),
    )


def escaped(text: str) -> str:
    """A text as it stands between the quotes of a JSON string."""
    made = _encode(text)[1:-1]
    return _LONE.sub(lambda match: f"\\u{ord(match.group()):04x}", made) if not made.isascii() else made


def value_at(value: Any, path: JsonPath) -> Any:
    """The value at a path. Raises LookupError when there is none."""
    for step in path:
        is_there = isinstance(value, dict if isinstance(step, str) else list)
        if not is_there:
            raise LookupError(path)
        value = value[step]
    return value


@dataclass(slots=True)
class _Open:
    """An object or array that is being written."""

    number: int
    entries: Iterator[tuple[str | int, Any]]
    closing: str
    is_first: bool = True


class _Writer:
    """Writes values one after the other, without recursion: a body may be nested as deep as its reader allowed."""

    def __init__(self, body: WireBody) -> None:
        self._value = body.body
        self._traces: dict[JsonPath, list[WireTrace]] = defaultdict(list)
        for trace in body.traces:
            self._traces[trace.path].append(trace)
        self.pieces: list[str] = []
        self.nodes: list[Node] = []
        self.stretches: list[Stretch] = []
        self._length = 0

    def write(self) -> None:
        open_: list[_Open] = []
        path: list[str | int] = []
        self._begin(self._value, path, open_)
        while open_:
            top = open_[-1]
            entry = next(top.entries, None)
            if entry is None:
                open_.pop()
                self._put("\n" + INDENT * len(open_) + top.closing)
                node = self.nodes[top.number]
                self.nodes[top.number] = Node(node.path, node.kind, node.start, self._length, node.count)
                if path:
                    path.pop()
                continue
            key, value = entry
            self._put(("\n" if top.is_first else ",\n") + INDENT * len(open_))
            top.is_first = False
            if isinstance(key, str):
                self._put(f'"{escaped(key)}": ')
            path.append(key)
            if not self._begin(value, path, open_):
                path.pop()

    def _begin(self, value: Any, path: list[str | int], open_: list[_Open]) -> bool:
        """Write a value, or only its beginning and True when it has entries to follow."""
        here = tuple(path)
        start = self._length
        if isinstance(value, str):
            self._write_text(value, here)
            self.nodes.append(Node(here, NodeKind.STRING, start, self._length, len(value)))
            return False
        if isinstance(value, dict | list):
            is_object = isinstance(value, dict)
            kind = NodeKind.OBJECT if is_object else NodeKind.ARRAY
            if not value:
                self._put("{}" if is_object else "[]")
                self.nodes.append(Node(here, kind, start, self._length))
                return False
            open_.append(
                _Open(
                    len(self.nodes),
                    iter(value.items()) if isinstance(value, dict) else iter(enumerate(value)),
                    "}" if is_object else "]",
                )
            )
            self.nodes.append(Node(here, kind, start, start, len(value)))
            self._put("{" if is_object else "[")
            return True
        self._put(json.dumps(value))
        self.nodes.append(Node(here, NodeKind.OTHER, start, self._length))
        return False

    def _write_text(self, value: str, path: JsonPath) -> None:
        self._put('"')
        position = 0
        for trace in sorted(self._traces.get(path, ()), key=lambda trace: (trace.start, trace.end)):
            if not position <= trace.start <= trace.end <= len(value):
                continue  # A trace that overlaps or reaches outside is a mistake elsewhere, and claims nothing here.
            self._put(escaped(value[position : trace.start]))
            start = self._length
            self._put(escaped(value[trace.start : trace.end]))
            if self._length > start:
                self.stretches.append(Stretch(start, self._length, trace))
            position = trace.end
        self._put(escaped(value[position:]) + '"')

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self._length += len(text)
