"""Details of the wires that no vector shows."""

from typing import Any

import pytest

from covel_inspector.domain import BodySource, Field, Protocol, WireBody
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.textpack import default_pack
from covel_inspector.engines.covel.wire import WireCall, WireError, WireTexts, build, wire_body
from covel_inspector.engines.covel.wire.decoding import decode
from covel_inspector.engines.covel.wire.google_schema import with_enums
from covel_inspector.engines.covel.wire.places import value_at
from covel_inspector.engines.covel.wire.usage import read_usage, usage_json

ANTHROPIC, CHAT = Protocol.ANTHROPIC, Protocol.OPENAI_CHAT
RESPONSES, GOOGLE = Protocol.OPENAI_RESPONSES, Protocol.GOOGLE
PNG = "iVBORw0KGgoAAAANSUhEUg"


def said(*messages: tuple[str, Any], **more: Any) -> list[KernelMessage]:
    found = [KernelMessage(role=role, content=content) for role, content in messages]
    return [*found[:-1], found[-1].model_copy(update=more)]


def traced(protocol: Protocol, messages: list[KernelMessage], tools: Any = (), **fields: Any) -> WireBody:
    call = WireCall(protocol, "m", messages, tools, **fields)
    request = request_of(messages, tools, call.response_format)
    return wire_body(build(call, WireTexts.of(default_pack())), request, BodySource.BUILT_FROM_RECORDED)


def test_white_space_is_cut_as_the_engines_language_sees_it() -> None:
    body = traced(ANTHROPIC, said(("system", f"a\u3000\ufeff{SENTINEL}b\x1c\x85{SENTINEL}"), ("user", "x"))).body
    assert [block["text"] for block in body["system"]] == ["a", "b\x1c\x85"]


def test_pictures_in_texts_are_placeholders() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image", "image": PNG}]
    body = traced(ANTHROPIC, said(("system", parts), ("user", "x"), ("system", parts))).body
    assert body["system"] == "a\n\n[image]"
    assert body["messages"][1]["content"][0]["text"] == "<system-instruction>\na\n\n[image]\n</system-instruction>"


def test_a_mark_on_a_picture_or_call_stands_behind_its_whole_part() -> None:
    wire = traced(ANTHROPIC, said(("user", [{"type": "text", "text": "a"}, {"type": "image", "image": PNG}])))
    (mark,) = wire.marks
    assert mark.place is not None
    assert (mark.path, mark.place.part) == (("messages", 0, "content", 1), 1)
    call = {"id": "c", "name": "roll", "arguments": '{"a": "x\\ny"}'}
    messages = said(("user", "go"), ("assistant", ""), tool_calls=(call,))
    wire = traced(ANTHROPIC, messages)
    part = request_of(messages).parts[1]
    assert part.field is Field.TOOL_CALL
    assert wire.marks[0].place is not None
    assert wire.marks[0].place.end == len(part.text)
    inside = [trace for trace in wire.traces if trace.path[-2:] == ("input", "a")]
    assert [wire.body["messages"][1]["content"][0]["input"]["a"][one.start : one.end] for one in inside] == ["x", "y"]


def test_arguments_are_decoded_as_the_engine_does() -> None:
    assert list(decode('{"b": 1, "10": 2, "2": 3}')) == ["2", "10", "b"]
    assert [repr(value) for value in decode("[1.0, 2.5, 1e3, -0.0, 1e999]")] == ["1", "2.5", "1000", "0", "None"]
    for text in ("NaN", "", "{", "[" * 100_000):
        with pytest.raises(ValueError):
            decode(text)


def test_late_parts_and_nothing_at_all_are_enveloped() -> None:
    messages = said(("user", "a"), ("system", None), ("developer", [{"type": "text", "text": "b"}]))
    for protocol, key, kind in ((CHAT, "messages", "text"), (RESPONSES, "input", "input_text")):
        body = traced(protocol, messages, metadata={"lateSystemAsUser": True}).body
        assert body[key][1] == {"role": "user", "content": "<system-instruction>\n\n</system-instruction>"}
        assert [part["type"] for part in body[key][2]["content"]] == [kind] * 3
    only = traced(CHAT, said(("system", "a"), ("system", "b")), metadata={"lateSystemAsUser": True}).body
    assert [message["role"] for message in only["messages"]] == ["system", "system"]


def test_the_schema_that_the_runtime_wrote_itself_is_not_asked_for_twice() -> None:
    schema = {"type": "object", "title": "T"}
    tag = '<response-format>{"type":"object","title":"T"}</response-format>'
    wanted = {"type": "json_schema", "schema": schema}
    for protocol in (ANTHROPIC, CHAT):
        body = traced(protocol, said(("system", f"rules {tag}"), ("user", "x")), response_format=wanted).body
        assert str(body).count("<response-format>") == 1
    near = traced(ANTHROPIC, said(("system", tag.replace(" ", "")[:-1]), ("user", "x")), response_format=wanted).body
    assert str(near).count("</response-format>") == 1


