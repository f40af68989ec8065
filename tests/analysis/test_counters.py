"""Plain counters and the cache around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.analysis.counters import CachedCount, character_counter, character_estimate, engine_counter
from covel_inspector.domain import say


def test_a_text_is_counted_once() -> None:
    counted: list[str] = []

    def rule(text: str) -> int:
        counted.append(text)
        return len(text)

    count = CachedCount(rule)
    assert [count("左手"), count("左手"), count("\ud800"), count("")] == [2, 2, 1, 0]
    assert counted == ["左手", "\ud800"]


def test_the_least_lately_used_count_is_forgotten() -> None:
    counted: list[str] = []

    def rule(text: str) -> int:
        counted.append(text)
        return 1

    count = CachedCount(rule, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        count(text)
    assert counted == ["a", "b", "c", "b"]


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("左手", 2), ("左手ab", 3), ("𠮷", 1), ("，。", 2)],
)
def test_the_character_estimate(text: str, count: int) -> None:
    assert character_estimate(text) == count


@given(st.text(), st.text())
def test_the_estimate_of_a_whole_is_never_above_the_sum(a: str, b: str) -> None:
    assert character_estimate(a + b) <= character_estimate(a) + character_estimate(b)


def test_estimates_name_themselves() -> None:
    engine = engine_counter("covel", len)
    assert (engine.name, engine.exact, engine.count("abc")) == ("covel", False, 3)
    assert "the engine's own rule (covel)" in str(engine.note)
    fallback = character_counter(say("the library tiktoken is missing; install again"))
    assert "the library tiktoken is missing" in str(fallback.note)
