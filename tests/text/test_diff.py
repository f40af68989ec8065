"""The comparison of two texts: true, calm, and bounded in steps."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covel_inspector.text.diff import DiffLimits, Hunk, HunkKind, Outcome, TextDiff, apply, diff_texts

CASES = tomllib.loads(Path(__file__).with_name("tricky_cases.toml").read_text(encoding="utf-8"))["case"]

PIECES = st.sampled_from(
    [
        "左",
        "右",
        "手",
        "，",
        "。",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "cat",
        "dog",
        "1",
        "12",
        "👍🏽",
        "𠮷",
        "é",
        "\0",
        "\ue000",
        "\ud800",
    ]
)
TEXTS = st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=60)


def told(diff: TextDiff, a: str, b: str) -> list[str]:
    """Hunks in the notation of the tricky cases."""
    lines: list[str] = []
    for hunk in diff.hunks:
        if hunk.kind is HunkKind.EQUAL:
            lines.append("=" + a[hunk.a_start : hunk.a_end])
            continue
        if hunk.a_end > hunk.a_start:
            lines.append("-" + a[hunk.a_start : hunk.a_end])
        if hunk.b_end > hunk.b_start:
            lines.append("+" + b[hunk.b_start : hunk.b_end])
    return lines


def assert_true(diff: TextDiff, a: str, b: str) -> None:
    """Hunks tile both texts, alternate, tell the truth about equality, and rebuild B."""
    a_position = b_position = 0
    for number, hunk in enumerate(diff.hunks):
        assert (hunk.a_start, hunk.b_start) == (a_position, b_position)
        a_position, b_position = hunk.a_end, hunk.b_end
        assert hunk.a_end > hunk.a_start or hunk.b_end > hunk.b_start
        if hunk.kind is HunkKind.EQUAL:
            assert a[hunk.a_start : hunk.a_end] == b[hunk.b_start : hunk.b_end]
        else:
            assert (hunk.kind is HunkKind.INSERT) == (hunk.a_start == hunk.a_end)
            assert (hunk.kind is HunkKind.DELETE) == (hunk.b_start == hunk.b_end)
        if number:
            assert (hunk.kind is HunkKind.EQUAL) != (diff.hunks[number - 1].kind is HunkKind.EQUAL)
    assert (a_position, b_position) == (len(a), len(b))
    assert apply(a, b, diff.hunks) == b


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_tricky_case(case: dict[str, str]) -> None:
    diff = diff_texts(case["a"], case["b"])
    assert_true(diff, case["a"], case["b"])
    assert told(diff, case["a"], case["b"]) == case["want"]
    assert diff.outcome is Outcome.COMPLETE


@given(TEXTS, TEXTS)
def test_b_can_be_rebuilt_from_a(a: str, b: str) -> None:
    assert_true(diff_texts(a, b), a, b)


@given(TEXTS, st.data())
def test_b_can_be_rebuilt_after_small_edits(a: str, data: st.DataObject) -> None:
    b = a
    for _ in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(b)))
        end = data.draw(st.integers(start, min(len(b), start + 5)))
        b = b[:start] + data.draw(PIECES) + b[end:]
    assert_true(diff_texts(a, b), a, b)


@given(TEXTS, TEXTS, st.integers(0, 300), st.integers(0, 5))
def test_a_tight_budget_still_gives_true_hunks(a: str, b: str, steps: int, edits: int) -> None:
    assert_true(diff_texts(a, b, DiffLimits(steps=steps, edits=edits)), a, b)


@given(TEXTS, TEXTS)
@settings(max_examples=50)
def test_short_lines_and_sentences_rebuild_b_too(a: str, b: str) -> None:
    assert_true(diff_texts(a, b, DiffLimits(long_line=5)), a, b)


@given(TEXTS)
def test_a_text_equals_itself(text: str) -> None:
    diff = diff_texts(text, text)
    assert diff.changes == ()
    assert_true(diff, text, text)


@given(TEXTS, TEXTS)
@settings(max_examples=50)
def test_the_same_texts_give_the_same_hunks(a: str, b: str) -> None:
    assert diff_texts(a, b) == diff_texts(a, b)


def different_lines() -> tuple[str, str]:
    return "".join(f"a{n} b{n}\n" for n in range(8000)), "".join(f"c{n} d{n}\n" for n in range(8000))


def blank_heavy() -> tuple[str, str]:
    lines = [f"line {n % 50}\n\n" for n in range(6000)]
    return "".join(lines), "".join([*lines[3:3000], "new\n\n", *lines[3100:]])


def one_long_line() -> tuple[str, str]:
    a = "".join(f"第{n}句话在这里，没有别的。" for n in range(20000))
    return a, a[:100_000] + "改" + a[100_003:200_000] + a[200_050:]


def two_kinds_of_lines() -> tuple[str, str]:
    a = "".join("yes\n" if (n * n * 7919) % 13 < 6 else "no\n" for n in range(6000))
    b = "".join("yes\n" if (n * n * 104729) % 17 < 8 else "no\n" for n in range(6000))
    return a, b


def one_letter() -> tuple[str, str]:
    return "a" * 300_000, "a" * 150_000 + "b" + "a" * 150_000


def nothing_but_blanks() -> tuple[str, str]:
    return " \n" * 50_000, "\n " * 40_000


def blanks_and_marks() -> tuple[str, str]:
    return "- . " * 20_000, ". - , " * 15_000


@pytest.mark.parametrize(
    "texts",
    [
        different_lines,
        blank_heavy,
        one_long_line,
        two_kinds_of_lines,
        one_letter,
        nothing_but_blanks,
        blanks_and_marks,
    ],
    ids=lambda made: made.__name__,
)
def test_worst_cases_stay_inside_the_budget(texts: Callable[[], tuple[str, str]]) -> None:
    a, b = texts()
    limits = DiffLimits(steps=1_000_000)
    diff = diff_texts(a, b, limits)
    assert_true(diff, a, b)
    # Common heads and tails are cut whatever the budget says: once for lines, once for units, once at borders.
    assert diff.steps <= limits.steps + 3 * (len(a) + len(b))


def test_small_edits_in_a_large_text_cost_steps_in_proportion() -> None:
    lines = [f"line {n} of the long text\n" for n in range(20_000)]
    edited = [*lines[:7000], "changed line\n", *lines[7001:15000], *lines[15010:]]
    a, b = "".join(lines), "".join(edited)
    diff = diff_texts(a, b)
    assert [hunk.kind for hunk in diff.changes] == [HunkKind.REPLACE, HunkKind.DELETE]
    assert diff.steps < 3 * 40_000


def test_giving_up_is_said() -> None:
    a, b = two_kinds_of_lines()
    assert diff_texts(a, b, DiffLimits(steps=20_000)).outcome is Outcome.BOUNDED


def test_everything_different_is_one_replacement() -> None:
    a, b = different_lines()
    assert diff_texts(a, b).hunks == (Hunk(HunkKind.REPLACE, 0, len(a), 0, len(b)),)


def test_unrelated_chinese_texts_are_one_replacement() -> None:
    def invented(seed: int) -> str:
        return "".join(chr(0x4E00 + (n * n * seed + n * 31) % 1500) for n in range(4000))

    a, b = invented(7919), invented(104729)
    diff = diff_texts(a, b)
    assert diff.hunks == (Hunk(HunkKind.REPLACE, 0, len(a), 0, len(b)),)


def test_cancelled_at_once_says_so_and_stays_true() -> None:
    a, b = different_lines()
    diff = diff_texts(a, b, cancelled=lambda: True)
    assert diff.outcome is Outcome.CANCELLED
    assert_true(diff, a, b)


def test_cancel_is_asked_while_the_work_goes_on() -> None:
    a, b = two_kinds_of_lines()
    questions: list[int] = []

    def cancelled() -> bool:
        questions.append(1)
        return len(questions) > 3

    diff = diff_texts(a, b, cancelled=cancelled)
    assert diff.outcome is Outcome.CANCELLED
    assert len(questions) == 4
    assert diff.steps < 1_000_000
    assert_true(diff, a, b)


def test_not_cancelled_changes_nothing() -> None:
    a, b = blank_heavy()
    assert diff_texts(a, b, cancelled=lambda: False) == diff_texts(a, b)
