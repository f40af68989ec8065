"""The place for panels at the bottom: only the visible one works, and everything is remembered."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_source import fake_source
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QSplitter
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.dock import LEAST_HEIGHT, PanelDock
from covel_inspector.app.panels.kept_sizes import KeptSizes
from covel_inspector.app.panels.panel import Panel, Watch, Work
from covel_inspector.app.panels.registry import PANELS, PanelSpec
from covel_inspector.app.settings import Settings
from covel_inspector.app.state import State
from covel_inspector.app.theme import Theme
from covel_inspector.app.window import MainWindow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Address, Sentence, Source, SourceError, Verdict, plain


class Echo(Panel):
    """Answers with the turn; counts what it is asked."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme)
        self.jobs: list[str] = []
        self.answers: list[str] = []
        self.job: Callable[[Source, Watch, str], str] = lambda _source, _watch, turn: turn
        self.state = "usual"
        self.set_content(QLabel("content"))

    def wanted(self) -> Work | Sentence | None:
        spot = self.inspector.state.spot
        if spot is None:
            return plain("no place")
        return Work(spot.turn, lambda source, watch: self._run(source, watch, spot.turn))

    def _run(self, source: Source, watch: Watch, turn: str) -> str:
        self.jobs.append(turn)
        return self.job(source, watch, turn)

    def show_answer(self, answer: Any) -> None:
        self.answers.append(answer)

    def export_state(self) -> dict[str, object]:
        return {"state": self.state}

    def apply_state(self, values: dict[str, Any]) -> None:
        self.state = str(values.get("state", "usual"))


class Other(Echo):
    """A second panel."""


SPECS = (PanelSpec("echo", plain("Echo"), Echo), PanelSpec("other", plain("Other"), Other))


@pytest.fixture
def dock(qapp: Any, qtbot: QtBot) -> Iterator[PanelDock]:
    inspector = Inspector(State(), lambda location, _root: fake_source(location))
    made = PanelDock(inspector, Wording("en"), Theme(qapp, "light"), SPECS)
    qtbot.addWidget(made)
    made.apply_state({"open": True})
    made.show()
    qtbot.waitExposed(made)
    yield made
    inspector.close()


def inspector_of(dock: PanelDock) -> Inspector:
    return dock._inspector


def panel_of(dock: PanelDock) -> Echo:
    panel = dock.panel
    assert isinstance(panel, Echo)
    return panel


def opened_at(dock: PanelDock, qtbot: QtBot, turn: str = "2") -> Echo:
    inspector = inspector_of(dock)
    with qtbot.waitSignal(inspector.prepared):
        inspector.open("story.db", address=f"tide-01:{turn}:narrator:0")
    panel = panel_of(dock)
    qtbot.waitUntil(lambda: panel.answers == [turn])
    return panel


def test_a_panel_asks_once_for_a_place_and_again_for_another(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)
    panel.follow()
    assert panel.jobs == ["2"]
    inspector_of(dock).step(-1)
    qtbot.waitUntil(lambda: panel.answers == ["2", "1"])
    assert panel.pages.currentWidget() is panel.content


def test_steps_in_a_row_start_one_job(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)
    for by in (-1, 1, 1, -1, -1):
        inspector_of(dock).step(by)
    qtbot.waitUntil(lambda: panel.answers[-1] == "1")
    assert panel.jobs == ["2", "1"]


def test_a_hidden_panel_asks_for_nothing(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)
    dock.set_open(is_open=False)
    inspector_of(dock).step(-1)
    qtbot.wait(250)
    assert panel.jobs == ["2"]
    dock.show_panel("other")
    other = panel_of(dock)
    qtbot.waitUntil(lambda: other.answers == ["1"])
    assert panel.jobs == ["2"]
    dock.turn("other")
    assert not dock.is_open


def test_work_of_a_panel_does_not_hold_up_requests(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)
    let_go = threading.Event()

    def slow(_source: Source, _watch: Watch, turn: str) -> str:
        let_go.wait(20)
        return turn

    panel.job = slow
    inspector = inspector_of(dock)
    with qtbot.waitSignal(inspector.prepared):
        inspector.step(-1)
    qtbot.waitUntil(lambda: panel.jobs == ["2", "1"])
    with qtbot.waitSignal(inspector.prepared):
        inspector.step(1)
    panel.job = lambda _source, _watch, turn: turn
    let_go.set()
    qtbot.wait(300)
    assert panel.answers == ["2"]
    assert panel.pages.currentWidget() is panel.content


