"""Hunks: their kinds, and joining neighbours."""

from covel_inspector.text.hunks import Hunk, HunkKind, apply, hunk_of, tidy

EQUAL, INSERT, DELETE, REPLACE = HunkKind


def test_the_lengths_give_the_kind() -> None:
    assert hunk_of(1, 1, 0, 2).kind is INSERT
    assert hunk_of(1, 2, 0, 0).kind is DELETE
    assert hunk_of(1, 2, 0, 2).kind is REPLACE


def test_neighbours_of_one_sort_are_joined_and_empty_ones_dropped() -> None:
    hunks = [
        Hunk(EQUAL, 0, 2, 0, 2),
        Hunk(INSERT, 2, 2, 2, 2),
        Hunk(EQUAL, 2, 3, 2, 3),
        Hunk(DELETE, 3, 4, 3, 3),
        Hunk(INSERT, 4, 4, 3, 5),
        Hunk(EQUAL, 4, 4, 5, 5),
    ]
    assert tidy(hunks) == (Hunk(EQUAL, 0, 3, 0, 3), Hunk(REPLACE, 3, 4, 3, 5))


def test_b_is_taken_from_both() -> None:
    hunks = (Hunk(EQUAL, 0, 2, 0, 2), Hunk(REPLACE, 2, 3, 2, 4), Hunk(DELETE, 3, 4, 4, 4))
    assert apply("abcd", "??XY", hunks) == "abXY"
