"""Walking trees, and noticing when one is broken."""

from dataclasses import replace

from covel_inspector.domain import Field, Grade, Group, Kind, Part, Place, Request, Segment, SegmentTree, plain

PARTS = (
    Part(Group.SYSTEM, 0, 0, Field.CONTENT, "rules world", "system"),
    Part(Group.MESSAGES, 1, 0, Field.CONTENT, "I row out.", "user"),
)


def leaf(key: str, part: int, start: int, end: int) -> Segment:
    return Segment(key, Kind.BODY, plain(key), PARTS[part].text[start:end], Place(part, start, end))


def group(key: Group, *children: Segment) -> Segment:
    return Segment(key.value, Kind.GROUP, plain(key.value), children=children)


TREE = SegmentTree(
    Request(PARTS),
    (
        group(Group.SYSTEM, leaf("rules", 0, 0, 6), leaf("world", 0, 6, 11)),
        group(Group.MESSAGES, leaf("line", 1, 0, 10)),
    ),
)


def with_system(*children: Segment) -> SegmentTree:
    return replace(TREE, groups=(group(Group.SYSTEM, *children), TREE.groups[1]))


def test_a_whole_tree_has_no_gaps() -> None:
    assert TREE.gaps() == []
    assert [segment.key for segment in TREE.walk()] == ["system", "rules", "world", "messages", "line"]
    assert [segment.key for segment in TREE.leaves()] == ["rules", "world", "line"]
    assert TREE.groups[0].whole_text == "rules world"


def test_groups_and_leaves_are_found() -> None:
    assert TREE.group(Group.MESSAGES) is TREE.groups[1]
    assert TREE.group(Group.TOOLS) is None
    assert TREE.leaf_at(0, 5) is TREE.groups[0].children[0]
    assert TREE.leaf_at(0, 6) is TREE.groups[0].children[1]
    assert TREE.leaf_at(1, 10) is None


def test_a_gap_an_overlap_a_wrong_text_and_a_wrong_order_are_named() -> None:
    rules, world = TREE.groups[0].children
    assert any("ends at 11, leaves at 6" in gap for gap in with_system(rules).gaps())
    assert any("continues at 6, not 0" in gap for gap in with_system(world).gaps())
    assert any("continues at 4, not 6" in gap for gap in with_system(rules, leaf("w", 0, 4, 11)).gaps())
    assert any("text is not what stands" in gap for gap in with_system(rules, replace(world, text="other")).gaps())
    backwards = replace(TREE, groups=(TREE.groups[1], TREE.groups[0]))
    assert any("part 0 after part 1" in gap for gap in backwards.gaps())


def test_requests_and_places_have_lengths() -> None:
    assert TREE.request.text == "rules worldI row out."
    assert TREE.request.length == 21
    assert len(Place(0, 6, 11)) == 5


def test_an_empty_place_is_a_place() -> None:
    assert len(Place(0, 3, 3)) == 0
    assert Place(0, 3, 3)


def test_grades_are_ranked_from_sure_to_unsure() -> None:
    assert [grade.rank for grade in Grade] == [0, 1, 2, 3, 4, 5]
    assert Grade.EXACT.rank < Grade.GUESS.rank < Grade.UNKNOWN.rank
