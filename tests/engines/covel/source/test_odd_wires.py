"""Recordings that nobody sane would write: a body is shown, built, or said to be impossible, but nothing breaks."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covel_inspector.domain import BodySource, Protocol, SegmentTree
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.source.wires import (
    WireQuestion,
    built_wire,
    recorded_wire,
    with_provider_boundaries,
)
from covel_inspector.engines.covel.textpack import default_pack
from covel_inspector.engines.covel.wire.places import holds

WORDS = st.sampled_from(
    (
        "",
        "x",
        "text",
        "user",
        "system",
        "high",
        "none",
        "enabled",
        "{",
        '{"a":"b"}',
        "<response-format>",
        "a\n<response-format>",
    )
)
ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2**60), st.floats(allow_nan=False), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=8,
)
FIELDS = (
    "model", "messages", "system", "input", "contents", "systemInstruction", "instructions", "tools", "tool_choice",
    "stream", "max_tokens", "temperature", "thinking", "reasoning", "reasoning_effort", "output_config", "store",
    "generationConfig", "response_format", "text", "enable_thinking", "thinkingConfig", "parameterOverrides",
)  # fmt: skip
BLOCK = st.dictionaries(
    st.sampled_from(("type", "text", "cache_control", "content", "role", "tool_use_id")),
    st.one_of(WORDS, ANY),
    max_size=4,
)
BODY = st.dictionaries(st.sampled_from(FIELDS), st.one_of(ANY, st.lists(BLOCK, max_size=3)), max_size=6)
TOOL_CALL = st.dictionaries(st.sampled_from(("id", "name", "arguments")), ANY, max_size=3)
TOOL = st.dictionaries(st.sampled_from(("name", "description", "jsonSchema", "function")), ANY)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(("system", "user", "assistant", "tool", "developer", "other"))},
    optional={
        "content": st.one_of(ANY, WORDS),
        "toolCalls": st.lists(
            st.dictionaries(st.sampled_from(("id", "name", "arguments")), ANY, max_size=3), max_size=2
        ),
        "toolCallId": WORDS,
        "reasoningContent": WORDS,
        "providerContinuation": st.one_of(
            ANY,
            st.fixed_dictionaries(
                {
                    "protocol": st.sampled_from([protocol.value for protocol in Protocol]),
                    "model": st.just("m"),
                    "baseUrl": st.sampled_from(
                        ("https://relay.example/v1", "https://api.openai.com/v1", "::", "http://[")
                    ),
                    "items": st.lists(st.dictionaries(WORDS, ANY, max_size=3), max_size=2),
                }
            ),
        ),
    },
)
CALL = st.fixed_dictionaries(
    {
        "messages": st.lists(MESSAGE, max_size=4),
        "tools": st.lists(TOOL, max_size=2),
        "model": st.sampled_from(("m", "claude-opus-4-6", "gpt-5", "qwen3.8-max", "gemini-2.5-pro", "deepseek-chat")),
        "providerRequests": st.lists(
            st.fixed_dictionaries(
                {"protocol": st.sampled_from([protocol.value for protocol in Protocol]), "body": BODY},
                optional={"complete": st.booleans(), "omittedFieldCount": st.integers(0, 3)},
            ),
            max_size=2,
        ),
        "defaults": st.one_of(ANY, st.just({"reasoningEffort": "disabled", "toolChoice": "required"})),
        "responseFormat": ANY,
    }
)  # fmt: skip


def question(call: RecordedCall) -> WireQuestion:
    request = request_of(call.messages, call.tools, call.response_format)
    return WireQuestion("s", call, SegmentTree(request, ()), default_pack())


@settings(max_examples=150, deadline=None)
@given(CALL)
def test_any_recording_gives_a_body_or_none(written: dict[str, Any]) -> None:
    asked = question(RecordedCall.model_validate(json.loads(json.dumps(written))))
    request = asked.tree.request
    shown = recorded_wire(asked, None)
    if shown is not None:
        assert shown.body == asked.payload.answered_body
        assert all(holds(trace, shown.body, request) for trace in shown.traces)
    for protocol in Protocol:
        built = built_wire(asked, protocol, BodySource.BUILT_FROM_RECORDED)
        assert built is not None
        assert all(holds(trace, built.body, request) for trace in built.traces)
        assert all(mark.place is None or mark.place.part < len(request.parts) for mark in built.marks)
    places = [boundary.place for boundary in with_provider_boundaries(asked).boundaries]
    assert places == sorted(set(places))
    assert all(place.end <= len(request.parts[place.part].text) for place in places)


@pytest.mark.parametrize("protocol", Protocol)
def test_deep_nesting_is_refused_in_words(protocol: Protocol) -> None:
    deep: Any = "x"
    for _ in range(3000):
        deep = [deep]
    call = RecordedCall(
        messages=({"role": "user", "content": "hello"},),
        providerRequests=({"protocol": protocol.value, "body": {"messages": [], "temperature": deep}},),
    )
    built = built_wire(question(call), protocol, BodySource.BUILT_FROM_RECORDED)
    assert built is not None
    assert built.body == {}
    assert "nested too deeply" in str(built.notes[0])
    assert with_provider_boundaries(question(call)).request == question(call).tree.request
