"""Slot settings read off a recorded body, where no file gives them. Follows the reference on the wire, section 8."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from covel_inspector.domain import Protocol, Sentence, say
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.wire.building import build
from covel_inspector.engines.covel.wire.drafts import WITHOUT, Draft, WireCall, WireTexts
from covel_inspector.engines.covel.wire.marks import marked_paths
from covel_inspector.engines.covel.wire.models import DISABLED, NONE, thinking_of
from covel_inspector.engines.covel.wire.observation import observe
from covel_inspector.engines.covel.wire.reasoning import PROVIDER_DEFAULT

Json = Any

_SHAPED = frozenset({"model", "messages", "input", "contents", "system", "systemInstruction", "instructions", "tools"})
"""What a wire makes of the messages and tools themselves."""

_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_FORMAT_LEAD = re.compile(r"([^\n]*)\n<response-format>")
_PARAMETERS = (
    ("temperature", "temperature"),
    ("top_p", "topP"),
    ("top_k", "topK"),
    ("frequency_penalty", "frequencyPenalty"),
    ("presence_penalty", "presencePenalty"),
)
_LATE = "lateSystemAsUser"
_LATE_BY_DEFAULT = {Protocol.OPENAI_CHAT: False, Protocol.OPENAI_RESPONSES: False, Protocol.GOOGLE: True}
_KEYED = (Protocol.OPENAI_CHAT, Protocol.OPENAI_RESPONSES)


@dataclass(frozen=True, slots=True)
class RecordedBody:
    """A body of the trace. ``omitted`` counts the top-level fields that it left out; None when it does not say."""

    protocol: Protocol
    body: Mapping[str, Json]
    omitted: int | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A call with the settings in force, the texts of the engine that made it, and how both are known."""

    call: WireCall
    texts: WireTexts
    notes: tuple[Sentence, ...] = ()


def settle(call: WireCall, texts: WireTexts, recorded: RecordedBody) -> Settled:
    """The call with what its recorded body tells of the slot.

    For the body's own protocol every field of it that the call would not give is taken over, and what a body shows
    only in its messages (base URL, late system messages) is found by trying; for another protocol only the
    parameters that both know are. Raises WireError when the adapter refuses the request.
    """
    texts = _texts_of(call, texts, recorded)
    if call.protocol is not recorded.protocol:
        note = say(
            "recorded as {recorded}, built as {protocol}: with the parameters that both know",
            recorded=recorded.protocol.value,
            protocol=call.protocol.value,
        )
        overrides = {**_overrides(recorded.body), **call.overrides}
        return Settled(_with(call, {}, overrides), texts, (note,))
    call, notes = _read_off(call, texts, recorded.body)
    tried = list(_tries(call, recorded))
    chosen = next((one for one in tried if _is_same(build(one, texts), recorded.body)), tried[0])
    draft = build(chosen, texts)
    if not _is_same(draft, recorded.body):
        notes = (*notes, _difference(draft, recorded.body))
    if recorded.protocol in _KEYED:
        chosen, told = _with_key_as_recorded(chosen, draft, recorded)
        notes = (*notes, *told)
    return Settled(chosen, texts, notes)


def _read_off(call: WireCall, texts: WireTexts, recorded: Mapping[str, Json]) -> tuple[WireCall, tuple[Sentence, ...]]:
    """The call with the parameters and free settings that the body has."""
    generation = recorded.get("generationConfig")
    overrides = {key: value for key, value in call.overrides.items() if key != "maxOutputTokens"}
    limit = next((recorded[name] for name in _LIMITS if recorded.get(name) is not None), None)
    if limit is not None:
        overrides["maxOutputTokens"] = limit
    streams = call.stream if call.protocol is Protocol.GOOGLE else recorded.get("stream") is True
    call = _with(replace(call, stream=streams), {}, overrides)
    plain = build(call, texts).body
    taken = {
        key: value
        for key, value in recorded.items()
        if key not in _SHAPED and key not in _LIMITS and plain.get(key) != value
    }
    if not taken:
        return call, ()
    note = say("read off the recorded body: {fields}", fields=", ".join(taken))
    if "generationConfig" in taken and isinstance(generation, Mapping):
        del taken["generationConfig"]
        taken |= {key: value for key, value in generation.items() if not key.startswith("response")}
    level = taken.pop("reasoning_effort", None)
    if level is not None:
        overrides["reasoningEffort"] = _level_of(call, level)
    return _with(call, taken, overrides), (note,)


