"""The editor of one text, and the file that an editor outside saves."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from covel_inspector.app.what_if.editor import TextEditor
from covel_inspector.app.what_if.external import ExternalDraft
from covel_inspector.app.wording import Wording
from covel_inspector.domain import plain


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def editor(parent: QWidget, source: str) -> TextEditor:
    made = TextEditor(parent, Wording("en"), plain("World lore"), source, plain("Nothing is written."))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    made.open()
    return made


def test_ctrl_enter_hands_the_text_over(parent: QWidget, qtbot: QtBot) -> None:
    source = "a\u00a0b\r\nc\u2028d\ud83d"
    made = editor(parent, source)
    assert made.text == source
    made.edit.moveCursor(made.edit.textCursor().MoveOperation.End)
    with qtbot.waitSignal(made.applied) as applied:
        qtbot.keyClicks(made.edit, "!")
        qtbot.keyClick(made.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert applied.args == ["a\u00a0b\r\nc\u2028d\ud83d!"]
    assert not made.isVisible()


def test_escape_changes_nothing(parent: QWidget, qtbot: QtBot) -> None:
    made = editor(parent, "text")
    with qtbot.assertNotEmitted(made.applied):
        qtbot.keyClicks(made.edit, "more")
        qtbot.keyClick(made.edit, Qt.Key.Key_Escape)
    assert not made.isVisible()


def test_tab_leaves_the_text_alone_and_ctrl_tab_writes_one(parent: QWidget, qtbot: QtBot) -> None:
    made = editor(parent, "text")
    qtbot.keyClick(made.edit, Qt.Key.Key_Tab)
    assert made.text == "text"
    made.edit.moveCursor(made.edit.textCursor().MoveOperation.Start)
    qtbot.keyClick(made.edit, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert made.text == "\ttext"


def test_a_save_outside_is_picked_up(qtbot: QtBot) -> None:
    draft = ExternalDraft("segment:tide/voice", "one\r\ntwo", None)
    assert draft.file.read_bytes() == b"one\ntwo"
    assert draft.file.suffix == ".md"
    with qtbot.waitSignal(draft.saved) as saved:
        draft.file.write_text("one\nthree\n", encoding="utf-8")
    assert saved.args == ["one\r\nthree"]
    draft.close()


def test_an_editor_that_replaces_the_file_is_followed(qtbot: QtBot) -> None:
    draft = ExternalDraft("body", "one", None)
    for text in ("two", "three"):
        fresh = draft.file.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        with qtbot.waitSignal(draft.saved) as saved:
            fresh.replace(draft.file)
        assert saved.args == [text]
    draft.close()


def test_a_file_in_another_encoding_is_told_and_not_taken(qtbot: QtBot) -> None:
    draft = ExternalDraft("body", "one", None)
    with qtbot.assertNotEmitted(draft.saved), qtbot.waitSignal(draft.failed) as failed:
        draft.file.write_bytes("潮".encode("gbk"))
    assert "UTF-8" in str(failed.args[0])
    draft.close()


def test_closing_takes_the_file_away() -> None:
    draft = ExternalDraft("…", "one", None)
    seen: list[Path] = []
    assert draft.show(lambda file: seen.append(file) is None)
    assert seen == [draft.file]
    assert draft.file.exists()
    draft.close()
    assert not draft.file.parent.exists()
