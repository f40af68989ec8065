"""Moves of the reader: one load for many steps, late answers dropped, places found."""

from collections import Counter

import pytest
from fake_source import CHINESE, ENGLISH, FakeSource, fake_source
from pytestqt.qtbot import QtBot

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot, State
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.domain import Address, SegmentTree, Source, SourceError


class Watched(FakeSource):
    """Counts which requests were read."""

    def __init__(self) -> None:
        whole = fake_source()
        super().__init__(whole._sessions, whole._turns, whole._calls, whole._problems)
        self.read: Counter[str] = Counter()

    def recorded(self, address: Address) -> SegmentTree | None:
        self.read[str(address)] += 1
        return super().recorded(address)


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.fixture
def inspector(watched: Watched, qtbot: QtBot):
    made = Inspector(State(), lambda _location, _root: watched)
    yield made
    made.close()
    assert watched.closed or made.location == ""


def open_at(inspector: Inspector, qtbot: QtBot, address: str = "") -> Prepared:
    with qtbot.waitSignal(inspector.prepared) as shown:
        inspector.open("fake-story.db", None, address)
    return shown.args[0]


def test_open_lands_at_the_latest_story_and_its_main_runtime(inspector: Inspector, qtbot: QtBot) -> None:
    prepared = open_at(inspector, qtbot)
    assert prepared.b.address_text == f"{ENGLISH}:2:narrator:0"
    assert inspector.state.preferred_runtime == "narrator"


def test_open_at_an_address(inspector: Inspector, qtbot: QtBot) -> None:
    prepared = open_at(inspector, qtbot, "watch:2:codex:0")
    assert prepared.b.address_text == f"{CHINESE}:2:codex:0"
    assert inspector.state.preferred_runtime == "codex"


def test_address_that_is_not_there_is_told_and_the_file_opens(inspector: Inspector, qtbot: QtBot) -> None:
    with qtbot.waitSignals([inspector.noticed, inspector.prepared]):
        inspector.open("fake-story.db", None, "watch:99:codex:0")
    assert inspector.state.facts is not None


def test_stepping_through_turns_reads_only_where_the_reader_rests(
    inspector: Inspector, watched: Watched, qtbot: QtBot
) -> None:
    open_at(inspector, qtbot, f"{ENGLISH}:1:narrator:0")
    watched.read.clear()
    shown: list[Prepared] = []
    inspector.prepared.connect(shown.append)
    with qtbot.waitSignal(inspector.prepared):
        for by in (1, 1, 1, -1, -1, 1, -1):
            inspector.step(by)
    assert inspector.state.turn.number == "2"
    assert watched.read == {f"{ENGLISH}:2:narrator:0": 1, f"{ENGLISH}:1:narrator:0": 1}
    assert len(shown) == 1


def test_late_answer_does_not_win(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot, f"{ENGLISH}:1:narrator:0")
    shown: list[Prepared] = []
    inspector.prepared.connect(shown.append)
    inspector._asking.ask()
    inspector.go_to_turn(ENGLISH, "2")
    inspector._asking.ask()
    qtbot.waitUntil(lambda: bool(shown))
    qtbot.wait(200)
    assert {prepared.b.address_text for prepared in shown} == {f"{ENGLISH}:2:narrator:0"}


def test_step_comes_back_to_the_preferred_runtime(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot, f"{ENGLISH}:2:narrator:0")
    inspector.step(1)
    assert str(inspector.state.call.address) == f"{ENGLISH}:2+1:omens/quiet:0"
    inspector.step(1)
    assert inspector.state.spot == Spot(ENGLISH, "3", None)
    inspector.step(1)
    assert inspector.state.spot == Spot(ENGLISH, "3", None)
    inspector.step(-1)
    inspector.step(-1)
    assert str(inspector.state.call.address) == f"{ENGLISH}:2:narrator:0"


def test_ends_runtime_and_call(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot, f"{ENGLISH}:2:narrator:0")
    inspector.step_call(1)
    assert inspector.address_text == f"{ENGLISH}:2:narrator:1"
    inspector.step_call(1)
    assert inspector.address_text == f"{ENGLISH}:2:narrator:1"
    inspector.choose_runtime("harbor-clerk/ledger")
    assert inspector.address_text == f"{ENGLISH}:2:harbor-clerk/ledger:0"
    inspector.go_to_end(last=False)
    assert inspector.address_text == f"{ENGLISH}:1:harbor-clerk/ledger:0"
    inspector.go_to_end(last=True)
    assert inspector.state.spot.turn == "3"


def test_go_reads_the_other_session(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot, f"{ENGLISH}:2:narrator:0")
    with qtbot.waitSignal(inspector.prepared) as shown:
        inspector.go("watch:3:narrator:0")
    assert shown.args[0].b.address_text == f"{CHINESE}:3:narrator:0"
    with qtbot.waitSignal(inspector.prepared) as shown:
        inspector.go(":1:narrator:0")
    assert shown.args[0].b.address_text == f"{CHINESE}:1:narrator:0"


def test_go_to_nowhere_is_told(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot)
    here = inspector.state.spot
    with qtbot.waitSignal(inspector.noticed) as told:
        inspector.go("what is this")
    assert "no address" in str(told.args[0])
    assert inspector.state.spot == here


def test_swap_goes_to_the_other_side_and_compares_back(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot, f"{ENGLISH}:2:narrator:0")
    with qtbot.waitSignal(
        inspector.prepared, check_params_cb=lambda shown: shown.b.address_text == f"{ENGLISH}:1:narrator:0"
    ):
        inspector.swap()
    assert inspector.latest.a.address_text == f"{ENGLISH}:2:narrator:0"


def test_target_of_the_old_file_is_forgotten(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot)
    inspector.state.set_target(Target(TargetKind.ADDRESS, f"{CHINESE}:1:narrator:0"))
    open_at(inspector, qtbot)
    assert inspector.state.target == Target()


def test_file_that_cannot_be_opened_leaves_nothing_open(qtbot: QtBot) -> None:
    def opener(_location: str, _root: str | None) -> Source:
        raise SourceError("'notes.txt' is no database.")

    inspector = Inspector(State(), opener)
    with qtbot.waitSignal(inspector.open_failed) as told:
        inspector.open("notes.txt")
    assert str(told.args[0].sentence) == "'notes.txt' is no database."
    assert inspector.desk is None
    assert inspector.state.facts is None
    inspector.step(1)
    inspector.go(":1:narrator:0")
    inspector.close()


def test_problems_are_read(inspector: Inspector, qtbot: QtBot) -> None:
    with qtbot.waitSignal(inspector.problems_read) as told:
        inspector.open("fake-story.db")
    assert len(told.args[0]) == 2


def test_reload_comes_back_to_the_same_place(inspector: Inspector, qtbot: QtBot) -> None:
    open_at(inspector, qtbot, f"{CHINESE}:2:codex:0")
    with qtbot.waitSignal(inspector.prepared) as shown:
        inspector.reload()
    assert shown.args[0].b.address_text == f"{CHINESE}:2:codex:0"
