"""Another file lies under the open window."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from sample_calls import DATA
from window_making import MakeWindow

from covel_inspector.app.page import LinkTo
from covel_inspector.app.settings import Settings
from covel_inspector.app.start import open_source


def overwritten(new: Path, story: Path) -> None:
    story.write_bytes(new.read_bytes())


def renamed(new: Path, story: Path) -> None:
    fresh = story.with_suffix(".new")
    shutil.copyfile(new, fresh)
    fresh.replace(story)


@pytest.mark.parametrize("replace", [overwritten, renamed])
def test_replaced_file_says_so_and_is_read_again(
    make_window: MakeWindow, qtbot: QtBot, tmp_path: Path, replace: Callable[[Path, Path], None]
) -> None:
    story = tmp_path / "story.db"
    shutil.copyfile(DATA / "tidewater.db", story)
    window = make_window(opener=open_source)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.open(str(story), address="fdec:4:tide-narrator:0")
    replace(DATA / "emberwatch.db", story)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.inspector.step(-1)
    assert window.compare.pages.currentWidget() is window.compare.notice
    assert "The file was replaced while it was open" in window.compare.notice.text
    link = next(link for link in window.why.area.links if link.to is LinkTo.COMMAND)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000) as shown:
        window.links.follow(link)
    assert shown.args[0].b.tree is not None
    assert window.inspector.state.here.session.id.startswith("2ec7")


def test_call_that_is_gone_says_so(make_window: MakeWindow, qtbot: QtBot, tmp_path: Path) -> None:
    story = tmp_path / "story.db"
    shutil.copyfile(DATA / "tidewater.db", story)
    window = make_window(opener=open_source)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.open(str(story), address="fdec:4:tide-narrator:0")
    rows = [call.row for call in window.inspector.state.here.calls if call.address.turn == "3"]
    connection = sqlite3.connect(story)
    with connection:
        connection.executemany("DELETE FROM trace_events WHERE id = ?", [(row,) for row in rows])
    connection.close()
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.inspector.step(-1)
    b = window.inspector.latest.b
    assert b.gone
    assert "no longer holds this call" in window.compare.notice.text


def test_what_went_wrong_is_told_in_chinese(make_window: MakeWindow, qtbot: QtBot, tmp_path: Path) -> None:
    story = tmp_path / "story.db"
    shutil.copyfile(DATA / "tidewater.db", story)
    window = make_window(Settings(language="zh-CN"), opener=open_source)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.open(str(story), address="fdec:4:tide-narrator:0")
    with qtbot.waitSignal(window.inspector.noticed):
        window.inspector.go("nothing:1:narrator:0")
    assert "没有以“nothing”开头的会话" in window.status.notices.toolTip()
    assert "库结构 当前版本" in window.status.place.text()
    assert "Covel 估算" in window.status.estimator.text()
    story.unlink()
    with qtbot.waitSignal(window.inspector.open_failed) as told:
        window.commands["reload"].trigger()
    said = window.said(told.args[0].sentence)
    assert "story.db" in said
    assert re.search("[\u4e00-\u9fff]", said), said
