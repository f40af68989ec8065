"""The wire on JSON cases: request bodies, usage, cache keys, and what the trace keeps of a body."""

from collections.abc import Callable, Mapping
from typing import Any

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.evaluate.expanding import CaseError, Json, number, rows, section, text
from covel_inspector.engines.covel.evaluate.messages import Messages
from covel_inspector.engines.covel.textpack import TextPack, default_pack
from covel_inspector.engines.covel.wire import WireCall, WireError, WireTexts, build
from covel_inspector.engines.covel.wire.cache_key import prompt_cache_key
from covel_inspector.engines.covel.wire.observation import observe
from covel_inspector.engines.covel.wire.usage import read_usage, usage_json


def evaluate_wire(case: Mapping[str, Json], pack: TextPack) -> Json:
    """The result of one case, in the shape of its ``expected``; keys of a body in the order in which they are sent.

    Texts that ``pack`` lacks come from the default pack. Raises CaseError for a case that cannot be run.
    """
    given = section(case, "input")
    kind = text(given, "kind")
    if kind in _KINDS:
        return _KINDS[kind](case, given)
    if kind:
        raise CaseError(f"'{kind}' is no kind of case; there are {', '.join(_KINDS)}, and requests without a kind")
    return _request(case, given, default_pack().overlaid(pack))


def wire_call(case: Mapping[str, Json]) -> WireCall:
    """The call that a request case describes. Raises CaseError for a malformed one."""
    given, capability = section(case, "input"), section(section(case, "input"), "capability")
    window, limit = number(capability, "contextWindow"), number(capability, "maxOutputTokens")
    return WireCall(
        protocol=_protocol(case),
        model=text(given, "model"),
        messages=Messages(rows(given, "messages")).kernel,
        tools=rows(given, "tools"),
        stream=given.get("stream") is True,
        base_url=text(given, "baseUrl"),
        cache_strategy=text(given, "cacheStrategy"),
        metadata=section(given, "metadata"),
        defaults=section(given, "defaults"),
        response_format=given.get("responseFormat"),
        prompt_cache_key=text(given, "promptCacheKey"),
        window=None if window is None else int(window),
        output_limit=None if limit is None else int(limit),
        provider=text(given, "provider"),
    )


def _protocol(case: Mapping[str, Json]) -> Protocol:
    name = text(case, "protocol")
    if name not in list(Protocol):
        raise CaseError(f"'{name}' is no protocol; there are {', '.join(Protocol)}")
    return Protocol(name)


def _request(case: Mapping[str, Json], _given: Mapping[str, Json], pack: TextPack) -> dict[str, Any]:
    try:
        draft = build(wire_call(case), WireTexts.of(pack))
    except WireError as error:
        return {"error": error.code}
    return {"path": draft.path, "body": draft.body}


def _usage(case: Mapping[str, Json], given: Mapping[str, Json]) -> dict[str, Any]:
    replies = rows(given, "payloads") if "payloads" in given else [section(given, "payload")]
    return {"usage": usage_json(read_usage(_protocol(case), replies))}


def _cache_key(_case: Mapping[str, Json], given: Mapping[str, Json]) -> dict[str, Any]:
    return {"key": prompt_cache_key(text(given, "sessionId"), text(given, "runtimeId"))}


def _observe(_case: Mapping[str, Json], given: Mapping[str, Json]) -> dict[str, Any]:
    seen = observe(section(given, "body"))
    return {"body": seen.body, "complete": seen.complete, "omittedFieldCount": seen.omitted_field_count}


_KINDS: Mapping[str, Callable[[Mapping[str, Json], Mapping[str, Json]], dict[str, Any]]] = {
    "usage": _usage,
    "cache-key": _cache_key,
    "observe": _observe,
}
