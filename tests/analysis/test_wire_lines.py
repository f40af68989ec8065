"""Lines of a body: folded, shortened and broken, and nothing of the text is lost or told twice."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from test_wire_text import VALUES, body_of

from covel_inspector.analysis import wire_lines
from covel_inspector.analysis.wire_lines import Folding, WireLines, all_containers, unfolded_to
from covel_inspector.analysis.wire_text import WireText, wire_text


def shown(lines: WireLines) -> list[str]:
    """The lines as a screen would show them, ``…`` for what is hidden."""
    text = lines.wire.text
    return [
        " " * line.indent
        + text[line.start : line.end]
        + (f"…{text[line.tail : line.last]}" if line.stub is not None else "")
        for line in lines.lines
    ]


def covered(lines: WireLines) -> str:
    """The text put together again from what the lines stand for."""
    text, pieces, position = lines.wire.text, [], 0
    for line in lines.lines:
        assert line.start in (position, position + 1)
        pieces.append(text[position : line.start])
        pieces.append(text[line.start : line.until])
        position = line.until
    return "".join(pieces)


@st.composite
def foldings(draw: st.DrawFn) -> WireLines:
    wire = wire_text(body_of(draw(VALUES)))
    paths = sorted((node.path for node in wire.nodes), key=str)
    return WireLines(wire, Folding(frozenset(draw(st.lists(st.sampled_from(paths), max_size=5)))))


@given(foldings())
def test_lines_stand_for_the_whole_text(lines: WireLines) -> None:
    assert covered(lines) == lines.wire.text
    for line in lines.lines:
        assert "\n" not in lines.wire.text[line.start : line.end]


@given(foldings(), st.data())
def test_an_offset_is_in_its_line_and_can_be_brought_into_sight(lines: WireLines, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(lines.wire.text)))
    line = lines.lines[lines.line_of(offset)]
    assert line.start <= offset <= line.until
    opened = WireLines(lines.wire, unfolded_to(lines.folding, lines.wire, offset))
    assert opened.is_shown(offset)


@given(st.text(st.sampled_from('\\"\n\x00nu灯0a'), min_size=3000, max_size=3300))
def test_escapes_are_never_cut(text: str) -> None:
    wire = wire_text(body_of({"text": text * 3}))
    lines = WireLines(wire).lines
    for line in lines[1:-1]:
        piece = wire.text[line.start : line.end]
        if line is lines[1]:
            piece = piece.partition(": ")[2][1:]
        if line.stub is None:
            piece = piece.removesuffix('"') if line is lines[-2] else piece
        assert isinstance(json.loads(f'"{piece}"'), str)
        assert len(piece) <= wire_lines.WIDEST


def long_body() -> WireText:
    picture = "iVBORw0KGgo" + "A" * 5000
    prose = "The lamp is lit.\n" * 3000
    value: Any = {"model": "m", "messages": [{"role": "user", "content": prose}], "image": picture, "none": []}
    return wire_text(body_of(value))


def test_long_strings_and_base64_are_shortened_until_asked_for() -> None:
    wire = long_body()
    lines = WireLines(wire)
    stubs = {line.stub.node.path: line.stub for line in lines.lines if line.stub is not None}
    assert set(stubs) == {("messages", 0, "content"), ("image",)}
    prose, picture = stubs[("messages", 0, "content")], stubs[("image",)]
    assert prose.start - prose.node.start - 1 == wire_lines.SHOWN_OF_STRING
    assert picture.start - picture.node.start - 1 == wire_lines.SHOWN_OF_CODED
    opened = WireLines(wire, Folding(opened=frozenset(stubs)))
    assert not [line for line in opened.lines if line.stub is not None]
    assert sum(1 for line in opened.lines if line.in_string) >= 3000
    assert max(line.end - line.start for line in opened.lines) <= wire_lines.WIDEST + 40


def test_many_long_strings_share_what_is_shown() -> None:
    wire = wire_text(body_of({"messages": ["a " * 5_000] * 100}))
    shown_of = {line.stub.start - line.stub.node.start - 1 for line in WireLines(wire).lines if line.stub is not None}
    assert shown_of == {wire_lines.MOST // 100}
    most = wire_text(body_of({"messages": ["a " * 5_000] * 3000}))
    assert sum(line.end - line.start for line in WireLines(most).lines) < 3000 * (wire_lines.LEAST_OF_STRING + 40)


def test_a_body_of_very_many_values_is_folded_at_first() -> None:
    few, many = ([{"role": "user", "content": str(number)} for number in range(count)] for count in (10, 9000))
    assert wire_lines.first_folding(wire_text(body_of({"messages": few}))) == Folding()
    wire = wire_text(body_of({"messages": many}))
    folding = wire_lines.first_folding(wire)
    assert ("messages",) not in folding.folded
    assert ("messages", 0) in folding.folded
    assert len(WireLines(wire, folding).lines) == 9000 + 4


def test_prose_breaks_behind_its_line_feeds_and_lines_up_with_its_quote() -> None:
    wire = wire_text(body_of({"text": "one\ntwo\\n\nthree"}))
    assert shown(WireLines(wire)) == ["{", r'  "text": "one\n', r"  two\\n\n", '  three"', "}"]


def test_folding_leaves_brackets_and_a_comma() -> None:
    wire = wire_text(body_of({"tools": [{"name": "a"}, {}], "n": 1}))
    lines = WireLines(wire, Folding(frozenset({("tools",)})))
    assert shown(lines) == ["{", '  "tools": […],', '  "n": 1', "}"]
    assert lines.lines[1].stub is not None
    assert lines.lines[1].stub.node.count == 2
    assert all_containers(wire) == {("tools",), ("tools", 0)}
    assert shown(WireLines(wire, Folding(all_containers(wire, 0)))) == ["{…}"]


def test_a_line_of_a_megabyte_costs_a_few_short_lines() -> None:
    wire = wire_text(body_of({"text": "灯" * 1_000_000}))
    lines = WireLines(wire).lines
    assert sum(line.end - line.start for line in lines) < 7_000
    assert len(lines) < 10


def test_a_hidden_place_is_opened_as_far_as_needed() -> None:
    wire = long_body()
    offset = wire.nodes[-1].start - 4000
    folding = Folding(all_containers(wire))
    assert not WireLines(wire, folding).is_shown(wire.text.index("user"))
    opened = unfolded_to(folding, wire, wire.text.index("user"))
    assert ("messages",) not in opened.folded
    assert opened.opened == frozenset()
    assert unfolded_to(folding, wire, offset).opened == {("image",)}
