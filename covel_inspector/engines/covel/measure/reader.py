"""Reads payloads one after the other into measured parts, in a fraction of the time that parsing them takes."""

import json
from dataclasses import dataclass, field
from typing import Any

from covel_inspector.domain import MeasuredPart
from covel_inspector.engines.covel.measure.parts import (
    MESSAGE_FIELDS,
    block_part,
    body_of,
    first_of,
    instruction_parts,
    is_truthy,
    measured_parts,
    message_part,
    parameters_of,
    system_parts,
    tool_part,
)
from covel_inspector.engines.covel.measure.walk import (
    MakePart,
    NotCompactError,
    ReadList,
    elements_at,
    fields_at,
    refuse,
    value_at,
)

_MOST_KNOWN = 10
"""Earlier requests that are looked at: those of the runtimes of a turn."""

_MOST_ALIKE = 3
"""Of these, how many are looked at element by element, once it is known which are most like the new one."""

_MOST_CHARACTERS = 8_000_000
"""Code points of text that are kept for that."""

_LISTS: dict[str, MakePart] = {
    "tools": tool_part,
    "system": block_part,
    **dict.fromkeys(MESSAGE_FIELDS, message_part),
}

_NOTHING = MeasuredPart("", "")


@dataclass(frozen=True, slots=True)
class TakenApart:
    """A payload: its small fields, the protocol of its requests, what the body says beside its parts, and the parts."""

    fields: dict[str, Any]
    protocol: str
    parameters: tuple[tuple[str, str], ...]
    parts: tuple[MeasuredPart, ...]


@dataclass(slots=True)
class _Walk:
    """What one payload has given so far."""

    fields: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    protocol: str = ""
    lists: dict[str, ReadList] = field(default_factory=dict)
    """By the name of the field in the body, or with ``kernel.`` before it in the payload itself."""
    order: list[int] | None = None
    """The earlier payloads by how much the first list is like theirs; None until that is known."""


