"""What two sequences have in common, found by anchors within a budget."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.anchors import Budget, find_matches, longest_rising

ROWS = st.lists(st.integers(0, 6), max_size=40)
NOTHING: frozenset[int] = frozenset()


def matches(
    a: list[int], b: list[int], weak: frozenset[int] = NOTHING, steps: int = 100_000
) -> list[tuple[int, int, int]]:
    return find_matches(a, b, weak, Budget(steps, 100))


@given(ROWS, ROWS, st.frozensets(st.integers(0, 6)))
def test_matches_are_true_rise_and_are_joined(a: list[int], b: list[int], weak: frozenset[int]) -> None:
    found = matches(a, b, weak)
    for first, second, count in found:
        assert count > 0
        assert a[first : first + count] == b[second : second + count]
    for (first, second, count), (later_first, later_second, _) in pairwise(found):
        assert first + count <= later_first
        assert second + count <= later_second
        assert (first + count, second + count) != (later_first, later_second)


@given(ROWS)
def test_a_row_matches_itself_as_a_whole(a: list[int]) -> None:
    assert matches(a, a) == ([(0, 0, len(a))] if a else [])


def test_unique_elements_hold_the_frame() -> None:
    assert matches([1, 9, 2, 9, 3], [9, 9, 1, 2, 3]) == [(0, 2, 1), (2, 3, 1), (4, 4, 1)]


def test_weak_elements_match_beside_strong_ones_only() -> None:
    assert matches([5, 0, 6, 0, 7], [8, 0, 6, 0, 9], frozenset({0})) == [(1, 1, 3)]
    assert matches([5, 0, 6], [8, 0, 9], frozenset({0})) == []


def test_weak_elements_match_when_there_is_nothing_else() -> None:
    assert matches([0, 1, 1, 0, 1], [1, 0, 1, 1, 1], frozenset({0, 1})) == [(0, 1, 3), (4, 4, 1)]


def test_without_unique_elements_runs_are_anchors() -> None:
    row = [(number * number) % 7 for number in range(400)]
    a = [*row, 8, 8, *row[::-1]]
    b = [*row[:200], 9, *row[200:], 8, 8, *row[::-1][1:]]
    assert sum(count for _, _, count in matches(a, b)) >= len(a) - 10


def test_a_spent_budget_says_so() -> None:
    budget = Budget(10, 100)
    find_matches(list(range(0, 60, 2)), list(range(0, 60, 3)), NOTHING, budget)
    assert budget.bounded
    assert not budget.stopped


def test_a_cancelled_budget_says_so_and_refuses_all() -> None:
    budget = Budget(100, 100, lambda: True)
    assert not budget.spend(1)
    assert not budget.spend(0)
    assert budget.stopped
    assert not budget.bounded


@pytest.mark.parametrize(
    ("seconds", "chain"),
    [([], []), ([3, 1, 2], [1, 2]), ([5, 4, 3], [3]), ([1, 5, 2, 3, 9], [1, 2, 3, 9])],
)
def test_the_longest_rising_chain(seconds: list[int], chain: list[int]) -> None:
    assert [second for _, second in longest_rising(list(enumerate(seconds)))] == chain


@given(st.permutations(range(8)))
def test_no_rising_chain_is_longer(seconds: list[int]) -> None:
    best: list[int] = []
    for index, second in enumerate(seconds):
        best.append(1 + max((best[before] for before in range(index) if seconds[before] < second), default=0))
    chain = longest_rising(list(enumerate(seconds)))
    assert len(chain) == max(best)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(chain))
