"""Files in the window: opened, dropped, refused, closed, and what is remembered of them."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_source import CHINESE, fake_source
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot
from window_making import MakeWindow, texts_of

from covel_inspector.analysis.pairs import PairState
from covel_inspector.app.compare import word_diff
from covel_inspector.app.compare.rows import walk
from covel_inspector.app.settings import Recent, Settings
from covel_inspector.app.state import Mode
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Source, SourceError

DATA = Path(__file__).parent.parent / "data"


def test_bad_file_says_what_is_wrong(make_window: MakeWindow, qtbot: QtBot) -> None:
    def opener(location: str, _root: str | None) -> Source:
        raise SourceError(f"'{location}' is no story database: it begins with <html>. Choose another file.")

    window = make_window(opener=opener)
    with qtbot.waitSignal(window.inspector.open_failed):
        window.open("page.html")
    assert window.pages.currentWidget() is window.welcome
    seen = texts_of(window.welcome)
    assert "page.html could not be opened" in seen
    assert "it begins with <html>" in seen
    assert window.settings.recent == []


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\x00" + b"\xff" * 4000])
def test_real_bad_files_open_with_a_sentence(
    make_window: MakeWindow, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    from covel_inspector.app.start import open_source

    file = tmp_path / "torn.db"
    file.write_bytes(content)
    window = make_window(opener=open_source)
    with qtbot.waitSignal(window.inspector.open_failed) as told:
        window.open(str(file))
    assert told.args[0].expected
    assert "torn.db" in str(told.args[0].sentence)


def test_sample_story_shows_a_real_request(make_window: MakeWindow, qtbot: QtBot) -> None:
    from covel_inspector.app.start import open_source

    window = make_window(opener=open_source)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000) as shown:
        window.open(str(DATA / "emberwatch.db"), str(DATA / "sample-root"), ":12:narrator:0")
    assert shown.args[0].b.tree is not None
    assert shown.args[0].comparison.differences
    assert window.tool_bar.turn.text() == "Turn 12 of 24"


def test_a_request_that_was_never_sent_opens_by_its_address(make_window: MakeWindow, qtbot: QtBot) -> None:
    from covel_inspector.app.start import open_source

    window = make_window(opener=open_source)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.open(str(DATA / "tidewater.db"), str(DATA / "sample-root"), "fdec:7:tide-narrator:0")
    assert window.inspector.state.spot is not None
    assert window.inspector.state.spot.turn == "7"


def test_drop_opens_a_file(make_window: MakeWindow, qtbot: QtBot) -> None:
    window = make_window()
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile("/stories/dropped.db")])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    with qtbot.waitSignal(window.inspector.prepared):
        window.dropEvent(QDropEvent(QPoint(5, 5), Qt.DropAction.CopyAction, dropped, buttons, keys))
    assert window.inspector.location.endswith("dropped.db")


def test_two_files_one_after_the_other(make_window: MakeWindow, qtbot: QtBot) -> None:
    sources: list[object] = []

    def opener(location: str, _root: str | None) -> Source:
        sources.append(fake_source(location))
        return sources[-1]

    window = make_window(opener=opener)
    for name in ("one.db", "two.db"):
        with qtbot.waitSignal(window.inspector.prepared):
            window.open(name)
    assert {(source.location, source.closed) for source in sources} == {("one.db", True), ("two.db", False)}
    assert [entry.location for entry in window.settings.recent] == ["two.db", "one.db"]


def test_place_layout_and_choices_are_remembered(make_window: MakeWindow, qtbot: QtBot) -> None:
    settings = Settings(language="en", theme="light", width=1200, height=700)
    window = make_window(settings)
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address=f"{CHINESE}:2:codex:0")
    window.commands["read"].trigger()
    window.commands["with-rebuilt"].trigger()
    window.close()
    assert settings.recent == [Recent("fake-story.db", "", f"{CHINESE}:2:codex:0")]
    assert (settings.mode, settings.target) == ("read", "rebuilt")
    assert settings.width > 0
    again = make_window(settings)
    assert again.inspector.state.mode is Mode.READ
    with qtbot.waitSignal(again.inspector.prepared):
        again.open("fake-story.db")
    assert again.inspector.address_text == f"{CHINESE}:2:codex:0"


def test_closing_the_file_goes_back_to_the_welcome(opened: MainWindow, qtbot: QtBot) -> None:
    opened.commands["close"].trigger()
    assert opened.pages.currentWidget() is opened.welcome
    assert "fake-story.db" in texts_of(opened.welcome)
    assert opened.inspector.desk is None
    assert opened.windowTitle() == "covel-inspector"


def test_a_long_comparison_of_texts_does_not_outlive_the_window(
    opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(_a: str, _b: str, cancelled: Callable[[], bool]) -> None:
        begun.set()
        while not cancelled():
            ended.wait(0.001)
        ended.set()

    monkeypatch.setattr(word_diff, "AT_ONCE", 0)
    monkeypatch.setattr(word_diff, "diff_texts", endless)
    tree = opened.compare.tree
    changed = next(row for row in walk(tree.pairs.rows) if row.pair is not None and row.pair.state is PairState.CHANGED)
    tree.choose(None)
    tree.choose(changed)
    assert begun.wait(10)
    opened.close()
    assert ended.wait(10)
