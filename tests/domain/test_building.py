"""Trees that keep the invariant: leaves tile every part."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.domain import Field, Grade, Group, Kind, Part, Place, Request, Segment, SegmentTree, plain
from covel_inspector.domain.building import branch, placed, tile, whole


def part(text: str, group: Group = Group.SYSTEM, role: str = "system") -> Part:
    return Part(group, 0, 0, Field.CONTENT, text, role)


def named(key: str) -> Segment:
    return Segment(key, Kind.BODY, plain(key))


def tree_of(parts: list[Part], children: list[Segment]) -> SegmentTree:
    return SegmentTree(Request(tuple(parts)), (branch(Segment("system", Kind.GROUP, plain("System")), children),))


@given(st.text(alphabet="ab左 \n", max_size=30), st.data())
def test_claims_and_fillers_tile_a_part(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))) | {0, len(text)})
    stretches = [pair for pair in itertools.pairwise(cuts) if data.draw(st.booleans())]
    parts = [part(text)]
    claims = [placed(named(f"claim:{start}"), parts, Place(0, start, end)) for start, end in stretches]
    tree = tree_of(parts, tile(parts, 0, reversed(claims)))
    assert tree.gaps() == []
    assert "".join(leaf.text for leaf in tree.leaves()) == text
    assert {claim.key for claim in claims} <= {leaf.key for leaf in tree.leaves()}


def test_fillers_are_separators_where_blank_and_unknown_elsewhere() -> None:
    parts = [part("\n\nbody words")]
    body = placed(named("body"), parts, Place(0, 2, 6))
    blank, _, unknown = tile(parts, 0, [body])
    assert (blank.kind, blank.grade, blank.text) == (Kind.SEPARATOR, Grade.STRUCTURAL, "\n\n")
    assert (unknown.kind, unknown.grade, unknown.text) == (Kind.UNKNOWN, Grade.UNKNOWN, " words")


def test_only_a_stretch_of_a_part_can_be_tiled() -> None:
    parts = [part("<a>body</a>")]
    tiled = tile(parts, 0, [], start=3, end=7)
    assert [(leaf.text, leaf.place) for leaf in tiled] == [("body", Place(0, 3, 7))]


@pytest.mark.parametrize("places", [[(0, 3), (2, 4)], [(0, 9)]], ids=["overlap", "outside"])
def test_wrong_claims_are_refused(places: list[tuple[int, int]]) -> None:
    parts = [part("four")]
    claims = [placed(named(f"c{start}"), parts, Place(0, start, end)) for start, end in places]
    with pytest.raises(ValueError, match="claims"):
        tile(parts, 0, claims, end=4)


def test_an_empty_claim_keeps_its_place() -> None:
    parts = [part("abcd")]
    claims = [placed(named(key), parts, Place(0, *ends)) for key, ends in {"x": (2, 4), "empty": (2, 2)}.items()]
    assert [segment.key for segment in tile(parts, 0, claims)] == ["unknown:0", "empty", "x"]
    assert tree_of(parts, tile(parts, 0, claims)).gaps() == []


def test_branches_are_claims_too() -> None:
    parts = [part("xxbodyyy")]
    body = branch(
        named("body"),
        [placed(named("literal:0"), parts, Place(0, 2, 4)), placed(named("literal:1"), parts, Place(0, 4, 6))],
    )
    assert [segment.key for segment in tile(parts, 0, [body])] == ["unknown:0", "body", "unknown:1"]


def test_repeated_keys_among_siblings_are_numbered() -> None:
    parts = [part("abc")]
    leaves = [placed(named("lore:x"), parts, Place(0, index, index + 1)) for index in range(3)]
    assert [child.key for child in branch(named("body"), leaves).children] == ["lore:x", "lore:x#2", "lore:x#3"]


def test_whole_takes_the_part_and_its_role() -> None:
    leaf = whole(named("line"), [part("I row out.", Group.MESSAGES, "user")], 0)
    assert (leaf.text, leaf.role, leaf.place) == ("I row out.", "user", Place(0, 0, 10))
    assert whole(Segment("x", Kind.BODY, plain("x"), role="system"), [part("", role="user")], 0).role == "system"
