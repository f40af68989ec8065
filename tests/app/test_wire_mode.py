"""The third way to show a request, in the whole window: bodies, choosers, clicks there and back."""

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.compare.rows import walk
from covel_inspector.app.settings import Settings
from covel_inspector.app.state import Mode
from covel_inspector.app.window import MainWindow
from covel_inspector.domain.wire import BodySource, Protocol


def to_wire(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.wire.read):
        window.commands["wire"].trigger()


def body_text(window: MainWindow) -> str:
    segments = window.compare.wire.b.edit.segments
    return segments.wire.text if segments is not None else ""


def test_bodies_are_read_when_they_are_looked_at(opened: MainWindow, qtbot: QtBot) -> None:
    assert opened.compare.wire.b.edit.segments is None
    to_wire(opened, qtbot)
    view = opened.compare.wire
    assert opened.compare.pages.currentWidget() is view
    assert opened.tool_bar.wire.isChecked()
    assert json.loads(body_text(opened))["model"] == "imaginary-large"
    assert view.b.caption.text.startswith(
        "B · turn 2 · narrator · as recorded · openai-chat-v1 /v1/chat/completions · "
    )
    assert "left out fields" in view.b.remark.text
    with qtbot.waitSignal(opened.wire.read):
        qtbot.keyClick(opened, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert "turn 1" in view.b.caption.text
    assert not view.a.has_body


def test_a_click_selects_the_segment_and_a_selection_marks_its_text(opened: MainWindow, qtbot: QtBot) -> None:
    to_wire(opened, qtbot)
    edit = opened.compare.wire.b.edit
    assert edit.segments is not None
    lore = next(span for span in edit.segments.spans if span.leaf.key == "lore:night")
    edit.segment_chosen.emit(lore.leaf)
    row = opened.compare.tree.current_row()
    assert row is not None
    assert row.key.endswith("lore:night")
    assert edit.chosen_spans == [(lore.start, lore.end)]
    body = next(
        row for row in walk(opened.compare.tree.pairs.rows) if row.pair and row.pair.b and row.pair.b.key == "body"
    )
    opened.compare.tree.choose(body)
    assert edit.segments.wire.text[slice(*edit.chosen_spans[0])].startswith("# Narrator")
    assert len(opened.compare.wire.a.edit.chosen_spans) == 1


def test_a_segment_of_one_side_shows_its_neighbourhood_on_the_other(opened: MainWindow, qtbot: QtBot) -> None:
    to_wire(opened, qtbot)
    a = opened.compare.wire.a.edit
    opened.compare.choose_place("player-line")
    opened.compare.choose_place("lore:night")
    assert a.chosen_spans == []
    assert a.segments is not None
    assert a.drawn is not None
    at = a.textCursor()
    near = a.segments.at(a.drawn.offset_at(at.blockNumber(), at.positionInBlock()))
    assert near is not None
    assert near.key == "world-lore"


def test_choosers_ask_for_other_bodies_and_are_remembered(make_window: MakeWindow, qtbot: QtBot) -> None:
    settings = Settings(language="en", theme="light", width=1280, height=800, mode="wire")
    window = make_window(settings)
    with qtbot.waitSignal(window.wire.read):
        window.open("fake-story.db", address="tide-01:2:narrator:0")
    view = window.compare.wire
    google = next(action for action in view.protocol.menu().actions() if action.data()[0] == "google-generative-ai-v1")
    with qtbot.waitSignal(window.wire.read):
        google.trigger()
    assert "built from the recorded messages · google-generative-ai-v1" in view.b.caption.text
    assert view.protocol.text() == "google-generative-ai-v1 ▾"
    rebuilt = next(action for action in view.source.menu().actions() if action.data()[0] == "built-from-rebuilt")
    with qtbot.waitSignal(window.wire.read):
        rebuilt.trigger()
    assert (view.choice.source, view.choice.protocol) == (BodySource.BUILT_FROM_REBUILT, Protocol.GOOGLE)
    window.close()
    again = make_window(Settings(language="en", compare_view=settings.compare_view))
    assert again.compare.wire.choice == view.choice
    again.compare.wire.apply_state({"source": "nonsense", "protocol": 7})
    assert again.compare.wire.choice.protocol is None


def test_folding_commands_work_on_bodies(opened: MainWindow, qtbot: QtBot) -> None:
    to_wire(opened, qtbot)
    edit = opened.compare.wire.b.edit
    opened.commands["collapse-all"].trigger()
    assert ("messages",) in edit.folding.folded
    with qtbot.waitSignal(opened.wire.read):
        opened.commands["previous-turn"].trigger()
    assert ("messages",) in edit.folding.folded
    opened.commands["expand-all"].trigger()
    assert not edit.folding.folded


def test_the_menu_copies_true_values(opened: MainWindow, qtbot: QtBot) -> None:
    to_wire(opened, qtbot)
    pane = opened.compare.wire.b
    assert pane.edit.drawn is not None
    lines = [line.display for line in pane.edit.drawn.drawn]
    number = next(number for number, line in enumerate(lines) if '"content"' in line)
    actions = {action.text(): action for action in pane.menu_actions(number, pane)}
    assert "Copy its path: messages[0].content" in actions
    copied = []
    for title in ("Copy this value", "Copy the whole body", "Copy the whole body in one line"):
        actions[title].trigger()
        copied.append(QGuiApplication.clipboard().text())
    assert copied[0].startswith("You are one runtime of a story engine.\n\n")
    assert copied[1] == body_text(opened)
    assert "\n" not in copied[2]
    assert json.loads(copied[1]) == json.loads(copied[2])
    assert not actions["Copy"].isEnabled()


def test_the_keyboard_moves_between_both_bodies(opened: MainWindow, qtbot: QtBot) -> None:
    to_wire(opened, qtbot)
    opened.commands["focus-compare"].trigger()
    assert opened.compare.wire.b.edit.hasFocus()
    opened.commands["switch-side"].trigger()
    assert opened.compare.wire.a.edit.hasFocus()


def test_other_modes_read_no_bodies_and_words_change(opened: MainWindow, qtbot: QtBot) -> None:
    to_wire(opened, qtbot)
    opened.look.choose_language("zh-CN")
    assert "按记录" in opened.compare.wire.b.caption.text
    opened.compare.wire.show_waiting()
    assert not opened.compare.wire.b.has_body
    opened.inspector.state.set_mode(Mode.STRUCTURE)
    read: list[object] = []
    opened.wire.read.connect(read.append)
    with qtbot.waitSignal(opened.inspector.prepared):
        opened.commands["previous-turn"].trigger()
    assert read == []
