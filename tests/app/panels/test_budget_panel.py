"""The Budget panel in the window: steps lead to the tree, and a turned value shows the changed request."""

from dataclasses import replace

import pytest
from fake_source import ENGLISH
from fake_what_if import WhatIfSource
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QToolButton
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.panels.budget import BudgetPanel
from covel_inspector.app.settings import Settings
from covel_inspector.app.targets import TargetKind
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.app.what_if.editor import TextEditor
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Changes


@pytest.fixture
def source() -> WhatIfSource:
    return WhatIfSource()


@pytest.fixture
def window(make_window: MakeWindow, source: WhatIfSource, qtbot: QtBot) -> MainWindow:
    kept = Settings(language="en", theme="light", width=1280, height=800)
    kept.panels = {"open": True, "tab": "budget", "height": 300}
    made = make_window(kept, lambda _location, _root: source)
    with qtbot.waitSignal(made.inspector.prepared):
        made.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    return made


def panel_of(window: MainWindow) -> BudgetPanel:
    panel = window.bottom.panel
    assert isinstance(panel, BudgetPanel)
    return panel


def change(window: MainWindow, qtbot: QtBot, changes: Changes) -> None:
    with qtbot.waitSignal(
        window.inspector.prepared, check_params_cb=lambda shown: shown.b is not None and shown.b.changed
    ):
        window.inspector.state.set_changes(changes)


def test_the_run_of_the_call_is_shown(window: MainWindow) -> None:
    panel = panel_of(window)
    assert panel.heading.text.startswith("It fits:")
    assert "limit 3\u202f000 = window 4\u202f000 − reserve 1\u202f000" in panel.limit_line.text
    assert panel.bar_a.isVisible()
    assert not panel.bar_b.isVisible()
    assert panel.controls.window_field.value() == 4000
    assert not panel.controls.reset.isEnabled()
    assert window.compare.card_b.map.content.limit == 3000


