"""Two texts beside each other."""

import re

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.report.side_by_side import ASCII, aligned_rows, side_by_side
from covel_inspector.report.terminal import visible, width


def test_changed_words_are_marked_in_their_lines() -> None:
    assert side_by_side("one\nhour: 18\nend", "one\nhour: 19\nend", 43) == [
        "one                  │ one",
        "hour: [-18-]         │ hour: {+19+}",
        "end                  │ end",
    ]


def test_equal_lines_far_away_are_counted() -> None:
    equal = "".join(f"line {number}\n" for number in range(20))
    lines = side_by_side(f"{equal}old\n{equal}", f"{equal}new\n{equal}", 43)
    assert [line for line in lines if line.startswith("⋮")] == ["⋮ 18", "⋮ 19"]
    assert len(lines) == 7


def test_a_new_line_stands_alone() -> None:
    assert side_by_side("one\ntwo\n", "one\nnew\ntwo\n", 43, context=1) == [
        "one                  │ one",
        "                     │ {+new⏎+}",
        "two                  │ two",
        "⋮ 1",
    ]


def test_wide_characters_are_wrapped_by_columns() -> None:
    lines = side_by_side("守夜人添柴。" * 5, "守夜人添水。" * 5, 43)
    assert all(width(line) <= 43 for line in lines)
    assert all(width(line.partition("│")[0]) == 21 for line in lines)


def test_ascii_signs_for_poor_outputs() -> None:
    assert all(line.isascii() for line in side_by_side("a\nb", "a\nc\nd", 40, ASCII))


@given(st.text("ab\n 守", max_size=40), st.text("ab\n 守", max_size=40))
def test_rows_hold_both_texts(a: str, b: str) -> None:
    rows = aligned_rows(a, b)
    left = _joined([row.a for row in rows if row.a is not None])
    right = _joined([row.b for row in rows if row.b is not None])
    assert left.replace("\n", "") == visible(a).replace("\n", "")
    assert right.replace("\n", "") == visible(b).replace("\n", "")


def _joined(lines: list[str]) -> str:
    return re.sub(r"\[-|-\]|\{\+|\+\}|⏎", "", "\n".join(lines))
