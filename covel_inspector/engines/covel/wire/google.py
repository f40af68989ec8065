"""The body of ``google-generative-ai-v1``. Follows the reference on the wire, section 5."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.wire.drafts import Draft, Ledger, WireCall, WireTexts
from covel_inspector.engines.covel.wire.google_contents import contents
from covel_inspector.engines.covel.wire.google_schema import with_enums
from covel_inspector.engines.covel.wire.messages import schema_spot
from covel_inspector.engines.covel.wire.models import refuses_penalties
from covel_inspector.engines.covel.wire.reasoning import Effort, effort_of, google_thinking
from covel_inspector.engines.covel.wire.tools import google_choice, tools_of

Json = Any

_GENERATION = (
    "temperature",
    "topP",
    "topK",
    "frequencyPenalty",
    "presencePenalty",
    "stopSequences",
    "seed",
    "maxOutputTokens",
)
_PENALTIES = ("frequencyPenalty", "presencePenalty")
_PASSED_ON = ("cachedContent", "safetySettings", "labels")
_SAFE_IN_PATHS = "-_.!~*'()"


def google_body(call: WireCall, texts: WireTexts) -> Draft:
    """The request to Gemini. Keys in the order in which they are sent; the model stands in the path.

    Raises WireError for what the adapter refuses: results nobody called for, calls without an object of arguments,
    signed thoughts of another model, pictures at other people's addresses.
    """
    ledger = Ledger()
    effort = effort_of(call)
    written, system = contents(call, texts, ledger)
    body: dict[str, Json] = {"contents": written}
    if system:
        body["systemInstruction"] = {"parts": system}
    body["generationConfig"] = _generation(call, effort, ledger)
    body |= {name: call.metadata[name] for name in _PASSED_ON if call.metadata.get(name) is not None}
    if call.tools:
        body["tools"] = [{"functionDeclarations": _declarations(call, ledger)}]
        body["toolConfig"] = google_choice(call, effort)
    model = quote(call.model.removeprefix("models/"), safe=_SAFE_IN_PATHS)
    action = "streamGenerateContent?alt=sse" if call.stream else "generateContent"
    return Draft(Protocol.GOOGLE, call.path(f"/models/{model}:{action}"), body, ledger)


def _generation(call: WireCall, effort: Effort, ledger: Ledger) -> dict[str, Json]:
    own = call.metadata.get("generationConfig")
    layers: list[Mapping[str, Json]] = [own if isinstance(own, Mapping) else {}, call.metadata, call.overrides]
    dropped = _PENALTIES if refuses_penalties(call.model) else ()
    config: dict[str, Json] = {}
    for name in _GENERATION:
        values = [layer[name] for layer in layers if layer.get(name) is not None]
        if values and name not in dropped:
            config[name] = values[-1]
    inherited = [layer["thinkingConfig"] for layer in layers if layer.get("thinkingConfig") is not None]
    thinking = google_thinking(effort, inherited[-1] if inherited else None)
    if thinking is not None:
        config["thinkingConfig"] = thinking
    if call.schema is not None:
        config["responseMimeType"] = "application/json"
        ledger.put_tree(config, "responseJsonSchema", call.schema, schema_spot(call))
    return config


def _declarations(call: WireCall, ledger: Ledger) -> list[dict[str, Json]]:
    written: list[dict[str, Json]] = []
    for tool in tools_of(call):
        entry: dict[str, Json] = {}
        tool.put_names(ledger, entry)
        if tool.parameters is not None:
            tool.put_schema(ledger, entry, "parametersJsonSchema", with_enums(tool.parameters))
        written.append(entry)
    return written
