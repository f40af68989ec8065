"""What a recorded body tells of its slot, found by reading it and by trying."""

import json
from dataclasses import replace
from typing import Any

import pytest
from wire_vectors import bodies, built, wire_pack

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.textpack import default_pack
from covel_inspector.engines.covel.wire import WireCall, WireTexts, build
from covel_inspector.engines.covel.wire.observation import observe
from covel_inspector.engines.covel.wire.settings import RecordedBody, settle

OURS, THEIRS = WireTexts.of(default_pack()), WireTexts.of(wire_pack())
PARAMETERS = {"maxOutputTokens": 321, "temperature": 0.4}


def forgotten(call: WireCall) -> WireCall:
    """The call as a trace keeps it: messages, tools, model, the runtime's preferences, and nothing of the slot."""
    return replace(call, metadata={}, base_url="", cache_strategy="", stream=False, window=None, output_limit=None)


@pytest.mark.parametrize("name", bodies())
def test_a_body_is_built_again_from_what_its_trace_shows(name: str) -> None:
    call, draft, _ = built(name)
    kept = observe(draft.body)
    recorded = RecordedBody(call.protocol, kept.body, kept.omitted_field_count)
    stream = call.stream if call.protocol is Protocol.GOOGLE else False
    settled = settle(replace(forgotten(call), stream=stream), THEIRS, recorded)
    again = observe(build(settled.call, settled.texts).body)
    assert json.dumps(again.body, sort_keys=True) == json.dumps(kept.body, sort_keys=True), settled.notes


def late_call(protocol: Protocol, **metadata: Any) -> WireCall:
    said = [
        KernelMessage(role="system", content="rules"),
        KernelMessage(role="user", content="before"),
        KernelMessage(role="system", content="context"),
        KernelMessage(role="user", content="now"),
    ]
    return WireCall(protocol, "m", said, metadata=metadata)


@pytest.mark.parametrize("protocol", [Protocol.OPENAI_CHAT, Protocol.OPENAI_RESPONSES, Protocol.GOOGLE])
@pytest.mark.parametrize("late", [True, False])
def test_the_way_of_late_system_messages_is_found(protocol: Protocol, late: bool) -> None:
    sent = build(late_call(protocol, lateSystemAsUser=late), OURS).body
    settled = settle(late_call(protocol), OURS, RecordedBody(protocol, observe(sent).body))
    assert build(settled.call, settled.texts).body == sent
    assert not [note for note in settled.notes if "differs" in str(note)]


def test_a_base_url_is_taken_from_a_reply_that_was_sent_back() -> None:
    items = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "Well."}]
    kept = {"protocol": "anthropic-messages-v1", "model": "m", "baseUrl": "https://relay.example/v2/", "items": items}
    said = [
        KernelMessage(role="user", content="so?"),
        KernelMessage(role="assistant", content="Well.", providerContinuation=kept),
        KernelMessage(role="user", content="go on"),
    ]
    call = WireCall(Protocol.ANTHROPIC, "m", said, base_url="https://relay.example/v2")
    sent = build(call, OURS)
    assert sent.path == "/v2/messages"
    assert sent.body["messages"][1]["content"] == items
    settled = settle(replace(call, base_url=""), OURS, RecordedBody(Protocol.ANTHROPIC, sent.body))
    assert build(settled.call, settled.texts).body == sent.body
    plain = build(replace(call, base_url=""), OURS).body
    settled = settle(replace(call, base_url=""), OURS, RecordedBody(Protocol.ANTHROPIC, plain))
    assert build(settled.call, settled.texts).body == plain


@pytest.mark.parametrize(("omitted", "has_key"), [(0, False), (1, True), (None, True)])
def test_a_cache_key_was_sent_only_where_a_field_is_missing(omitted: int | None, has_key: bool) -> None:
    call = replace(late_call(Protocol.OPENAI_CHAT), prompt_cache_key="covel-1")
    recorded = RecordedBody(Protocol.OPENAI_CHAT, observe(build(call, OURS).body).body, omitted)
    settled = settle(call, OURS, recorded)
    assert ("prompt_cache_key" in build(settled.call, settled.texts).body) is has_key
    told = " ".join(str(note) for note in settled.notes)
    assert ("no cache key" in told) is (omitted == 0)
    assert ("cache key is computed" in told) is (omitted == 1)


def test_a_body_that_cannot_be_explained_is_said_to_differ() -> None:
    call = late_call(Protocol.OPENAI_CHAT)
    sent = build(call, OURS).body
    sent = {**sent, "messages": [*sent["messages"], {"role": "user", "content": "from nowhere"}]}
    settled = settle(call, OURS, RecordedBody(Protocol.OPENAI_CHAT, sent))
    assert [str(note) for note in settled.notes] == ["the built body differs from the recorded one in: messages"]


def test_another_protocol_gets_what_both_know() -> None:
    call = late_call(Protocol.ANTHROPIC, parameterOverrides=PARAMETERS, metadata_only=1)
    sent = build(call, OURS).body
    recorded = RecordedBody(Protocol.ANTHROPIC, sent)
    chat = settle(late_call(Protocol.OPENAI_CHAT), OURS, recorded)
    body = build(chat.call, chat.texts).body
    assert (body["max_tokens"], body["temperature"]) == (321, 0.4)
    google = settle(late_call(Protocol.GOOGLE), OURS, recorded)
    assert build(google.call, google.texts).body["generationConfig"] == {"temperature": 0.4, "maxOutputTokens": 321}
    assert "recorded as anthropic-messages-v1, built as google-generative-ai-v1" in str(google.notes[0])
    gemini = RecordedBody(Protocol.GOOGLE, build(google.call, google.texts).body)
    back = settle(late_call(Protocol.ANTHROPIC), OURS, gemini)
    assert build(back.call, back.texts).body["max_tokens"] == 321


def test_fixed_texts_are_those_of_the_recording() -> None:
    said = [KernelMessage(role="system", content="rules"), KernelMessage(role="assistant", content="Once.")]
    call = WireCall(
        Protocol.ANTHROPIC, "m", said, response_format={"type": "json_schema", "schema": {"type": "object"}}
    )
    other = WireTexts("Begin.", "JSON please.", "[picture]")
    sent = build(call, other).body
    settled = settle(call, OURS, RecordedBody(Protocol.ANTHROPIC, sent))
    assert (settled.texts.opener, settled.texts.response_format_lead) == ("Begin.", "JSON please.")
    assert build(settled.call, settled.texts).body == sent
