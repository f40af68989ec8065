"""The parts of a recorded call as the engine's prefix report counts them. Follows the reference on the prefix report.

Everything works on decoded values as they are: a record that holds odd values is measured as far as it goes, in the
way of the engine's own language ("else" means missing or null, an empty list is a list).
"""

from collections.abc import Callable, Sequence
from typing import Any

from covel_inspector.domain import MeasuredPart
from covel_inspector.engines.covel.javascript import number_text, stringify

_MARK = "cache_control"
_MEASURED_FIELDS = frozenset({"model", "tools", "system", "instructions", "messages", "input", "contents", "stream"})

_PICTURES = frozenset({"image", "image_url", "input_image"})
"""Types of blocks that hold a picture; the fourth protocol has fields instead of types."""

MESSAGE_FIELDS = ("messages", "input", "contents")
"""Fields of a body that hold its messages; the first that is there counts."""


def body_of(payload: dict[str, Any]) -> dict[str, Any] | None:
    """The body of the first request that has one; None when the kernel's view is measured instead."""
    requests = payload.get("providerRequests")
    for request in requests if isinstance(requests, list) else ():
        body = request.get("body") if isinstance(request, dict) else None
        if is_truthy(body):
            # A body that is no object has none of the fields, so the kernel's view stands in for each of them.
            return body if isinstance(body, dict) else {}
    return None


def measured_parts(payload: dict[str, Any]) -> tuple[MeasuredPart, ...]:
    """The parts of one call in the order in which they are counted: tools, system, instructions, messages."""
    body = body_of(payload) or {}
    tools = first_of(body.get("tools"), payload.get("tools"))
    messages = first_of(*(body.get(name) for name in MESSAGE_FIELDS), payload.get("messages"))
    return (
        *_parts(tools, tool_part),
        *system_parts(body.get("system")),
        *instruction_parts(body.get("instructions")),
        *_parts(messages, message_part),
    )


def parameters_of(body: dict[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """What a body says beside its measured parts, as names and compact JSON, in the order of the body."""
    return tuple((name, stringify(value)) for name, value in (body or {}).items() if name not in _MEASURED_FIELDS)


def tool_part(number: int, tool: object) -> MeasuredPart:
    """A tool; ``number`` counts from 1."""
    name = first_of(_field(_field(tool, "function"), "name"), _field(tool, "name"), "?")
    return _json_part(f"tool {number} ({_spelled(name)})", tool)


def block_part(number: int, block: object) -> MeasuredPart:
    """A block of a system prompt that is a list."""
    return _json_part(f"system block {number}", block)


def message_part(number: int, message: object) -> MeasuredPart:
    """A message: its content if that is a text, else all of it."""
    role = _spelled(first_of(_field(message, "role"), _field(message, "type"), "?"))
    label = f"message {number} ({role})"
    content = _field(message, "content")
    if isinstance(content, str):
        return MeasuredPart(label, content, role=role)
    return _json_part(label, message, role)


def system_parts(system: object) -> Sequence[MeasuredPart]:
    """The system prompt: one text, or a part for each block."""
    return (MeasuredPart("system", system),) if isinstance(system, str) else _parts(system, block_part)


def instruction_parts(instructions: object) -> Sequence[MeasuredPart]:
    """The instructions, if they are a text."""
    return (MeasuredPart("instructions", instructions),) if isinstance(instructions, str) else ()


def _parts(values: object, make: Callable[[int, object], MeasuredPart]) -> list[MeasuredPart]:
    return [make(number, value) for number, value in enumerate(values, 1)] if isinstance(values, list) else []


def _json_part(label: str, element: object, role: str = "") -> MeasuredPart:
    """An element as compact JSON; with the same text once more without cache marks, where it carries any."""
    text = stringify(element)
    content = first_of(_field(element, "content"), _field(element, "parts"))
    blocks = content if isinstance(content, list) else []
    pictures = sum(map(_is_picture, blocks))
    if _MARK not in text or not isinstance(element, dict):
        return MeasuredPart(label, text, role=role, pictures=pictures)
    marked = [number for number, block in enumerate(blocks) if isinstance(block, dict) and block.get(_MARK)]
    is_marked = bool(element.get(_MARK))
    if not marked and not is_marked:
        return MeasuredPart(label, text, role=role, pictures=pictures)
    bare = {name: value for name, value in element.items() if name != _MARK}
    if marked:
        bare["content"] = [_bare(block) for block in blocks]
    unmarked = stringify(bare)
    ends = [_end_of_block(bare, number) for number in marked]
    return MeasuredPart(label, text, unmarked, (*ends, len(unmarked)) if is_marked else tuple(ends), role, pictures)


def _is_picture(block: object) -> bool:
    return isinstance(block, dict) and (block.get("type") in _PICTURES or "inlineData" in block or "fileData" in block)


def _bare(block: object) -> object:
    return {name: value for name, value in block.items() if name != _MARK} if isinstance(block, dict) else block


def _end_of_block(message: dict[str, Any], number: int) -> int:
    """Code points of the message's JSON up to the end of a content block; all of it when it is the last one."""
    blocks: Sequence[object] = message["content"]
    if number == len(blocks) - 1:
        return len(stringify(message))
    return len(stringify({"role": message.get("role"), "content": list(blocks[: number + 1])})) - len("]}")


def first_of(*values: object) -> object:
    """The first value that is neither missing nor null."""
    return next((value for value in values if value is not None), None)


def is_truthy(value: object) -> bool:
    """By the rules of the engine's language: empty lists and objects are true."""
    return isinstance(value, dict | list) or bool(value)


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _spelled(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, int | float) else stringify(value)
