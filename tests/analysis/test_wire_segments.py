"""Segments in the text of a body: a click finds its segment, a segment its stretches."""

from covel_inspector.analysis.wire_segments import WireSegments
from covel_inspector.analysis.wire_text import wire_text
from covel_inspector.domain import Field, Group, Kind, Part, Place, Request, Segment, SegmentTree, plain
from covel_inspector.domain.wire import BodySource, Protocol, WireBody, WireTrace


def leaf(key: str, kind: Kind, part: int, start: int, text: str) -> Segment:
    return Segment(key, kind, plain(key), text, Place(part, start, start + len(text)))


TOOL = '{"name":"roll","schema":{}}'
SYSTEM = "Be calm.\n\nThe lamp is lit."


def segments() -> WireSegments:
    parts = (
        Part(Group.TOOLS, 0, 0, Field.DEFINITION, TOOL),
        Part(Group.SYSTEM, 0, 0, Field.CONTENT, SYSTEM, "system"),
    )
    leaves = (
        leaf("tool", Kind.TOOL, 0, 0, TOOL),
        leaf("body", Kind.BODY, 1, 0, SYSTEM[:10]),
        leaf("lore", Kind.LORE, 1, 10, SYSTEM[10:]),
    )
    tree = SegmentTree(Request(parts), leaves)
    body = {
        "model": "m",
        "tools": [{"name": "roll", "schema": {}}],
        "system": [
            {"type": "text", "text": SYSTEM[:12], "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": SYSTEM[12:]},
        ],
    }
    traces = (
        WireTrace(("tools", 0), 0, 0, Place(0, 0, len(TOOL))),
        WireTrace(("tools", 0, "name"), 0, 4, Place(0, 9, 13)),
        WireTrace(("system", 0, "text"), 0, 12, Place(1, 0, 12)),
        WireTrace(("system", 1, "text"), 0, len(SYSTEM) - 12, Place(1, 12, len(SYSTEM))),
    )
    return WireSegments.of(wire_text(WireBody(Protocol.ANTHROPIC, BodySource.RECORDED, body, traces=traces)), tree)


def key_at(found: WireSegments, words: str, *, near: bool = False) -> str:
    offset = found.wire.text.index(words)
    segment = found.near(offset) if near else found.at(offset)
    return segment.key if segment is not None else ""


def test_every_stretch_finds_its_segment() -> None:
    found = segments()
    assert key_at(found, "roll") == key_at(found, '"schema"') == "tool"
    assert key_at(found, "Be calm") == "body"
    assert key_at(found, "e lamp") == "lore"
    assert key_at(found, '"cache_control"') == ""


def test_a_key_leads_to_the_first_segment_of_its_block() -> None:
    found = segments()
    assert key_at(found, '"cache_control"', near=True) == "body"
    assert key_at(found, '"ephemeral"', near=True) == "body"
    assert key_at(found, '"system"', near=True) == "body"
    assert key_at(found, '"model"', near=True) == ""
    assert key_at(found, '{\n      "name"', near=True) == "tool"


def test_a_segment_that_the_body_cuts_has_two_stretches() -> None:
    found = segments()
    lore = [span.leaf for span in found.spans if span.leaf.key == "lore"]
    assert len(lore) == 2
    assert [found.wire.text[start:end] for start, end in found.of_leaves(lore[:1])] == ["Th", "e lamp is lit."]
    assert found.of_leaves(()) == []
