"""The body of a call: as it was recorded, or built from the recorded or the rebuilt request."""

from dataclasses import dataclass, replace
from typing import Any

from covel_inspector.domain import BodySource, Protocol, SegmentTree, WireBody, say
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.manifests import Checkout
from covel_inspector.engines.covel.records.unflatten import kernel_request
from covel_inspector.engines.covel.textpack import TextPack
from covel_inspector.engines.covel.wire import WireCall, WireError, WireTexts, wire_body
from covel_inspector.engines.covel.wire.cache_key import prompt_cache_key
from covel_inspector.engines.covel.wire.settings import Settled, draft_of, settle
from covel_inspector.engines.covel.wire.tracing import holds

_NO_BASE_URL = say("the base URL is not recorded: the provider's own address is assumed")
_NO_BODY = say("no body was recorded: the slot's settings are those of the protocol")
_INCOMPLETE = say("the trace left out fields of the body, or an address in it")


@dataclass(frozen=True, slots=True)
class WireQuestion:
    """What is known of a call whose body is wanted. ``tree`` is recorded or rebuilt, as the body is to be."""

    session: str
    payload: RecordedCall
    tree: SegmentTree
    pack: TextPack
    checkout: Checkout | None = None


def recorded_wire(question: WireQuestion, protocol: Protocol | None) -> WireBody | None:
    """The recorded body; None when none was recorded, or not of this protocol."""
    recorded = question.payload.answered_body
    own = recorded_protocol(question.payload)
    if recorded is None or own is None or protocol not in (None, own):
        return None
    notes = () if question.payload.is_complete else (_INCOMPLETE,)
    bare = WireBody(own, BodySource.RECORDED, recorded, notes=notes)
    try:
        built = _built(question, _settled(question, own), BodySource.RECORDED)
    except WireError:
        return bare
    request = question.tree.request
    traces = tuple(trace for trace in built.traces if holds(trace, recorded, request))
    return replace(bare, traces=traces, marks=built.marks if built.body == recorded else ())


def built_wire(question: WireQuestion, protocol: Protocol | None, source: BodySource) -> WireBody | None:
    """The body that the embedded wire builds; None when no protocol is known or the adapter would refuse."""
    wanted = protocol or recorded_protocol(question.payload)
    if wanted is None:
        return None
    try:
        return _built(question, _settled(question, wanted), source)
    except WireError:
        return None


def recorded_protocol(payload: RecordedCall) -> Protocol | None:
    """The protocol of a call's last request, when it is one of ours."""
    name = payload.protocol
    return Protocol(name) if name in list(Protocol) else None


def _built(question: WireQuestion, settled: Settled, source: BodySource) -> WireBody:
    body = wire_body(draft_of(settled), question.tree.request, source)
    return replace(body, notes=(*settled.notes, _NO_BASE_URL))


def _settled(question: WireQuestion, protocol: Protocol) -> Settled:
    payload, request = question.payload, kernel_request(question.tree.request)
    limits = question.checkout.slots.get(payload.slot or "") if question.checkout is not None else None
    metadata: dict[str, Any] = {}
    if payload.max_output_tokens is not None:
        metadata["parameterOverrides"] = {"maxOutputTokens": payload.max_output_tokens}
    if limits is not None and limits.late_system_as_user is not None:
        metadata["lateSystemAsUser"] = limits.late_system_as_user
    if limits is not None and limits.prompt_cache_key is not None:
        metadata["promptCacheKey"] = limits.prompt_cache_key
    call = WireCall(
        protocol=protocol,
        model=payload.model or "",
        messages=request.messages,
        tools=request.tools,
        stream=payload.streaming is True,
        metadata=metadata,
        defaults=payload.defaults if isinstance(payload.defaults, dict) else {},
        response_format=request.response_format,
        prompt_cache_key=prompt_cache_key(question.session, payload.runtime_id or ""),
        window=limits.window if limits is not None else None,
        provider=payload.provider or "",
    )
    texts = WireTexts.of(question.pack)
    recorded, own = payload.answered_body, recorded_protocol(payload)
    if recorded is None or own is None:
        return Settled(call, texts, (_NO_BODY,))
    return settle(call, texts, recorded, own)
