"""Rows of all calls of a sample database: nothing is lost, nothing is told twice."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from compare_sides import figures_of

from covel_inspector.analysis.compare import compare
from covel_inspector.app.compare.passages import passages, states_of
from covel_inspector.app.compare.row_building import RowOptions, build_rows
from covel_inspector.app.compare.rows import RowKind, walk
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Kind, SegmentTree, plain
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parents[2] / "data"
_QUIET = (Kind.SEPARATOR, Kind.MARK)


@pytest.fixture(scope="module")
def trees() -> list[SegmentTree]:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    found = [source.recorded(call.address) for session in source.sessions() for call in source.calls(session.id)]
    source.close()
    return [one for one in found if one is not None]


def side(tree: SegmentTree) -> Side:
    return Side("", plain(""), tree, figures=figures_of(tree))


@pytest.mark.parametrize("quiet", [False, True])
def test_every_leaf_and_boundary_of_both_sides_stands_in_one_row(trees, quiet):
    wording = Wording("en")
    assert len(trees) > 30
    for a, b in pairwise(trees):
        shown = Prepared(side(a), side(b), compare(a, b))
        rows = walk(build_rows(shown, wording, RowOptions(quiet=quiet)))
        for tree, half in ((a, 0), (b, 1)):
            told = Counter(
                id((row.pair.a, row.pair.b)[half])
                for row in rows
                if row.pair is not None and (row.pair.a, row.pair.b)[half] is not None
            )
            leaves = [leaf for leaf in tree.leaves() if quiet or leaf.kind not in _QUIET]
            covered = Counter(
                id(leaf)
                for row in rows
                if row.pair is not None and not row.children and (row.pair.a, row.pair.b)[half] is not None
                for leaf in (row.pair.a, row.pair.b)[half].leaves()
            )
            assert max(told.values()) == 1
            assert all(covered[id(leaf)] == 1 for leaf in leaves)
            boundaries = Counter(row.boundaries[half] for row in rows if row.kind is RowKind.BOUNDARY)
            assert all(boundaries[boundary] == 1 for boundary in tree.boundaries)


def test_every_word_of_a_request_can_be_read_or_unfolded(trees):
    for a, b in pairwise(trees):
        found = passages(b, states_of(compare(a, b)))
        read = sum(len(one.text) + one.rest for one in found)
        wanted = sum(len(leaf.text) for leaf in b.leaves() if leaf.kind not in _QUIET and leaf.text.strip())
        assert read >= wanted
        assert read <= b.request.length


def test_the_shade_ends_at_the_first_character_that_differs(trees):
    wording, inside = Wording("en"), 0
    for a, b in pairwise(trees):
        found = compare(a, b)
        ours, theirs = found.shared_end_a, found.shared_end_b
        if ours is None or theirs is None:
            continue
        texts = a.request.parts[ours.part].text, b.request.parts[theirs.part].text
        assert texts[0][: ours.start] == texts[1][: theirs.start]
        is_other_message = a.request.parts[ours.part].role != b.request.parts[theirs.part].role
        assert is_other_message or texts[0][ours.start :][:1] != texts[1][theirs.start :][:1]
        for row in walk(build_rows(Prepared(side(a), side(b), found), wording, RowOptions(quiet=True))):
            leaf = row.pair.b if row.pair is not None else None
            if leaf is not None and leaf.is_leaf and row.shared_ends[1] is not None:
                inside += 1
                assert (leaf.place.part, leaf.place.start + row.shared_ends[1]) == (theirs.part, theirs.start)
    assert inside > 10
