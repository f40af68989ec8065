"""Any request on any wire: what is traced is the same on both sides, and nothing that was said goes untraced."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from covel_inspector.domain import BodySource, Field, Group, Protocol, Request
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.records.unflatten import kernel_request
from covel_inspector.engines.covel.textpack import default_pack
from covel_inspector.engines.covel.wire import WireCall, WireError, WireTexts, build, wire_body
from covel_inspector.engines.covel.wire.places import holds, value_at

TEXTS = WireTexts.of(default_pack())
SOME = st.text(
    st.sampled_from('abC<>&"\\/ \n\t\u3000\ufeff\u2028é烬𠮷\ud83d🔥\ue000'), max_size=12
)  # Half of a pair, blanks of both languages, characters that JSON escapes.
SPOKEN = st.lists(st.one_of(SOME, st.just(SENTINEL)), max_size=4).map("".join)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(-3, 3), SOME),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(SOME, inner, max_size=3)),
    max_leaves=6,
)
WRITTEN = st.one_of(
    st.just(""),
    SOME,
    st.dictionaries(SOME, JSON, max_size=3).map(json.dumps),
    st.dictionaries(SOME, JSON, max_size=3).map(lambda value: json.dumps(value, ensure_ascii=False, indent=1)),
)
PARTS = st.lists(
    st.one_of(
        SPOKEN.map(lambda text: {"type": "text", "text": text}),
        st.sampled_from(["iVBORw0KGgoAAA", "data:image/PNG;base64,AAAA", "https://pics.example/a.png", ""]).map(
            lambda image: {"type": "image", "image": image}
        ),
        st.just({"type": "sound"}),
    ),
    max_size=3,
)


@st.composite
def messages(draw: Any) -> list[KernelMessage]:
    """A system prompt and a conversation in which calls are answered."""
    said = [KernelMessage(role="system", content=draw(SPOKEN))] if draw(st.booleans()) else []
    for number in range(draw(st.integers(1, 5))):
        role = draw(st.sampled_from(("user", "user", "assistant", "system")))
        content = draw(st.one_of(SPOKEN, SPOKEN, PARTS, st.none()))
        calls = draw(st.lists(WRITTEN, max_size=2)) if role == "assistant" else []
        made = tuple({"id": f"c{number}-{n}", "name": draw(SOME), "arguments": text} for n, text in enumerate(calls))
        said.append(
            KernelMessage(
                role=role,
                content=content,
                tool_calls=made or None,
                reasoning_content=draw(SOME) if role == "assistant" else None,
            )
        )
        said.extend(
            KernelMessage(role="tool", content=draw(st.one_of(WRITTEN, PARTS)), tool_call_id=call["id"])
            for call in made
        )
    return said


TOOLS = st.lists(
    st.one_of(
        st.fixed_dictionaries(
            {"name": SOME, "description": SOME, "jsonSchema": st.dictionaries(SOME, JSON, max_size=3)}
        ),
        st.fixed_dictionaries(
            {"type": st.just("function"), "function": st.fixed_dictionaries({"name": SOME, "parameters": JSON})}
        ),
    ),
    max_size=2,
)


def untraced(body: Any, request: Request, traces: Any) -> list[str]:
    """Code points of texts in the request that no trace leads to, by part."""
    left = [[True] * len(part.text) for part in request.parts]
    for trace in traces:
        left[trace.place.part][trace.place.start : trace.place.end] = [False] * len(trace.place)
    return ["".join(c for c, open_ in zip(part.text, flags, strict=True) if open_)
            for part, flags in zip(request.parts, left, strict=True)]  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(messages(), TOOLS, st.sampled_from(Protocol), st.booleans(), st.booleans())
def test_traces_hold_and_leave_nothing_said_out(
    said: list[KernelMessage], tools: list[Any], protocol: Protocol, streams: bool, late_as_user: bool
) -> None:
    metadata = {"lateSystemAsUser": True} if late_as_user else {}
    call = WireCall(protocol, "some-model", said, tools, stream=streams, metadata=metadata)
    request = request_of(said, tools)
    try:
        draft = build(call, TEXTS)
    except WireError:
        assert protocol is Protocol.GOOGLE
        return
    body = wire_body(draft, request, BodySource.BUILT_FROM_RECORDED)
    for trace in body.traces:
        assert holds(trace, body.body, request), trace
        assert isinstance(value_at(body.body, trace.path), str)
    for part, rest in zip(request.parts, untraced(body.body, request, body.traces), strict=True):
        if part.field in (Field.CONTENT, Field.TEXT_PART) and part.role != "tool":
            assert rest.replace(SENTINEL, "").strip("\t\n\u3000\ufeff\u2028 ") == "", part
        if part.group is Group.TOOLS:
            assert len(rest) < len(part.text) or not part.name.isalnum()


@settings(max_examples=60, deadline=None)
@given(messages(), TOOLS)
def test_a_flat_request_gives_its_messages_back(said: list[KernelMessage], tools: list[Any]) -> None:
    request = request_of(said, tools, {"type": "json_schema", "schema": {"type": "object"}})
    back = kernel_request(request)
    assert request_of(back.messages, back.tools, back.response_format) == request
