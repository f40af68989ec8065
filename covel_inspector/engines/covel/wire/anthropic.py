"""The body of ``anthropic-messages-v1``. Follows the reference on the wire, section 2."""

from collections.abc import Mapping
from typing import Any

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.javascript import WHITESPACE
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.wire.drafts import EXPLICIT, Draft, Ledger, WireCall, WireTexts
from covel_inspector.engines.covel.wire.messages import arguments_of, continuation, enveloped, format_text, leading
from covel_inspector.engines.covel.wire.models import has_fixed_sampling, is_claude
from covel_inspector.engines.covel.wire.pieces import (
    Image,
    call_spot,
    call_text,
    continuation_spot,
    marked_texts,
    pieces,
    plain_text,
)
from covel_inspector.engines.covel.wire.reasoning import apply_effort, effort_of, is_thinking
from covel_inspector.engines.covel.wire.texts import Spot, Text, joined, split_at_marks, unmarked
from covel_inspector.engines.covel.wire.tools import anthropic_choice, tools_of

Json = Any

_PROTECTED = (
    "model",
    "messages",
    "stream",
    "max_tokens",
    "system",
    "tools",
    "tool_choice",
    "parameterOverrides",
    "reasoning_effort",
    "reasoningEffort",
    "promptCacheKey",
    "lateSystemAsUser",
)
_SAMPLING = (("temperature", "temperature"), ("topP", "top_p"), ("topK", "top_k"))
_MARKABLE = frozenset({"text", "image", "tool_use", "tool_result"})
_MOST_TOKENS = 16_384
_UNKNOWN_WINDOW = 32_768
_LEAST_TOP_P = 0.95
_BLANK_LINE = "\n\n"


def anthropic_body(call: WireCall, texts: WireTexts) -> Draft:
    """The request to Anthropic. Keys in the order in which they are sent."""
    ledger = Ledger()
    effort = effort_of(call)
    settings = _settings(call)
    apply_effort(call, effort, settings)
    body: dict[str, Json] = {"model": call.model, "max_tokens": _max_tokens(call)}
    if call.stream:
        body["stream"] = True
    count = leading(call.messages, ("system",))
    _put_system(call, texts, ledger, body, count)
    body["messages"] = _messages(call, texts, ledger, count)
    if call.tools:
        body["tools"] = _tools(call, ledger)
        choice = anthropic_choice(call, effort, settings)
        if choice is not None:
            body["tool_choice"] = choice
    body.update(_accepted(call.model, settings))
    return Draft(Protocol.ANTHROPIC, call.path("/messages"), body, ledger)


def _put_system(call: WireCall, texts: WireTexts, ledger: Ledger, body: dict[str, Json], count: int) -> None:
    """Set ``system``, from the leading system messages and the text that asks for structured output."""
    wanted = format_text(call, texts.response_format_lead)
    whole = joined(_BLANK_LINE, filter(None, (_system_text(n, call.messages[n], texts.image) for n in range(count))))
    if call.strategy != EXPLICIT or SENTINEL not in whole.string:
        plain = [text for text in (unmarked(whole), wanted) if text]
        if plain:
            ledger.put(body, "system", joined(_BLANK_LINE, plain))
        return
    closed = whole.string.endswith(SENTINEL)
    blocks = [piece for piece in map(_without_trailing_blanks, split_at_marks(whole)) if piece]
    markable = len(blocks) if closed else len(blocks) - 1
    if wanted is not None and (closed or not blocks):
        blocks.append(wanted)
    elif wanted is not None:
        blocks[-1] = joined(_BLANK_LINE, (blocks[-1], wanted))
    if not blocks:
        return
    written: list[dict[str, Json]] = []
    for number, text in enumerate(blocks):
        block: dict[str, Json] = {"type": "text"}
        ledger.put(block, "text", text)
        if number < markable and number in (0, markable - 1):
            _mark(block)
        written.append(block)
    body["system"] = written