def test_the_request_comes_before_the_panel(qapp: Any, qtbot: QtBot) -> None:
    let_go = threading.Event()

    def opener(location: str, _root: str | None) -> Source:
        source = fake_source(location)
        verdict = source.verdict

        def slow(address: Address) -> Verdict:
            let_go.wait(20)
            return verdict(address)

        source.verdict = slow  # type: ignore[method-assign]  # A source that is slow to compare.
        return source

    inspector = Inspector(State(), opener)
    dock = PanelDock(inspector, Wording("en"), Theme(qapp, "light"), SPECS)
    qtbot.addWidget(dock)
    dock.apply_state({"open": True})
    panel = panel_of(dock)
    inspector.open("story.db", address="tide-01:2:narrator:0")
    qtbot.waitUntil(lambda: inspector.is_preparing)
    qtbot.wait(400)
    assert panel.jobs == []
    assert panel.notice.text() == "Reading…"
    let_go.set()
    qtbot.waitUntil(lambda: panel.answers == ["2"])
    inspector.close()


def test_slow_work_shows_how_far_it_is(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)
    let_go = threading.Event()

    def slow(_source: Source, watch: Watch, turn: str) -> str:
        watch.tell(0.4)
        let_go.wait(20)
        return turn

    panel.job = slow
    inspector_of(dock).step(-1)
    qtbot.waitUntil(lambda: panel.bar.isVisible() and panel.bar.maximum() == 0, timeout=3000)
    panel._show_share(0.4)
    assert panel.bar.value() == 40
    assert panel.notice.text() == "Reading…"
    let_go.set()
    qtbot.waitUntil(lambda: panel.answers == ["2", "1"])
    assert not panel.bar.isVisible()


def test_a_job_stops_when_nobody_waits(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)
    ends: list[str] = []
    begun = threading.Event()

    def endless(_source: Source, watch: Watch, turn: str) -> str:
        begun.set()
        try:
            while True:
                watch.check()
        finally:
            ends.append(turn)

    panel.job = endless
    inspector_of(dock).step(-1)
    qtbot.waitUntil(begun.is_set)
    dock.set_open(is_open=False)
    qtbot.waitUntil(lambda: ends == ["1"])


def test_trouble_is_said_and_not_asked_for_again(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)

    def broken(_source: Source, _watch: Watch, _turn: str) -> str:
        raise SourceError("the row is gone")

    panel.job = broken
    inspector_of(dock).step(-1)
    qtbot.waitUntil(lambda: panel.notice.text() == "the row is gone")
    panel.follow()
    qtbot.wait(250)
    assert panel.jobs == ["2", "1"]
    inspector_of(dock).close()
    assert panel.notice.text() == "Nothing is open."


