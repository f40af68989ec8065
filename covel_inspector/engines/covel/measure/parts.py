"""The parts of a recorded call as the engine's prefix report counts them. Follows the reference on the prefix report.

Everything works on the decoded payload as it is: a record that holds odd values is measured as far as it goes, in the
way of the engine's own language ("else" means missing or null, an empty list is a list).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from covel_inspector.domain import MeasuredPart
from covel_inspector.engines.covel.javascript import number_text, stringify

_MARK = "cache_control"
_MEASURED_FIELDS = frozenset({"model", "tools", "system", "instructions", "messages", "input", "contents", "stream"})


def body_of(payload: dict[str, Any]) -> dict[str, Any] | None:
    """The body of the first request that has one; None when the kernel's view is measured instead."""
    requests = payload.get("providerRequests")
    for request in requests if isinstance(requests, list) else ():
        body = request.get("body") if isinstance(request, dict) else None
        if _is_truthy(body):
            # A body that is no object has none of the fields, so the kernel's view stands in for each of them.
            return body if isinstance(body, dict) else {}
    return None


def measured_parts(payload: dict[str, Any]) -> tuple[MeasuredPart, ...]:
    """The parts of one call in the order in which they are counted: tools, system, instructions, messages."""
    body = body_of(payload) or {}
    return (
        *_tools(_first(body.get("tools"), payload.get("tools"))),
        *_system(body.get("system")),
        *_instructions(body.get("instructions")),
        *_messages(_first(body.get("messages"), body.get("input"), body.get("contents"), payload.get("messages"))),
    )


def parameters_of(body: dict[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """What a body says beside its measured parts, as names and compact JSON, in the order of the body."""
    return tuple((name, stringify(value)) for name, value in (body or {}).items() if name not in _MEASURED_FIELDS)


def _tools(tools: object) -> Iterator[MeasuredPart]:
    for number, tool in enumerate(_items(tools), 1):
        function = tool.get("function") if isinstance(tool, dict) else None
        name = _first(_field(function, "name"), _field(tool, "name"), "?")
        yield _marked_part(f"tool {number} ({_spelled(name)})", tool)


def _system(system: object) -> Iterator[MeasuredPart]:
    if isinstance(system, str):
        yield MeasuredPart("system", system)
    elif isinstance(system, list):
        for number, block in enumerate(system, 1):
            yield _marked_part(f"system block {number}", block)


def _instructions(instructions: object) -> Iterator[MeasuredPart]:
    if isinstance(instructions, str):
        yield MeasuredPart("instructions", instructions)


def _messages(messages: object) -> Iterator[MeasuredPart]:
    for number, message in enumerate(_items(messages), 1):
        role = _first(_field(message, "role"), _field(message, "type"), "?")
        label = f"message {number} ({_spelled(role)})"
        content = _field(message, "content")
        if isinstance(content, str):
            yield MeasuredPart(label, content, role=_spelled(role))
        else:
            yield _marked_part(label, message, _spelled(role))


def _marked_part(label: str, element: object, role: str = "") -> MeasuredPart:
    """An element as compact JSON; with the same text once more without cache marks, where it carries any."""
    text = stringify(element)
    if _MARK not in text or not isinstance(element, dict):
        return MeasuredPart(label, text, role=role)
    content = element.get("content")
    blocks = content if isinstance(content, list) else []
    marked = [number for number, block in enumerate(blocks) if isinstance(block, dict) and block.get(_MARK)]
    is_marked = bool(element.get(_MARK))
    if not marked and not is_marked:
        return MeasuredPart(label, text, role=role)
    bare = {name: value for name, value in element.items() if name != _MARK}
    if marked:
        bare["content"] = [_bare(block) for block in blocks]
    unmarked = stringify(bare)
    ends = [_end_of_block(bare, number) for number in marked]
    return MeasuredPart(label, text, unmarked, tuple(ends) if not is_marked else (*ends, len(unmarked)), role=role)


def _bare(block: object) -> object:
    return {name: value for name, value in block.items() if name != _MARK} if isinstance(block, dict) else block


def _end_of_block(message: dict[str, Any], number: int) -> int:
    """Code points of the message's JSON up to the end of a content block; all of it when it is the last one."""
    blocks: Sequence[object] = message["content"]
    if number == len(blocks) - 1:
        return len(stringify(message))
    shorter = stringify({**message, "content": list(blocks[: number + 1])})
    # What follows the list of blocks is no part of what the mark covers.
    return shorter.rindex("]")


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _first(*values: object) -> object:
    return next((value for value in values if value is not None), None)


def _is_truthy(value: object) -> bool:
    """By the rules of the engine's language: empty lists and objects are true."""
    return isinstance(value, dict | list) or bool(value)


def _spelled(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, int | float) else stringify(value)
