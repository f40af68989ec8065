"""The exact search, against the longest common subsequence by table."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.shortest import shortest_edits

ROWS = st.lists(st.integers(0, 3), max_size=25)


def longest_common(a: list[int], b: list[int]) -> int:
    row = [0] * (len(b) + 1)
    for ours in a:
        before = row
        row = [0]
        for index, theirs in enumerate(b):
            row.append(before[index] + 1 if ours == theirs else max(row[index], before[index + 1]))
    return row[-1]


@given(ROWS, ROWS)
def test_as_many_pairs_as_can_be(a: list[int], b: list[int]) -> None:
    pairs = shortest_edits(a, b, 100, lambda _: True)
    assert pairs is not None
    assert len(pairs) == longest_common(a, b)
    assert all(a[first] == b[second] for first, second in pairs)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))


def test_gives_up_at_the_limit_and_when_told() -> None:
    assert shortest_edits([1, 2, 3], [4, 5, 6], 5, lambda _: True) is None
    assert shortest_edits([1, 2, 3], [4, 5, 6], 6, lambda _: True) == []
    assert shortest_edits([1, 2], [2, 1], 10, lambda _: False) is None
