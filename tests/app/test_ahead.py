"""What was prepared ahead is found as long as it holds, and stepping to it reads nothing anew."""

import threading
from collections import Counter
from dataclasses import replace

import pytest
from fake_source import ENGLISH, FakeSource, fake_source
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.ahead import HEAVIEST, MOST, Ahead
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Counts, Question, prepare
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot, State
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.domain import Address, SegmentTree


class Changing(FakeSource):
    """A story whose mark a test moves on, whose reading it counts, and can hold up."""

    def __init__(self) -> None:
        whole = fake_source()
        super().__init__(whole._sessions, whole._turns, whole._calls, whole._problems)
        self.mark = "1"
        self.read: Counter[str] = Counter()
        self.may_go = threading.Event()
        self.may_go.set()

    def changed_since(self, mark: str) -> tuple[str, bool]:
        return self.mark, mark not in ("", self.mark)

    def recorded(self, address: Address) -> SegmentTree | None:
        self.may_go.wait(10)
        self.read[str(address)] += 1
        return super().recorded(address)


def question(source: FakeSource, text: str, target: Target | None = None) -> Question:
    address = source.resolve(text)
    session = next(one for one in source.sessions() if one.id == address.session)
    lists = Lists.of(session, source.turns(session.id), source.calls(session.id))
    spot = Spot(address.session, address.turn, address)
    return Question(spot, lists, target or Target())


def answer(source: FakeSource, asked: Question) -> Prepared:
    return prepare(source, asked, Counts(), lambda: False)


def test_what_was_prepared_is_found_until_the_file_changes() -> None:
    source, ahead = Changing(), Ahead()
    asked = question(source, f"{ENGLISH}:2:narrator:0")
    made = answer(source, asked)
    ahead.keep(source, asked, made)
    assert ahead.find(source, asked) is made
    assert ahead.find(source, replace(asked, target=Target(TargetKind.REBUILT))) is None
    other_lists = replace(asked, lists=replace(asked.lists))
    assert ahead.find(source, other_lists) is None
    source.mark = "2"
    assert ahead.find(source, asked) is None


def test_neither_changes_nor_heavy_requests_are_kept() -> None:
    source, ahead = Changing(), Ahead()
    asked = question(source, f"{ENGLISH}:2:narrator:0", Target(TargetKind.WHAT_IF))
    ahead.keep(source, asked, answer(source, replace(asked, target=Target())))
    assert ahead.find(source, asked) is None
    light = question(source, f"{ENGLISH}:2:narrator:0")
    calls = tuple(replace(call, payload_bytes=HEAVIEST + 1) for call in light.lists.calls)
    heavy = replace(light, lists=Lists.of(light.lists.session, light.lists.turns, calls))
    ahead.keep(source, heavy, answer(source, light))
    assert ahead.find(source, heavy) is None


def test_few_are_kept_and_the_last_used_stay() -> None:
    source, ahead = Changing(), Ahead()
    asked = question(source, f"{ENGLISH}:2:narrator:0")
    made = answer(source, asked)
    several = [replace(asked, target=Target(TargetKind.ADDRESS, f"call {number}")) for number in range(MOST)]
    for one in several:
        ahead.keep(source, one, made)
    assert ahead.find(source, several[0]) is made
    ahead.keep(source, asked, made)
    assert ahead.find(source, several[0]) is made
    assert ahead.find(source, several[1]) is None


@pytest.fixture
def changing() -> Changing:
    return Changing()


def test_neighbours_are_read_while_the_reader_rests(changing: Changing, qtbot: QtBot) -> None:
    inspector = Inspector(State(), lambda _location, _root: changing)
    try:
        with qtbot.waitSignal(inspector.prepared):
            inspector.open("story.db", None, f"{ENGLISH}:1:narrator:0")
        qtbot.waitUntil(lambda: changing.read[f"{ENGLISH}:2:narrator:0"] == 1)
        qtbot.waitUntil(lambda: inspector.desk.is_idle)
        before = changing.read.copy()
        with qtbot.waitSignal(inspector.arrived) as shown:
            inspector.step(1)
        assert shown.args[0].b.address_text == f"{ENGLISH}:2:narrator:0"
        assert changing.read == before
        changing.mark = "2"
        with qtbot.waitSignal(inspector.arrived):
            inspector.step(-1)
        assert changing.read != before
    finally:
        inspector.close()


def test_old_content_is_veiled_until_the_new_one_is_there(
    changing: Changing, make_window: MakeWindow, qtbot: QtBot
) -> None:
    window = make_window(opener=lambda _location, _root: changing)
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("story.db", address=f"{ENGLISH}:2:narrator:0")
    qtbot.waitUntil(lambda: window.inspector.desk.is_idle)
    veil = window.veils[0]
    assert veil.isHidden()
    changing.may_go.clear()
    try:
        changing.mark = "2"
        qtbot.keyClick(window.story.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert window.tool_bar.turn.text() == "Turn 1 of 3"
        assert window.inspector.is_outdated
        qtbot.waitUntil(veil.isVisible)
        assert veil.text == "Reading turn 1 …"
        assert veil.size() == window.compare.size()
        window.resize(1100, 700)
        qtbot.waitUntil(lambda: veil.size() == window.compare.size())
        assert window.veils[1].isVisible()
    finally:
        changing.may_go.set()
    qtbot.waitUntil(veil.isHidden)
    assert not window.inspector.is_outdated
    assert window.inspector.latest.b.address_text == f"{ENGLISH}:1:narrator:0"


def test_step_that_is_answered_at_once_does_not_flicker(
    changing: Changing, make_window: MakeWindow, qtbot: QtBot
) -> None:
    window = make_window(opener=lambda _location, _root: changing)
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("story.db", address=f"{ENGLISH}:2:narrator:0")
    window.inspector.step(-1)
    veil = window.veils[0]
    assert veil.isHidden()
    assert veil.text
    window.inspector.close()
    assert not veil.text
