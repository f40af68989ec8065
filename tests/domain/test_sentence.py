"""Sentences that find their language late."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.domain import Sentence, plain, say


def test_english_is_the_template_filled() -> None:
    assert str(say("{n} messages left out", n=3)) == "3 messages left out"


def test_a_catalogue_gives_another_template() -> None:
    sentence = say("{n} messages left out", n=3)
    assert sentence.render({"{n} messages left out": "省略了 {n} 条消息"}.__getitem__) == "省略了 3 条消息"


def test_sentences_inside_are_rendered_in_the_same_language() -> None:
    templates = {"Was in “{branch}”": "原在“{branch}”中", "System prompt": "系统提示词"}
    sentence = say("Was in “{branch}”", branch=say("System prompt"))
    assert sentence.render(templates.__getitem__) == "原在“系统提示词”中"


@given(st.text(max_size=30))
def test_a_value_is_never_looked_at_again(value: str) -> None:
    assert str(say("<{a}|{b}>", a=value, b="{a}")) == f"<{value}|{{a}}>"


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{a} and {a}", "1 and 1"),
        ("{unknown} {a}", "{unknown} 1"),
        ("{a", "{a"),
        ("{{a}}", "{1}"),
        ("a}", "a}"),
        ("{}{a}", "{}1"),
    ],
)
def test_braces_that_are_no_placeholders_stay(template: str, filled: str) -> None:
    assert str(Sentence(template, {"a": 1})) == filled


@given(st.text(max_size=30))
def test_plain_texts_are_what_they_are(text: str) -> None:
    assert str(plain(text)) == text


def test_equal_sentences_are_equal_and_hash_alike() -> None:
    assert say("{n}", n=1) == say("{n}", n=1)
    assert hash(say("{n}", n=1)) == hash(say("{n}", n=1))
    assert say("{n}", n=1) != say("{n}", n=2)


def test_values_cannot_be_changed_from_outside() -> None:
    values: dict[str, str | int | float | Sentence] = {"n": 1}
    sentence = Sentence("{n}", values)
    values["n"] = 2
    assert str(sentence) == "1"
