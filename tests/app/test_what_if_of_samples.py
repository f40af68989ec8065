"""On real-shaped stories: without a change nothing differs, and each kind of change is seen where it was made."""

from pathlib import Path

import pytest

from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Counts, Question
from covel_inspector.app.preparing_what_if import prepare_what_if
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.domain import AbsenceReason, Address, BudgetOutcome, Changes, Source
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parent.parent / "data"
PRUNED = "fdec:6:tide-narrator:0"


@pytest.fixture(scope="module")
def tidewater() -> Source:
    return open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))


def what_if(source: Source, address: Address, changes: Changes) -> Prepared:
    session = next(one for one in source.sessions() if one.id == address.session)
    lists = Lists.of(session, source.turns(session.id), source.calls(session.id))
    spot = Spot(session.id, address.turn, address)
    question = Question(spot, lists, Target(TargetKind.WHAT_IF), changes)
    return prepare_what_if(source, question, Counts(), lambda: False)


def differences(prepared: Prepared) -> list[str]:
    assert prepared.comparison is not None
    return [pair.key for pair in prepared.comparison.differences]


def test_without_a_change_no_call_differs(tidewater: Source) -> None:
    compared = 0
    for session in tidewater.sessions():
        for call in tidewater.calls(session.id):
            prepared = what_if(tidewater, call.address, Changes())
            if prepared.comparison is None:
                assert call.concealed
                continue
            compared += 1
            assert prepared.comparison.is_equal, call.address
            assert prepared.a is not None
            assert prepared.b is not None
            assert prepared.a.tree is not None
            assert prepared.b.tree is not None
            assert {one.key for one in prepared.a.tree.absent} == {one.key for one in prepared.b.tree.absent}
            assert prepared.a.budget == prepared.b.budget
    assert compared >= 30


def test_the_window_that_it_had_changes_nothing(tidewater: Source) -> None:
    address = tidewater.resolve(PRUNED)
    run = tidewater.budget(address)
    assert run is not None
    prepared = what_if(tidewater, address, Changes(window=run.window, reserve=run.reserve))
    assert differences(prepared) == []


def test_a_larger_window_keeps_what_was_left_out(tidewater: Source) -> None:
    prepared = what_if(tidewater, tidewater.resolve(PRUNED), Changes(window=4000))
    assert prepared.a is not None
    assert prepared.b is not None
    assert prepared.a.tree is not None
    assert prepared.b.tree is not None
    gone = {one.key for one in prepared.a.tree.absent if one.reason is AbsenceReason.PRUNED}
    assert gone
    assert gone <= {segment.key for segment in prepared.b.tree.walk()}
    assert prepared.b.budget is not None
    assert prepared.b.budget.outcome is BudgetOutcome.FITS
    assert prepared.b.limit == 3300


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        (Changes(without=("world-lore",)), "world-lore"),
        (Changes(texts=(("world-lore", "Nothing is known."),)), "world-lore"),
        (Changes(lore_on=("lore:storm",), window=4000), "lore:storm"),
        (Changes(lore_off=("lore:steps",)), "lore:steps"),
        (Changes(player_line="I wait."), "player-line"),
    ],
)
def test_a_change_is_seen_where_it_was_made(tidewater: Source, changes: Changes, key: str) -> None:
    prepared = what_if(tidewater, tidewater.resolve(PRUNED), changes)
    assert key in differences(prepared)
    assert prepared.b is not None
    assert prepared.b.tree is not None
    assert prepared.b.tree.gaps() == []


def test_a_reserve_above_the_window_is_told(tidewater: Source) -> None:
    prepared = what_if(tidewater, tidewater.resolve(PRUNED), Changes(window=500, reserve=900))
    assert prepared.b is not None
    assert prepared.b.tree is None
    assert prepared.b.message is not None
