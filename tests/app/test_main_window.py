"""The window as a person meets it: opening, keys, language, theme, dialogs."""

from pathlib import Path

import pytest
from fake_source import CHINESE, ENGLISH
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from window_making import MakeWindow, texts_of

from covel_inspector.analysis.tokens import tokenizer
from covel_inspector.app.commands import COMMANDS
from covel_inspector.app.palette import Chooser
from covel_inspector.app.performing import performers
from covel_inspector.app.settings import Recent, Settings
from covel_inspector.app.state import Mode
from covel_inspector.app.story_model import Role
from covel_inspector.app.targets import TargetKind
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.app.window import MainWindow

DATA = Path(__file__).parent.parent / "data"


def press(qtbot: QtBot, window: MainWindow, keys: str) -> None:
    """Trigger the command that has these keys, as the keyboard does."""
    for command, action in window.commands.commands():
        if command.shortcut == keys and action.isEnabled():
            action.trigger()
            return
    pytest.fail(f"no command has {keys} now")


def test_every_command_does_something_and_keys_are_unique(make_window: MakeWindow) -> None:
    window = make_window()
    assert set(performers(window)) == {command.id for command in COMMANDS}
    keys = [command.shortcut for command in COMMANDS if command.shortcut]
    assert len(set(keys)) == len(keys)
    assert len({command.id for command in COMMANDS}) == len(COMMANDS)


def test_window_begins_with_a_welcome(make_window: MakeWindow) -> None:
    settings = Settings(language="en", recent=[Recent("/stories/守夜.db", address="s:12:narrator:0")])
    window = make_window(settings)
    assert window.pages.currentWidget() is window.welcome
    seen = texts_of(window.welcome)
    assert "守夜.db" in seen
    assert "s:12:narrator:0" in seen
    assert not window.commands["next-turn"].isEnabled()
    assert window.commands["open"].isEnabled()


def test_open_shows_story_request_and_reasons(opened: MainWindow) -> None:
    assert opened.pages.currentWidget() is opened.whole
    assert opened.windowTitle() == "tide-01:2:narrator:0 – fake-story.db – covel-inspector"
    assert opened.tool_bar.turn.text() == "Turn 2 of 3"
    assert opened.tool_bar.runtime.text() == "narrator ▾"
    assert opened.tool_bar.call.text() == "call 1 of 2 ▾"
    row = opened.story.view.currentIndex().data(Role.ROW)
    assert (row.session, row.number) == (ENGLISH, "2")
    assert "11 calls, 5 runtimes" in opened.status.counts.text()
    assert "letters / 4" in opened.status.estimator.text()
    assert opened.status.problems.text() == "2 problems"
    assert opened.why.page.facts


