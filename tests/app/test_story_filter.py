"""The filter's language: every operator, and what is not finished."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.app.story_filter import OPERATORS, PLAIN_HELP, TurnFacts, parse
from covel_inspector.domain import Event, Turn, TurnKind

ROW_OUT = TurnFacts(
    Turn(
        "s",
        "12",
        "t12",
        line="I row out with a Red Lantern. 我点灯。",
        call_count=3,
        runtimes=("narrator", "char-creator/character-tracker"),
        events=(Event.PRUNED,),
    ),
    0.72,
)
BACKGROUND = TurnFacts(Turn("s", "12+1", "t12b", TurnKind.BACKGROUND), None)


@pytest.mark.parametrize(
    ("text", "fits", "background"),
    [
        ("", True, True),
        ("lantern", True, False),
        ("LANTERN", True, False),
        ("点灯", True, False),
        ("row\u3000点灯", True, False),
        ("row nowhere", False, False),
        ('"red lantern"', True, False),
        ('"lantern red"', False, False),
        ("-lantern", False, True),
        ("runtime:tracker", True, False),
        ("runtime:painter", False, False),
        ("-runtime:narrator", False, True),
        ("turn:12", True, True),
        ("turn:9-15", True, True),
        ("turn:13-15", False, False),
        ("cached<95", True, False),
        ("cached<72", False, False),
        ("cached>50%", True, False),
        ("is:pruned", True, False),
        ("is:background", False, True),
        ("is:empty", False, True),
        ("is:failed", False, False),
        ("runtime:narrator cached<95 lantern", True, False),
        ("it's", False, False),
        ("-", False, False),
    ],
)
def test_terms(text: str, fits: bool, background: bool) -> None:
    chosen = parse(text)
    assert chosen.problem is None
    assert chosen.fits(ROW_OUT) is fits
    assert chosen.fits(BACKGROUND) is background


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("runtime:", "'runtime:' is not finished"),
        ("turn:", "'turn:' is not finished"),
        ("turn:9-", "'turn:9-' is not finished"),
        ("cached<", "'cached<' is not finished"),
        ("turn:9-3", "'turn:9-3' ends before it begins"),
        ('"red', "a quotation mark is missing"),
        ("is:happy", "'happy' is nothing a turn can be"),
    ],
)
def test_unfinished_filter_says_so_and_hides_nothing(text: str, said: str) -> None:
    chosen = parse(text)
    assert said in str(chosen.problem)
    assert not chosen.active
    assert chosen.fits(BACKGROUND)


def test_every_example_of_the_help_is_understood() -> None:
    for example in [*(operator.example for operator in OPERATORS), *(example for example, _ in PLAIN_HELP)]:
        chosen = parse(example)
        assert chosen.problem is None, example
        assert chosen.active, example


@given(st.text(max_size=40))
def test_any_text_is_a_filter_or_a_sentence(text: str) -> None:
    chosen = parse(text)
    assert chosen.problem is None or str(chosen.problem)
    assert chosen.fits(ROW_OUT) in (True, False)