def _system_text(index: int, message: KernelMessage, placeholder: str) -> Text:
    """The text of a leading system message with the engine's marks still in it."""
    found = marked_texts(index, message)
    if isinstance(message.content, list):
        images = sum(1 for piece in pieces(index, message) if isinstance(piece, Image))
        if images:
            return plain_text(index, message, placeholder, _BLANK_LINE)
    return found[0] if len(found) == 1 else joined(_BLANK_LINE, found)


def _mark(block: dict[str, Json]) -> None:
    block["cache_control"] = {"type": "ephemeral"}


def _without_trailing_blanks(text: Text) -> Text:
    return text.cut(0, len(text.string.rstrip(WHITESPACE)))


def _messages(call: WireCall, texts: WireTexts, ledger: Ledger, first: int) -> list[dict[str, Json]]:
    written: list[dict[str, Json]] = []
    history_end: int | None = None
    in_blocks = call.strategy == EXPLICIT
    for index in range(first, len(call.messages)):
        message = call.messages[index]
        role, content = message.role, message.content
        if role == "system":
            if history_end is None:
                history_end = len(written) - 1
            text = enveloped(plain_text(index, message, texts.image, _BLANK_LINE))
            written.append(_text_message("user", text, ledger, in_blocks))
        elif role == "tool":
            _add_result(index, message, texts, ledger, written)
        elif role in ("user", "assistant"):
            if type(content) is str and message.tool_calls is None and message.provider_continuation is None:
                written.append(_plain(role, index, content, ledger, in_blocks))
            else:
                written.append(_spoken(call, index, message, ledger, in_blocks))
    if written and written[0]["role"] != "user":
        written.insert(0, _text_message("user", Text(texts.opener), ledger, in_blocks))
        history_end = None if history_end is None else history_end + 1
    if in_blocks:
        _set_marks(written, history_end)
    return written


def _plain(role: str, index: int, content: str, ledger: Ledger, in_blocks: bool) -> dict[str, Json]:
    """A message whose content is one text."""
    if not in_blocks:
        whole: dict[str, Json] = {"role": role}
        ledger.put_content(whole, "content", index, content)
        return whole
    block: dict[str, Json] = {"type": "text"}
    ledger.put_content(block, "text", index, content)
    return {"role": role, "content": [block]}


def _text_message(role: str, text: Text, ledger: Ledger, in_blocks: bool) -> dict[str, Json]:
    if not in_blocks:
        whole: dict[str, Json] = {"role": role}
        ledger.put(whole, "content", text)
        return whole
    block: dict[str, Json] = {"type": "text"}
    ledger.put(block, "text", text)
    return {"role": role, "content": [block]}


def _spoken(call: WireCall, index: int, message: KernelMessage, ledger: Ledger, in_blocks: bool) -> dict[str, Json]:
    """A message of the player or of the model with calls, parts or native items."""
    blocks: list[dict[str, Json]] = []
    native = continuation(call, message)
    if native is not None:
        spot = continuation_spot(index, message)
        for number, item in enumerate(native):
            block: dict[str, Json] = {}
            for key, value in item.items():
                ledger.put_tree(block, key, value, spot.inside("items", number, key))
            blocks.append(block)
        return {"role": message.role, "content": blocks}
    calls = message.tool_calls or ()
    if not calls and isinstance(message.content, str):
        return _plain(message.role, index, message.content, ledger, in_blocks)
    for piece in pieces(index, message):
        if isinstance(piece, Image):
            blocks.append({"type": "image", "source": _image_source(piece, ledger)})
        elif piece or not calls:
            blocks.append({"type": "text"})
            ledger.put(blocks[-1], "text", piece)
    for number, tool_call in enumerate(calls):
        blocks.append(_tool_use(tool_call, call_spot(index, message, number), ledger))
    return {"role": message.role, "content": blocks}


