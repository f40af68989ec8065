"""One request as tree, text and JSON."""

from typing import Any

from fake_source import ENGLISH, FakeSource, fake_source
from fake_trees import DANGEROUS, TIDE, narrator

from covel_inspector.domain import SegmentTree
from covel_inspector.report.request import request_object, text_lines, tree_lines
from covel_inspector.report.wording import catalogue

WORDS = catalogue("en")


def _tree() -> tuple[FakeSource, SegmentTree]:
    source = fake_source()
    tree = source.recorded(source.resolve(f"{ENGLISH}:1:narrator:0"))
    assert tree is not None
    return source, tree


def test_tree_shows_segments_boundary_and_what_was_left_out() -> None:
    source, tree = _tree()
    lines = tree_lines(tree, WORDS, source.estimator_name, source.estimate)
    assert lines[0] == "4 parts, 345 characters in all, about 88 tokens (letters / 4)"
    system = next(number for number, line in enumerate(lines) if line.startswith("  World lore"))
    assert lines[system + 1] == "── boundary 1 (engine): behind the system prompt ──"
    assert lines[-2:] == ["Left out:", "  Lore · night: no key matched"]
    assert any(line.endswith("exact · stable · plugins/narrator/PLUGIN.md:12") for line in lines)


def test_json_has_every_text_and_places_that_fit() -> None:
    source, tree = _tree()
    found = request_object("a", "recorded", tree, WORDS, source.estimator_name, source.estimate)
    assert "".join(part["text"] for part in found["parts"]) == tree.request.text
    leaves = [segment for segment in _walk(found["segments"]) if segment["place"]]
    assert sum(leaf["characters"] for leaf in leaves) == found["characters"]
    assert found["boundaries"] == [
        {"number": 1, "part": 1, "offset": 193, "setter": "engine", "note": "behind the system prompt"}
    ]
    assert [one["reason"] for one in found["absent"]] == ["no-key"]


def _walk(segments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for segment in segments for one in (segment, *_walk(segment["children"]))]


def test_text_has_a_heading_for_each_message_and_is_safe() -> None:
    lines = text_lines(narrator(TIDE, 3), WORDS)
    text = "\n".join(lines)
    assert "=== System prompt · 0 · system ===" in lines
    assert DANGEROUS not in text
    assert "A red \\x1b[31mlantern\\x1b[0m, a torn \\ud83d half, a bell\\x07 and a rare 𠮷 · 🔥" in lines
