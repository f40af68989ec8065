"""The body of a call: as it was recorded, or built from the recorded or the rebuilt request."""

from dataclasses import dataclass, replace
from typing import Any

from covel_inspector.domain import BodySource, Protocol, SegmentTree, WireBody, say
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.manifests import Checkout
from covel_inspector.engines.covel.records.unflatten import kernel_request
from covel_inspector.engines.covel.textpack import TextPack
from covel_inspector.engines.covel.wire import Draft, WireCall, WireError, WireTexts, build, wire_body
from covel_inspector.engines.covel.wire.boundaries import all_boundaries, provider_boundaries
from covel_inspector.engines.covel.wire.cache_key import prompt_cache_key
from covel_inspector.engines.covel.wire.marks import marks
from covel_inspector.engines.covel.wire.places import holds
from covel_inspector.engines.covel.wire.settings import RecordedBody, Settled, settle

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
    is_recorded: bool = True


def recorded_wire(question: WireQuestion, protocol: Protocol | None) -> WireBody | None:
    """The recorded body; None when none was recorded, or not of this protocol."""
    recorded = question.payload.answered_body
    own = recorded_protocol(question.payload)
    if recorded is None or own is None or protocol not in (None, own):
        return None
    notes = () if question.payload.is_complete else (_INCOMPLETE,)
    bare = WireBody(own, BodySource.RECORDED, recorded, notes=notes)
    draft = _draft(question, own)
    if draft is None:
        return bare
    request = question.tree.request
    traced = wire_body(draft, request, BodySource.RECORDED).traces
    traces = tuple(trace for trace in traced if holds(trace, recorded, request))
    return replace(bare, traces=traces, marks=marks(draft, request, recorded))


def built_wire(question: WireQuestion, protocol: Protocol | None, source: BodySource) -> WireBody | None:
    """The body that the embedded wire builds; None when no protocol is known.

    What the adapter would refuse to send has an empty body, and a note that says why.
    """
    wanted = protocol or recorded_protocol(question.payload)
    if wanted is None:
        return None
    try:
        settled = _settled(question, wanted)
        draft = build(settled.call, settled.texts)
    except WireError as error:
        note = say("the adapter refuses this request, so nothing would be sent: {reason}", reason=error.sentence)
        return WireBody(wanted, source, {}, notes=(note,))
    return wire_body(draft, question.tree.request, source, (*settled.notes, _NO_BASE_URL))


def with_provider_boundaries(question: WireQuestion) -> SegmentTree:
    """The question's tree with the boundaries of its provider beside those of the engine.

    Those of a recorded request are read off its body, those of a rebuilt one are built. Without a known protocol, or
    where the adapter would refuse the request, the tree stays as it is.
    """
    tree, payload = question.tree, question.payload
    protocol = recorded_protocol(payload)
    draft = _draft(question, protocol) if protocol is not None else None
    if draft is None:
        return tree
    recorded = payload.answered_body if question.is_recorded else None
    body = WireBody(draft.protocol, BodySource.RECORDED, draft.body, marks=marks(draft, tree.request, recorded))
    found = all_boundaries(tree.boundaries, provider_boundaries(body, tree.request))
    return replace(tree, boundaries=found)


def recorded_protocol(payload: RecordedCall) -> Protocol | None:
    """The protocol of a call's last request, when it is one of ours."""
    name = payload.protocol
    return Protocol(name) if name in list(Protocol) else None


def _draft(question: WireQuestion, protocol: Protocol) -> Draft | None:
    """The built body; None when the adapter refuses the request."""
    try:
        settled = _settled(question, protocol)
        return build(settled.call, settled.texts)
    except WireError:
        return None


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
    return settle(call, texts, RecordedBody(own, recorded, payload.omitted_fields))
