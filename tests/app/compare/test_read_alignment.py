"""Which passages belong at the same height, and how much room that takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.app.compare.passages import Passage, Voice
from covel_inspector.app.compare.read_alignment import Anchor, anchors, paddings
from covel_inspector.domain import Kind, Segment, plain


def passages(*keys: str) -> list[Passage]:
    return [Passage(Voice.PROSE, Segment(key, Kind.HISTORY, plain(key)), plain(key), key, key=key) for key in keys]


def pairs(ours: str, theirs: str) -> list[tuple[str, str]]:
    a, b = passages(*ours), passages(*theirs)
    return [(a[i].key, b[j].key) for i, j in anchors(a, b, {})]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("", "", ""),
        ("abc", "abc", "abc"),
        ("abc", "axc", "ac"),
        ("abcd", "bcda", "bcd"),
        ("abc", "xyz", ""),
        ("dabc", "abcd", "abc"),
    ],
)
def test_pairs_keep_the_order_of_both(ours: str, theirs: str, expected: str) -> None:
    assert pairs(ours, theirs) == [(key, key) for key in expected]


def test_partners_pair_passages_whose_keys_differ() -> None:
    a, b = passages("old", "same"), passages("new", "same")
    partners = {id(a[0].segment): b[0].segment, id(b[0].segment): a[0].segment}
    assert anchors(a, b, partners) == [(0, 0), (1, 1)]


def test_shorter_side_is_padded_before_the_next_pair_and_at_the_end() -> None:
    a, b = paddings([(0, 0), (1, 2)], [0, 50], [0, 40, 90], 70, 200)
    assert a.above == {1: 40}
    assert b.above == {}
    assert (a.end, b.end) == (90, 0)


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(1, 300)), min_size=1, max_size=30), st.integers(1, 300))
def test_every_pair_becomes_level(heights: list[tuple[int, int]], last: int) -> None:
    tops_a = [float(sum(a for a, _ in heights[:number])) for number in range(len(heights))]
    tops_b = [float(sum(b for _, b in heights[:number])) for number in range(len(heights))]
    found: list[Anchor] = [(number, number) for number in range(len(heights))]
    end_a, end_b = tops_a[-1] + heights[-1][0], tops_b[-1] + last
    a, b = paddings(found, tops_a, tops_b, end_a, end_b)
    for number in range(len(heights)):
        level_a = tops_a[number] + sum(room for at, room in a.above.items() if at <= number)
        level_b = tops_b[number] + sum(room for at, room in b.above.items() if at <= number)
        assert level_a == level_b
    whole_a = end_a + sum(a.above.values()) + a.end
    whole_b = end_b + sum(b.above.values()) + b.end
    assert whole_a == whole_b
    assert all(room > 0 for padding in (a, b) for room in padding.above.values())
    assert 0 in (a.end, b.end)