def test_an_answer_that_cannot_be_shown_is_told_and_is_no_empty_list(
    dock: PanelDock, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    panel = opened_at(dock, qtbot)

    def unable(_answer: str) -> None:
        raise RecursionError("too deep")

    panel.show_answer = unable  # type: ignore[method-assign] - what it shows is at fault
    inspector_of(dock).step(-1)
    qtbot.waitUntil(lambda: "RecursionError: too deep" in panel.notice.text())
    assert panel.notice.isVisibleTo(panel)
    assert "A job failed" in caplog.text
    panel.follow()
    qtbot.wait(250)
    assert panel.jobs == ["2", "1"]


def test_another_file_is_asked_anew(dock: PanelDock, qtbot: QtBot) -> None:
    panel = opened_at(dock, qtbot)
    inspector = inspector_of(dock)
    with qtbot.waitSignal(inspector.prepared):
        inspector.open("other.db", address="tide-01:2:narrator:0")
    qtbot.waitUntil(lambda: panel.answers == ["2", "2"])


def test_what_is_kept_comes_back_and_damage_is_ignored(dock: PanelDock, qtbot: QtBot) -> None:
    opened_at(dock, qtbot)
    dock.show_panel("other")
    panel_of(dock).state = "mine"
    kept = dock.export_state()
    assert (kept["open"], kept["tab"]) == (True, "other")
    again = PanelDock(inspector_of(dock), Wording("en"), dock._theme, SPECS)
    qtbot.addWidget(again)
    again.apply_state(kept | {"height": 300, "open": False})
    assert (again.is_open, again.current, again.height_in(2000)) == (False, "other", 300)
    again.show_panel("other")
    assert panel_of(again).state == "mine"
    for damaged in (None, {"height": True, "tab": 3, "panels": [1]}, {"height": LEAST_HEIGHT - 1}):
        fresh = PanelDock(inspector_of(dock), Wording("en"), dock._theme, SPECS)
        qtbot.addWidget(fresh)
        fresh.apply_state(damaged)
        assert fresh.is_open
        assert fresh.current == "echo"
        assert fresh.height_in(2000) >= LEAST_HEIGHT


def test_a_badge_stands_behind_its_title(dock: PanelDock) -> None:
    dock.show_panel("echo")
    panel_of(dock).badge_changed.emit("3")
    assert dock.tabs.tabText(0) == "Echo 3"


# In the window


def test_every_panel_has_a_command_that_shows_it(opened: MainWindow) -> None:
    assert len({spec.id for spec in PANELS}) == len(PANELS)
    for spec in PANELS:
        opened.commands[f"panel-{spec.id}"].trigger()
        assert opened.bottom.current == spec.id
        assert opened.bottom.panel is not None
        assert opened.bottom.panel.is_active


def test_panels_hide_and_come_back_with_keys(opened: MainWindow, qtbot: QtBot) -> None:
    assert opened.bottom.isVisible()
    qtbot.keyClick(opened, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert not opened.bottom.isVisible()
    assert not opened.commands["show-panels"].isChecked()
    qtbot.keyClick(opened, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert opened.bottom.isVisible()
    opened.bottom.close_button.click()
    assert not opened.bottom.isVisible()


def test_the_window_remembers_its_panels(make_window: MakeWindow, qtbot: QtBot) -> None:
    settings = Settings(language="en", theme="light", width=1280, height=800)
    window = make_window(settings)
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address="tide-01:2:narrator:0")
    window.whole.setSizes([480, 260])
    window.bottom.show_panel("budget")
    window.close()
    again = make_window(settings)
    assert again.bottom.current == "budget"
    assert abs(again.bottom.height_in(2000) - 260) < 40


def test_a_place_is_reached_when_its_call_is_shown(opened: MainWindow, qtbot: QtBot) -> None:
    reached: list[object] = []
    opened.inspector.place_reached.connect(reached.append)
    opened.bottom.place_wanted.emit("tide-01:2:narrator:0", "lore:night")
    assert reached == ["lore:night"]
    row = opened.compare.tree.current_row()
    assert row is not None
    assert row.key.endswith("lore:night")
    with qtbot.waitSignal(opened.inspector.prepared):
        opened.bottom.place_wanted.emit("tide-01:1:narrator:0", "body")
    assert reached == ["lore:night", "body"]


def test_a_high_window_gives_its_panels_more(make_window: MakeWindow) -> None:
    dock = make_window().bottom
    dock.apply_state({"height": 0})
    low, high = dock.height_in(700), dock.height_in(1600)
    assert low < high <= 800
    assert dock.height_in(300) <= 150


def test_closed_panels_give_the_keyboard_to_the_request(opened: MainWindow, qtbot: QtBot) -> None:
    opened.bottom.show_panel("problems")
    qtbot.waitUntil(lambda: opened.bottom.isAncestorOf(QApplication.focusWidget()))
    opened.bottom.close_panels()
    assert opened.compare.tree.hasFocus()
    opened.bottom.set_open(is_open=True)
    opened.story.view.setFocus()
    opened.bottom.close_panels()
    assert opened.story.view.hasFocus()


@pytest.mark.parametrize("name", ["cache", "lorebook"])
def test_widths_inside_a_panel_are_kept_though_another_one_is_shown(
    make_window: MakeWindow, qtbot: QtBot, name: str
) -> None:
    window = make_window()
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address="tide-01:2:narrator:0")
    window.bottom.show_panel(name)
    qtbot.waitUntil(lambda: not window.bottom.panel.is_waiting)
    splitter = window.bottom.panel.findChildren(QSplitter)[0]
    splitter.setSizes([500, 700])
    before = splitter.sizes()
    window.bottom.show_panel("problems")
    kept = json.loads(json.dumps(window.bottom.export_state()))
    assert before in kept["panels"][name].values()
    kept["panels"][name] |= {"sizes": [0, "x"], "texts": None}
    again = make_window().bottom
    again.apply_state(kept)
    again.show_panel(name)


def test_sizes_that_were_put_back_are_kept_until_others_are_known(qtbot: QtBot) -> None:
    splitter = QSplitter()
    qtbot.addWidget(splitter)
    kept = KeptSizes(splitter)
    for _ in range(2):
        splitter.addWidget(QLabel("x"))
    splitter.widget(1).hide()
    splitter.show()
    kept.put_back([300, 100])
    kept.put_back([1, 2, 3])
    kept.put_back("nothing")
    assert kept.sizes == [300, 100]
    splitter.widget(1).show()
    qtbot.waitUntil(lambda: sum(kept.sizes) + splitter.handleWidth() == splitter.width())
