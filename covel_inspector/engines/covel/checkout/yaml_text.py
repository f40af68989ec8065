"""YAML as data with line numbers: the core rules of YAML 1.2, as JavaScript's readers follow them.

A document is composed into nodes, and values are made from them here, so that no tag can construct an object, an
alias cannot multiply a value without end, and each value can say on which line it stands.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from covel_inspector.domain import Sentence, plain, say

MAX_VALUES = 400_000
"""Values of one document, counted after aliases are written out."""

MAX_DEPTH = 64
MAX_REMARKS = 100

_TAG = "tag:yaml.org,2002:"
_KNOWN_TAGS = frozenset(_TAG + name for name in ("null", "bool", "int", "float", "str", "seq", "map", "merge"))

_Base: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

Trail = tuple[str | int, ...]
"""The way to a value: keys of mappings and indexes of lists."""


class _Loader(_Base):  # type: ignore[misc]  # The base is chosen at run time: the C parser is not in every build.
    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # PyYAML asks for this class attribute.


for _name, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        list("-+0123456789."),
    ),
    ("merge", r"<<", ["<"]),
):
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern})\Z"), _first)


class YamlError(Exception):
    """A text that is no YAML we can use. ``line`` counts from 1 in the text that was given; ``sentence`` says why."""

    def __init__(self, line: int, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.line = line
        self.sentence = sentence


class Lines:
    """Line numbers of a text. YAML's own counts know more kinds of line ends than an editor shows."""

    __slots__ = ("_ends",)

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def before(self, mark: Any) -> int:
        """How many line feeds stand before a mark; 0 when there is none."""
        return bisect_left(self._ends, int(mark.index)) if mark is not None else 0