def _image_source(image: Image, ledger: Ledger) -> dict[str, Json]:
    if image.address is not None:
        source: dict[str, Json] = {"type": "url"}
        ledger.put(source, "url", image.address)
        return source
    source = {"type": "base64", "media_type": image.media_type}
    ledger.put(source, "data", image.data)
    return source


def _tool_use(tool_call: Mapping[str, Json], spot: Spot, ledger: Ledger) -> dict[str, Json]:
    block: dict[str, Json] = {"type": "tool_use"}
    ledger.put(block, "id", call_text(tool_call, "id", spot))
    ledger.put(block, "name", call_text(tool_call, "name", spot))
    value, is_json = arguments_of(dict(tool_call))
    if is_json:
        ledger.put_tree(block, "input", value, spot.inside("arguments").inside())
    else:
        raw: dict[str, Json] = {}
        ledger.put(raw, "_raw", call_text(tool_call, "arguments", spot))
        block["input"] = raw
    return block


def _add_result(
    index: int, message: KernelMessage, texts: WireTexts, ledger: Ledger, written: list[dict[str, Json]]
) -> None:
    """A tool's result; the results of one reply share a message."""
    block: dict[str, Json] = {"type": "tool_result", "tool_use_id": message.tool_call_id or ""}
    ledger.put(block, "content", plain_text(index, message, texts.image))
    last = written[-1]["content"] if written else None
    if isinstance(last, list) and last and all(one.get("type") == "tool_result" for one in last):
        last.append(block)
    else:
        written.append({"role": "user", "content": [block]})


def _set_marks(written: list[dict[str, Json]], history_end: int | None) -> None:
    """The two marks in messages: the end of the request, and the end of the history."""
    last = next((n for n in reversed(range(len(written))) if _markable(written[n]) is not None), None)
    for number in {n for n in (last, history_end) if n is not None and n >= 0}:
        block = _markable(written[number])
        if block is not None:
            _mark(block)


def _markable(message: dict[str, Json]) -> dict[str, Json] | None:
    """The last block of a message that may carry a mark."""
    blocks: list[dict[str, Json]] = message["content"]
    return next((block for block in reversed(blocks) if block.get("type") in _MARKABLE), None)


def _tools(call: WireCall, ledger: Ledger) -> list[dict[str, Json]]:
    written: list[dict[str, Json]] = []
    for tool in tools_of(call):
        entry: dict[str, Json] = {}
        tool.put_names(ledger, entry)
        schema = tool.parameters if tool.parameters is not None else {"type": "object", "properties": {}}
        tool.put_schema(ledger, entry, "input_schema", schema)
        written.append(entry)
    return written


def _max_tokens(call: WireCall) -> Json:
    given = call.overrides.get("maxOutputTokens")
    if given is not None:
        return given
    limits = [_MOST_TOKENS, (call.window or _UNKNOWN_WINDOW) // 2]
    return min([*limits, call.output_limit] if call.output_limit else limits)


def _settings(call: WireCall) -> dict[str, Json]:
    settings = call.forwarded(_PROTECTED)
    for name, field_name in _SAMPLING:
        if call.overrides.get(name) is not None:
            settings[field_name] = call.overrides[name]
    return settings


def _accepted(model: str, settings: dict[str, Json]) -> dict[str, Json]:
    """The settings without the sampling that Claude refuses."""
    if not is_claude(model):
        return settings
    kept = dict(settings)
    if has_fixed_sampling(model):
        refused = ["temperature", "top_k", "top_p"]
    elif is_thinking(settings):
        refused = ["temperature", "top_k"]
        top_p = settings.get("top_p")
        if not (isinstance(top_p, int | float) and _LEAST_TOP_P <= top_p <= 1):
            refused.append("top_p")
    else:
        refused = []
    for name in refused:
        kept.pop(name, None)
    thinking, config = kept.get("thinking"), kept.get("output_config")
    if isinstance(thinking, Mapping) and thinking.get("type") == "disabled" and isinstance(config, Mapping):
        kept["output_config"] = {key: value for key, value in config.items() if key != "effort"}
    return kept
