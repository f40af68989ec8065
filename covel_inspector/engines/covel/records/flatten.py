"""Kernel messages and tools as the flat parts of a request. Both trees of a call are built on this one form."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from covel_inspector.domain import Field, Group, Part, Request
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.calls import KernelMessage


def request_of(
    messages: Sequence[KernelMessage],
    tools: Iterable[Mapping[str, Any]] = (),
    response_format: object = None,
) -> Request:
    """The request in wire order: tools, the leading system prompt, the other messages, the response format.

    The first message is the system prompt when its role is ``system``; its index in the group is 0. Messages keep
    their kernel index (so the first message behind a system prompt has index 1).
    """
    parts = [
        Part(Group.TOOLS, index, 0, Field.DEFINITION, stringify(tool), name=_tool_name(tool))
        for index, tool in enumerate(tools)
    ]
    for index, message in enumerate(messages):
        group = Group.SYSTEM if index == 0 and message.role == "system" else Group.MESSAGES
        content = message.content
        if type(content) is str and not _has_more(message):  # Nearly all messages of a long request.
            name = message.name or message.tool_call_id or ""
            parts.append(Part(group, index, 0, Field.CONTENT, content, message.role, name))
        else:
            parts.extend(message_parts(group, index, message))
    if response_format is not None:
        parts.append(Part(Group.RESPONSE_FORMAT, 0, 0, Field.DEFINITION, stringify(response_format)))
    return Request(tuple(parts))


def message_parts(group: Group, index: int, message: KernelMessage) -> list[Part]:
    """The parts of one message: content (or its list of parts), reasoning, each tool call, native continuation.

    A message without any text gives one empty content part, so that it keeps its place in the request.
    """
    role, name = message.role, message.name or message.tool_call_id or ""
    content = message.content
    fields: list[tuple[Field, str, str]] = []
    if isinstance(content, str):
        if content or not (message.tool_calls or message.reasoning_content):
            fields.append((Field.CONTENT, content, name))
    elif isinstance(content, list):
        fields.extend(_content_part(part, name) for part in content)
    elif content is not None:
        fields.append((Field.CONTENT, stringify(content), name))
    if message.reasoning_content:
        fields.append((Field.REASONING, message.reasoning_content, name))
    fields.extend((Field.TOOL_CALL, stringify(call), str(call.get("name", ""))) for call in message.tool_calls or ())
    if message.provider_continuation is not None:
        fields.append((Field.CONTINUATION, stringify(message.provider_continuation), name))
    if not fields:
        fields.append((Field.CONTENT, "", name))
    return [
        Part(group, index, ordinal, field, text, role, part_name)
        for ordinal, (field, text, part_name) in enumerate(fields)
    ]


def _has_more(message: KernelMessage) -> bool:
    """True when a message has fields besides its content that become parts."""
    return bool(message.tool_calls or message.reasoning_content) or message.provider_continuation is not None


def _content_part(part: object, name: str) -> tuple[Field, str, str]:
    if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
        return Field.TEXT_PART, part["text"], name
    return Field.MEDIA_PART, stringify(part), name


def _tool_name(tool: Mapping[str, Any]) -> str:
    function = tool.get("function")
    name = function.get("name") if isinstance(function, dict) else tool.get("name")
    return name if isinstance(name, str) else ""
