"""Observations in words: what was seen, what it suggests, what contradicts it; as table and as JSON."""

from dataclasses import replace

import pytest
from fake_explaining import CLOCK, TONE

from covel_inspector.domain import Observation, Standing, Volatility
from covel_inspector.domain.listing import joined
from covel_inspector.report.observation_words import (
    departures,
    details_told,
    seen_told,
    suggested_words,
    suggestions,
    volatility_words,
)
from covel_inspector.report.observations import distinct, observation_lines, observation_object, session_object
from covel_inspector.report.wording import catalogue

WORDS, CHINESE = catalogue("en"), catalogue("zh-CN")
STAYING = replace(
    CLOCK, seen=14, turns=14, texts=1, steps=13, changes=0, standing=Standing.KEPT, missing=(), changed=(),
    volatilities=(Volatility.STABLE, Volatility.SESSION), counts_as=Volatility.SESSION,
)  # fmt: skip


def text(sentences: object) -> str:
    return " ".join(map(str, sentences))  # type: ignore[call-overload]  # Any row of sentences.


def test_what_was_seen_is_told_without_a_conclusion() -> None:
    assert text(seen_told(STAYING)) == "Seen in 14 of 14 turns. The text was the same each time."
    assert text(details_told(STAYING)) == ""
    assert text(seen_told(CLOCK)) == "Seen in 4 of 5 turns. From one turn to the next the text changed 2 of 3 times."
    assert text(details_told(CLOCK)) == "Turns without it: 3. Turns with another text than before: 2, 5."
    always = replace(CLOCK, changes=3, runtimes=("a", "b"), missing=tuple("1234567"))
    assert text(seen_told(always)) == "Seen in 4 of 5 turns. The text was another in each turn."
    assert text(details_told(always)) == "Seen in requests of a, b."


def test_texts_that_cannot_be_compared_are_not() -> None:
    doubled = replace(CLOCK, is_doubled=True, unnamed=2, missing=())
    assert text(seen_told(doubled)) == (
        "Seen in 4 of 5 turns. Some requests hold several blocks of this name, so their texts cannot be compared."
    )
    assert text(details_told(doubled)) == "In 2 of the turns with it only its name was known, not whose it is."
    assert "Each runtime got the same text" in text(seen_told(replace(STAYING, texts=2)))


def test_a_suggestion_says_what_it_rests_on() -> None:
    assert text(suggestions(STAYING)).startswith(
        "It stands in the part that a cache keeps and stays the same, as stable text or text per session does."
    )
    rare = replace(STAYING, changes=1, volatilities=(Volatility.SESSION,))
    assert text(suggestions(rare)).startswith("It stands in the part that a cache keeps and changes seldom")
    other = replace(CLOCK, standing=Standing.LOOSE, changes=3)
    assert text(suggestions(other)).startswith("Its place tells nothing; its text is another each time")
    assert "with the text of the turn and changes, as text per turn does." in text(suggestions(CLOCK))
    end = replace(CLOCK, standing=Standing.END)
    assert "It changes, and it stands where only text per turn stands." in text(suggestions(end))
    assert "as with the audience story. An audience by a contract" in text(suggestions(CLOCK))
    loose = replace(STAYING, standing=Standing.LOOSE, audience="self", audience_is_guess=True, may_be_contract=False)
    assert text(suggestions(loose)) == (
        "Its place tells nothing; its text stays the same, as stable text or text per session does. "
        "Other runtimes were called without it, as with the audience self: its own plugin. "
        "The audience follows from whose segment it is, and that is a guess."
    )


def test_too_little_suggests_nothing() -> None:
    few = replace(CLOCK, seen=2, volatilities=(), audience="", may_be_contract=False)
    assert text(suggestions(few)) == "That is too little to tell how often it changes."
    assert suggested_words(few) is None


def test_a_declared_segment_needs_no_suggestion() -> None:
    assert list(suggestions(TONE)) == []
    assert list(departures(TONE)) == []


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (
            replace(STAYING, texts=9, changes=13, volatilities=()),
            "It stands in the part that a cache should keep, yet its text changed 13 of 13 times",
        ),
        (
            replace(TONE, texts=2, changes=1),
            "It is declared as text that never changes, yet 2 different texts were seen.",
        ),
        (
            replace(STAYING, standing=Standing.TURN, volatilities=(), counts_as=Volatility.TURN),
            "It stands with the text of the turn, yet it never changed",
        ),
        (
            replace(CLOCK, standing=Standing.END),
            "It stands at the end of the system prompt, before the history, and its text changed 2 of 3 times",
        ),
        (
            replace(STAYING, standing=Standing.END, volatilities=(), counts_as=Volatility.TURN),
            "It stands behind the last cache mark of the system prompt, yet it never changed",
        ),
        (
            replace(STAYING, meant_for="self"),
            "It counts as meant for self, yet those who have it suggest story.",
        ),
    ],
)
def test_what_does_not_go_together_is_said(seen: Observation, told: str) -> None:
    assert text(departures(seen)).startswith(told)
    assert told in observation_lines([seen], WORDS)[-1]
    assert observation_object(seen, WORDS)["contradictions"]


def test_what_goes_together_is_not_complained_about() -> None:
    for seen in (CLOCK, STAYING, replace(STAYING, changes=1, texts=2), replace(CLOCK, seen=3, changes=0, texts=1)):
        assert list(departures(seen)) == []


def test_short_words() -> None:
    assert str(suggested_words(STAYING)) == "stable or per session, audience story"
    assert str(suggested_words(replace(STAYING, volatilities=()))) == "audience story"
    assert volatility_words(()) is None
    assert CHINESE.text(joined(*seen_told(STAYING))) == "14 个回合中有 14 个出现过。每次的文字都相同。"


def test_the_table_has_a_line_for_each_segment() -> None:
    lines = observation_lines(distinct({"a": TONE, "b": CLOCK, "c": CLOCK}), WORDS)
    assert [line.split()[0] for line in lines] == ["Segment", "dimensions", "tone"]
    assert "per turn, audience story" in lines[1]
    assert "declared: stable, audience self" in lines[2]
    assert observation_lines([], WORDS) == ["No extension segment was seen in this session."]


def test_json_has_counts_suggestions_and_sentences() -> None:
    told = session_object("s", [CLOCK], WORDS)
    assert told["session"] == "s"
    (segment,) = told["segments"]
    assert segment["suggests"] == {
        "volatilities": ["turn"], "audience": "story", "may_be_contract": True, "audience_is_guess": False,
    }  # fmt: skip
    assert (segment["seen"], segment["turns"], segment["missing"], segment["declared"]) == (4, 5, ["3"], False)
    assert segment["told"][0] == "Seen in 4 of 5 turns."