def test_keys_move_through_the_story(opened: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(opened, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert opened.inspector.address_text == f"{ENGLISH}:1:narrator:0"
    assert not opened.commands["previous-turn"].isEnabled()
    opened.story.focus_list()
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(opened.story.view, Qt.Key.Key_Down)
    assert opened.inspector.address_text == f"{ENGLISH}:2:narrator:0"
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(opened, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert opened.inspector.address_text == f"{ENGLISH}:2:narrator:1"


def test_key_of_a_command_that_is_off_does_nothing_else(opened: MainWindow, qtbot: QtBot) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    opened.inspector.go_to_end(last=False)
    story = opened.story.view
    story.setFocus()
    session = story.currentIndex().parent()
    assert story.isExpanded(session)
    assert not opened.commands["previous-turn"].isEnabled()
    qtbot.keyClick(story, Qt.Key.Key_Left, alt)
    qtbot.keyClick(story, Qt.Key.Key_Left, alt)
    assert story.isExpanded(session)
    assert opened.inspector.state.turn.number == "1"
    qtbot.keyClick(story, Qt.Key.Key_Right, alt)
    assert opened.inspector.state.turn.number == "2"
    qtbot.keyClick(story, Qt.Key.Key_Left, alt)
    assert opened.inspector.state.turn.number == "1"


def test_background_execution_stands_after_its_turn(opened: MainWindow, qtbot: QtBot) -> None:
    bar = opened.tool_bar
    assert (bar.turn.text(), bar.call.isVisible()) == ("Turn 2 of 3", True)
    opened.inspector.step(1)
    assert opened.inspector.state.turn.number == "2+1"
    assert bar.turn.text() == "Turn 2+1 of 3"
    assert "2+1 is background work after turn 2" in bar.turn.toolTip()
    opened.inspector.step(1)
    assert opened.inspector.state.call is None
    assert bar.turn.text() == "Turn 3 of 3"
    qtbot.waitUntil(bar.call.isHidden)
    opened.inspector.step(-1)
    qtbot.waitUntil(bar.call.isVisible)


def test_opening_a_session_in_the_story_reads_its_turns(opened: MainWindow, qtbot: QtBot) -> None:
    story = opened.story
    session = story.model.index(1, 0)
    with qtbot.waitSignal(opened.inspector.state.lists_changed):
        story.view.expand(session)
    assert story.model.rowCount(session) == 3
    with qtbot.waitSignal(opened.inspector.prepared):
        story.view.setCurrentIndex(story.model.index(1, 0, session))
    assert opened.inspector.address_text == f"{CHINESE}:2:narrator:0"


def test_column_of_the_story_has_a_heading(opened: MainWindow) -> None:
    heading = opened.story.cached_title
    assert heading.isVisible()
    assert heading.text() == "all calls, from cache"
    assert "as it reported" in heading.toolTip()
    opened.story.setFixedWidth(160)
    opened.story.view.setFont(QFont(opened.story.view.font().family(), 24))
    QApplication.processEvents()
    assert not heading.isVisible(), "no figure stands below it"
    opened.commands["close"].trigger()
    assert not opened.story.model.has_shares


def test_filter_is_typed_and_taken_back(opened: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, opened, "Ctrl+E")
    qtbot.waitUntil(opened.story.field.hasFocus)
    qtbot.keyClicks(opened.story.field, "lantern")
    qtbot.waitUntil(lambda: opened.story.model.shown_turns == 1)
    qtbot.keyClicks(opened.story.field, "xyz")
    qtbot.waitUntil(opened.story.hint.isVisible)
    assert "No turn fits" in opened.story.hint.text()
    qtbot.keyClick(opened.story.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: opened.story.model.shown_turns > 4)
    assert not opened.story.hint.isVisible()
    qtbot.keyClick(opened.story.field, Qt.Key.Key_Down)
    qtbot.waitUntil(opened.story.view.hasFocus)


@pytest.mark.parametrize("kind", [TargetKind.REBUILT, TargetKind.PREVIOUS_CALL, TargetKind.NONE])
def test_target_is_chosen_and_ticked(opened: MainWindow, qtbot: QtBot, kind: TargetKind) -> None:
    with qtbot.waitSignal(opened.inspector.prepared) as shown:
        opened.commands[f"with-{kind.value}"].trigger()
    assert opened.inspector.state.target.kind is kind
    assert opened.commands[f"with-{kind.value}"].isChecked()
    assert not opened.commands["with-previous-turn"].isChecked()
    assert (shown.args[0].a is None) is (kind is TargetKind.NONE)


def test_read_and_structure(opened: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(opened.tool_bar.read, Qt.MouseButton.LeftButton)
    assert opened.inspector.state.mode is Mode.READ
    assert opened.tool_bar.read.isChecked()
    assert not opened.tool_bar.structure.isChecked()
    press(qtbot, opened, "Ctrl+Shift+S")
    assert opened.tool_bar.structure.isChecked()
    assert opened.inspector.state.mode is Mode.STRUCTURE


def test_panels_hide_and_come_back_with_the_keyboard(opened: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, opened, "F9")
    assert opened.story.isHidden()
    assert not opened.commands["show-story"].isChecked()
    press(qtbot, opened, "Ctrl+1")
    assert opened.story.isVisible()
    qtbot.waitUntil(opened.story.view.hasFocus)
    press(qtbot, opened, "Ctrl+3")
    qtbot.waitUntil(opened.why.area.hasFocus)
    press(qtbot, opened, "Ctrl+2")
    qtbot.waitUntil(lambda: opened.compare.isAncestorOf(QApplication.focusWidget()))


def test_tab_reaches_every_part(opened: MainWindow, qtbot: QtBot) -> None:
    opened.story.field.setFocus()
    seen: set[QWidget] = set()
    for _ in range(60):
        widget = QApplication.focusWidget()
        seen.add(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    bar = opened.tool_bar
    wanted = {bar.open, bar.back, bar.turn, bar.forward, bar.runtime, bar.call, bar.target}
    wanted |= {bar.read, bar.structure}
    wanted |= {opened.story.field, opened.story.view, opened.compare.tree, opened.status.problems}
    assert wanted <= seen
    assert any(opened.why.isAncestorOf(widget) for widget in seen)


def test_everything_that_takes_the_keyboard_has_a_name(opened: MainWindow) -> None:
    for kind in (QToolButton, QLineEdit, QAbstractScrollArea):
        for widget in opened.findChildren(kind):
            if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                named = widget.accessibleName() or (widget.text() if isinstance(widget, QToolButton) else "")
                assert named, f"{widget.metaObject().className()} in {widget.parent()} has no name"


def test_palette_runs_a_command(opened: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, opened, "Ctrl+Shift+P")
    chooser = next(child for child in opened.findChildren(Chooser) if child.isVisible())
    qtbot.keyClicks(chooser.field, "dark theme")
    assert chooser.model.rowCount() == 1
    qtbot.keyClick(chooser.field, Qt.Key.Key_Return)
    assert opened.settings.theme == "dark"
    assert not chooser.isVisible()


def test_quick_open_goes_to_a_listed_call_or_a_typed_address(opened: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, opened, "Ctrl+P")
    chooser = next(child for child in opened.findChildren(Chooser) if child.isVisible())
    qtbot.keyClicks(chooser.field, "turn 1 ledger")
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(chooser.field, Qt.Key.Key_Return)
    assert opened.inspector.address_text == f"{ENGLISH}:1:harbor-clerk/ledger:0"
    press(qtbot, opened, "Ctrl+P")
    chooser = next(child for child in opened.findChildren(Chooser) if child.isVisible())
    qtbot.keyClicks(chooser.field, "watch:2:codex:0")
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(chooser.field, Qt.Key.Key_Return)
    assert opened.inspector.address_text == f"{CHINESE}:2:codex:0"


def test_language_switches_at_once(opened: MainWindow, qtbot: QtBot) -> None:
    opened.commands["language-zh-CN"].trigger()
    assert opened.tool_bar.turn.text() == "回合 2 / 3"
    assert opened.commands["quit"].text() == "退出"
    assert opened.story.title.text() == "故事"
    assert opened.why.title.text() == "缘由"
    assert "种类" in texts_of(opened.why)
    assert opened.commands["language-zh-CN"].isChecked()
    opened.commands["language-en"].trigger()
    assert opened.story.title.text() == "Story"
    assert opened.settings.language == "en"


def test_theme_switches_at_once(opened: MainWindow, qapp: QApplication) -> None:
    opened.commands["theme-dark"].trigger()
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == DARK.ground
    picture = opened.grab().toImage()
    empty = opened.story.view.mapTo(opened, QPoint(20, opened.story.view.height() - 20))
    assert picture.pixelColor(empty).name() == DARK.ground
    opened.commands["theme-light"].trigger()
    picture = opened.grab().toImage()
    assert picture.pixelColor(empty).name() == LIGHT.ground


def test_text_grows_and_comes_back(opened: MainWindow, qapp: QApplication) -> None:
    usual = qapp.font().pointSizeF()
    opened.commands["larger"].trigger()
    assert qapp.font().pointSizeF() == pytest.approx(usual * 1.1)
    opened.commands["usual-size"].trigger()
    assert qapp.font().pointSizeF() == pytest.approx(usual)


def test_address_is_copied(opened: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, opened, "Ctrl+Shift+C")
    assert QGuiApplication.clipboard().text() == f"{ENGLISH}:2:narrator:0"
    assert "Copied" in opened.status.notices.text()


def test_no_vocabulary_is_loaded_until_the_reader_asks(
    opened: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def watched(model: str) -> object:
        asked.append(model)
        return tokenizer(model)

    monkeypatch.setattr("covel_inspector.app.why.tokenizer", watched)
    monkeypatch.setattr("covel_inspector.app.token_counts.tokenizer", watched)
    command = opened.commands["count-tokens"]
    body = next(segment for segment in opened.inspector.latest.b.tree.walk() if segment.key == "body")
    opened.compare.choose_segment(body)
    opened.inspector.step(-1)
    qtbot.waitUntil(lambda: opened.inspector.address_text.endswith(":1:narrator:0") and opened.inspector.desk.is_idle)
    qtbot.wait(60)
    assert (asked, command.isChecked(), opened.settings.count_tokens) == ([], False, False)
    assert "in the Tools menu adds its count" in opened.compare.card_b.tokens.toolTip()
    offer = next(link for link in opened.why.area.links if link.target == "count-tokens")
    opened.links.follow(offer)
    assert (command.isChecked(), opened.settings.count_tokens) == (True, True)
    qtbot.waitUntil(lambda: "o200k_base" in texts_of(opened.why), timeout=10_000)
    qtbot.waitUntil(lambda: "o200k_base" in opened.compare.card_b.tokens.toolTip(), timeout=10_000)
    assert asked
    assert offer not in opened.why.area.links
    assert "Tools menu" not in opened.compare.card_b.tokens.toolTip()
    command.trigger()
    assert "o200k_base" not in opened.compare.card_b.tokens.toolTip()
    assert offer in opened.why.area.links
    assert "o200k_base" not in texts_of(opened.why)


def test_counting_is_remembered(make_window: MakeWindow) -> None:
    window = make_window(Settings(language="en", count_tokens=True))
    assert window.commands["count-tokens"].isChecked()


def test_selection_of_nothing_is_about_the_call(opened: MainWindow) -> None:
    opened.inspector.state.select(None)
    assert str(opened.why.page.title) == "turn 2 · narrator"


def test_dialogs_list_what_they_promise(opened: MainWindow, qtbot: QtBot) -> None:
    from covel_inspector.app.dialogs import TableDialog

    for name, found in (("shortcuts", "Next turn"), ("filter-help", "cached<95")):
        opened.commands[name].trigger()
        dialog = next(child for child in opened.findChildren(TableDialog) if child.isVisible())
        table = dialog.table
        cells = [table.item(row, column).text() for row in range(table.rowCount()) for column in range(2)]
        assert any(found in cell for cell in cells), name
        dialog.reject()
        qtbot.waitUntil(lambda: not any(child.isVisible() for child in opened.findChildren(TableDialog)))
    opened.commands["about"].trigger()


def test_problem_leads_to_its_call(opened: MainWindow, qtbot: QtBot) -> None:
    opened.show_problems()
    assert opened.bottom.current == "problems"
    problems = opened.bottom.panel.list
    qtbot.waitUntil(lambda: problems.current_row() is not None)
    assert "trace_events" in problems.current_row().spoken
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(problems, Qt.Key.Key_Return)
    assert opened.inspector.address_text == f"{ENGLISH}:2+1:painter:0"


def test_odd_choices_in_the_settings_read_as_the_system_s(make_window: MakeWindow) -> None:
    window = make_window(Settings(language="zh", theme="odd", width=1280, height=800))
    assert window.commands["language-system"].isChecked()
    assert window.commands["theme-system"].isChecked()
