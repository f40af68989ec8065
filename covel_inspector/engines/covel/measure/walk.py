"""Walks the text of a payload without decoding what an earlier payload has shown already.

Requests of a story repeat each other: most elements of a list of messages stand in the request before, letter for
letter. An element that begins with a known one *is* that one, since JSON objects end where they end, so comparing the
text takes the place of parsing it. Only texts written without blanks are walked; anything odd is left to the parser.
"""

import json
from collections.abc import Callable
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


Elements = list[Element]


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
        key, position = _decode(text, position)
        if key in seen or text[position : position + 1] != ":":
            raise NotCompactError
        seen.add(key)
        position = take(key, position + 1)
        if text[position : position + 1] == "}":
            return position + 1
        if text[position : position + 1] != ",":
            raise NotCompactError
        position += 1
    raise NotCompactError


def elements_at(text: str, start: int, make: MakePart, known: list[Elements]) -> tuple[Elements, int]:
    """The elements of a list, and where it ends. ``known`` are lists that may hold the same elements at their places.

    Raises as :func:`fields_at` does.
    """
    if text[start : start + 1] != "[":
        raise NotCompactError
    position = start + 1
    found: Elements = []
    if text[position : position + 1] == "]":
        return found, position + 1
    likely: Elements = known[0] if known else []
    while True:
        index = len(found)
        if index < len(likely) and text.startswith(likely[index].raw, position):
            element = likely[index]
        else:
            likely = next(
                (one for one in known if index < len(one) and text.startswith(one[index].raw, position)), likely
            )
            if index < len(likely) and text.startswith(likely[index].raw, position):
                element = likely[index]
            else:
                element = _new_element(text, position, index, make)
        found.append(element)
        position += len(element.raw)
        following = text[position : position + 1]
        if following == "]":
            return found, position + 1
        if following != ",":
            raise NotCompactError
        position += 1


def _new_element(text: str, position: int, index: int, make: MakePart) -> Element:
    if text[position] != "{":
        raise NotCompactError
    value, end = _decode(text, position)
    part = make(index + 1, value)
    raw = text[position:end]
    # Nearly always the text is as the engine would write it: then one copy of it is enough.
    return Element(part.text if part.text == raw else raw, part)