@dataclass(frozen=True, slots=True)
class Remark:
    """Something odd in a document that could be read all the same."""

    line: int
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A value and the lines of its parts, counted from 1 in the file it was taken from."""

    value: Any
    node: Node | None
    lines: Lines
    first_line: int
    remarks: tuple[Remark, ...]
    keys: dict[int, dict[str, tuple[Node, Node]]] = field(default_factory=dict, compare=False, repr=False)
    """Pairs by key of the mappings that were asked for, by the node's identity."""

    def line(self, trail: Trail = ()) -> int:
        """The line of a key (or of a list's item); of the nearest thing around it when there is none."""
        found = self.first_line
        for _, line in self._way(trail):
            found = line
        return found

    def text_line(self, trail: Trail) -> int:
        """The line on which a scalar's text begins: below the ``|`` or ``>`` of a block, else where it stands."""
        way = self._way(trail)
        node = way[-1][0] if way else self.node
        if node is None:
            return self.first_line
        line = self.first_line + self.lines.before(node.start_mark)
        return line + 1 if isinstance(node, ScalarNode) and node.style in ("|", ">") else line

    def _way(self, trail: Trail) -> list[tuple[Node, int]]:
        way: list[tuple[Node, int]] = []
        node = self.node
        for step in trail:
            mark = None
            if isinstance(node, MappingNode):
                pair = self._pairs(node).get(str(step))
                if pair is not None:
                    mark, node = pair[0].start_mark, pair[1]
            elif isinstance(node, SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
                node = node.value[step]
                mark = node.start_mark
            if mark is None or node is None:
                break
            way.append((node, self.first_line + self.lines.before(mark)))
        return way

    def _pairs(self, node: MappingNode) -> dict[str, tuple[Node, Node]]:
        pairs = self.keys.get(id(node))
        if pairs is None:
            # Of a repeated key the last pair counts, here as in the value.
            pairs = {key: pair for pair in node.value if (key := _key_text(pair[0])) is not None}
            self.keys[id(node)] = pairs
        return pairs


def parse_yaml(text: str, first_line: int = 1) -> YamlDocument:
    """Read one document; ``first_line`` is the line of the file on which ``text`` begins. An empty text gives None.

    Raises YamlError, whose line counts in the file.
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(
            first_line + Lines(text).before(mark),
            say("Not valid YAML: {reason}", reason=plain(error.problem or error.context or "")),
        ) from None
    except (yaml.YAMLError, UnicodeError):
        raise YamlError(
            first_line + _line_of_bad_character(text), say("Not valid YAML: a character that is not allowed")
        ) from None
    except RecursionError:
        raise YamlError(first_line, _too_deep()) from None
    lines = Lines(text)
    if node is None:
        return YamlDocument(None, None, lines, first_line, ())
    builder = _Builder(lines, first_line)
    value = builder.value(node, 0)
    return YamlDocument(value, node, lines, first_line, tuple(builder.remarks))


class _Builder:
    def __init__(self, lines: Lines, first_line: int) -> None:
        self.lines = lines
        self.first_line = first_line
        self.left = MAX_VALUES
        self.remarks: list[Remark] = []

    def value(self, node: Node, depth: int) -> Any:
        self.left -= 1
        if self.left < 0:
            raise YamlError(self._line(node), say("Too large once its aliases are written out"))
        if depth > MAX_DEPTH:
            raise YamlError(self._line(node), _too_deep())
        if node.tag not in _KNOWN_TAGS and node.tag != "!":
            self._remark(node, say("The tag {tag} is ignored", tag=node.tag))
        if isinstance(node, SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        if isinstance(node, MappingNode):
            return self._mapping(node, depth)
        return _scalar(node)

    def _mapping(self, node: MappingNode, depth: int) -> dict[str, Any]:
        built: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag == _TAG + "merge":
                self._merge(merged, self.value(value_node, depth + 1))
                continue
            key = _key_text(key_node)
            if key is None:
                self._remark(key_node, say("A key must be a plain text; this entry is left out"))
                continue
            if key in built:
                self._remark(key_node, say("'{key}' is given twice; the later one counts here", key=key))
            built[key] = self.value(value_node, depth + 1)
        return merged | built if merged else built

    def _merge(self, merged: dict[str, Any], value: Any) -> None:
        for mapping in value if isinstance(value, list) else [value]:
            if isinstance(mapping, dict):
                self.left -= len(mapping)
                for key, item in mapping.items():
                    merged.setdefault(key, item)

    def _remark(self, node: Node, sentence: Sentence) -> None:
        if len(self.remarks) < MAX_REMARKS:
            self.remarks.append(Remark(self._line(node), sentence))

    def _line(self, node: Node) -> int:
        return self.first_line + self.lines.before(node.start_mark)


def _key_text(node: Node) -> str | None:
    return str(node.value) if isinstance(node, ScalarNode) else None


def _scalar(node: Node) -> Any:
    text = str(node.value)
    match node.tag.removeprefix(_TAG):
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int":
            return _whole_number(text)
        case "float":
            return _number(text)
    return text


def _whole_number(text: str) -> int | float | str:
    """Integers beyond 2^53 become doubles, as they do in JavaScript; a forced tag may stand on any text."""
    try:
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        # Python refuses to read very long decimal numbers; as doubles they are all infinite anyway.
        if base == 10 and len(text) > 400:
            return _number(text)
        number = int(text, base)
        return number if abs(number) <= 2**53 else float(number)
    except ValueError:
        return text
    except OverflowError:
        return float("inf")


def _number(text: str) -> float | str:
    lowered = text.lower().replace(".inf", "inf").replace(".nan", "nan")
    try:
        return float(lowered)
    except ValueError:
        return text


def _too_deep() -> Sentence:
    return say("Nested too deeply, or an alias that holds itself")


def _line_of_bad_character(text: str) -> int:
    """Lines before the character that stopped the reader, 0 when it cannot be told."""
    for number, line in enumerate(text.split("\n")):
        if any(_forbidden(character) for character in line):
            return number
    return 0


def _forbidden(character: str) -> bool:
    code = ord(character)
    return (
        (code < 0x20 and character not in "\t\r")
        or 0x7F <= code < 0x85
        or 0x86 <= code < 0xA0
        or 0xD800 <= code < 0xE000
    )
