"""The Lorebook panel in the window: it follows the call, moves the reader, and tries lines."""

import threading
from collections.abc import Callable

import pytest
from fake_source import ENGLISH, FakeSource, fake_source
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.panels.lorebook import LorebookPanel
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Absent, Address, LoreState


@pytest.fixture
def panel(opened: MainWindow, qtbot: QtBot) -> LorebookPanel:
    opened.commands["panel-lorebook"].trigger()
    made = opened.bottom.panel
    assert isinstance(made, LorebookPanel)
    qtbot.waitUntil(lambda: bool(made.list.listed.rows))
    return made


def names(panel: LorebookPanel) -> list[str]:
    return [row.cells[0].text for row in panel.list.listed.rows]


def test_entries_of_the_call_are_listed_and_told_of(panel: LorebookPanel) -> None:
    assert names(panel) == ["night", "draft"]
    assert panel.count.text() == "1 in, 1 out"
    assert str(panel.page_view.page.title) == "night"
    assert panel.list.hasFocus()


def test_chosen_entry_is_chosen_in_the_request_and_back(opened: MainWindow, panel: LorebookPanel, qtbot: QtBot) -> None:
    opened.compare.choose_place("body")
    with qtbot.waitSignal(opened.inspector.state.selection_changed):
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
        qtbot.keyClick(panel.list, Qt.Key.Key_Up)
    selected = opened.inspector.state.selected
    assert isinstance(selected, Pair)
    assert selected.key == "lore:night"
    panel.list.choose(panel.list.listed.rows[1])
    assert panel.list.current_row().key == "lore:draft"
    opened.compare.choose_place("body")
    opened.compare.choose_place("lore:night")
    assert panel.list.current_row().key == "lore:night"


def test_entry_that_is_out_is_chosen_among_what_was_left_out(
    opened: MainWindow, panel: LorebookPanel, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(opened.inspector.prepared):
        opened.inspector.step(-1)
    qtbot.waitUntil(lambda: panel.count.text() == "0 in, 2 out")
    panel.list.choose(panel.list.listed.rows[1])
    panel.list.choose(panel.list.listed.rows[0])
    selected = opened.inspector.state.selected
    assert isinstance(selected, Absent)
    assert selected.key == "lore:night"


def test_click_on_the_strip_goes_to_the_turn(opened: MainWindow, panel: LorebookPanel, qtbot: QtBot) -> None:
    place = panel.list.visualRect(panel.list.listed.index(0, 4))
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.mouseClick(
            panel.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.left() + 10, place.center().y())
        )
    assert opened.inspector.address_text == f"{ENGLISH}:1:narrator:0"


def test_keys_step_to_the_turns_in_which_the_entry_was_in(
    opened: MainWindow, panel: LorebookPanel, qtbot: QtBot
) -> None:
    told: list[object] = []
    panel.noticed.connect(told.append)
    qtbot.keyClick(panel.list, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert len(told) == 1, "the last turn has no next one"
    with qtbot.waitSignal(opened.inspector.prepared):
        opened.inspector.step(-1)
    qtbot.waitUntil(lambda: panel.count.text() == "0 in, 2 out")
    panel.list.choose(panel.list.listed.rows[0], quietly=True)
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(panel.list, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert opened.inspector.address_text == f"{ENGLISH}:2:narrator:0"


def test_line_is_tried_while_it_is_typed_and_escape_takes_it_back(panel: LorebookPanel, qtbot: QtBot) -> None:
    panel.line.setFocus()
    qtbot.keyClicks(panel.line, "hello")
    qtbot.waitUntil(lambda: panel.count.text() == "With this line: 0 more, 1 fewer")
    assert panel.list.listed.rows[0].cells[1].text.startswith("would drop out")
    panel.line.setText("a lantern")
    qtbot.waitUntil(lambda: panel.count.text() == "With this line: the same entries")
    qtbot.keyClick(panel.line, Qt.Key.Key_Escape)
    assert panel.line.text() == ""
    assert panel.count.text() == "1 in, 1 out"


def test_tried_line_is_tried_again_in_the_next_turn(opened: MainWindow, panel: LorebookPanel, qtbot: QtBot) -> None:
    panel.line.setText("a lantern")
    qtbot.waitUntil(lambda: "same" in panel.count.text())
    with qtbot.waitSignal(opened.inspector.prepared):
        opened.inspector.step(-1)
    qtbot.waitUntil(lambda: panel.count.text() == "With this line: 1 more, 0 fewer")


def test_filter_that_fits_nothing_says_so(panel: LorebookPanel) -> None:
    panel.filter.setText("no such entry")
    assert panel.empty.isVisible()
    assert "No entry fits" in panel.empty.text()
    assert not panel.page_view.isVisible()
    panel.filter.clear()
    assert panel.list.isVisible()


def test_turn_without_a_call_and_closed_file_explain_themselves(
    opened: MainWindow, panel: LorebookPanel, qtbot: QtBot
) -> None:
    opened.inspector.go_to_turn(ENGLISH, "3")
    assert "the player's text did not fit" in panel.notice.text()
    assert "which entries were in it" in panel.notice.text()
    opened.inspector.close()
    assert panel.notice.isVisibleTo(panel)


class Empty(FakeSource):
    """A story without a lorebook."""

    def lorebook(self, address: Address) -> tuple[LoreState, ...]:
        return ()


def test_story_without_a_lorebook_says_so(make_window: Callable[..., MainWindow], qtbot: QtBot) -> None:
    whole = fake_source()

    def opener(_location: str, _root: str | None) -> FakeSource:
        return Empty(whole._sessions, whole._turns, whole._calls)

    window = make_window(opener=opener)
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    window.bottom.show_panel("lorebook")
    panel = window.bottom.panel
    qtbot.waitUntil(lambda: "no lorebook entries" in panel.empty.text())
    assert panel.empty.isVisible()


class Slow(FakeSource):
    """Its lorebook is told only when it may be."""

    may = threading.Event()

    def lorebook(self, address: Address) -> tuple[LoreState, ...]:
        self.may.wait(10)
        return tuple(super().lorebook(address))


def test_keyboard_comes_back_after_a_long_read(make_window: Callable[..., MainWindow], qtbot: QtBot) -> None:
    whole = fake_source()
    window = make_window(opener=lambda _location, _root: Slow(whole._sessions, whole._turns, whole._calls))
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    Slow.may.set()
    window.bottom.show_panel("lorebook")
    panel = window.bottom.panel
    qtbot.waitUntil(lambda: bool(panel.list.listed.rows))
    panel.list.setFocus()
    Slow.may.clear()
    try:
        window.inspector.step(-1)
        qtbot.waitUntil(lambda: panel.notice.isVisible() and panel.notice.text() == "Reading…")
        assert panel.hasFocus()
    finally:
        Slow.may.set()
    qtbot.waitUntil(panel.list.hasFocus)
    assert panel.count.text() == "0 in, 2 out"


def test_panel_speaks_chinese(opened: MainWindow, panel: LorebookPanel) -> None:
    opened.look.choose_language("zh-CN")
    assert panel.count.text() == "1 条在内，1 条不在内"
    assert panel.list.listed.rows[0].cells[1].text == "玩家输入中有“lantern”"
    assert panel.list.listed.headerData(0, Qt.Orientation.Horizontal) == "条目"
