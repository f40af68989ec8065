"""Equal stretches that only disturb are given up."""

import pytest

from covel_inspector.text.calm import calm
from covel_inspector.text.hunks import DiffLimits, Hunk, HunkKind, hunk_of

LIMITS = DiffLimits()


def block(*pieces: tuple[str, str]) -> tuple[str, list[Hunk]]:
    """A text A and hunks, from pairs of texts that are equal or replace one another."""
    a = b = ""
    hunks = []
    for ours, theirs in pieces:
        ends = (len(a), len(a) + len(ours), len(b), len(b) + len(theirs))
        hunks.append(Hunk(HunkKind.EQUAL, *ends) if ours == theirs else hunk_of(*ends))
        a, b = a + ours, b + theirs
    return a, hunks


def kept(*pieces: tuple[str, str]) -> list[str]:
    a, hunks = block(*pieces)
    return [a[hunk.a_start : hunk.a_end] for hunk in calm(hunks, a, LIMITS) if hunk.kind is HunkKind.EQUAL]


FRAME = ("a frame that is the same", "a frame that is the same")


@pytest.mark.parametrize("island", [" ", ", ", "。", "it", "的"])
def test_small_islands_are_given_up(island: str) -> None:
    assert kept(FRAME, ("one", "two"), (island, island), ("three", "four")) == [FRAME[0]]


@pytest.mark.parametrize("island", [" a longer one ", "\n", " ,\n", "是很久以前的事"])
def test_longer_ones_and_line_ends_stay(island: str) -> None:
    assert kept(FRAME, ("one", "two"), (island, island), ("three", "four")) == [FRAME[0], island]


def test_an_island_as_long_as_many_code_points_stays_whatever_surrounds_it() -> None:
    island = "x" * (LIMITS.kept_island + 1)
    assert kept(FRAME, ("1" * 90, "2" * 90), (island, island), ("3" * 90, "4" * 90)) == [FRAME[0], island]


def test_giving_up_one_island_can_give_up_the_one_before() -> None:
    assert kept(FRAME, ("abc", "cde"), ("xyz", "xyz"), ("e", "f"), (" ", " "), ("g", "h")) == [FRAME[0]]


def test_hardly_anything_equal_is_a_whole_replacement() -> None:
    assert kept(("abc", "abc"), ("1" * 30, "2" * 30), ("\n", "\n"), ("3" * 30, "4" * 30)) == []
