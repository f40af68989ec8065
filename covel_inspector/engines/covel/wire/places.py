"""Places on both sides: paths in a body, and strings of the flat request."""

import json
from typing import Any

from covel_inspector.domain import Group, JsonPath, Request, WireTrace
from covel_inspector.engines.covel.wire.json_places import Run, json_strings, runs, through
from covel_inspector.engines.covel.wire.texts import Spot

Json = Any


def value_at(body: Json, path: JsonPath) -> Json:
    """The value at a path of a body; None when there is none."""
    for step in path:
        if isinstance(step, int) and isinstance(body, list) and 0 <= step < len(body):
            body = body[step]
        elif isinstance(step, str) and isinstance(body, dict):
            body = body.get(step)
        else:
            return None
    return body


def holds(trace: WireTrace, body: Json, request: Request) -> bool:
    """True when both sides of a trace are the same code points."""
    text = value_at(body, trace.path)
    place = trace.place
    if not isinstance(text, str) or place.part >= len(request.parts):
        return False
    return text[trace.start : trace.end] == request.parts[place.part].text[place.start : place.end]


class RequestStrings:
    """The strings of a request by their spots, as runs of code points of a part."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._parts: dict[tuple[Group, int, int], int] = {}
        for number, part in enumerate(request.parts):
            group = Group.MESSAGES if part.group is Group.SYSTEM else part.group
            self._parts[group, part.index, part.ordinal] = number
        self._inside: dict[Spot, dict[JsonPath, tuple[int, int]]] = {}

    def part(self, spot: Spot) -> int | None:
        """Number of the part that a spot lies in."""
        return self._parts.get((spot.group, spot.number, spot.ordinal))

    def runs(self, spot: Spot) -> list[Run]:
        """The string at a spot as runs of its part; empty when the request has no such string."""
        return self._read(spot)[1]

    def _read(self, spot: Spot) -> tuple[str, list[Run]]:
        number = self.part(spot)
        if number is None:
            return "", []
        if not spot.levels:
            text = self._request.parts[number].text
            return text, [Run(0, 0, len(text))]
        around = spot._replace(levels=spot.levels[:-1])
        text, outer = self._read(around)
        if around not in self._inside:
            self._inside[around] = json_strings(text)
        ends = self._inside[around].get(spot.levels[-1])
        if ends is None:
            return "", []
        return str(json.loads(f'"{text[slice(*ends)]}"', strict=False)), through(outer, runs(text, *ends))
