"""From a draft and its request to traces: each text of the body beside the place in the request it is from."""

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
    WireTrace,
)
from covel_inspector.engines.covel.wire.drafts import Draft
from covel_inspector.engines.covel.wire.json_places import Run, through
from covel_inspector.engines.covel.wire.marks import marks
from covel_inspector.engines.covel.wire.places import RequestStrings
from covel_inspector.engines.covel.wire.texts import Spot, Stretch

Json = Any


def wire_body(draft: Draft, request: Request, source: BodySource, notes: tuple[Sentence, ...] = ()) -> WireBody:
    """A draft with its traces and marks. ``request`` is made of the same messages, tools and response format."""
    paths, strings = _paths(draft.body), RequestStrings(request)
    traces = tuple(sorted(_traces(draft, strings, paths), key=_in_body(draft.body)))
    return WireBody(draft.protocol, source, draft.body, draft.path, traces, marks(draft, request), notes)


def _traces(draft: Draft, strings: RequestStrings, paths: dict[int, JsonPath]) -> Iterator[WireTrace]:
    for whole, name, index in draft.ledger.contents:
        path, part = paths.get(id(whole)), strings.part(Spot(Group.MESSAGES, index))
        length = len(whole[name])
        if path is not None and part is not None and length:
            yield WireTrace((*path, name), 0, length, Place(part, 0, length))
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


def _placed(path: JsonPath, stretch: Stretch, strings: RequestStrings) -> Iterator[WireTrace]:
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
