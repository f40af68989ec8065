"""Slot settings read off a recorded body, where no file gives them. Follows the reference on the wire, section 8."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from covel_inspector.domain import Protocol, Sentence, say
from covel_inspector.engines.covel.wire.building import build
from covel_inspector.engines.covel.wire.drafts import WireCall, WireTexts

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


@dataclass(frozen=True, slots=True)
class Settled:
    """A call with the settings in force, and how they are known."""

    call: WireCall
    texts: WireTexts
    notes: tuple[Sentence, ...] = ()


def settle(call: WireCall, texts: WireTexts, recorded: Mapping[str, Json], protocol: Protocol) -> Settled:
    """The call with what its recorded body tells of the slot. ``protocol`` is that of the body.

    For the body's own protocol every field of it that the call would not give is taken over; for another one only
    the parameters that both know.
    """
    texts = _texts_of(texts, recorded)
    if call.protocol is not protocol:
        note = say("sent as {protocol}: parameters as far as both protocols know them", protocol=protocol.value)
        overrides = {**_overrides(recorded), **call.overrides}
        return Settled(_with(call, {}, overrides), texts, (note,))
    call = replace(call, stream=_is_streamed(call, recorded))
    limit = next((recorded[name] for name in _LIMITS if recorded.get(name) is not None), None)
    overrides = dict(call.overrides) if limit is None else {**call.overrides, "maxOutputTokens": limit}
    call = _with(call, {}, overrides)
    draft = build(call, texts)
    taken = {
        key: value
        for key, value in recorded.items()
        if key not in _SHAPED and key not in _LIMITS and draft.body.get(key) != value
    }
    if not taken:
        return Settled(call, texts)
    if isinstance(generation := taken.pop("generationConfig", None), Mapping):
        taken = {**taken, **generation}
    note = say("read off the recorded body: {fields}", fields=", ".join(taken))
    return Settled(_with(call, taken, call.overrides), texts, (note,))


def _with(call: WireCall, metadata: Mapping[str, Json], overrides: Mapping[str, Json]) -> WireCall:
    settings = {**call.metadata, **metadata}
    if overrides:
        settings["parameterOverrides"] = dict(overrides)
    return replace(call, metadata=settings)


def _is_streamed(call: WireCall, recorded: Mapping[str, Json]) -> bool:
    return call.stream if call.protocol is Protocol.GOOGLE else recorded.get("stream") is True


def _overrides(recorded: Mapping[str, Json]) -> dict[str, Json]:
    """Parameters of a body under the names that all wires share."""
    generation = recorded.get("generationConfig")
    if isinstance(generation, Mapping):
        names = [name for _, name in _PARAMETERS] + ["maxOutputTokens"]
        return {name: generation[name] for name in names if name in generation}
    found = {name: recorded[field] for field, name in _PARAMETERS if recorded.get(field) is not None}
    limit = next((recorded[name] for name in _LIMITS if recorded.get(name) is not None), None)
    return found if limit is None else {**found, "maxOutputTokens": limit}


def _texts_of(texts: WireTexts, recorded: Mapping[str, Json]) -> WireTexts:
    """The fixed texts as this engine writes them, where the body shows them."""
    for value in (recorded.get("system"), recorded.get("messages")):
        for text in _strings(value):
            found = _FORMAT_LEAD.search(text)
            if found is not None:
                return replace(texts, response_format_lead=found[1])
    return texts


def _strings(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for member in value for text in _strings(member)]
    if isinstance(value, Mapping):
        return [text for key in ("text", "content") for text in _strings(value.get(key))]
    return []
