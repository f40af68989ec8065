"""Recorded against rebuilt."""

from dataclasses import replace

from covel_inspector.domain import Field, Grade, Group, Kind, Part, Request, Segment, SegmentTree, Status, plain, say
from covel_inspector.domain.building import branch, whole
from covel_inspector.engines.covel.rebuild.verdict import judge
from covel_inspector.engines.covel.records.naming import SENTINEL


def tree(*messages: tuple[str, str, str], taken: frozenset[str] = frozenset()) -> SegmentTree:
    """A tree of one leaf a message: (key, role, text)."""
    parts = tuple(
        Part(Group.SYSTEM if number == 0 else Group.MESSAGES, number, 0, Field.CONTENT, text, role)
        for number, (_, role, text) in enumerate(messages)
    )
    leaves = [
        whole(Segment(key, Kind.HISTORY, plain(key), taken=key in taken, reason=say("because")), parts, number)
        for number, (key, _, _) in enumerate(messages)
    ]
    groups = [branch(Segment(Group.SYSTEM.value, Kind.GROUP, plain("s")), leaves[:1])]
    if leaves[1:]:
        groups.append(branch(Segment(Group.MESSAGES.value, Kind.GROUP, plain("m")), leaves[1:]))
    return SegmentTree(Request(parts), tuple(groups))


BASE = (("a", "system", "one"), ("b", "user", "two"), ("c", "assistant", "three"))


def test_the_same_is_identical() -> None:
    verdict = judge(tree(*BASE), tree(*BASE))
    assert verdict.status is Status.IDENTICAL
    assert (verdict.independent, verdict.total) == (11, 11)


def test_what_was_taken_is_counted_and_listed() -> None:
    verdict = judge(tree(*BASE), tree(*BASE, taken=frozenset({"b"})))
    assert (verdict.independent, verdict.total, verdict.independent_share) == (8, 11, 8 / 11)
    assert [(item.title, item.characters) for item in verdict.taken] == [("b", 3)]


def test_a_difference_says_where() -> None:
    verdict = judge(tree(*BASE), tree(BASE[0], ("b", "user", "twx"), BASE[2]))
    assert verdict.status is Status.DIFFERS
    (difference,) = verdict.differences
    assert str(difference.title) == "b"
    assert "character 3" in str(difference.note)
    assert difference.recorded is not None
    assert difference.rebuilt is not None


def test_missing_added_and_other_roles_are_differences() -> None:
    missing = judge(tree(*BASE), tree(*BASE[:2]))
    assert [str(found.title) for found in missing.differences] == ["c"]
    assert missing.differences[0].rebuilt is None
    added = judge(tree(*BASE[:2]), tree(*BASE))
    assert added.differences[0].recorded is None
    role = judge(tree(*BASE), tree(BASE[0], ("b", "system", "two"), BASE[2]))
    assert role.status is Status.DIFFERS
    assert "role" in str(role.differences[0].note)


def test_another_order_is_a_difference_too() -> None:
    verdict = judge(tree(*BASE), tree(BASE[0], BASE[2], BASE[1]))
    assert verdict.status is Status.DIFFERS
    assert len(verdict.differences) == 1


def test_a_moved_segment_is_told_once_and_as_moved() -> None:
    (difference,) = judge(tree(*BASE), tree(BASE[0], BASE[2], BASE[1])).differences
    assert difference.recorded is not None
    assert difference.rebuilt is not None
    assert "elsewhere" in str(difference.note)


def test_a_changed_message_that_no_row_explains_is_named_after_the_row_that_should_stand_there() -> None:
    recorded = tree(BASE[0], ("unknown:0", "user", "twx"), BASE[2])
    unknown = replace(recorded.groups[1].children[0], kind=Kind.UNKNOWN)
    recorded = replace(
        recorded,
        groups=(recorded.groups[0], replace(recorded.groups[1], children=(unknown, *recorded.groups[1].children[1:]))),
    )
    verdict = judge(recorded, tree(*BASE))
    (difference,) = verdict.differences
    assert str(difference.title) == "b"
    assert difference.recorded is not None
    assert "character 3" in str(difference.note)
    assert "no row or file" in str(difference.note)
    assert "b: the texts part" in str(verdict.reason)


def test_a_newer_row_is_the_reason_it_gives() -> None:
    rebuilt = tree(BASE[0], ("b", "user", "twx"), BASE[2])
    newer = replace(rebuilt.groups[1].children[0], grade=Grade.GUESS, notes=(say("the row is newer than the call"),))
    rebuilt = replace(
        rebuilt,
        groups=(rebuilt.groups[0], replace(rebuilt.groups[1], children=(newer, *rebuilt.groups[1].children[1:]))),
    )
    assert "newer than the call" in str(judge(tree(*BASE), rebuilt).reason)


def test_named_normalisations() -> None:
    marked = tree(("a", "system", f"one{SENTINEL}"), BASE[1])
    bare = tree(("a", "system", "one"), BASE[1])
    verdict = judge(marked, bare)
    assert verdict.status is Status.NORMALISED
    assert [str(name) for name in verdict.normalisations] == ["cache marks left out"]
    blanks = judge(tree(("a", "system", "one \r\ntwo"), BASE[1]), tree(("a", "system", "one\ntwo"), BASE[1]))
    assert blanks.status is Status.NORMALISED
    assert len(blanks.normalisations) == 3
