"""The provider's cache marks in a body, and the place of the request each one stands behind."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from covel_inspector.domain import Field, JsonPath, Place, Request, Sentence, WireMark, say
from covel_inspector.engines.covel.wire.drafts import Draft
from covel_inspector.engines.covel.wire.places import RequestStrings, value_at
from covel_inspector.engines.covel.wire.texts import Spot, Stretch

Json = Any

_MARK = "cache_control"
_IN_TOOLS = say("cache mark on a tool definition")
_IN_SYSTEM = say("cache mark on a block of the system prompt")
_IN_MESSAGES = say("cache mark on a block of the messages")
_IN_BLOCKS = (Field.CONTENT, Field.TEXT_PART)


def marks(draft: Draft, request: Request, body: Mapping[str, Json] | None = None) -> tuple[WireMark, ...]:
    """The marks of a body in their order. ``body`` is a recorded one, to be read with the draft of the same request.

    A mark has no place when its block is not from the request, or the draft has another block there.
    """
    written: Mapping[str, Json] = draft.body if body is None else body
    paths = list(marked_paths(written))
    if not paths:
        return ()
    blocks = [value_at(draft.body, path) for path in paths]
    ends = _Ends(draft, request, blocks)
    found: list[WireMark] = []
    for number, (path, block) in enumerate(zip(paths, blocks, strict=True), start=1):
        same = block is not None and _bare(block) == _bare(value_at(written, path))
        found.append(WireMark(number, path, ends.of(block) if same else None, _note(path)))
    return tuple(found)


def marked_paths(body: Mapping[str, Json]) -> Iterator[JsonPath]:
    """Paths of the blocks that carry a mark: tools, then the system prompt, then messages, as they are hashed."""
    for key in ("tools", "system", "messages"):
        blocks = body.get(key)
        for number, block in enumerate(blocks) if isinstance(blocks, list) else ():
            if not isinstance(block, dict):
                continue
            if _MARK in block:
                yield (key, number)
            inner = block.get("content")
            for place, part in enumerate(inner) if isinstance(inner, list) else ():
                if isinstance(part, dict) and _MARK in part:
                    yield (key, number, "content", place)


class _Ends:
    """For some blocks of a draft, the part of the request that each ends with."""

    def __init__(self, draft: Draft, request: Request, blocks: Iterable[Json]) -> None:
        self._request = request
        self._strings = RequestStrings(request)
        self._stretches: dict[int, list[Stretch]] = {}
        self._spots: dict[int, Spot] = {}
        wanted = {id(inner) for block in blocks for inner in _inside(block)}
        for container, text in draft.ledger.texts_in(wanted):
            self._stretches.setdefault(id(container), []).extend(text.stretches)
        for container, _, spot in draft.ledger.trees:
            self._spots[id(container)] = spot

    def of(self, block: Json) -> Place | None:
        """The text of a block that is one of the request's, or all of the part that the block was made of."""
        for inner in _inside(block):
            stretches = self._stretches.get(id(inner), [])
            spot = stretches[-1].spot if stretches else self._spots.get(id(inner))
            part = self._strings.part(spot) if spot is not None else None
            if part is None:
                continue
            whole = self._request.parts[part]
            if whole.field not in _IN_BLOCKS or not stretches:
                return Place(part, 0, len(whole.text))
            own = [one for one in stretches if one.spot == spot]
            return Place(part, own[0].start, own[-1].start + own[-1].length)
        return None


def _inside(block: Json) -> tuple[Json, ...]:
    """A block and the objects in it."""
    if not isinstance(block, dict):
        return ()
    return (block, *(value for value in block.values() if isinstance(value, dict)))


def _bare(block: Json) -> Json:
    return {key: value for key, value in block.items() if key != _MARK} if isinstance(block, dict) else block


def _note(path: JsonPath) -> Sentence:
    return {"tools": _IN_TOOLS, "system": _IN_SYSTEM}.get(str(path[0]), _IN_MESSAGES)
