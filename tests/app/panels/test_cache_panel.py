"""The Cache panel in the window: pictures, table, links, keys, themes and languages."""

from dataclasses import replace
from typing import Any

import pytest
from fake_source import CHINESE, fake_source
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.analysis.cache_report import cache_report
from covel_inspector.analysis.cache_rows import CacheReport
from covel_inspector.app.panels.cache import CachePanel
from covel_inspector.app.panels.cache_content import Column, cache_content, headings
from covel_inspector.app.panels.cache_pictures import CacheBars, CacheStrip
from covel_inspector.app.panels.cache_table import CacheTable, CacheTableModel
from covel_inspector.app.picking import Lists
from covel_inspector.app.targets import TargetKind
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.app.window import MainWindow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Changes


def panel_of(window: MainWindow) -> CachePanel:
    panel = window.bottom.panel
    assert isinstance(panel, CachePanel)
    return panel


@pytest.fixture
def at_cache(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    """A window at turn 2 of the Chinese session, where a lorebook entry comes in; its report is read."""
    window = make_window()
    window.bottom.show_panel("cache")
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address=f"{CHINESE}:2:narrator:0")
    qtbot.waitUntil(lambda: panel_of(window).shown is not None)
    return window


def report() -> CacheReport:
    return cache_report(fake_source(), CHINESE)


def columns() -> tuple[Column, ...]:
    source = fake_source()
    session = next(one for one in source.sessions() if one.id == CHINESE)
    lists = Lists.of(session, source.turns(CHINESE), source.calls(CHINESE))
    return cache_content(report(), "narrator", lists, Wording("en")).columns


