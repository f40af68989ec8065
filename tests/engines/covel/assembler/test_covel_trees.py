"""Every context's segment tree: complete, named, with reasons, and with what was left out."""

import pytest
from covel_vectors import assembler_case, assembler_pack, contexts

from covel_inspector.domain import AbsenceReason, Absent, Grade, Group, Kind, Segment, SegmentTree, Setter
from covel_inspector.engines.covel.assembler import Assembly, assemble
from covel_inspector.engines.covel.evaluate.assembler import params_of
from covel_inspector.engines.covel.records.naming import SENTINEL


def assembled(name: str) -> Assembly:
    return assemble(params_of(assembler_case(name), assembler_pack()), assembler_pack())


def segment(tree: SegmentTree, key: str) -> Segment:
    return next(found for found in tree.walk() if found.key == key)


def absent(tree: SegmentTree, key: str) -> Absent:
    return next(found for found in tree.absent if found.key == key)


def notes(found: Segment) -> list[str]:
    return [str(note) for note in found.notes]


@pytest.mark.parametrize("name", contexts())
def test_leaves_tile_the_request_and_the_request_is_the_context(name: str) -> None:
    assembly = assembled(name)
    tree, context = assembly.tree, assembly.context
    assert tree.gaps() == []
    parts = tree.request.parts
    assert parts[0].group is Group.SYSTEM
    assert parts[0].text == context.system_prompt
    strings = [message.content for message in context.messages if isinstance(message.content, str)]
    texts = [part.text for part in parts[1:] if part.field == "content"]
    assert texts == strings
    for branch in tree.walk():
        keys = [child.key for child in branch.children]
        assert len(keys) == len(set(keys)), f"keys of {branch.key} are not unique"


@pytest.mark.parametrize("name", contexts())
def test_every_segment_says_what_it_follows(name: str) -> None:
    tree = assembled(name).tree
    for found in tree.walk():
        if found.kind is Kind.GROUP:
            continue
        assert str(found.reason), found.key
        assert found.grade is Grade.EXACT, found.key
        assert str(found.title), found.key
    for left_out in tree.absent:
        assert str(left_out.note)
        assert left_out.after == "" or any(found.key == left_out.after for found in tree.walk()), left_out.key


@pytest.mark.parametrize("name", contexts())
def test_each_sentinel_draws_a_boundary(name: str) -> None:
    tree = assembled(name).tree
    prompt = tree.request.parts[0].text
    assert [boundary.number for boundary in tree.boundaries] == list(range(1, prompt.count(SENTINEL) + 1))
    for boundary in tree.boundaries:
        assert boundary.setter is Setter.ENGINE
        assert boundary.place.start == boundary.place.end
        assert prompt[: boundary.place.end].endswith(SENTINEL)


def test_the_tree_is_built_once() -> None:
    assembly = assembled("sys-en")
    assert assembly.tree is assembly.tree


def test_the_system_prompt_is_told_in_order() -> None:
    tree = assembled("sys-all-segments-en").tree
    group = tree.group(Group.SYSTEM)
    assert group is not None
    keys = [child.key for child in group.children if child.kind is not Kind.SEPARATOR]
    marks = [key for key in keys if key.startswith("mark:")]
    assert keys[:4] == ["preamble", "mark:preamble", "body", "mark:body"]
    assert marks == ["mark:preamble", "mark:body", "mark:stable", "mark:lore"]
    assert [child.key for child in segment(tree, "preamble").children if child.kind is not Kind.SEPARATOR] == [
        "preamble:runtime",
        "preamble:language",
        "preamble:completion",
    ]


def test_a_body_with_variables_is_a_branch_of_literals_and_values() -> None:
    tree = assembled("tmpl-tagged-block").tree
    body = segment(tree, "body")
    assert [child.key for child in body.children] == [
        "literal:0",
        "variable:world.name",
        "literal:1",
        "variable:world.name#2",
        "literal:2",
        "variable:world.description",
        "literal:3",
        "variable:world.name#3",
        "literal:4",
        "variable:world.name#4",
    ]
    escaped, raw = body.children[3], body.children[1]
    assert escaped.text == "A &lt;/world-summary&gt; &amp; &lt;b&gt;"
    assert "The value stands inside a tagged block, so it is escaped." in notes(escaped)
    assert raw.text == "A </world-summary> & <b>"
    assert raw.origin.variable == "world.name"
    assert notes(raw) == []


