"""What the wire view's widget is given, and the way back to the true text."""

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.analysis.wire_lines import Folding, Stub, WireLines, all_containers
from covel_inspector.analysis.wire_text import wire_text
from covel_inspector.app.compare.wire_document import WireDocument
from covel_inspector.domain.wire import BodySource, Protocol, WireBody
from covel_inspector.text.utf16 import utf16_length

TEXTS = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from('\\"\n\x00\u2028\u00a0灯𠮷🔥')))
VALUES = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def say_stub(stub: Stub) -> str:
    return f" …{stub.end - stub.start} "


def document_of(value: object, folding: Folding | None = None) -> WireDocument:
    body = WireBody(Protocol.GOOGLE, BodySource.RECORDED, value)
    return WireDocument(WireLines(wire_text(body), folding or Folding()), say_stub)


@st.composite
def documents(draw: st.DrawFn) -> WireDocument:
    value = draw(VALUES)
    wire = wire_text(WireBody(Protocol.GOOGLE, BodySource.RECORDED, value))
    paths = sorted((node.path for node in wire.nodes), key=str)
    folding = Folding(frozenset(draw(st.lists(st.sampled_from(paths), max_size=3))))
    return WireDocument(WireLines(wire, folding), say_stub)


@given(documents(), st.data())
def test_shown_offsets_come_back(document: WireDocument, data: st.DataObject) -> None:
    wire = document.lines.wire
    offset = data.draw(st.integers(0, len(wire.text) - 1))
    line, column = document.position_of(offset)
    assert 0 <= column <= utf16_length(document.drawn[line].display)
    if document.lines.is_shown(offset) and wire.text[offset] != "\n":
        assert document.offset_at(line, column) == offset


@given(documents())
def test_the_widget_would_show_as_many_lines_as_there_are(document: WireDocument) -> None:
    assert document.display.count("\n") + 1 == len(document.drawn)
    assert document.display.splitlines() == [line.display for line in document.drawn]


@given(documents(), st.data())
def test_copying_gives_the_true_text_with_what_is_hidden(document: WireDocument, data: st.DataObject) -> None:
    text = document.lines.wire.text
    last = len(document.drawn) - 1
    end = (last, utf16_length(document.drawn[last].display))
    assert document.text_between((0, 0), end) == text
    first = data.draw(st.integers(0, last))
    copied = document.text_between((first, 0), end)
    assert text.endswith(copied)
    assert len(copied) == len(text) - document.drawn[first].line.start


def test_a_touched_stub_or_mark_is_copied_as_a_whole() -> None:
    value = {"tools": [1, 2], "text": "a\u00a0b"}
    document = document_of(value, Folding(frozenset({("tools",)})))
    folded = document.drawn[1]
    assert folded.display == '  "tools": [ …16 ],'
    inside = (folded.stub_start + folded.stub_end) // 2
    assert document.text_between((1, 2), (1, inside)) == '"tools": [\n    1,\n    2\n  '
    marked = document.drawn[2]
    assert marked.display == '  "text": "a⟨NBSP⟩b"'
    assert document.text_between((2, 11), (2, 14)) == "a\u00a0"


def test_everything_folded_is_one_line() -> None:
    value = {"a": {"b": 1}}
    wire = document_of(value).lines.wire
    document = document_of(value, Folding(all_containers(wire, 0)))
    assert document.display.startswith("{ …")
    assert document.text_between((0, 0), (0, len(document.display))) == wire.text
