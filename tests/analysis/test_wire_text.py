"""A body as text: true JSON, and every trace and mark where it stands."""

import itertools
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.analysis.wire_text import NodeKind, WireText, escaped, value_at, wire_text
from covel_inspector.domain import Place, plain
from covel_inspector.domain.wire import BodySource, JsonPath, Protocol, WireBody, WireMark, WireTrace

TEXTS = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from('\\"\n\t\x00\x7f\u2028灯𠮷🔥/u')))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def body_of(value: Any, traces: list[WireTrace] | None = None, marks: list[WireMark] | None = None) -> WireBody:
    return WireBody(
        Protocol.ANTHROPIC, BodySource.RECORDED, value, traces=tuple(traces or ()), marks=tuple(marks or ())
    )


def text_paths(value: Any, path: JsonPath = ()) -> list[tuple[JsonPath, str]]:
    if isinstance(value, str):
        return [(path, value)]
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in entries for found in text_paths(inner, (*path, key))]


@st.composite
def traced(draw: st.DrawFn) -> tuple[WireBody, tuple[str, ...]]:
    """A body whose strings are cut at random places; each piece is a trace into a part of its own."""
    value = draw(VALUES)
    traces: list[WireTrace] = []
    parts: list[str] = []
    for path, text in text_paths(value):
        cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4, unique=True)))
        for start, end in itertools.pairwise(cuts):
            before = draw(st.integers(0, 3))
            traces.append(WireTrace(path, start, end, Place(len(parts), before, before + end - start)))
            parts.append("·" * before + text[start:end])
    return body_of(value, traces), tuple(parts)


@given(VALUES)
def test_text_is_the_body_in_its_order(value: Any) -> None:
    wire = wire_text(body_of(value))
    assert wire.text == json.dumps(value, indent=2, ensure_ascii=False)
    for node in wire.nodes:
        assert json.loads(wire.text[node.start : node.end]) == wire.value(node.path)
        assert wire.node_of(node.path) == node


def test_lone_surrogates_are_escaped_and_deep_bodies_are_written() -> None:
    wire = wire_text(body_of({"text": "half \ud83d of \U0001f525"}))
    assert '"half \\ud83d of \U0001f525"' in wire.text
    assert json.loads(wire.text) == {"text": "half \ud83d of \U0001f525"}
    deep: Any = "bottom"
    for _ in range(900):
        deep = [deep]
    assert wire_text(body_of(deep)).text.count("[") == 900


@given(traced())
def test_every_trace_stands_where_its_stretch_says(made: tuple[WireBody, tuple[str, ...]]) -> None:
    body, parts = made
    wire = wire_text(body)
    assert len(wire.stretches) == sum(1 for trace in body.traces if trace.end > trace.start)
    for stretch in wire.stretches:
        place = stretch.trace.place
        assert wire.text[stretch.start : stretch.end] == escaped(parts[place.part][place.start : place.end])
        assert wire.spans_of(place) == [(stretch.start, stretch.end)]


@given(traced(), st.data())
def test_a_piece_of_a_trace_is_found(made: tuple[WireBody, tuple[str, ...]], data: st.DataObject) -> None:
    body, parts = made
    wire = wire_text(body)
    if not wire.stretches:
        return
    there = data.draw(st.sampled_from(wire.stretches)).trace.place
    start = data.draw(st.integers(there.start, there.end - 1))
    place = Place(there.part, start, data.draw(st.integers(start + 1, there.end)))
    ((first, last),) = wire.spans_of(place)
    assert wire.text[first:last] == escaped(parts[place.part][place.start : place.end])


@given(VALUES, st.data())
def test_the_smallest_value_is_found(value: Any, data: st.DataObject) -> None:
    wire = wire_text(body_of(value))
    offset = data.draw(st.integers(0, max(len(wire.text) - 1, 0)))
    around = [node for node in wire.nodes if node.start <= offset < node.end]
    assert wire.node_at(offset) == min(around, key=lambda node: node.end - node.start)


def sample() -> WireText:
    tool = {"name": "roll", "input_schema": {"type": "object"}}
    body = {
        "tools": [tool],
        "system": [{"type": "text", "text": 'Say "boo".\nTwice.', "cache_control": {"type": "ephemeral"}}],
    }
    traces = [
        WireTrace(("tools", 0), 0, 0, Place(0, 0, 60)),
        WireTrace(("tools", 0, "name"), 0, 4, Place(0, 9, 13)),
        WireTrace(("system", 0, "text"), 0, 10, Place(1, 5, 15)),
        WireTrace(("system", 0, "text"), 11, 17, Place(1, 20, 26)),
        WireTrace(("nowhere",), 0, 3, Place(1, 0, 3)),
        WireTrace(("system", 0, "text"), 3, 40, Place(1, 0, 37)),
    ]
    marks = [WireMark(1, ("system", 0), Place(1, 26, 26), plain("a")), WireMark(2, ("gone",), None, plain("b"))]
    return wire_text(body_of(body, traces, marks))


def test_a_whole_value_holds_what_its_strings_do_not() -> None:
    wire = sample()
    assert [wire.text[one.start : one.end].partition("\n")[0] for one in wire.wholes] == ["{"]
    assert [wire.text[start:end] for start, end in wire.spans_of(Place(0, 10, 11))][1:] == ["o"]


def test_lost_traces_claim_nothing() -> None:
    wire = sample()
    assert len(wire.stretches) == 3
    assert wire.spans_of(Place(1, 15, 20)) == []


def test_marks_know_their_block() -> None:
    wire = sample()
    (marked,) = wire.marks
    assert marked.mark.number == 1
    assert json.loads(wire.text[marked.start : marked.end])["cache_control"] == {"type": "ephemeral"}


def test_a_value_out_of_json_inside_a_part_counts_as_a_whole() -> None:
    trace = WireTrace(("input",), 0, 5, Place(0, 3, 10))
    wire = wire_text(body_of({"input": 'a"b"c'}, [trace]))
    (stretch,) = wire.stretches
    assert not stretch.is_literal
    assert wire.spans_of(Place(0, 4, 5)) == [(stretch.start, stretch.end)]


def test_a_path_that_leads_nowhere_is_a_look_up_error() -> None:
    for path in (("a",), (0,), ("b", "c"), ("b", 7)):
        try:
            value_at({"b": [1]}, path)
        except LookupError:
            continue
        raise AssertionError(path)
    assert wire_text(body_of(7)).nodes[0].kind is NodeKind.OTHER
