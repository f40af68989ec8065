"""The parts of a recorded call, as the reference on the prefix report defines them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.measure import PartReader
from covel_inspector.engines.covel.measure.parts import body_of, measured_parts, parameters_of


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def payload(body: object = None, **fields: Any) -> dict[str, Any]:
    requests = [] if body is None else [{"protocol": "anthropic-messages-v1", "body": body}]
    return {"flowId": "f", "providerRequests": requests, "runtimeId": "narrator", **fields}


def told(value: dict[str, Any]) -> list[tuple[str, str]]:
    return [(part.label, part.text) for part in measured_parts(value)]


def test_parts_of_an_anthropic_body_come_in_hash_order() -> None:
    tool = {"name": "roll", "input_schema": {}}
    block = {"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral"}}
    message = {"role": "user", "content": [{"type": "text", "text": "Go."}]}
    body = {"model": "m", "system": [block], "messages": [message], "tools": [tool], "temperature": 0.9}
    assert told(payload(body)) == [
        ("tool 1 (roll)", compact(tool)),
        ("system block 1", compact(block)),
        ("message 1 (user)", compact(message)),
    ]
    assert parameters_of(body_of(payload(body))) == (("temperature", "0.9"),)


def test_parts_of_a_chat_body_are_contents() -> None:
    body = {
        "messages": [
            {"role": "system", "content": "Rules."},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]},
            {"role": "tool", "content": None},
        ],
        "tools": [{"type": "function", "function": {"name": "roll"}}],
    }
    assert told(payload(body)) == [
        ("tool 1 (roll)", '{"type":"function","function":{"name":"roll"}}'),
        ("message 1 (system)", "Rules."),
        ("message 2 (assistant)", ""),
        ("message 3 (tool)", '{"role":"tool","content":null}'),
    ]


def test_parts_of_a_responses_body() -> None:
    body = {
        "instructions": "Rules.",
        "input": [{"role": "user", "content": "Go."}, {"type": "function_call", "name": "x"}],
    }
    assert told(payload(body)) == [
        ("instructions", "Rules."),
        ("message 1 (user)", "Go."),
        ("message 2 (function_call)", '{"type":"function_call","name":"x"}'),
    ]


def test_parts_of_a_gemini_body_leave_out_its_system_prompt() -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"text": "Go."}]}],
        "systemInstruction": {"parts": [{"text": "Rules."}]},
        "tools": [{"functionDeclarations": []}],
    }
    assert told(payload(body)) == [
        ("tool 1 (?)", '{"functionDeclarations":[]}'),
        ("message 1 (user)", '{"role":"user","parts":[{"text":"Go."}]}'),
    ]


def test_the_kernel_stands_in_where_the_body_has_nothing() -> None:
    kernel = payload(None, messages=[{"role": "user", "content": "Go."}], tools=[{"name": "roll", "jsonSchema": {}}])
    assert told(kernel) == [("tool 1 (roll)", '{"name":"roll","jsonSchema":{}}'), ("message 1 (user)", "Go.")]
    partly = payload(
        {"messages": None, "tools": []}, messages=[{"role": "user", "content": "Go."}], tools=[{"name": "x"}]
    )
    assert told(partly) == [("message 1 (user)", "Go.")], "an empty list of the body is a list, null is not"


def test_a_system_prompt_that_is_a_text() -> None:
    assert told(payload({"system": "Rules.", "messages": []})) == [("system", "Rules.")]


def test_the_first_request_with_a_true_body_counts() -> None:
    value = payload()
    value["providerRequests"] = [{"body": None}, {"body": 0}, {"bodyRef": 0}, {"body": {"system": "B"}}, {"body": {}}]
    assert told(value) == [("system", "B")]
    value["providerRequests"] = [{"body": {}}, {"body": {"system": "B"}}]
    assert told(value) == [], "an empty object is true"
    value["providerRequests"] = [{"body": "text"}]
    assert told({**value, "messages": [{"content": "K"}]}) == [("message 1 (?)", "K")]


def test_text_is_written_as_the_engine_writes_it() -> None:
    raw = '{"providerRequests":[{"body":{"tools":[{"b":1.0,"10":1e-7,"2":"\\u4e2d\\ud83d\\/","name":5}]}}]}'
    assert [(part.label, part.text) for part in measured_parts(json.loads(raw))] == [
        ("tool 1 (5)", '{"2":"中\\ud83d/","10":1e-7,"b":1,"name":5}')
    ]


def test_marks_and_the_text_without_them() -> None:
    mark = {"type": "ephemeral"}
    message = {
        "role": "user",
        "content": [
            {"type": "tool_result", "content": "1", "cache_control": mark},
            {"type": "text", "text": "cache_control", "cache_control": mark},
        ],
    }
    (part,) = measured_parts(payload({"messages": [message]}))
    bare = '{"role":"user","content":[{"type":"tool_result","content":"1"},{"type":"text","text":"cache_control"}]}'
    assert part.text == compact(message)
    assert part.bare == bare
    assert part.marks == (bare.index(',{"type":"text"'), len(bare))


def test_a_text_about_marks_carries_none() -> None:
    block = {"type": "text", "text": '"cache_control": yes'}
    (part,) = measured_parts(payload({"system": [block]}))
    assert (part.unmarked, part.marks, part.bare) == (None, (), part.text)


@pytest.mark.parametrize(
    "block", [{"type": "image"}, {"type": "image_url"}, {"type": "input_image"}, {"inlineData": {}}, {"fileData": {}}]
)
def test_pictures_are_counted(block: dict[str, Any]) -> None:
    field = "parts" if "type" not in block else "content"
    message = {"role": "user", field: [{"text": "See:"}, block, block]}
    (part,) = measured_parts(payload({"messages": [message]}))
    assert part.pictures == 2


# The quick reader has to give what the plain one gives, whatever stands in the payload and whatever came before.

texts = st.text(st.sampled_from('ab中🔥"\\\n/é\u2028'), max_size=6)
blocks = st.fixed_dictionaries(
    {"type": st.just("text"), "text": texts},
    optional={
        "cache_control": st.just({"type": "ephemeral"}),
        "1": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    },
)
messages = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant"]), "content": texts | st.lists(blocks, max_size=3) | st.none()}
    ),
    max_size=5,
)
tools = st.lists(st.fixed_dictionaries({"name": texts}, optional={"input_schema": st.just({})}), max_size=2)
odd = st.sampled_from([None, "", "text", 0, {}, [1], [[]], ["x"], [None], True])
bodies = st.fixed_dictionaries(
    {"model": st.just("m")},
    optional={
        "system": texts | st.lists(blocks, max_size=3) | odd,
        "instructions": texts | odd,
        "messages": messages | odd,
        "input": messages,
        "contents": messages,
        "tools": tools | odd,
        "temperature": st.floats(0, 1),
    },
)
requests = st.lists(
    st.fixed_dictionaries(
        {}, optional={"protocol": st.sampled_from(["p", None]), "body": bodies | odd, "bodyRef": st.just(0)}
    ),
    max_size=2,
)
payloads = st.fixed_dictionaries(
    {"flowId": st.just("f")},
    optional={
        "providerRequests": requests | odd,
        "runtimeId": texts | odd,
        "messages": messages | odd,
        "tools": tools | odd,
        "attempt": st.integers(0, 2),
    },
)


@given(st.lists(payloads, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_the_quick_way_gives_what_the_plain_way_gives(values: list[Any], is_compact: bool, is_ascii: bool) -> None:
    reader = PartReader()
    separators = (",", ":") if is_compact else None
    for value in [*values, *values]:
        text = json.dumps(value, ensure_ascii=is_ascii, separators=separators)
        taken = reader.read(text)
        assert taken is not None
        assert taken.parts == measured_parts(value)
        assert taken.parameters == parameters_of(body_of(value))
        for name in ("flowId", "runtimeId", "attempt"):
            assert taken.fields.get(name) == value.get(name)


def test_a_story_that_grows_is_read_from_what_is_known() -> None:
    reader = PartReader()
    history: list[dict[str, Any]] = []
    for turn in range(30):
        history.append({"role": "user", "content": [{"type": "text", "text": f"line {turn}"}]})
        value = payload({"system": [{"type": "text", "text": "Rules."}], "messages": history})
        taken = reader.read(compact(value))
        assert taken is not None
        assert taken.parts == measured_parts(value)
        known = taken.parts
    again = reader.read(compact(payload({"system": [{"type": "text", "text": "Rules."}], "messages": history})))
    assert again is not None
    assert all(first is second for first, second in zip(known, again.parts, strict=True)), "nothing was made anew"


def test_an_element_that_only_begins_like_a_known_one_is_read_anew() -> None:
    reader = PartReader()
    reader.read(compact(payload({"messages": [{"role": "user", "content": "a"}]})))
    for content in ("ab", "", [{"type": "text", "text": "a"}]):
        value = payload({"messages": [{"role": "user", "content": content}, {"role": "user", "content": "a"}]})
        taken = reader.read(compact(value))
        assert taken is not None
        assert taken.parts == measured_parts(value)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "5", '{"a":', '{"a":NaN}', '{"providerRequests":[{"body":{"messages":[{"a":1}', "{" * 5000, '{"a":1}x'],
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    assert PartReader().read(text) is None


def test_a_repeated_field_counts_as_the_parser_counts_it() -> None:
    text = '{"runtimeId":"a","providerRequests":[{"body":{"system":"x","system":"y"}}],"runtimeId":"b"}'
    taken = PartReader().read(text)
    assert taken is not None
    assert taken.fields["runtimeId"] == "b"
    assert [part.text for part in taken.parts] == ["y"]