def test_the_cause_is_told_for_the_call_the_reader_is_at(at_cache: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(at_cache)
    told = panel.detail.text
    assert "Turn 2 breaks after 81 of 139 tokens, in Lore · night" in told
    assert "came in" in told
    assert "measured: 81 of 139" in told
    assert "reported by the provider: 640 read" in told
    assert panel.bars.current == 1
    assert "share of each first request" in panel.caption.text
    with qtbot.waitSignal(at_cache.inspector.prepared):
        at_cache.commands["next-turn"].trigger()
    assert panel.bars.current == 2
    assert "goes on" in panel.detail.text


def test_a_click_and_keys_on_a_bar_go_to_its_turn(at_cache: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(at_cache)
    place = panel.bars.rect_of(0).center().toPoint()
    with qtbot.waitSignal(at_cache.inspector.prepared):
        qtbot.mouseClick(panel.bars, Qt.MouseButton.LeftButton, pos=place)
    assert at_cache.inspector.address_text == f"{CHINESE}:1:narrator:0"
    panel.focus_panel()
    assert panel.bars.hasFocus()
    for key, turn in ((Qt.Key.Key_End, "3"), (Qt.Key.Key_Left, "2"), (Qt.Key.Key_Right, "3"), (Qt.Key.Key_Home, "1")):
        with qtbot.waitSignal(at_cache.inspector.prepared):
            qtbot.keyClick(panel.bars, key)
        assert at_cache.inspector.address_text == f"{CHINESE}:{turn}:narrator:0"
    qtbot.keyClick(panel.bars, Qt.Key.Key_Left)
    assert at_cache.inspector.address_text == f"{CHINESE}:1:narrator:0"


def test_links_go_to_the_place_and_show_the_same_cause(at_cache: MainWindow) -> None:
    panel = panel_of(at_cache)
    panel.detail.link_activated.emit("place")
    row = at_cache.compare.tree.current_row()
    assert row is not None
    assert row.key.endswith("lore:night")
    panel.detail.link_activated.emit("same")
    assert panel.view == "table"
    assert len(panel.table.rows.rows) == 1
    assert panel.filter_button.isVisible()
    assert panel.filter_button.text() == "Only: lorebook entry (1) ×"
    assert panel.bars.marked == {1}
    panel.filter_button.click()
    assert len(panel.table.rows.rows) == 3
    assert panel.bars.marked == frozenset()


def test_a_guilty_entry_is_tried_further_behind(at_cache: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(at_cache)
    links = [label for label in panel.detail.widget().findChildren(QLabel) if "href" in label.text()]
    assert "Try it at depth 4" in links[0].text()
    with qtbot.waitSignal(at_cache.inspector.prepared):
        panel.detail.link_activated.emit("depth")
    state = at_cache.inspector.state
    assert state.changes.lore_depth == (("lore:night", 4),)
    assert state.target.kind is TargetKind.WHAT_IF


def test_a_trial_tells_what_it_keeps_and_is_not_offered_again(at_cache: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(at_cache)
    assert "With your changes" not in panel.detail.text
    with qtbot.waitSignal(at_cache.inspector.prepared):
        panel.detail.link_activated.emit("depth")
    shown = at_cache.inspector.latest
    assert shown is not None
    assert shown.a is not None
    assert shown.b is not None
    assert shown.a.figures is not None
    assert shown.b.figures is not None
    told = panel.detail.text
    assert f"With your changes {shown.b.kept} of {shown.b.figures.total} tokens begin like" in told
    assert f"instead of {shown.a.kept} of {shown.a.figures.total} (predicted" in told
    assert "Try it at depth" not in told
    with qtbot.waitSignal(at_cache.inspector.prepared):
        at_cache.inspector.state.leave_what_if()
    assert "With your changes" not in panel.detail.text
    with qtbot.waitSignal(at_cache.inspector.prepared):
        panel.detail.link_activated.emit("depth")
    assert panel.detail.text == told
    with qtbot.waitSignal(at_cache.inspector.prepared):
        at_cache.inspector.state.set_changes(Changes(), "narrator")
    assert "With your changes" not in panel.detail.text
    assert "Try it at depth 4" in panel.detail.text


def test_the_request_before_can_be_chosen_to_compare_with(at_cache: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(at_cache)
    links = [label for label in panel.detail.widget().findChildren(QLabel) if "href" in label.text()]
    assert "compare" not in links[0].text()
    with qtbot.waitSignal(at_cache.inspector.prepared):
        at_cache.commands["with-none"].trigger()
    links = [label for label in panel.detail.widget().findChildren(QLabel) if "href" in label.text()]
    assert 'href="compare"' in links[0].text()
    panel.detail.link_activated.emit("compare")
    assert at_cache.inspector.state.target.kind is TargetKind.ADDRESS
    assert at_cache.inspector.state.target.address == f"{CHINESE}:1:narrator:0"


def test_choosing_a_row_goes_to_its_call(at_cache: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(at_cache)
    panel.buttons["table"].click()
    panel.focus_panel()
    assert panel.table.currentIndex().row() == 1
    with qtbot.waitSignal(at_cache.inspector.prepared):
        qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    assert at_cache.inspector.address_text == f"{CHINESE}:3:narrator:0"
    assert "all requests" in panel.caption.text


def test_another_runtime_has_a_report_of_its_own(at_cache: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(at_cache)
    at_cache.inspector.choose_runtime("codex")
    qtbot.waitUntil(lambda: panel.shown is not None and panel.shown.runtime == "codex")
    assert "first request of codex" in panel.detail.text
    at_cache.inspector.go_to_turn(CHINESE, "1")
    assert panel.shown is not None
    assert panel.shown.runtime == "narrator", "a report that was read already is shown at once"
    assert panel.bars.current == 0
    with qtbot.waitSignal(at_cache.inspector.prepared):
        at_cache.inspector.reload()
    qtbot.waitUntil(lambda: panel.shown is not None)


def test_a_turn_without_a_call_says_so(make_window: MakeWindow, qtbot: QtBot) -> None:
    window = make_window()
    window.bottom.show_panel("cache")
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address="tide-01:2:narrator:0")
    panel = panel_of(window)
    qtbot.waitUntil(lambda: panel.shown is not None)
    place = panel.bars.rect_of(2).center().toPoint()
    with qtbot.waitSignal(window.inspector.prepared):
        qtbot.mouseClick(panel.bars, Qt.MouseButton.LeftButton, pos=place)
    assert panel.detail.text == "narrator made no call in turn 3."


def test_the_view_is_kept_and_damage_ignored(at_cache: MainWindow) -> None:
    panel = panel_of(at_cache)
    panel.apply_state({"view": "strip"})
    assert panel.export_state()["view"] == "strip"
    assert panel.buttons["strip"].isChecked()
    panel.apply_state({"view": 7})
    assert panel.view == "strip"


def test_it_speaks_chinese_and_changes_colours(at_cache: MainWindow) -> None:
    at_cache.look.choose_language("zh-CN")
    panel = panel_of(at_cache)
    assert "在 81 / 139 个 token 之后断开" in panel.detail.text.replace("\u202f", " ")
    assert panel.buttons["table"].text() == "表格"
    at_cache.look.choose_theme("dark")
    assert panel.bars.colours is DARK


def painted(picture: Any) -> set[str]:
    image = picture.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(image.height())}


def test_bars_and_strips_are_painted_in_both_themes(qtbot: QtBot) -> None:
    for picture in (CacheBars(), CacheStrip()):
        qtbot.addWidget(picture)
        picture.resize(300, 120)
        picture.show_columns(columns())
        picture.set_current(1)
        picture.mark(frozenset({1}))
        if isinstance(picture, CacheStrip):
            picture.set_tallest(200)
        for colours in (LIGHT, DARK):
            picture.apply_theme(colours)
            assert QColor(colours.warning).name() in painted(picture)
            assert QColor(colours.accent).name() in painted(picture)


def test_many_turns_scroll_sideways_and_stay_wide_enough_to_hit(qtbot: QtBot) -> None:
    picture = CacheBars()
    qtbot.addWidget(picture)
    picture.show_columns([replace(columns()[0], turn=str(number)) for number in range(500)])
    assert picture.minimumWidth() >= 500 * 8
    picture.resize(picture.minimumWidth(), 100)
    for number in (0, 250, 499):
        assert picture.column_at(picture.rect_of(number).center().x()) == number
    assert picture.column_at(-5) == -1
    assert picture.column_at(picture.width() + 50) == -1


def test_a_tip_tells_of_the_turn(at_cache: MainWindow) -> None:
    panel = panel_of(at_cache)
    assert "breaks after" in panel.bars.accessibleDescription()
    assert panel.bars.column_at(QPoint(4, 4).x()) == 0


def test_the_table_model_is_in_order(qtmodeltester: ModelTester) -> None:
    source = fake_source()
    session = next(one for one in source.sessions() if one.id == CHINESE)
    lists = Lists.of(session, source.turns(CHINESE), source.calls(CHINESE))
    content = cache_content(report(), "narrator", lists, Wording("en"))
    model = CacheTableModel()
    qtmodeltester.check(model)
    model.show(content.table, headings(Wording("en")))
    model.show(content.table[:1], headings(Wording("en")))
    assert model.rowCount() == 1
    assert model.data(model.index(0, 0)) == "Turn 1"
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Request"
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_a_table_without_the_current_call_selects_nothing(qtbot: QtBot) -> None:
    table = CacheTable()
    qtbot.addWidget(table)
    table.show_rows((), headings(Wording("en")), None)
    assert not table.selectionModel().hasSelection()