def test_a_value_that_is_not_there_is_told_as_absent() -> None:
    tree = assembled("tmpl-missing").tree
    missing = absent(tree, "variable:session.id")
    assert missing.reason is AbsenceReason.EMPTY
    assert "{{ session.id }}" in str(missing.note)


def test_extension_segments_tell_where_they_land_and_for_whom() -> None:
    tree = assembled("ext-table-turn").tree
    landed = [found for found in tree.walk() if found.kind is Kind.EXTENSION]
    assert landed
    context = segment(tree, "turn-context")
    inside = [child for child in context.children if child.kind is Kind.EXTENSION]
    assert inside
    assert all(any("turn context" in note for note in notes(child)) for child in inside)
    assert all(child.volatility == "turn" and child.position == "system" for child in inside)


def test_segments_for_others_are_absent_with_their_audience() -> None:
    tree = assembled("mix-05").tree
    others = [found for found in tree.absent if found.reason is AbsenceReason.AUDIENCE and found.kind is Kind.EXTENSION]
    assert {found.key for found in others} >= {"segment:almanac/seg-23-2", "segment:almanac/seg-21-7"}
    assert str(absent(tree, "segment:almanac/seg-21-7").note) == "It is for runtimes whose output fulfils ledger@1."
    assert absent(tree, "segment:ballast/seg-13-4").after == "segment:ballast/seg-34-0"
    assert absent(tree, "world-lore").after == "mark:body"


def test_pruned_messages_are_absent_behind_the_marker() -> None:
    assembly = assembled("mix-05")
    tree = assembly.tree
    pruned = [found for found in tree.absent if found.reason is AbsenceReason.PRUNED]
    assert len(pruned) == assembly.context.pruned_message_count
    assert {found.after for found in pruned} == {"prune-marker"}
    assert segment(tree, "prune-marker").notes
    assert any(found.key == "segment:almanac/seg-30-5" for found in pruned)


def test_compacted_rows_are_absent_behind_their_summary() -> None:
    tree = assembled("summary-substitution").tree
    compacted = [found for found in tree.absent if found.reason is AbsenceReason.COMPACTION]
    assert compacted
    assert {found.after for found in compacted} <= {found.key for found in tree.walk()} | {""}
    envelope = next(found for found in tree.walk() if found.kind is Kind.SUMMARY and found.children)
    assert [child.key for child in envelope.children] == [
        "summary-open",
        "summary-content",
        "summary-close",
        "summary-note",
    ]


def test_filter_and_window_are_told() -> None:
    tree = assembled("pipeline-window-with-summaries").tree
    assert absent(tree, "history:r3").reason is AbsenceReason.FILTER
    assert "codex/codex" in str(absent(tree, "history:r3").note)
    assert absent(tree, "history:r1").reason is AbsenceReason.WINDOW
    assert "2" in str(absent(tree, "history:r1").note)
    assert notes(segment(tree, "history:r13")) == ["Inside the window of this runtime, the 2 newest turns."]


def test_lore_tells_its_key_and_pictures_their_rows() -> None:
    tree = assembled("pipeline-story-runtime").tree
    assert notes(segment(tree, "lore:tide"))[0] == "The key 'tide book' stands 2 messages back."
    assert notes(segment(tree, "lore:always"))[0] == "A constant entry: it is always in."
    pictures = segment(assembled("pictures-3").tree, "pictures")
    assert [child.key for child in pictures.children] == [
        "pictures:heading",
        "pictures:item:1",
        "pictures:media:1",
        "pictures:item:2",
        "pictures:media:2",
    ]
    assert [found.reason for found in assembled("pictures-3").tree.absent] == [AbsenceReason.PICTURE]


def test_slots_that_point_at_the_story_say_so() -> None:
    tree = assembled("story-input-replaced").tree
    inputs = segment(tree, "inputs")
    assert "narrative, narrator-output: a pointer at the story below stands instead of a copy." in notes(inputs)
    assert segment(tree, "story:1").kind is Kind.STORY
    assert segment(tree, "cue").kind is Kind.CUE


def test_depth_items_between_rows_stand_inside_the_history() -> None:
    tree = assembled("depth-3").tree
    history = segment(tree, "history")
    assert any(child.kind in (Kind.LORE, Kind.EXTENSION) for child in history.children)
    assert all(child.kind is not Kind.PLAYER_LINE for child in history.children)


def test_a_context_that_pruning_touched_is_what_the_budget_says() -> None:
    assembly = assembled("ctx-budget-over-budget")
    assert assembly.context.budget is not None
    assert assembly.context.budget.over_budget
    assert assembly.composition.pruned is not None
    assert assembly.composition.pruned.step is not None
