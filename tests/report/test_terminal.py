"""Text on a terminal: nothing dangerous gets through, columns stay straight."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.report.terminal import Column, clip, one_line, pad, table, visible, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("torn \ud83d half", "torn \\ud83d half"),
        ("bell\a nul\0 return\r", "bell\\x07 nul\\x00 return\\x0d"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ue000COVEL", "\\ue000COVEL"),
        ("\U000f0000", "\\U000f0000"),
        ("中文，𠮷🔥", "中文，𠮷🔥"),
    ],
)
def test_dangerous_characters_are_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_what_is_printed_can_be_encoded_and_does_not_steer_a_terminal(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not {ord(one) for one in shown} & ({*range(32), *range(0x7F, 0xA0)} - {9, 10})


def test_one_line_shows_line_breaks() -> None:
    assert one_line("  a\r\nb \n  c ") == "a ⏎ b ⏎ c"


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("守夜", 4), ("é", 1), ("e\u0301", 1), ("🔥", 2), ("", 0)])
def test_width_counts_columns(text: str, columns: int) -> None:
    assert width(text) == columns


def test_clip_never_takes_more_than_it_may() -> None:
    assert clip("守夜人的故事", 6) == "守夜…"
    assert width(clip("守夜人的故事", 6)) <= 6
    assert clip("short", 6) == "short"


def test_pad_fills_with_blanks_by_columns() -> None:
    assert pad("守", 4) == "守  "
    assert pad("守", 4, right=True) == "  守"
    assert pad("too long", 3) == "too long"


def test_table_columns_start_at_the_same_place() -> None:
    lines = table([Column("Name"), Column("N", right=True), Column("Note")], [("守夜", "1", "x"), ("tide", "22", "y")])
    assert lines == ["Name   N  Note", "守夜   1  x", "tide  22  y"]


def test_table_cells_stay_on_their_line() -> None:
    lines = table([Column("Name")], [("a\nb\x1b[2J",)])
    assert lines == ["Name", "a ⏎ b\\x1b[2J"]
