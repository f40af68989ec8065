"""Kernel messages read back from a provider's body, for recordings that hold no kernel messages.

Follows the reference on the wire, sections 2 to 5. Cache sentinels are gone from bodies; what a wire joined cannot be
cut apart again, and a message keeps the text it had on the wire.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.calls import KernelMessage, RecordedCall

_WRAP_OPEN, _WRAP_CLOSE = "<system-instruction>\n", "\n</system-instruction>"
_NOT_SHOWN = frozenset({"tool_use", "thinking", "redacted_thinking"})

Raw = dict[str, Any]
"""A kernel message as the trace writes it."""


def with_messages(call: RecordedCall, rows: Container[str] = frozenset()) -> RecordedCall:
    """The call itself, or with messages and tools read back from its last body when it has none of its own.

    ``rows`` are texts of history rows: a player's line that looks like a wrapped system message stays a line.
    A concealed call stays as it is: what was kept out of the trace is not sought elsewhere.
    """
    if call.messages or call.concealed:
        return call
    body = call.answered_body
    if not isinstance(body, dict):
        return call
    messages = tuple(_valid(_unwrapped(message, rows)) for message in _messages(body) if message.get("role"))
    tools = call.tools or tuple(_tools(body.get("tools")))
    return call.model_copy(update={"messages": messages, "tools": tools}) if messages else call


def _valid(message: Raw) -> KernelMessage:
    return KernelMessage.model_validate({**message, "role": str(message["role"])})


def _unwrapped(message: Raw, rows: Container[str]) -> Raw:
    """Late system messages travel as user messages inside a wrapper."""
    text = message.get("content")
    if message["role"] != "user" or not isinstance(text, str) or text in rows:
        return message
    if not (text.startswith(_WRAP_OPEN) and text.endswith(_WRAP_CLOSE)):
        return message
    return {**message, "role": "system", "content": text[len(_WRAP_OPEN) : -len(_WRAP_CLOSE)]}


def _messages(body: Mapping[str, Any]) -> Iterator[Raw]:
    if isinstance(body.get("contents"), list):
        yield from _head(_joined(_parts_of(body.get("systemInstruction")), "\n\n"))
        yield from _google(body["contents"])
    elif isinstance(body.get("input"), list):
        instructions = body.get("instructions")
        yield from _head(instructions if isinstance(instructions, str) else "")
        yield from _responses(body["input"])
    elif isinstance(body.get("messages"), list):
        yield from _head(_system_text(body.get("system")))
        for message in _objects(body["messages"]):
            yield from _chat(message)


def _head(text: str) -> Iterator[Raw]:
    if text:
        yield {"role": "system", "content": text}


def _system_text(system: object) -> str:
    """Blocks were cut in front of the blank lines between segments, so joining them gives the text without marks."""
    return system if isinstance(system, str) else _joined(_objects(system), "")


def _chat(message: Raw) -> Iterator[Raw]:
    """A message of the two wires that have a list of messages: content as text, parts, or blocks of one reply."""
    role, content = message.get("role"), message.get("content")
    blocks = list(_objects(content))
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if results:
        for block in results:
            yield {"role": "tool", "content": _text(block.get("content")), "toolCallId": block.get("tool_use_id")}
        blocks = [block for block in blocks if block.get("type") != "tool_result"]
        if not blocks:
            return
    calls = [*_uses(blocks), *_functions(message.get("tool_calls"))]
    thoughts = _joined((block for block in blocks if block.get("type") == "thinking"), "\n", "thinking")
    reasoning = thoughts or message.get("reasoning_content") or message.get("reasoning")
    yield _whole(
        role,
        _content(content if not isinstance(content, list) else blocks),
        calls,
        reasoning if isinstance(reasoning, str) else "",
        message.get("tool_call_id"),
    )


def _whole(role: object, content: object, calls: list[Raw], reasoning: str = "", answers: object = None) -> Raw:
    whole: Raw = {"role": role, "content": content}
    if calls:
        whole["toolCalls"] = calls
    if reasoning:
        whole["reasoningContent"] = reasoning
    if isinstance(answers, str):
        whole["toolCallId"] = answers
    return whole


def _content(content: object) -> object:
    """One text where there is only text; a list of parts with pictures otherwise."""
    if not isinstance(content, list):
        return content
    shown = [
        part for part in _objects(content) if part.get("type") not in ("tool_use", "thinking", "redacted_thinking")
    ]
    texts = [part["text"] for part in shown if isinstance(part.get("text"), str)]
    if len(texts) == len(shown):
        if len(texts) < 2:
            return "".join(texts)
        return [{"type": "text", "text": text} for text in texts]
    return [{"type": "text", "text": part["text"]} if isinstance(part.get("text"), str) else part for part in shown]


def _uses(blocks: Iterable[Raw]) -> Iterator[Raw]:
    for block in blocks:
        if block.get("type") == "tool_use":
            yield _call(block.get("id"), block.get("name"), block.get("input"))


def _functions(calls: object) -> Iterator[Raw]:
    for call in _objects(calls):
        function = call.get("function")
        if isinstance(function, dict):
            yield _call(call.get("id"), function.get("name"), function.get("arguments"))


def _call(call_id: object, name: object, arguments: object) -> Raw:
    text = arguments if isinstance(arguments, str) else stringify(arguments)
    return {"id": str(call_id or ""), "name": str(name or ""), "arguments": text}


def _responses(items: object) -> Iterator[Raw]:
    """Items in order; calls that follow each other, or a text of the assistant, are one message."""
    waiting: Raw | None = None
    for item in _objects(items):
        kind = item.get("type")
        if kind == "function_call":
            waiting = waiting or {"role": "assistant", "content": ""}
            waiting.setdefault("toolCalls", []).append(
                _call(item.get("call_id"), item.get("name"), item.get("arguments"))
            )
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        if kind == "function_call_output":
            yield {"role": "tool", "content": _text(item.get("output")), "toolCallId": item.get("call_id")}
        elif item.get("role") == "assistant":
            waiting = _whole("assistant", _content(item.get("content")), [])
        elif "role" in item:
            yield _whole(item["role"], _content(item.get("content")), [])
    if waiting is not None:
        yield waiting


def _google(contents: object) -> Iterator[Raw]:
    for content in _objects(contents):
        role = "assistant" if content.get("role") == "model" else "user"
        parts = list(_parts_of(content))
        for part in parts:
            answer = part.get("functionResponse")
            if isinstance(answer, dict):
                yield {"role": "tool", "content": _text(answer.get("response")), "toolCallId": answer.get("name")}
        used = [part["functionCall"] for part in parts if isinstance(part.get("functionCall"), dict)]
        shown = [part for part in parts if "functionCall" not in part and "functionResponse" not in part]
        if shown or used:
            calls = [_call(call.get("id"), call.get("name"), call.get("args")) for call in used]
            yield _whole(role, _content(shown), calls)


def _tools(tools: object) -> Iterator[Raw]:
    for tool in _objects(tools):
        declared = tool.get("functionDeclarations")
        yield from _objects(declared) if isinstance(declared, list) else (tool,)


def _parts_of(content: object) -> Iterable[Raw]:
    return _objects(content.get("parts")) if isinstance(content, dict) else ()


def _text(value: object) -> str:
    if isinstance(value, list):
        return _joined(_objects(value), "")
    return value if isinstance(value, str) else "" if value is None else stringify(value)


def _joined(parts: Iterable[Raw], joint: str, field: str = "text") -> str:
    return joint.join(part[field] for part in parts if isinstance(part.get(field), str))


def _objects(values: object) -> Iterator[Raw]:
    if isinstance(values, list):
        yield from (value for value in values if isinstance(value, dict))
