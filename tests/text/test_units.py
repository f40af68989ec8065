"""Cutting a text into lines, sentences and units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.units import is_weak, split_lines, split_sentences, split_units

TEXTS = st.text(alphabet=st.characters() | st.sampled_from("ab 左。.!\r\n\t👍🏽\u200d🇨🇳\u0301\ud800"), max_size=80)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("He said: go", ["He", " ", "said", ":", " ", "go"]),
        ("左手abc右手", ["左", "手", "abc", "右", "手"]),
        ("第12回合", ["第", "12", "回", "合"]),
        ("カタカナ한글", ["カ", "タ", "カ", "ナ", "한", "글"]),
        ("a  \t b", ["a", "  \t ", "b"]),
        ("a\r\nb", ["a", "\r", "\n", "b"]),
        ("a \n b", ["a", " ", "\n", " ", "b"]),
        ("café cafe\u0301", ["café", " ", "cafe\u0301"]),
        ("👍🏽👍", ["👍🏽", "👍"]),
        ("👨‍👩‍👧x", ["👨‍👩‍👧", "x"]),
        ("🇨🇳🇨🇭", ["🇨🇳", "🇨🇭"]),
        ("x_1=y;", ["x_1", "=", "y", ";"]),
        ("\ue000END\ue000", ["\ue000", "END", "\ue000"]),
        ("……", ["…", "…"]),
        ("𠮷吉", ["𠮷", "吉"]),
    ],
)
def test_units(text: str, units: list[str]) -> None:
    assert split_units(text) == units


def test_a_run_of_letters_without_end_is_cut() -> None:
    assert max(map(len, split_units("QUJD" * 1000))) == 64


@given(TEXTS)
def test_units_lines_and_sentences_give_the_text_again(text: str) -> None:
    assert "".join(split_units(text)) == text
    assert "".join(split_lines(text)) == text
    assert "".join(split_lines(text, 7)) == text
    assert "".join(split_sentences(text)) == text


@given(TEXTS, st.integers(1, 20))
def test_no_line_is_longer_than_asked(text: str, limit: int) -> None:
    assert all(len(line) <= limit for line in split_lines(text, limit))


@given(TEXTS)
def test_a_line_ends_at_its_line_end_only(text: str) -> None:
    for line in split_lines(text):
        assert "\n" not in line[:-1]
        assert "\r" not in line.removesuffix("\n")[:-1]


def test_only_cr_and_lf_end_lines() -> None:
    assert split_lines("a\r\nb\rc\nd\u2028e\x0bf") == ["a\r\n", "b\r", "c\n", "d\u2028e\x0bf"]


def test_a_long_line_is_cut_into_sentences() -> None:
    assert split_lines("他走了。“他笑了！”天黑了。\nshort\n", 8) == [
        "他走了。",
        "“他笑了！”",
        "天黑了。\n",
        "short\n",
    ]


def test_a_long_sentence_is_cut_into_clauses() -> None:
    assert split_lines('"a":1,"b":2,"c":3', 8) == ['"a":', "1,", '"b":', "2,", '"c":', "3"]


@pytest.mark.parametrize("piece", [" ", "\n", "，", "...", "-->", "\ue000", ""])
def test_weak(piece: str) -> None:
    assert is_weak(piece)


@pytest.mark.parametrize("piece", ["a", "左", "1", " x ", "🔥", "☀"])
def test_not_weak(piece: str) -> None:
    assert not is_weak(piece)