@pytest.mark.parametrize("protocol", Protocol)
def test_a_schema_leads_to_the_response_format(protocol: Protocol) -> None:
    wanted = {"type": "json_schema", "schema": {"type": "object", "title": "Dock Log"}}
    wire = traced(protocol, said(("user", "x")), response_format=wanted)
    last = len(request_of(said(("user", "x")), (), wanted).parts) - 1
    led = [trace for trace in wire.traces if trace.place.part == last]
    assert led
    assert any("Dock Log" in str(value_at(wire.body, trace.path)) for trace in led)


def test_names_of_formats_are_short_and_plain() -> None:
    def name(schema: Any) -> str:
        wire = traced(RESPONSES, said(("user", "x")), response_format={"schema": schema})
        return str(wire.body["text"]["format"]["name"])

    assert name({"title": "雾 log!", "$id": "x"}) == "__log_"
    assert name({"$id": "urn:a"}) == "urn_a"
    assert name({"title": "t" * 99}) == "t" * 64
    assert name({}) == "structured_output"


def test_constants_become_choices_only_where_a_schema_stands() -> None:
    schema = {
        "properties": {"const": {"const": "a"}, "b": True},
        "items": [{"const": 1}, {"not": {"const": None}}],
        "default": {"const": "stays"},
        "examples": [{"const": "stays"}],
        "enum": [1, 2],
        "const": 2,
        "$defs": {"x": {"anyOf": [{"const": [1]}]}},
    }
    assert with_enums(schema) == {
        "properties": {"const": {"enum": ["a"]}, "b": True},
        "items": [{"enum": [1]}, {"not": {"enum": [None]}}],
        "default": {"const": "stays"},
        "examples": [{"const": "stays"}],
        "enum": [2],
        "$defs": {"x": {"anyOf": [{"enum": [[1]]}]}},
    }


def test_what_gemini_refuses() -> None:
    call = {"id": "c", "name": "roll", "arguments": "{}"}
    asked = [*said(("user", "x"), ("assistant", ""), tool_calls=(call,))]
    answer = KernelMessage(role="tool", content="4", tool_call_id="c")
    build(WireCall(GOOGLE, "m", [*asked, answer]), WireTexts.of(default_pack()))
    native = {"protocol": GOOGLE.value, "model": "m", "baseUrl": "https://generativelanguage.googleapis.com/v1beta"}
    other = {"functionCall": {"name": "other", "args": {}}}
    refused = {
        "answered already": [*asked, answer, answer],
        "no JSON object": [*said(("assistant", ""), tool_calls=({**call, "arguments": "{"},))],
        "does not read": said(("user", [{"type": "image", "image": "https://a.example/x.png"}])),
        "not the calls of the message": [
            asked[1].model_copy(update={"provider_continuation": {**native, "items": [other]}})
        ],
        "signed thoughts": [
            asked[1].model_copy(
                update={"provider_continuation": {**native, "model": "n", "items": [{"thoughtSignature": "s"}]}}
            )
        ],
    }
    for words, messages in refused.items():
        with pytest.raises(WireError, match=words) as caught:
            build(WireCall(GOOGLE, "m", messages), WireTexts.of(default_pack()))
        assert caught.value.code == "CONFIG_ERROR"


def test_paths_follow_the_base_url() -> None:
    def path(protocol: Protocol, model: str = "m", **fields: Any) -> str:
        return traced_path(WireCall(protocol, model, said(("user", "x")), **fields))

    def traced_path(call: WireCall) -> str:
        return build(call, WireTexts.of(default_pack())).path

    assert path(CHAT, base_url="https://relay.example/") == "/chat/completions"
    assert path(RESPONSES, base_url="https://relay.example/a/b/") == "/a/b/responses"
    assert path(GOOGLE, "models/gemini 3/x") == "/v1beta/models/gemini%203%2Fx:generateContent"
    assert path(GOOGLE, stream=True).endswith("m:streamGenerateContent?alt=sse")
    assert path(ANTHROPIC, base_url="http://[") == "/messages"


@pytest.mark.parametrize(
    ("written", "count"),
    [(3, 3), ("3", 3), (3.0, 3), (True, 0), (-1, 0), (2.5, 0), ("x", 0), ("", 0), (2**53, 0), (None, 0), ([], 0)],
)
def test_counts_are_safe_whole_numbers(written: Any, count: int) -> None:
    usage = read_usage(CHAT, [{"usage": {"prompt_tokens": written}}])
    assert usage_json(usage) == {"inputTokens": count, "outputTokens": 0}


def test_sums_stop_and_the_last_report_counts() -> None:
    most = 2**53 - 1
    usage = read_usage(ANTHROPIC, [{"usage": {"input_tokens": most, "cache_read_input_tokens": 5}}])
    assert (usage.input, usage.cached) == (most, 5)
    assert read_usage(CHAT, [{}, {"usage": {"prompt_tokens": 1}}, {"usage": {"prompt_tokens": 2}}]).input == 2
