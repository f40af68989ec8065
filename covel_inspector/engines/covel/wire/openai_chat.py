"""The body of ``openai-chat-v1``. Follows the reference on the wire, section 3."""

from collections.abc import Sequence
from typing import Any

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.wire.cache_key import key_to_send
from covel_inspector.engines.covel.wire.drafts import Draft, Ledger, WireCall, WireTexts
from covel_inspector.engines.covel.wire.messages import SYSTEM_ROLES, continuation, enveloped, format_text
from covel_inspector.engines.covel.wire.models import counts_completion_tokens
from covel_inspector.engines.covel.wire.openai_content import first_late, put_content
from covel_inspector.engines.covel.wire.pieces import Image, call_spot, call_text, reasoning_spot
from covel_inspector.engines.covel.wire.reasoning import apply_effort, effort_of
from covel_inspector.engines.covel.wire.texts import Text, quoted, unmarked
from covel_inspector.engines.covel.wire.tools import omits_choice, preferred_choice, tools_of

Json = Any

_PROTECTED = (
    "model",
    "messages",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "response_format",
    "input",
    "embeddingFormat",
    "parameterOverrides",
    "reasoning_effort",
    "reasoningEffort",
    "promptCacheKey",
    "lateSystemAsUser",
)
_DEFAULT_FIELD, _OWN_FIELD, _INLINE = "reasoning_content", "reasoning", "think"


def chat_body(call: WireCall, texts: WireTexts) -> Draft:
    """The request to a Chat endpoint. Keys in the order in which they are sent; streaming has another order."""
    ledger = Ledger()
    effort = effort_of(call)
    settings = {**call.forwarded(_PROTECTED), **_parameters(call)}
    apply_effort(call, effort, settings)
    tools: dict[str, Json] = {}
    own_choice = settings.get("tool_choice")
    if not call.tools or omits_choice(call, settings):
        settings.pop("tool_choice", None)
    elif own_choice is None:
        tools["tool_choice"] = preferred_choice(call, effort, settings)
    if call.tools:
        tools = {"tools": _tools(call, ledger), **tools}
    key = key_to_send(call)
    cache: dict[str, Json] = {"prompt_cache_key": key} if key else {}
    form: dict[str, Json] = {"response_format": {"type": "json_object"}} if call.schema is not None else {}
    body: dict[str, Json] = {"model": call.model, "messages": _messages(call, texts, ledger)}
    if call.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
        body |= {**form, **cache, **settings, **tools}
    else:
        body |= {**cache, **settings, **tools, **form}
    return Draft(Protocol.OPENAI_CHAT, call.path("/chat/completions"), body, ledger)


def _messages(call: WireCall, texts: WireTexts, ledger: Ledger) -> list[dict[str, Json]]:
    first = first_late(call)
    wanted = format_text(call, texts.response_format_lead)
    behind = _last_system(call.messages) if wanted is not None else None
    field = _reasoning_field(call)
    written: list[dict[str, Json]] = []
    if wanted is not None and behind is None:
        written.append(_format_message(wanted, is_late=False, ledger=ledger))
    for index, message in enumerate(call.messages):
        late = index >= first and message.role in SYSTEM_ROLES
        written.append(_message(call, index, message, field, late, ledger))
        if wanted is not None and index == behind:
            written.append(_format_message(wanted, is_late=index >= first, ledger=ledger))
    return written


def _last_system(messages: Sequence[KernelMessage]) -> int | None:
    return next((n for n in reversed(range(len(messages))) if messages[n].role == "system"), None)


def _format_message(text: Text, is_late: bool, ledger: Ledger) -> dict[str, Json]:
    whole: dict[str, Json] = {"role": "user" if is_late else "system"}
    ledger.put(whole, "content", enveloped(text) if is_late else text)
    return whole


def _message(
    call: WireCall, index: int, message: KernelMessage, reasoning_field: str, late: bool, ledger: Ledger
) -> dict[str, Json]:
    whole: dict[str, Json] = {"role": "user" if late else message.role}
    put_content(index, message, late, ledger, whole, _part)
    if message.role == "tool":
        whole["tool_call_id"] = message.tool_call_id or ""
    if message.role != "assistant":
        return whole
    if message.tool_calls and whole["content"] is None:
        whole["content"] = ""
    if message.reasoning_content and not _thought_inline(call, message):
        ledger.put(whole, reasoning_field, unmarked(quoted(message.reasoning_content, reasoning_spot(index, message))))
    if message.tool_calls:
        whole["tool_calls"] = [_call(index, message, number, ledger) for number in range(len(message.tool_calls))]
    return whole


def _call(index: int, message: KernelMessage, number: int, ledger: Ledger) -> dict[str, Json]:
    tool_call = (message.tool_calls or ())[number]
    spot = call_spot(index, message, number)
    whole: dict[str, Json] = {}
    ledger.put(whole, "id", call_text(tool_call, "id", spot))
    whole["type"] = "function"
    function: dict[str, Json] = {}
    ledger.put(function, "name", call_text(tool_call, "name", spot))
    ledger.put(function, "arguments", call_text(tool_call, "arguments", spot))
    whole["function"] = function
    return whole


def _part(piece: Text | Image, ledger: Ledger) -> dict[str, Json]:
    if isinstance(piece, Image):
        address: dict[str, Json] = {}
        ledger.put(address, "url", piece.url)
        return {"type": "image_url", "image_url": address}
    part: dict[str, Json] = {"type": "text"}
    ledger.put(part, "text", piece)
    return part


def _reasoning_field(call: WireCall) -> str:
    """The field in which this endpoint takes reasoning back: one for all messages."""
    for message in call.messages:
        if any(item.get("field") == _OWN_FIELD for item in continuation(call, message) or ()):
            return _OWN_FIELD
    return _DEFAULT_FIELD


def _thought_inline(call: WireCall, message: KernelMessage) -> bool:
    return any(item.get("field") == _INLINE for item in continuation(call, message) or ())


def _parameters(call: WireCall) -> dict[str, Json]:
    limit = "max_completion_tokens" if counts_completion_tokens(call.model) else "max_tokens"
    names = (
        ("temperature", "temperature"),
        ("topP", "top_p"),
        ("maxOutputTokens", limit),
        ("frequencyPenalty", "frequency_penalty"),
        ("presencePenalty", "presence_penalty"),
    )
    return {field: call.overrides[name] for name, field in names if call.overrides.get(name) is not None}


def _tools(call: WireCall, ledger: Ledger) -> list[dict[str, Json]]:
    """The kernel's tools as they are; those of a trace brought back into the kernel's shape."""
    written: list[dict[str, Json]] = []
    for tool, given in zip(tools_of(call), call.tools, strict=True):
        entry: dict[str, Json] = {}
        if "function" in given:
            for key, value in given.items():
                ledger.put_tree(entry, key, value, tool.spot.inside(key))
        else:
            function: dict[str, Json] = {}
            tool.put_names(ledger, function)
            if tool.parameters is not None:
                tool.put_schema(ledger, function, "parameters", tool.parameters)
            entry |= {"type": "function", "function": function}
        written.append(entry)
    return written
