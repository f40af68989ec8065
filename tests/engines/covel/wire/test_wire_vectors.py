"""All true vectors of the wire, key order of bodies included."""

import json
from typing import Any

import pytest
from wire_vectors import bodies, built, wire_cases, wire_pack

from covel_inspector.domain import BodySource
from covel_inspector.engines.covel.evaluate import CaseError, evaluate_wire
from covel_inspector.engines.covel.textpack import TextPack
from covel_inspector.engines.covel.wire import wire_body
from covel_inspector.engines.covel.wire.places import holds, value_at


def test_no_vector_is_missing() -> None:
    assert len(wire_cases()) == 144
    assert len(bodies()) == 119


@pytest.mark.parametrize("name", wire_cases())
def test_result_and_key_order(name: str) -> None:
    case = wire_cases()[name]
    given = json.dumps(case)
    assert json.dumps(evaluate_wire(case, wire_pack())) == json.dumps(case["expected"])
    assert json.dumps(case) == given, "the case was changed while it ran"


@pytest.mark.parametrize("name", bodies())
def test_every_trace_has_the_same_text_on_both_sides(name: str) -> None:
    _, draft, request = built(name)
    body = wire_body(draft, request, BodySource.BUILT_FROM_RECORDED)
    assert body.traces
    for trace in body.traces:
        assert trace.start < trace.end
        assert holds(trace, body.body, request), trace
    seen: dict[Any, int] = {}
    for trace in sorted(body.traces, key=lambda trace: (str(trace.path), trace.start)):
        assert trace.start >= seen.get(trace.path, 0), f"two places for one code point of {trace.path}"
        seen[trace.path] = trace.end


@pytest.mark.parametrize("name", bodies())
def test_marks_stand_on_the_blocks_that_carry_them(name: str) -> None:
    _, draft, request = built(name)
    body = wire_body(draft, request, BodySource.BUILT_FROM_RECORDED)
    assert json.dumps(draft.body).count('"cache_control"') == len(body.marks) <= 4
    for number, mark in enumerate(body.marks, start=1):
        assert mark.number == number
        assert value_at(body.body, mark.path)["cache_control"] == {"type": "ephemeral"}
        assert mark.place is not None


def test_the_fixed_texts_are_the_packs_own() -> None:
    other = TextPack.from_json(
        {"format": "covel-inspector-texts/1", "texts": {"wire.anthropicOpener": {"en": "Go on."}}}
    )
    result = evaluate_wire(wire_cases()["a-first-kept-message-is-assistant"], other)
    assert result["body"]["messages"][0] == {"role": "user", "content": [{"type": "text", "text": "Go on."}]}


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"input": {}}, "no protocol"),
        ({"protocol": "smoke-signals-v1", "input": {}}, "'smoke-signals-v1' is no protocol"),
        ({"protocol": "openai-chat-v1", "input": {"messages": [{"content": "x"}]}}, "role"),
        ({"protocol": "openai-chat-v1", "input": {"model": 7}}, "'model' should be a string"),
        ({"protocol": "openai-chat-v1", "input": {"metadata": []}}, "'metadata' should be an object"),
        ({"input": {"kind": "other"}}, "no kind"),
        ({"input": {"kind": "usage", "payloads": 3}, "protocol": "openai-chat-v1"}, "list of objects"),
    ],
)
def test_a_case_that_cannot_be_run_says_why(case: dict[str, Any], words: str) -> None:
    with pytest.raises(CaseError) as caught:
        evaluate_wire(case, wire_pack())
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
