"""A call as it was beside the call with changes, and calls that were never sent."""

from dataclasses import replace

import pytest
from fake_source import ENGLISH
from fake_what_if import UNSENT, WhatIfSource

from covel_inspector.analysis.pairs import PairState
from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Counts, Question, prepare
from covel_inspector.app.preparing_what_if import prepare_what_if
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.work import Cancelled
from covel_inspector.domain import BudgetOutcome, Changes


def question(turn: str, runtime: str | None, changes: Changes, call: int = 0) -> tuple[WhatIfSource, Question]:
    source = WhatIfSource()
    session = next(one for one in source.sessions() if one.id == ENGLISH)
    lists = Lists.of(session, source.turns(ENGLISH), source.calls(ENGLISH), source.unsent(ENGLISH))
    address = None
    if runtime is not None:
        address = source.resolve(f"{ENGLISH}:{turn}:{runtime}:{call}")
    return source, Question(Spot(ENGLISH, turn, address), lists, Target(TargetKind.WHAT_IF), changes)


def what_if(turn: str, runtime: str | None, changes: Changes) -> Prepared:
    source, asked = question(turn, runtime, changes)
    return prepare_what_if(source, asked, Counts(), lambda: False)


def test_recorded_stands_beside_the_changed_rebuild() -> None:
    prepared = what_if("1", "narrator", Changes(without=("world-lore",)))
    a, b = prepared.a, prepared.b
    assert a is not None
    assert b is not None
    assert (a.changed, a.rebuilt, b.changed, b.rebuilt) == (False, False, True, True)
    assert str(b.title) == "turn 1 · narrator · what if"
    assert prepared.comparison is not None
    gone = [pair for pair in prepared.comparison.rows() if pair.is_different]
    assert [(pair.key, pair.state) for pair in gone] == [("world-lore", PairState.REMOVED)]


def test_without_changes_both_sides_are_the_same() -> None:
    prepared = what_if("1", "narrator", Changes())
    assert prepared.comparison is not None
    assert prepared.comparison.is_equal


def test_where_the_rebuild_differs_it_is_compared_with_itself() -> None:
    """Otherwise the reader would see differences that no change made."""
    prepared = what_if("2", "narrator", Changes())
    assert prepared.a is not None
    assert prepared.a.rebuilt
    assert prepared.comparison is not None
    assert prepared.comparison.is_equal


def test_what_was_left_out_is_known_on_both_sides() -> None:
    prepared = what_if("1", "narrator", Changes())
    assert prepared.a is not None
    assert prepared.a.tree is not None
    assert [absent.key for absent in prepared.a.tree.absent] == ["lore:night"]


def test_both_sides_carry_their_budgets() -> None:
    prepared = what_if("1", "narrator", Changes(window=1050))
    assert prepared.a is not None
    assert prepared.b is not None
    assert (prepared.a.limit, prepared.b.limit) == (3000, 50)
    assert prepared.b.budget is not None
    assert prepared.b.budget.outcome is BudgetOutcome.OVERFLOW or prepared.b.budget.steps


def test_what_a_cache_could_keep_is_predicted_on_both_sides() -> None:
    same = what_if("2", "narrator", Changes())
    shorter = what_if("2", "narrator", Changes(without=("world-lore",)))
    assert same.a is not None
    assert same.b is not None
    assert shorter.b is not None
    assert same.a.kept == same.b.kept
    assert same.b.kept is not None
    assert shorter.b.kept is not None
    assert 0 < shorter.b.kept < same.b.kept
    first = what_if("1", "narrator", Changes())
    assert first.b is not None
    assert first.b.kept is None


def test_changes_that_make_no_sense_are_told() -> None:
    prepared = what_if("1", "narrator", Changes(window=500, reserve=900))
    assert prepared.b is not None
    assert prepared.b.tree is None
    assert prepared.b.changed
    assert "the reserve is not below the window" in str(prepared.b.message)


def test_a_call_that_cannot_be_rebuilt_says_so() -> None:
    prepared = what_if("2", "harbor-clerk/ledger", Changes())
    assert prepared.a is not None
    assert prepared.b is not None
    assert prepared.a.tree is prepared.b.tree is None
    assert "retry hint" in str(prepared.b.message)


def test_a_request_that_was_never_sent_is_shown_rebuilt_beside_the_turn_before() -> None:
    source, asked = question("3", "narrator", Changes())
    prepared = prepare(source, replace(asked, target=Target()), Counts(), lambda: False)
    a, b = prepared.a, prepared.b
    assert a is not None
    assert b is not None
    assert prepared.comparison is not None
    assert (str(a.title), str(b.title)) == ("turn 2 · narrator", "turn 3 · narrator · never sent")
    assert (b.address_text, b.rebuilt, b.is_sent) == (str(UNSENT), True, False)
    assert str(b.message).startswith("The player's text did not fit. What is shown here is rebuilt")
    assert b.details == "[imaginary] 5000 of 4000"
    assert b.budget is not None


@pytest.mark.parametrize("kind", [TargetKind.REBUILT, TargetKind.NONE, TargetKind.PREVIOUS_CALL])
def test_whatever_it_is_compared_with_it_stands_on_the_right(kind: TargetKind) -> None:
    source, asked = question("3", "narrator", Changes())
    prepared = prepare(source, replace(asked, target=Target(kind)), Counts(), lambda: False)
    assert prepared.b is not None
    assert prepared.b.address_text == str(UNSENT)
    if kind is TargetKind.REBUILT:
        assert prepared.a is not None
        assert "no recorded request" in str(prepared.a.message)


def test_it_can_be_what_another_call_is_compared_with() -> None:
    source, asked = question("2", "narrator", Changes())
    target = Target(TargetKind.ADDRESS, str(UNSENT))
    prepared = prepare(source, replace(asked, target=target), Counts(), lambda: False)
    assert prepared.a is not None
    assert prepared.a.details == "[imaginary] 5000 of 4000"


def test_a_turn_without_any_request_says_why() -> None:
    source, asked = question("3", None, Changes())
    prepared = prepare(source, replace(asked, target=Target()), Counts(), lambda: False)
    assert prepared.a is None
    assert prepared.b is not None
    assert prepared.b.tree is None
    assert "did not fit" in str(prepared.b.message)


def test_what_if_on_a_request_that_was_never_sent() -> None:
    prepared = what_if("3", "narrator", Changes(player_line="I wait."))
    assert prepared.comparison is not None
    assert [pair.key for pair in prepared.comparison.differences] == ["player-line"]
    assert prepared.a is not None
    assert prepared.a.details
    assert prepared.b is not None
    assert prepared.b.call is not None
    assert prepared.b.call.address == UNSENT


def test_nobody_waits_any_more() -> None:
    source, asked = question("1", "narrator", Changes())
    with pytest.raises(Cancelled):
        prepare_what_if(source, asked, Counts(), lambda: True)
