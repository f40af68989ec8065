"""What a rebuilt tree says of pieces that were taken from the recording."""

import re
from collections.abc import Iterator

import pytest
from sample_calls import DATA

from covel_inspector.domain import Changes, Kind, Segment, plain
from covel_inspector.engines.covel.rebuild.taken import is_made_up, with_claims_of
from covel_inspector.engines.covel.source import CovelSource, open_covel


@pytest.fixture(scope="module", params=[("tidewater", True), ("emberwatch", False)], ids=["files", "no-files"])
def source(request: pytest.FixtureRequest) -> Iterator[CovelSource]:
    name, with_files = request.param
    opened = open_covel(str(DATA / f"{name}.db"), str(DATA / "sample-root") if with_files else None)
    yield opened
    opened.close()


def test_orders_that_a_rebuild_made_up_are_told_nowhere(source: CovelSource) -> None:
    taken = 0
    for session in source.sessions():
        for call in source.calls(session.id)[:12]:
            rebuilt, recorded = source.rebuilt(call.address), source.recorded(call.address)
            if rebuilt is None or recorded is None:
                continue
            declared = {leaf.key: leaf for leaf in recorded.leaves()}
            for leaf in rebuilt.leaves():
                assert not is_made_up(leaf), leaf.key
                assert not [note for note in leaf.notes if re.search(r"\d{7}", str(note))], leaf.key
                if leaf.taken and leaf.kind is Kind.EXTENSION and leaf.key in declared:
                    taken += 1
                    there = declared[leaf.key]
                    assert (leaf.order, leaf.audience, leaf.volatility) == (
                        there.order,
                        there.audience,
                        there.volatility,
                    )
    assert taken


def test_changed_text_of_a_taken_segment_has_no_made_up_order_either(source: CovelSource) -> None:
    address, key = next(
        (call.address, leaf.key)
        for session in source.sessions()
        for call in source.calls(session.id)
        for tree in [source.rebuilt(call.address)]
        if tree is not None
        for leaf in tree.leaves()
        if leaf.taken and leaf.kind is Kind.EXTENSION
    )
    changed = source.rebuilt(address, Changes(texts=((key, "Something else."),)))
    assert changed is not None
    leaf = next(leaf for leaf in changed.leaves() if leaf.key == key)
    assert leaf.text == "Something else."
    assert not is_made_up(leaf)


def test_piece_that_the_recording_does_not_know_declares_nothing() -> None:
    made = Segment("a", Kind.EXTENSION, plain("a"), order=-1_000_002, audience="all", position="system")
    assert is_made_up(made)
    bare = with_claims_of(made, None)
    assert (bare.order, bare.audience, bare.volatility, bare.notes) == (None, "", None, ())
    assert bare.position == "system"
    assert not is_made_up(bare)


def test_a_branch_of_taken_pieces_is_taken_and_no_better_than_they_are(source: CovelSource) -> None:
    taken = 0
    for session in source.sessions():
        for call in source.calls(session.id)[:12]:
            for segment in tree.walk() if (tree := source.rebuilt(call.address)) is not None else ():
                texts = [leaf for leaf in segment.leaves() if leaf.kind is not Kind.SEPARATOR]
                if segment.is_leaf or segment.kind is Kind.GROUP:
                    continue
                assert segment.taken == (bool(texts) and all(leaf.taken for leaf in texts)), segment.key
                if segment.taken:
                    taken += 1
                    assert segment.grade.rank >= max(leaf.grade.rank for leaf in texts)
                    assert "taken from the recording" in str(segment.reason) or "learned" in str(segment.reason)
    assert taken