def test_typing_a_window_shows_the_changed_request_marked_as_such(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    field = panel.controls.window_field
    field.setFocus()
    field.selectAll()
    with qtbot.waitSignal(window.inspector.prepared):
        qtbot.keyClicks(field, "1050")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    prepared = window.inspector.latest
    assert prepared is not None
    assert prepared.b is not None
    assert prepared.b.changed
    assert window.inspector.state.target.kind is TargetKind.WHAT_IF
    assert window.compare.banner.isVisible()
    assert "nothing is written" in window.compare.banner.text.text()
    assert "what if" in window.compare.card_b.title.text
    assert panel.heading.text.startswith("What if: ")
    assert panel.bar_a.isVisible()
    assert panel.bar_b.isVisible()
    assert panel.bar_a.bar.limit == 3000
    assert panel.bar_b.bar.limit == 50
    assert panel.bar_a._reach == panel.bar_b._reach
    assert window.tool_bar.target.text() == "what if ▾"
    assert window.commands["with-what-if"].isChecked()


def test_a_drag_asks_for_the_latest_value_and_not_for_each(
    window: MainWindow, source: WhatIfSource, qtbot: QtBot
) -> None:
    slider = panel_of(window).controls.window_slider
    change(window, qtbot, Changes(window=3900))
    source.asked.clear()
    for value in range(900, 300, -2):
        slider.setValue(value)
    wanted = slider.tokens
    qtbot.waitUntil(
        lambda: (
            window.inspector.latest is not None
            and window.inspector.latest.b is not None
            and window.inspector.latest.b.budget is not None
            and window.inspector.latest.b.budget.window == wanted
        )
    )
    turned = [changes for changes in source.asked if changes.window is not None]
    assert turned[-1].window == wanted
    assert len(turned) < 30


def test_taking_back_shows_the_comparison_of_before(window: MainWindow, qtbot: QtBot) -> None:
    change(window, qtbot, Changes(window=1050))
    with qtbot.waitSignal(
        window.inspector.prepared, check_params_cb=lambda shown: shown.b is not None and not shown.b.changed
    ):
        window.compare.banner.reset.click()
    assert window.inspector.state.changes == Changes()
    assert window.inspector.state.target.kind is TargetKind.PREVIOUS_TURN
    assert not window.compare.banner.isVisible()
    assert not panel_of(window).bar_b.isVisible()


def test_a_what_if_without_changes_says_what_to_do(window: MainWindow, qtbot: QtBot) -> None:
    banner = window.compare.banner
    with qtbot.waitSignal(window.inspector.prepared):
        window.commands["with-what-if"].trigger()
    assert "nothing is changed yet" in banner.text.text()
    assert "Budget panel" in banner.text.text()
    assert banner.leave.text() == "Compare as before"
    assert not banner.reset.isVisible()
    change(window, qtbot, Changes(window=1050))
    assert "rebuilt with your changes" in banner.text.text()
    assert banner.reset.isVisible()


def test_leaving_keeps_the_changes_for_later(window: MainWindow, qtbot: QtBot) -> None:
    change(window, qtbot, Changes(window=1050))
    with qtbot.waitSignal(window.inspector.prepared):
        window.compare.banner.leave.click()
    assert not window.compare.banner.isVisible()
    with qtbot.waitSignal(window.inspector.prepared):
        window.commands["with-what-if"].trigger()
    assert window.compare.banner.isVisible()
    assert window.inspector.state.changes == Changes(window=1050)


def test_single_changes_are_listed_and_taken_back(window: MainWindow, qtbot: QtBot) -> None:
    change(window, qtbot, Changes(window=2000, without=("world-lore",)))
    panel = panel_of(window)

    def buttons() -> list[QToolButton]:
        return [
            button
            for button in panel.controls.findChildren(QToolButton)
            if button.accessibleName().startswith("Take back: ") and button.isVisible()
        ]

    qtbot.waitUntil(lambda: len(buttons()) == 2)
    assert [button.accessibleName() for button in buttons()] == [
        "Take back: window of 2\u202f000 tokens",
        "Take back: without World lore",
    ]
    with qtbot.waitSignal(window.inspector.prepared):
        buttons()[0].click()
    assert window.inspector.state.changes == Changes(without=("world-lore",))


def test_choices_change_the_request(window: MainWindow, qtbot: QtBot) -> None:
    controls = panel_of(window).controls
    wanted = Changes()
    for button, name, value in (
        (controls.summaries, "include_summaries", False),
        (controls.language, "locale", "zh-CN"),
        (controls.model, "model", "imaginary-large"),
    ):
        assert value in [one for _, one in button.choices]
        wanted = replace(wanted, **{name: value})
        with qtbot.waitSignal(window.inspector.prepared):
            button.chosen.emit(value)
        assert window.inspector.state.changes == wanted
        assert f": {next(title for title, one in button.choices if one == value)} ▾" in button.text()


def test_turns_are_numbers_or_words(window: MainWindow, qtbot: QtBot) -> None:
    controls = panel_of(window).controls
    for field, number, wanted in (
        (controls.protected, 2, Changes(protected_turns=2)),
        (controls.protected, -1, Changes()),
        (controls.history, -1, Changes(max_turns=-1)),
        (controls.history, 0, Changes(max_turns=0)),
    ):
        with qtbot.waitSignal(window.inspector.prepared):
            field.chosen.emit(number)
        assert window.inspector.state.changes == wanted


def test_a_step_leads_to_what_it_touched_and_marks_it(window: MainWindow, qtbot: QtBot) -> None:
    change(window, qtbot, Changes(window=1050))
    panel = panel_of(window)
    row = panel.steps.rows[0]
    assert row.accessibleDescription().startswith("The request was ")
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    current = window.compare.tree.current_row()
    assert current is not None
    assert current.pair is not None
    assert current.pair.key == panel.steps._view.steps[0].keys[0]
    row = panel.steps.rows[0]
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_Space)
    assert panel.steps._open == ""