def _level_of(call: WireCall, written: Json) -> Json:
    """The level that a Chat body's ``reasoning_effort`` stands for: no effort is a level of some models only."""
    known = thinking_of(call.model, call.provider, call.protocol)
    return DISABLED if written == NONE and known is not None and NONE not in known.levels else written


def _tries(call: WireCall, recorded: RecordedBody) -> Iterator[WireCall]:
    """The call as it is, and in each way that its body could have come about otherwise."""
    bases = dict.fromkeys([call.base_url, *_continued_at(call)])
    for base in bases:
        based = replace(call, base_url=base)
        yield based
        if recorded.protocol in _LATE_BY_DEFAULT:
            now = call.metadata.get(_LATE)
            late = now if isinstance(now, bool) else _LATE_BY_DEFAULT[recorded.protocol]
            yield _with(based, {_LATE: not late}, based.overrides)
        elif next(marked_paths(recorded.body), None) is None:
            yield replace(based, cache_strategy=WITHOUT)
        if call.defaults.get("reasoningEffort") is not None:
            yield _with(based, {}, {**based.overrides, "reasoningEffort": PROVIDER_DEFAULT})


def _continued_at(call: WireCall) -> Iterator[str]:
    for message in call.messages:
        kept = message.provider_continuation
        if isinstance(kept, dict) and isinstance(kept.get("baseUrl"), str):
            yield kept["baseUrl"]


def _is_same(draft: Draft, recorded: Mapping[str, Json]) -> bool:
    return observe(draft.body).body == recorded


def _difference(draft: Draft, recorded: Mapping[str, Json]) -> Sentence:
    built = observe(draft.body).body
    fields = [key for key in dict.fromkeys([*recorded, *built]) if built.get(key) != recorded.get(key)]
    return say("the built body differs from the recorded one in: {fields}", fields=", ".join(fields))


def _with_key_as_recorded(
    call: WireCall, draft: Draft, recorded: RecordedBody
) -> tuple[WireCall, tuple[Sentence, ...]]:
    """The call without a cache key when the trace left out fewer fields than there would be with one."""
    if "prompt_cache_key" not in draft.body or recorded.omitted is None:
        return call, ()
    if recorded.omitted < observe(draft.body).omitted_field_count:
        note = say("no cache key: the trace left out no field that could have been one")
        return _with(call, {"promptCacheKey": False}, call.overrides), (note,)
    return call, (say("the cache key is computed: the trace never keeps it"),)


def _with(call: WireCall, metadata: Mapping[str, Json], overrides: Mapping[str, Json]) -> WireCall:
    settings = {**call.metadata, **metadata}
    settings.pop("parameterOverrides", None)
    if overrides:
        settings["parameterOverrides"] = dict(overrides)
    return replace(call, metadata=settings)


def _overrides(recorded: Mapping[str, Json]) -> dict[str, Json]:
    """Parameters of a body under the names that all wires share."""
    generation = recorded.get("generationConfig")
    if isinstance(generation, Mapping):
        names = [name for _, name in _PARAMETERS] + ["maxOutputTokens"]
        return {name: generation[name] for name in names if name in generation}
    found = {name: recorded[field] for field, name in _PARAMETERS if recorded.get(field) is not None}
    limit = next((recorded[name] for name in _LIMITS if recorded.get(name) is not None), None)
    return found if limit is None else {**found, "maxOutputTokens": limit}


def _texts_of(call: WireCall, texts: WireTexts, recorded: RecordedBody) -> WireTexts:
    """The fixed texts as the recording engine wrote them, where the body shows them."""
    body = recorded.body
    if call.schema is not None:
        places = (text for value in (body.get("system"), body.get("messages")) for text in _strings(value))
        lead = next((found[1] for text in places if (found := _FORMAT_LEAD.search(text))), None)
        texts = texts if lead is None else replace(texts, response_format_lead=lead)
    sent = body.get("messages")
    if recorded.protocol is Protocol.ANTHROPIC and _begins_with_the_model(call.messages) and isinstance(sent, list):
        opener = _strings(sent[0]) if sent and isinstance(sent[0], dict) and sent[0].get("role") == "user" else []
        texts = replace(texts, opener=opener[0]) if len(opener) == 1 else texts
    return texts


def _begins_with_the_model(messages: Sequence[KernelMessage]) -> bool:
    return next((message.role for message in messages if message.role != "system"), "") == "assistant"


def _strings(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for member in value for text in _strings(member)]
    if isinstance(value, Mapping):
        return [text for key in ("text", "content") for text in _strings(value.get(key))]
    return []