class PartReader:
    """Takes payloads apart. Remembers the elements of the last few, so that what repeats is not parsed again."""

    def __init__(self) -> None:
        self._known: list[dict[str, ReadList]] = []
        self._lengths: list[int] = []

    def read(self, text: str) -> TakenApart | None:
        """One payload; None when it is no readable JSON object."""
        try:
            return self._walked(text)
        except NotCompactError:
            return _parsed(text)
        except (ValueError, IndexError, RecursionError):
            return _parsed(text)

    def _walked(self, text: str) -> TakenApart:
        walk = _Walk()
        end = fields_at(text, 0, lambda key, start: self._payload_field(walk, text, key, start))
        if end != len(text):
            raise NotCompactError
        body = walk.body or {}
        lists = walk.lists
        messages = first_of(*(_parts(lists, body, name) for name in MESSAGE_FIELDS), _kernel(lists, "messages"), ())
        system = _list_parts(lists["system"]) if "system" in lists else system_parts(body.get("system"))
        parts = (
            *_listed(first_of(_parts(lists, body, "tools"), _kernel(lists, "tools"), ())),
            *system,
            *instruction_parts(body.get("instructions")),
            *_listed(messages),
        )
        self._remember(lists)
        return TakenApart(walk.fields, walk.protocol, parameters_of(walk.body), parts)

    def _payload_field(self, walk: _Walk, text: str, key: str, start: int) -> int:
        if key == "providerRequests" and text.startswith("[{", start):
            return self._requests(walk, text, start)
        if key in ("messages", "tools") and text.startswith("[", start):
            # What the body has already is only passed over.
            name, make = (f"passed.{key}", _no_part) if _has(walk, key) else (f"kernel.{key}", _LISTS[key])
            walk.lists[name], end = self._elements(walk, text, start, name, make)
            return end
        value, end = value_at(text, start)
        if key in ("messages", "tools"):
            if not isinstance(value, list) and value is not None:
                raise NotCompactError
        else:
            walk.fields[key] = value
        return end

    def _requests(self, walk: _Walk, text: str, start: int) -> int:
        position = start
        while text[position] in "[,":
            position = fields_at(text, position + 1, lambda key, at: self._request_field(walk, text, key, at))
        if text[position] != "]":
            raise NotCompactError
        return position + 1

    def _request_field(self, walk: _Walk, text: str, key: str, start: int) -> int:
        if key == "body" and walk.body is None and text.startswith("{", start):
            body: dict[str, Any] = {}
            walk.body = body
            return fields_at(text, start, lambda name, at: self._body_field(walk, body, text, name, at))
        value, end = value_at(text, start)
        if key == "body" and walk.body is None and is_truthy(value):
            raise NotCompactError
        if key == "protocol" and not walk.protocol and isinstance(value, str):
            walk.protocol = value
        return end

    def _body_field(self, walk: _Walk, body: dict[str, Any], text: str, key: str, start: int) -> int:
        make = _LISTS.get(key)
        if make is not None and text.startswith("[", start):
            walk.lists[key], end = self._elements(walk, text, start, key, make)
            return end
        body[key], end = value_at(text, start)
        return end

    def _elements(self, walk: _Walk, text: str, start: int, name: str, make: MakePart) -> tuple[ReadList, int]:
        """A list, read beside that of the earlier payload which this one repeats, as soon as it is known which."""
        if walk.order is None:
            likeness = [lists[name].likeness(text, start + 1) if name in lists else 0 for lists in self._known]
            # Sorting keeps the latest in front among those that are alike.
            order = sorted(range(len(likeness)), key=lambda number: -likeness[number])
            if likeness and likeness[order[0]]:
                walk.order = order[:_MOST_ALIKE]
        numbers = range(len(self._known)) if walk.order is None else walk.order
        known = [self._known[number][name] for number in numbers if name in self._known[number]]
        return elements_at(text, start, make, known)

    def _remember(self, lists: dict[str, ReadList]) -> None:
        """The latest first; as many of the older ones as the limits allow."""
        self._known.insert(0, lists)
        self._lengths.insert(0, sum([read.length for read in lists.values()]))
        while len(self._known) > _MOST_KNOWN or (len(self._known) > 1 and sum(self._lengths) > _MOST_CHARACTERS):
            del self._known[-1], self._lengths[-1]


def _no_part(_number: int, _value: object) -> MeasuredPart:
    return _NOTHING


def _has(walk: _Walk, key: str) -> bool:
    """Whether the body holds what the kernel's own list of this name would only stand in for."""
    names = MESSAGE_FIELDS if key == "messages" else (key,)
    return walk.body is not None and any(name in walk.lists or walk.body.get(name) is not None for name in names)


def _parts(lists: dict[str, ReadList], body: dict[str, Any], name: str) -> object:
    """Parts of a list of the body; none for a value that is no list; None when it is missing or null."""
    if name in lists:
        return _list_parts(lists[name])
    return None if body.get(name) is None else ()


def _kernel(lists: dict[str, ReadList], name: str) -> object:
    elements = lists.get(f"kernel.{name}")
    return None if elements is None else _list_parts(elements)


def _list_parts(read: ReadList) -> tuple[MeasuredPart, ...]:
    return tuple([element.part for element in read.elements])


def _listed(parts: object) -> tuple[MeasuredPart, ...]:
    return parts if isinstance(parts, tuple) else ()


def _parsed(text: str) -> TakenApart | None:
    """The long way: parse everything, then write each part."""
    try:
        payload = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    if not isinstance(payload, dict):
        return None
    fields = {name: value for name, value in payload.items() if name not in ("providerRequests", "messages", "tools")}
    return TakenApart(fields, _protocol(payload), parameters_of(body_of(payload)), measured_parts(payload))


def _protocol(payload: dict[str, Any]) -> str:
    requests = payload.get("providerRequests")
    for request in requests if isinstance(requests, list) else ():
        protocol = request.get("protocol") if isinstance(request, dict) else None
        if isinstance(protocol, str) and protocol:
            return protocol
    return ""