def test_something_left_out_is_found_by_its_key(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.go(":1:narrator:0")
    window.compare.set_options(replace(window.compare.options, absent=False))
    assert window.compare.choose_keys(("lore:night",))
    current = window.compare.tree.current_row()
    assert current is not None
    assert current.absent is not None
    assert window.compare.options.absent
    assert not window.compare.choose_keys(("nobody",))


def test_an_unknown_window_can_be_set(window: MainWindow, source: WhatIfSource, qtbot: QtBot) -> None:
    source.knows_window = False
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.go(":1:narrator:0")
    panel = panel_of(window)
    assert "nobody recorded the window" in panel.heading.text
    assert panel.controls.window_field.text() == "unknown"
    assert window.compare.card_b.map.content.limit is None
    with qtbot.waitSignal(window.inspector.prepared):
        panel.controls.window_field.chosen.emit(2000)
    assert panel.heading.text.startswith("What if: It fits")


def test_changes_that_make_no_sense_leave_the_panel_usable(window: MainWindow, qtbot: QtBot) -> None:
    change(window, qtbot, Changes(window=500, reserve=900))
    assert "the reserve is not below the window" in window.compare.notice.text
    panel = panel_of(window)
    assert panel.controls.isVisible()
    change(window, qtbot, Changes(window=5000, reserve=900))
    assert panel.heading.text.startswith("What if: It fits")


def test_a_turn_that_was_never_sent_shows_its_budget(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.go_to_turn(ENGLISH, "3")
    assert "never sent" in window.compare.card_b.title.text
    assert "What is shown here is rebuilt" in window.compare.remark.told
    assert panel_of(window).heading.text.startswith("It fits")
    change(window, qtbot, Changes(window=1050))
    assert window.compare.banner.isVisible()


def test_a_turn_without_a_request_says_so(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.go(":2+1:omens/quiet:0")
    panel = panel_of(window)
    assert panel.pages.currentWidget() is not panel.content
    assert "Nothing is known of the token budget" in panel.notice.text()


def test_reading_the_file_again_keeps_the_changes(window: MainWindow, qtbot: QtBot) -> None:
    change(window, qtbot, Changes(window=1050))
    with qtbot.waitSignal(
        window.inspector.prepared, check_params_cb=lambda shown: shown.b is not None and shown.b.changed
    ):
        window.inspector.reload()
    assert window.inspector.state.changes == Changes(window=1050)


def test_language_and_theme_change_all_of_it(window: MainWindow, qtbot: QtBot) -> None:
    change(window, qtbot, Changes(window=1050))
    panel = panel_of(window)
    window.look.choose_language("zh-CN")
    assert panel.heading.text.startswith("假设：")
    assert panel.caption_b.text() == "假设"
    assert "撤销" in window.compare.banner.reset.text()
    for name, colours in (("dark", DARK), ("light", LIGHT)):
        window.look.choose_theme(name)
        assert panel.bar_a.colours is colours
        picture = panel.bar_a.grab().toImage()
        assert picture.pixelColor(2, picture.height() // 2).isValid()


# What a segment's menu and commands do


def choose(window: MainWindow, key: str) -> None:
    assert window.compare.choose_keys((key,))


def test_a_segment_is_left_out_and_put_back(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, "world-lore")
    with qtbot.waitSignal(window.inspector.prepared):
        window.commands["leave-out"].trigger()
    assert window.inspector.state.changes.without == ("world-lore",)
    choose(window, "world-lore")
    menu = window.compare.menu
    menu.prepare_for(window.compare.tree.current_row(), window.inspector.latest)
    assert menu.leave_out.text() == "What if: put the segment back"
    with qtbot.waitSignal(window.inspector.prepared):
        menu.leave_out.trigger()
    assert window.inspector.state.changes == Changes()


def test_lore_is_forced_by_the_menu(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(window, "lore:night")
    menu = window.compare.menu
    menu.prepare_for(window.compare.tree.current_row(), window.inspector.latest)
    assert menu.lore_off.isVisible()
    with qtbot.waitSignal(window.inspector.prepared):
        menu.lore_off.trigger()
    assert window.inspector.state.changes.lore_off == ("lore:night",)
    for depth, is_given in ((3, False), (2, True)):
        monkeypatch.setattr(QInputDialog, "getInt", lambda *_, answer=(depth, is_given): answer)
        choose(window, "lore:night")
        menu.prepare_for(window.compare.tree.current_row(), window.inspector.latest)
        menu.lore_depth.trigger()
    assert window.inspector.state.changes.lore_depth == (("lore:night", 2),)
    choose(window, "world-lore")
    menu.prepare_for(window.compare.tree.current_row(), window.inspector.latest)
    assert not menu.lore_off.isVisible()
    assert menu.edit_text.isEnabled()


def edited(window: MainWindow, qtbot: QtBot, key: str) -> TextEditor:
    choose(window, key)
    with qtbot.waitSignal(window.experiments.editor_opened) as opened:
        window.commands["edit-text"].trigger()
    editor = opened.args[0]
    assert isinstance(editor, TextEditor)
    return editor


def test_an_edited_text_is_the_text_of_the_changed_request(window: MainWindow, qtbot: QtBot) -> None:
    editor = edited(window, qtbot, "world-lore")
    editor.edit.setPlainText("The harbour never closes.")
    with qtbot.waitSignal(window.inspector.prepared):
        editor.apply()
    row = window.compare.tree.current_row()
    assert row is not None
    assert row.pair is not None
    assert row.pair.b is not None
    assert row.pair.b.text == "The harbour never closes."
    again = edited(window, qtbot, "world-lore")
    assert again.text == "The harbour never closes."
    again.reject()


def test_the_body_is_edited_as_its_template_where_a_file_has_it(window: MainWindow, qtbot: QtBot) -> None:
    editor = edited(window, qtbot, "body")
    assert editor.text == "The place is {{ world.name }}.\nHe says: {{ player.message }}"
    editor.edit.setPlainText("# Another body")
    with qtbot.waitSignal(window.inspector.prepared):
        editor.apply()
    assert window.inspector.state.changes == Changes(body="# Another body")
    again = edited(window, qtbot, "body")
    assert again.text == "# Another body"
    again.reject()


def test_without_a_file_the_body_is_edited_as_it_was_sent(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WhatIfSource, "template", lambda _source, _address: None)
    editor = edited(window, qtbot, "body")
    assert editor.text.startswith("# Narrator")
    editor.edit.setPlainText("# Shorter")
    with qtbot.waitSignal(window.inspector.prepared):
        editor.apply()
    assert window.inspector.state.changes == Changes(texts=(("body", "# Shorter"),))


def test_an_editor_outside_is_followed(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window.experiments, "_open_file", lambda _file: True)
    editor = edited(window, qtbot, "world-lore")
    with qtbot.waitSignal(window.experiments.noticed) as noticed:
        editor._want_external()
    assert "saved" in str(noticed.args[0])
    (draft,) = window.experiments.outside
    with qtbot.waitSignal(window.inspector.prepared):
        draft.file.write_text("Written outside.", encoding="utf-8")
    assert window.inspector.state.changes.texts == (("world-lore", "Written outside."),)
    file = draft.file
    window.close()
    assert not file.exists()


def test_what_cannot_be_changed_says_so(window: MainWindow, qtbot: QtBot) -> None:
    window.inspector.state.select(None)
    with qtbot.waitSignal(window.experiments.noticed) as noticed:
        window.commands["leave-out"].trigger()
    assert "can be changed" in str(noticed.args[0])
    choose(window, "history")
    with qtbot.waitSignal(window.experiments.noticed) as noticed:
        window.commands["edit-text"].trigger()
    assert "several messages" in str(noticed.args[0])
