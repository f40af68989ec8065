"""Two sides made ready: what is shown, and what is said where nothing can be shown."""

from dataclasses import replace

import pytest
from asking import ask
from fake_source import CHINESE, ENGLISH, FakeSource, fake_source

from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Counts, Question, prepare
from covel_inspector.app.state import Spot
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.work import Cancelled
from covel_inspector.domain import SourceError, say


def test_turn_against_the_turn_before() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    assert str(prepared.a.title) == "turn 1 · narrator"
    assert str(prepared.b.title) == "turn 2 · narrator"
    assert prepared.b.address_text == f"{ENGLISH}:2:narrator:0"
    assert not prepared.b.rebuilt
    assert prepared.comparison is not None
    assert prepared.comparison.differences


def test_figures_add_up_and_name_their_estimator() -> None:
    side = ask(f"{ENGLISH}:2:narrator:0").b
    figures = side.figures
    assert figures.estimator == "letters / 4"
    assert figures.total == sum(figures.of(leaf) for leaf in side.tree.leaves())
    assert figures.total == sum(figures.of(group) for group in side.tree.groups)
    assert len(figures.before) == len(side.tree.boundaries)
    assert 0 < figures.before[0] < figures.total
    other = ask(f"{ENGLISH}:1:narrator:0").b
    assert figures.of(next(other.tree.leaves())) is None


def test_recorded_against_rebuilt_has_one_verdict() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.REBUILT))
    assert (prepared.a.rebuilt, prepared.b.rebuilt) == (False, True)
    assert str(prepared.b.title) == "turn 2 · narrator · rebuilt"
    assert prepared.a.verdict is prepared.b.verdict
    assert prepared.comparison is not None


def test_what_cannot_be_rebuilt_says_why() -> None:
    prepared = ask(f"{ENGLISH}:2:harbor-clerk/ledger:0", Target(TargetKind.REBUILT))
    assert prepared.a.tree is not None
    assert prepared.b.tree is None
    assert str(prepared.b.message) == "the retry hint is not kept"
    assert prepared.comparison is None


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (f"{ENGLISH}:2+1:omens/quiet:0", "the engine conceals the prompts of this runtime"),
        (f"{ENGLISH}:2+1:painter:0", "payload is no JSON: it ends in the middle of a text"),
    ],
)
def test_call_without_a_recording_says_why(address: str, said: str) -> None:
    assert str(ask(address).b.message) == said


def test_first_call_has_nothing_to_be_compared_with() -> None:
    side = ask(f"{ENGLISH}:1:narrator:0").a
    assert side.tree is None
    assert "first call of narrator" in str(side.message)


def test_turn_before_without_calls_proves_no_first_call() -> None:
    source = fake_source()
    lost = say("No call of this turn was found. Calls may be lost: the file is damaged.")
    source._turns = tuple(
        replace(turn, call_count=0, note=lost) if (turn.session, turn.number) == (ENGLISH, "1") else turn
        for turn in source._turns
    )
    source._calls = [
        one for one in source._calls if one.call.address.turn != "1" or one.call.address.session != ENGLISH
    ]
    side = ask(f"{ENGLISH}:2:narrator:0", source=source).a
    assert side.tree is None
    assert "first call" not in str(side.message)
    assert str(side.message).endswith(f"Turn 1: {lost}")


def test_turn_without_a_call_gives_its_note() -> None:
    prepared = ask("", turn="3")
    assert prepared.a is None
    assert "did not fit" in str(prepared.b.message)


def test_nothing_to_compare_with_leaves_one_side() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.NONE))
    assert prepared.a is None
    assert prepared.b.tree is not None


def test_call_of_another_session_is_named_with_it() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.ADDRESS, f"{CHINESE}:2:narrator:0"))
    assert str(prepared.a.title) == "第一次守夜 · turn 2 · narrator"
    assert prepared.comparison is not None


def test_address_that_names_nothing_is_said() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.ADDRESS, f"{ENGLISH}:99:narrator:0"))
    assert "no call" in str(prepared.a.message)
    assert prepared.b.tree is not None


def test_torn_row_becomes_a_sentence() -> None:
    class Torn(FakeSource):
        def recorded(self, address: object) -> None:
            raise SourceError("Row 12 of trace_events ends in the middle.")

        def rebuilt(self, address: object, changes: object = None) -> None:
            raise SourceError("No.")

        def verdict(self, address: object) -> None:
            raise SourceError("No verdict.")

    whole = fake_source()
    torn = Torn(whole._sessions, whole._turns, whole._calls)
    side = ask(f"{ENGLISH}:2:narrator:0", source=torn).b
    assert side.tree is None
    assert str(side.message) == "Row 12 of trace_events ends in the middle."
    assert str(side.verdict.reason) == "No verdict."


def test_nobody_waiting_stops_the_work() -> None:
    source = fake_source()
    lists = Lists.of(source.sessions()[0], source.turns(ENGLISH), source.calls(ENGLISH))
    address = source.resolve(f"{ENGLISH}:2:narrator:0")
    question = Question(Spot(ENGLISH, "2", address), lists, Target())
    with pytest.raises(Cancelled):
        prepare(source, question, Counts(), lambda: True)
