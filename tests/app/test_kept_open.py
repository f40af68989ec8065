"""A file that cannot be opened never costs the story that is open."""

import shutil
from pathlib import Path

import pytest
from fake_source import CHINESE, ENGLISH, fake_source
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from sample_calls import DATA
from window_making import MakeWindow

from covel_inspector.app.settings import Settings
from covel_inspector.app.start import open_source
from covel_inspector.app.state import WhatIf
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Changes, Source, SourceError, say

GOOD = f"{ENGLISH}:2:narrator:0"


def opener(location: str, root: str | None) -> Source:
    if "bad" in location:
        raise SourceError(say("{file} is no file: name the database of a story.", file=location))
    if root is not None and "bad" in root:
        raise SourceError(f"'{root}' is no Covel folder")
    return fake_source(location)


@pytest.fixture
def window(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    made = make_window(opener=opener)
    with qtbot.waitSignal(made.inspector.prepared):
        made.open("good.db", address=GOOD)
    return made


def _box(window: MainWindow) -> QMessageBox:
    (box,) = window.findChildren(QMessageBox)
    return box


def _stays(window: MainWindow, qtbot: QtBot, *, said: str) -> None:
    """The good story is there as it was, can be read on, and the trouble is said."""
    assert window.inspector.location.endswith("good.db")
    assert window.inspector.address_text == GOOD
    assert window.pages.currentWidget() is window.whole
    assert window.tool_bar.isVisible()
    box = _box(window)
    assert said in box.text() + box.informativeText()
    assert "good.db is still open." in box.informativeText()
    box.close()
    with qtbot.waitSignal(window.inspector.prepared) as shown:
        window.inspector.step(-1)
    assert shown.args[0].b.tree is not None


def test_opening_a_bad_file_keeps_the_good_one(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.inspector.open_failed):
        window.open("bad.db")
    assert "bad.db could not be opened" in _box(window).text()
    _stays(window, qtbot, said="name the database of a story")
    assert [recent.location for recent in window.settings.recent] == [window.inspector.location]


def test_the_menu_keeps_the_good_one(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covel_inspector.app.window.QFileDialog.getOpenFileName", lambda *_: ("/x/bad.db", ""))
    with qtbot.waitSignal(window.inspector.open_failed):
        window.commands["open"].trigger()
    _stays(window, qtbot, said="bad.db")


def test_a_drop_keeps_the_good_one(window: MainWindow, qtbot: QtBot) -> None:
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile("/stories/bad.db")])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    with qtbot.waitSignal(window.inspector.open_failed):
        window.dropEvent(QDropEvent(QPoint(5, 5), Qt.DropAction.CopyAction, dropped, buttons, keys))
    _stays(window, qtbot, said="bad.db")


def test_a_wrong_folder_keeps_the_good_one(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covel_inspector.app.window.QFileDialog.getExistingDirectory", lambda *_: "/x/bad-root")
    with qtbot.waitSignal(window.inspector.open_failed):
        window.commands["choose-root"].trigger()
    assert window.inspector.covel_root == ""
    _stays(window, qtbot, said="is no Covel folder")


def test_changes_and_panels_stay(window: MainWindow, qtbot: QtBot) -> None:
    state = window.inspector.state
    with qtbot.waitSignal(window.inspector.prepared):
        state.set_changes(Changes(window=1500))
    kept = state.kept_what_if()
    desks = window.inspector.desk, window.inspector.panel_desk()
    with qtbot.waitSignal(window.inspector.open_failed):
        window.open("bad.db")
    assert state.kept_what_if() == kept == WhatIf({"narrator": Changes(window=1500)}, is_shown=True)
    assert desks == (window.inspector.desk, window.inspector.panel_desk())
    assert window.inspector.panel_desk() is not None


def test_the_new_story_takes_the_place_of_the_old_one(window: MainWindow, qtbot: QtBot) -> None:
    old = window.inspector.desk
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("another-good.db", address=f"{CHINESE}:2:codex:0")
        assert window.inspector.is_opening
        assert window.inspector.location.endswith("/good.db") or window.inspector.location == "good.db"
    assert not window.inspector.is_opening
    assert window.inspector.location.endswith("another-good.db")
    assert window.inspector.desk is not old
    assert window.inspector.address_text == f"{CHINESE}:2:codex:0"


def test_a_second_attempt_ends_the_first(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("bad.db")
        window.open("another-good.db", address=GOOD)
    assert window.inspector.location.endswith("another-good.db")
    assert window.findChildren(QMessageBox) == []


def test_closing_ends_an_attempt(window: MainWindow) -> None:
    window.open("another-good.db")
    window.close_file()
    assert not window.inspector.is_opening
    assert window.inspector.location == ""
    assert window.pages.currentWidget() is window.welcome


def test_after_a_bad_first_file_a_good_one_opens(make_window: MakeWindow, qtbot: QtBot) -> None:
    window = make_window(opener=opener)
    with qtbot.waitSignal(window.inspector.open_failed):
        window.open("bad.db")
    assert window.welcome.trouble is not None
    assert window.pages.currentWidget() is window.welcome
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("good.db", address=GOOD)
    assert window.pages.currentWidget() is window.whole


def test_a_real_story_stays_beside_a_real_bad_file(make_window: MakeWindow, qtbot: QtBot, tmp_path: Path) -> None:
    story, bad = tmp_path / "story.db", tmp_path / "notes.txt"
    shutil.copyfile(DATA / "tidewater.db", story)
    bad.write_text("no database at all", encoding="utf-8")
    window = make_window(Settings(language="zh-CN"), opener=open_source)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.open(str(story), address="fdec:4:tide-narrator:0")
    with qtbot.waitSignal(window.inspector.open_failed, timeout=30_000):
        window.open(str(bad))
    assert "“story.db”仍然打开着" in _box(window).informativeText()
    assert "notes.txt" in _box(window).text()
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000) as shown:
        window.inspector.step(-1)
    assert shown.args[0].b.tree is not None
