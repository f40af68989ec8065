"""Where the strings inside a JSON text stand, code point by code point.

A decoded string is its encoded form with some code points replaced; between those it is the same, run by run.
"""

import json
import re
from typing import NamedTuple

from covel_inspector.domain import JsonPath


class Run(NamedTuple):
    """``length`` code points from ``decoded`` of a decoded string are those from ``encoded`` of the text around it."""

    decoded: int
    encoded: int
    length: int


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SAME = frozenset('"\\/')


def json_strings(text: str) -> dict[JsonPath, tuple[int, int]]:
    """Path of each string value → start and end of what stands between its quotes. ``text`` is valid JSON."""
    found: dict[JsonPath, tuple[int, int]] = {}
    path: list[str | int] = []
    in_object: list[bool] = []
    awaits_key = False
    for match in _TOKEN.finditer(text):
        sign = match[0]
        if sign in "{[":
            in_object.append(sign == "{")
            path.append("" if sign == "{" else 0)
            awaits_key = sign == "{"
        elif sign in "}]":
            in_object.pop()
            path.pop()
            awaits_key = False
        elif sign == ",":
            if in_object[-1]:
                awaits_key = True
            else:
                path[-1] = int(path[-1]) + 1
        elif sign == ":":
            awaits_key = False
        elif sign[0] == '"':
            if awaits_key:
                path[-1] = decoded(sign)
            else:
                found[tuple(path)] = (match.start() + 1, match.end() - 1)
    return found


def decoded(written: str) -> str:
    """The string that a JSON string with its quotes stands for."""
    return str(json.loads(written, strict=False))


def runs(text: str, start: int, end: int) -> list[Run]:
    """The runs of the string encoded between ``start`` and ``end``."""
    if text.find("\\", start, end) < 0:
        return [Run(0, start, end - start)] if end > start else []
    found: list[Run] = []
    at = 0
    position = start
    for match in _ESCAPE.finditer(text, start, end):
        if match.start() > position:
            found.append(Run(at, position, match.start() - position))
            at += match.start() - position
        # An escaped quote or slash is itself, one code point further on.
        position = match.end()
        if match[0][1] in _SAME:
            position -= 1
        else:
            at += 1
    if position < end:
        found.append(Run(at, position, end - position))
    return found


def through(outer: list[Run], inner: list[Run]) -> list[Run]:
    """The runs of a string inside a string: ``inner`` counts in the decoded outer one."""
    found: list[Run] = []
    for run in inner:
        first, last = run.encoded, run.encoded + run.length
        for around in outer:
            left, right = max(first, around.decoded), min(last, around.decoded + around.length)
            if left < right:
                found.append(Run(run.decoded + left - first, around.encoded + left - around.decoded, right - left))
    return found
