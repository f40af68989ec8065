"""The body of a call: as it was recorded, or built from the recorded or the rebuilt request."""

from dataclasses import dataclass, replace
from typing import Any

from covel_inspector.domain import BodySource, Protocol, SegmentTree, Sentence, WireBody, WireMark, say
from covel_inspector.engines.covel.rebuild.unsent import UNKNOWN_LINE
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.manifests import Checkout, SlotLimits
from covel_inspector.engines.covel.records.unflatten import kernel_request
from covel_inspector.engines.covel.textpack import TextPack
from covel_inspector.engines.covel.wire import Draft, WireCall, WireError, WireTexts, build, wire_body
from covel_inspector.engines.covel.wire.boundaries import all_boundaries, provider_boundaries
from covel_inspector.engines.covel.wire.cache_key import prompt_cache_key
from covel_inspector.engines.covel.wire.marks import marked_paths, marks
from covel_inspector.engines.covel.wire.places import holds
from covel_inspector.engines.covel.wire.settings import RecordedBody, Settled, settle

_NO_BASE_URL = say("the base URL is not recorded: the provider's own address is assumed")
_NO_BODY = say("no body was recorded: the slot's settings are those of the protocol")
_TOO_DEEP = say("the body cannot be built: what it holds is nested too deeply")
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
    lender: str = ""
    """Turn whose call lends what is known beside the messages, for a request that was never sent."""

    @property
    def limits(self) -> SlotLimits | None:
        """What the slot's file says of the call's slot."""
        return self.checkout.slots.get(self.payload.slot or "") if self.checkout is not None else None


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
    wanted = protocol or recorded_protocol(question.payload) or _slot_protocol(question)
    if wanted is None:
        return None
    try:
        settled = _settled(question, wanted)
        draft = build(settled.call, settled.texts)
    except WireError as error:
        note = say("the adapter refuses this request, so nothing would be sent: {reason}", reason=error.sentence)
        return WireBody(wanted, source, {}, notes=(note,))
    except RecursionError:
        return WireBody(wanted, source, {}, notes=(_TOO_DEEP,))
    notes = settled.notes if not question.lender else _lent_notes(question)
    return wire_body(draft, question.tree.request, source, (*notes, _NO_BASE_URL))


def _lent_notes(question: WireQuestion) -> tuple[Sentence, ...]:
    told = say(
        "this request was never sent: this body is built from the rebuilt request, for the protocol of the runtime's "
        "call of turn {turn}",
        turn=question.lender,
    )
    if all(part.text != UNKNOWN_LINE for part in question.tree.request.parts):
        return (told,)
    return told, say("{mark} stands where the player's text was, which is stored nowhere", mark=UNKNOWN_LINE)


def with_provider_boundaries(question: WireQuestion) -> SegmentTree:
    """The question's tree with the boundaries of its provider beside those of the engine.

    Those of a recorded request are read off its body, those of a rebuilt one are built. Without a known protocol the
    tree stays as it is.
    """
    tree, protocol = question.tree, recorded_protocol(question.payload)
    if protocol is None:
        return tree
    found = _provider_marks(question) if protocol is Protocol.ANTHROPIC else ()
    provider = provider_boundaries(protocol, found, tree.request)
    return replace(tree, boundaries=all_boundaries(tree.boundaries, provider))


def _provider_marks(question: WireQuestion) -> tuple[WireMark, ...]:
    """Where Anthropic's marks stand. What the slot sets matters only where a reply's own items are sent back."""
    request = question.tree.request
    body = question.payload.answered_body
    if body is not None and next(marked_paths(body), None) is None:
        return ()  # A slot that caches nothing.
    recorded = body if question.is_recorded else None
    call, texts = _call(question, Protocol.ANTHROPIC), WireTexts.of(question.pack)
    try:
        found = marks(build(call, texts), request, recorded)
        if all(mark.place is not None for mark in found):
            return found
        draft = _draft(question, Protocol.ANTHROPIC)
        return found if draft is None else marks(draft, request, recorded)
    except RecursionError:
        return ()


def recorded_protocol(payload: RecordedCall) -> Protocol | None:
    """The protocol of a call's last request, when it is one of ours."""
    return _protocol(payload.protocol)


def _slot_protocol(question: WireQuestion) -> Protocol | None:
    limits = question.limits
    return _protocol(limits.protocol) if limits is not None else None


def _protocol(name: str) -> Protocol | None:
    return Protocol(name) if name in list(Protocol) else None


def _draft(question: WireQuestion, protocol: Protocol) -> Draft | None:
    """The built body; None when the adapter refuses the request."""
    try:
        settled = _settled(question, protocol)
        return build(settled.call, settled.texts)
    except (WireError, RecursionError):
        return None


def _call(question: WireQuestion, protocol: Protocol) -> WireCall:
    """The call as far as the payload and the slot's file tell it."""
    payload, request = question.payload, kernel_request(question.tree.request)
    limits = question.limits
    metadata: dict[str, Any] = {}
    if payload.max_output_tokens is not None:
        metadata["parameterOverrides"] = {"maxOutputTokens": payload.max_output_tokens}
    if limits is not None and limits.late_system_as_user is not None:
        metadata["lateSystemAsUser"] = limits.late_system_as_user
    if limits is not None and limits.prompt_cache_key is not None:
        metadata["promptCacheKey"] = limits.prompt_cache_key
    return WireCall(
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


def _settled(question: WireQuestion, protocol: Protocol) -> Settled:
    payload, call, texts = question.payload, _call(question, protocol), WireTexts.of(question.pack)
    recorded, own = payload.answered_body, recorded_protocol(payload)
    if recorded is None or own is None:
        return Settled(call, texts, (_NO_BODY,))
    return settle(call, texts, RecordedBody(own, recorded, payload.omitted_fields))
