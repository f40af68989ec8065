"""The body of ``openai-responses-v1``. Follows the reference on the wire, section 4."""

import re
from collections.abc import Mapping
from typing import Any

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.wire.cache_key import key_to_send
from covel_inspector.engines.covel.wire.drafts import Draft, Ledger, WireCall, WireTexts
from covel_inspector.engines.covel.wire.messages import SYSTEM_ROLES, continuation, schema_spot
from covel_inspector.engines.covel.wire.models import DISABLED, NONE, summarises_reasoning
from covel_inspector.engines.covel.wire.openai_content import first_late, put_content
from covel_inspector.engines.covel.wire.pieces import Image, call_spot, call_text, continuation_spot, plain_text
from covel_inspector.engines.covel.wire.reasoning import apply_effort, effort_of
from covel_inspector.engines.covel.wire.texts import Spot, Text
from covel_inspector.engines.covel.wire.tools import preferred_choice, tools_of

Json = Any

_PROTECTED = (
    "model",
    "input",
    "stream",
    "text",
    "tools",
    "tool_choice",
    "promptCacheKey",
    "parameterOverrides",
    "reasoning_effort",
    "reasoningEffort",
    "lateSystemAsUser",
)
_ENCRYPTED = "reasoning.encrypted_content"
_PARAMETERS = (("temperature", "temperature"), ("topP", "top_p"), ("maxOutputTokens", "max_output_tokens"))
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64


def responses_body(call: WireCall, texts: WireTexts) -> Draft:
    """The request to a Responses endpoint. Keys in the order in which they are sent."""
    ledger = Ledger()
    effort = effort_of(call)
    settings = _settings(call)
    apply_effort(call, effort, settings)
    _ask_for_summary(call, settings)
    key = key_to_send(call)
    body: dict[str, Json] = {"model": call.model, "store": False}
    if key:
        body["prompt_cache_key"] = key
    body |= settings
    keeps = body["store"] is True
    if not keeps and _effort_in(settings) not in (NONE, DISABLED):
        listed = settings.get("include")
        included = list(listed) if isinstance(listed, list) else []
        body["include"] = included if _ENCRYPTED in included else [*included, _ENCRYPTED]
    body["input"] = _input(call, texts, ledger, keeps)
    if call.stream:
        body["stream"] = True
    if call.schema is not None:
        form: dict[str, Json] = {"type": "json_schema", "name": _format_name(call.schema)}
        ledger.put_tree(form, "schema", call.schema, schema_spot(call))
        body["text"] = {"format": form}
    if call.tools:
        body["tools"] = _tools(call, ledger)
        body["tool_choice"] = preferred_choice(call, effort, settings)
    return Draft(Protocol.OPENAI_RESPONSES, call.path("/responses"), body, ledger)


def _settings(call: WireCall) -> dict[str, Json]:
    settings = call.forwarded(_PROTECTED)
    for name, field in _PARAMETERS:
        if call.overrides.get(name) is not None:
            settings[field] = call.overrides[name]
    return settings


def _ask_for_summary(call: WireCall, settings: dict[str, Json]) -> None:
    """Known models give a summary of their reasoning, unless the slot says otherwise or there is no reasoning."""
    reasoning = settings.get("reasoning")
    fields = reasoning if isinstance(reasoning, Mapping) else {}
    if summarises_reasoning(call.model) and fields.get("summary") is None and fields.get("effort") != NONE:
        settings["reasoning"] = {"summary": "auto", **fields}


def _effort_in(settings: Mapping[str, Json]) -> Json:
    reasoning = settings.get("reasoning")
    return reasoning.get("effort") if isinstance(reasoning, Mapping) else None


def _input(call: WireCall, texts: WireTexts, ledger: Ledger, keeps: bool) -> list[dict[str, Json]]:
    first = first_late(call)
    items: list[dict[str, Json]] = []
    for index, message in enumerate(call.messages):
        native = continuation(call, message)
        if native is not None:
            items.extend(_native(native, continuation_spot(index, message), ledger, keeps))
        elif message.role == "tool":
            result: dict[str, Json] = {"type": "function_call_output", "call_id": message.tool_call_id or ""}
            ledger.put(result, "output", plain_text(index, message, texts.image))
            items.append(result)
        else:
            items.extend(_spoken(index, message, index >= first and message.role in SYSTEM_ROLES, ledger))
    return items


def _spoken(index: int, message: KernelMessage, is_late: bool, ledger: Ledger) -> list[dict[str, Json]]:
    calls = message.tool_calls if message.role == "assistant" else None
    items: list[dict[str, Json]] = []
    if not calls or message.content:
        whole: dict[str, Json] = {"role": "user" if is_late else message.role}
        put_content(index, message, is_late, ledger, whole, _part)
        items.append(whole)
    for number, tool_call in enumerate(calls or ()):
        spot = call_spot(index, message, number)
        item: dict[str, Json] = {"type": "function_call"}
        ledger.put(item, "call_id", call_text(tool_call, "id", spot))
        ledger.put(item, "name", call_text(tool_call, "name", spot))
        ledger.put(item, "arguments", call_text(tool_call, "arguments", spot))
        items.append(item)
    return items


def _native(native: list[dict[str, Json]], spot: Spot, ledger: Ledger, keeps: bool) -> list[dict[str, Json]]:
    """A reply's own items. Where nothing is stored, reasoning that cannot be read back goes, and ids with it."""
    shown = [(number, item) for number, item in enumerate(native) if keeps or not _is_lost(item)]
    with_ids = len(shown) == len(native)
    items: list[dict[str, Json]] = []
    for number, item in shown:
        whole: dict[str, Json] = {}
        for key, value in item.items():
            if with_ids or key != "id":
                ledger.put_tree(whole, key, value, spot.inside("items", number, key))
        items.append(whole)
    return items


def _is_lost(item: Mapping[str, Json]) -> bool:
    return item.get("type") == "reasoning" and not item.get("encrypted_content")


def _part(piece: Text | Image, ledger: Ledger) -> dict[str, Json]:
    part: dict[str, Json] = {}
    if isinstance(piece, Image):
        part["type"] = "input_image"
        ledger.put(part, "image_url", piece.url)
    else:
        part["type"] = "input_text"
        ledger.put(part, "text", piece)
    return part


def _format_name(schema: Json) -> str:
    named = schema if isinstance(schema, Mapping) else {}
    name = next((named[key] for key in ("title", "$id") if isinstance(named.get(key), str) and named[key]), "")
    return _NOT_IN_A_NAME.sub("_", name)[:_LONGEST_NAME] or "structured_output"


def _tools(call: WireCall, ledger: Ledger) -> list[dict[str, Json]]:
    written: list[dict[str, Json]] = []
    for tool in tools_of(call):
        entry: dict[str, Json] = {"type": "function"}
        tool.put_names(ledger, entry)
        if tool.parameters is None:
            entry["parameters"] = {}
        else:
            tool.put_schema(ledger, entry, "parameters", tool.parameters)
        entry["strict"] = False
        written.append(entry)
    return written
