"""How alike two texts are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.similarity import similarity


@given(st.text(max_size=40), st.text(max_size=40))
def test_between_0_and_1_and_the_same_both_ways(a: str, b: str) -> None:
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, b) == similarity(b, a)
    assert similarity(a, a) == 1.0


@pytest.mark.parametrize(
    ("a", "b", "likeness"),
    [
        ("one two three four", "one two three five", 0.75),
        ("左手", "右手", 0.5),
        ("cat", "dog", 0.0),
        ("a, b", "a. c", 0.5),
        (" ", "\n", 0.0),
    ],
)
def test_shared_words_count_and_punctuation_does_not(a: str, b: str, likeness: float) -> None:
    assert similarity(a, b) == likeness
