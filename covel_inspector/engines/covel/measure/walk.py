"""Walks the text of a payload without decoding what an earlier payload has shown already.

Requests of a story repeat each other: most elements of a list of messages stand in the request before, letter for
letter. An element that begins with a known one *is* that one, since JSON objects end where they end, so comparing the
text takes the place of parsing it. Only texts written without blanks are walked; anything odd is left to the parser.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import MeasuredPart

MakePart = Callable[[int, object], MeasuredPart]
"""From an element's number (from 1) and its value to its part."""


class NotCompactError(ValueError):
    """The text is not written the way the engine writes, so it has to be parsed as a whole."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a list: its JSON text as stored, and the part it gives at its place in the list."""

    raw: str
    part: MeasuredPart


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list that was read: its elements, the text of each full run of them, commas between, and the length of all."""

    elements: list[Element]
    runs: list[str]
    length: int

    def likeness(self, text: str, start: int) -> int:
        """How many of the first elements stand at ``start``, one behind the other; a few are enough to tell."""
        count = 0
        for element in self.elements[:_ENOUGH]:
            if not text.startswith(element.raw, start):
                break
            start += len(element.raw) + 1
            count += 1
        return count


_RUN = 16
"""Elements that are compared at once."""

_ENOUGH = 6


def refuse(constant: str) -> None:
    """Answers NaN and Infinity, which are no JSON."""
    raise ValueError(constant)


_decode = json.JSONDecoder(parse_constant=refuse).raw_decode


def value_at(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at ``start``, and where it ends. Raises ValueError, RecursionError."""
    return _decode(text, start)


def fields_at(text: str, start: int, take: Callable[[str, int], int]) -> int:
    """Walks an object: ``take`` gets each key and where its value begins, and says where that ends.

    Gives the end of the object. Raises NotCompactError for blanks and repeated keys, ValueError for broken JSON.
    """
    if text[start : start + 1] != "{":
        raise NotCompactError
    position = start + 1
    if text[position : position + 1] == "}":
        return position + 1
    seen: set[str] = set()
    while text[position : position + 1] == '"':
        end = text.index('"', position + 1)
        key = text[position + 1 : end]
        if key in seen or "\\" in key or text[end + 1] != ":":
            raise NotCompactError
        seen.add(key)
        position = take(key, end + 2)
        following = text[position]
        if following == "}":
            return position + 1
        if following != ",":
            raise NotCompactError
        position += 1
    raise NotCompactError


def elements_at(text: str, start: int, make: MakePart, known: Sequence[ReadList]) -> tuple[ReadList, int]:
    """The elements of a list, and where it ends. ``known`` may hold the same elements at the same places, the first of
    them most likely.

    Raises as :func:`fields_at` does.
    """
    if text[start] != "[":
        raise NotCompactError
    found: list[Element] = []
    runs: list[str] = []
    position = run_start = start + 1
    if text[position] == "]":
        return ReadList(found, runs, 0), position + 1
    likely = known[0] if known else _NOTHING
    while True:
        index = len(found)
        if index % _RUN == 0:
            run_start = position
            number = index // _RUN
            if number < len(likely.runs) and text.startswith(likely.runs[number], position):
                runs.append(likely.runs[number])
                found += likely.elements[index : index + _RUN]
                position += len(likely.runs[number])
            else:
                position = _next_element(text, position, known, found, make)
        else:
            position = _next_element(text, position, known, found, make)
            if index % _RUN == _RUN - 1:
                runs.append(text[run_start:position])
        following = text[position]
        if following == "]":
            return ReadList(found, runs, position - start), position + 1
        if following != ",":
            raise NotCompactError
        position += 1


def _next_element(text: str, position: int, known: Sequence[ReadList], found: list[Element], make: MakePart) -> int:
    """Take the element that begins at ``position``; where it ends."""
    index = len(found)
    for read in known:
        if index < len(read.elements) and text.startswith(read.elements[index].raw, position):
            element = read.elements[index]
            break
    else:
        element = _new_element(text, position, index, make)
    found.append(element)
    return position + len(element.raw)


def _new_element(text: str, position: int, index: int, make: MakePart) -> Element:
    if text[position] != "{":
        raise NotCompactError
    value, end = _decode(text, position)
    part = make(index + 1, value)
    raw = text[position:end]
    # Nearly always the text is as the engine would write it: then one copy of it is enough.
    return Element(part.text if part.text == raw else raw, part)


_NOTHING = ReadList([], [], 0)
