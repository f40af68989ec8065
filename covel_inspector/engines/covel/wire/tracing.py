"""From a draft and its request to traces: each text of the body beside the place in the request it is from."""

import json
from collections.abc import Iterator
from typing import Any

from covel_inspector.domain import (
    BodySource,
    Group,
    JsonPath,
    Place,
    Request,
    Sentence,
    WireBody,
    WireMark,
    WireTrace,
    say,
)
from covel_inspector.engines.covel.wire.drafts import Draft
from covel_inspector.engines.covel.wire.json_places import Run, json_strings, runs, through
from covel_inspector.engines.covel.wire.texts import Spot, Stretch

Json = Any

_IN_SYSTEM = say("cache mark on a block of the system prompt")
_IN_MESSAGES = say("cache mark on a block of the messages")


def wire_body(draft: Draft, request: Request, source: BodySource, notes: tuple[Sentence, ...] = ()) -> WireBody:
    """A draft with its traces and marks. ``request`` is made of the same messages, tools and response format."""
    paths, strings = _paths(draft.body), _Strings(request)
    traces = tuple(sorted(_traces(draft, strings, paths), key=_in_body(draft.body)))
    marks = _marks(draft, strings, traces, paths)
    return WireBody(draft.protocol, source, draft.body, draft.path, traces, marks, notes)


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


class _Strings:
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


def _traces(draft: Draft, strings: _Strings, paths: dict[int, JsonPath]) -> Iterator[WireTrace]:
    for container, key, text in draft.ledger.texts:
        path = paths.get(id(container))
        if path is not None:
            for stretch in text.stretches:
                yield from _placed((*path, key), stretch, strings)
    for container, key, spot in draft.ledger.trees:
        path = paths.get(id(container))
        if path is not None:
            for inner, value in _leaves(container[key]):
                yield from _placed((*path, key, *inner), Stretch(0, len(value), spot.below(inner), 0), strings)


def _placed(path: JsonPath, stretch: Stretch, strings: _Strings) -> Iterator[WireTrace]:
    part = strings.part(stretch.spot)
    if part is None:
        return
    if not stretch.spot.levels:
        start = stretch.start
        yield WireTrace(path, stretch.at, stretch.at + stretch.length, Place(part, start, start + stretch.length))
        return
    for at, encoded, length in through(strings.runs(stretch.spot), [Run(stretch.at, stretch.start, stretch.length)]):
        yield WireTrace(path, at, at + length, Place(part, encoded, encoded + length))


def _leaves(value: Json) -> Iterator[tuple[JsonPath, str]]:
    """The texts below a value with their paths from it."""
    waiting: list[tuple[JsonPath, Json]] = [((), value)]
    while waiting:
        path, found = waiting.pop()
        if isinstance(found, str) and found:
            yield path, found
        elif isinstance(found, dict):
            waiting.extend(((*path, key), member) for key, member in found.items())
        elif isinstance(found, list | tuple):
            waiting.extend(((*path, index), member) for index, member in enumerate(found))


def _paths(body: Json) -> dict[int, JsonPath]:
    """Path of each object and array of a body, by its identity."""
    found: dict[int, JsonPath] = {}
    waiting: list[tuple[JsonPath, Json]] = [((), body)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            found[id(value)] = path
            waiting.extend(((*path, key), member) for key, member in value.items() if isinstance(member, dict | list))
        else:
            found[id(value)] = path
            waiting.extend(
                ((*path, index), member) for index, member in enumerate(value) if isinstance(member, dict | list)
            )
    return found


def _in_body(body: dict[str, Json]) -> Any:
    ranks = {key: rank for rank, key in enumerate(body)}

    def key(trace: WireTrace) -> Any:
        return (ranks.get(str(trace.path[0]), 0), trace.place, trace.start)

    return key


def _marks(
    draft: Draft, strings: _Strings, traces: tuple[WireTrace, ...], paths: dict[int, JsonPath]
) -> tuple[WireMark, ...]:
    """The cache marks in the order of the body, with the text that each one's block ends with."""
    found: list[WireMark] = []
    for number, (block, spot) in enumerate(draft.ledger.marks, start=1):
        path = paths[id(block)]
        part = strings.part(spot) if spot is not None else None
        inside = [trace.place for trace in traces if trace.path[: len(path)] == path and trace.place.part == part]
        place = max(inside, key=lambda place: place.end, default=None)
        if place is not None and spot is not None and spot.levels:
            place = None
        found.append(WireMark(number, path, place, _mark_note(path)))
    return tuple(found)


def _mark_note(path: JsonPath) -> Sentence:
    return _IN_SYSTEM if path[0] == "system" else _IN_MESSAGES
