"""From the flat parts of a request back to kernel messages and tools: the way of ``flatten``, backwards."""

import json
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from covel_inspector.domain import Field, Group, Part, Request
from covel_inspector.engines.covel.records.calls import KernelMessage


@dataclass(frozen=True, slots=True)
class KernelRequest:
    """Messages, tools and response format as the kernel hands them to an adapter; an absent format is None."""

    messages: tuple[KernelMessage, ...]
    tools: tuple[dict[str, Any], ...]
    response_format: Any


def kernel_request(request: Request) -> KernelRequest:
    """What a request was flattened from. Content that was None becomes an empty text; both flatten to the same."""
    tools = [_decoded(part.text) for part in request.parts if part.group is Group.TOOLS]
    formats = [_decoded(part.text) for part in request.parts if part.group is Group.RESPONSE_FORMAT]
    spoken = [part for part in request.parts if part.group in (Group.SYSTEM, Group.MESSAGES)]
    messages = tuple(_message(list(parts)) for _, parts in groupby(spoken, lambda part: part.index))
    return KernelRequest(
        messages, tuple(tool for tool in tools if isinstance(tool, dict)), formats[0] if formats else None
    )


def _message(parts: list[Part]) -> KernelMessage:
    content: Any = ""
    listed: list[Any] = []
    reasoning: str | None = None
    calls: list[dict[str, Any]] = []
    continuation: Any = None
    for part in parts:
        match part.field:
            case Field.CONTENT:
                content = part.text
            case Field.TEXT_PART:
                listed.append({"type": "text", "text": part.text})
            case Field.MEDIA_PART:
                listed.append(_decoded(part.text))
            case Field.REASONING:
                reasoning = part.text
            case Field.TOOL_CALL:
                call = _decoded(part.text)
                calls.append(call if isinstance(call, dict) else {})
            case Field.CONTINUATION:
                continuation = _decoded(part.text)
    first = parts[0]
    name = first.name or None
    return KernelMessage(
        role=first.role,
        content=listed or content,
        name=None if first.role == "tool" else name if first.field is Field.CONTENT else None,
        tool_calls=tuple(calls) or None,
        tool_call_id=name if first.role == "tool" else None,
        reasoning_content=reasoning,
        provider_continuation=continuation,
    )


def _decoded(text: str) -> Any:
    """The value of a part's JSON; the text itself when a rebuild put in something that is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
