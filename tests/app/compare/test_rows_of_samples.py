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
