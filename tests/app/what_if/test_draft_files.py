"""Changes kept in a file of their own, and taken over from one; the story's database is never written."""

import json
from pathlib import Path

import pytest
from fake_source import ENGLISH
from fake_what_if import WhatIfSource
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.targets import TargetKind
from covel_inspector.app.what_if.draft_files import DraftFiles
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Changes

CHANGES = Changes(window=1500, without=("world-lore",), texts=(("preamble:runtime", "你好 🔥"),))


@pytest.fixture
def window(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    made = make_window(opener=lambda _location, _root: WhatIfSource())
    with qtbot.waitSignal(made.inspector.prepared):
        made.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    return made


def told(window: MainWindow, qtbot: QtBot, file: Path, *, saves: bool) -> str:
    drafts = window.experiments.drafts
    with qtbot.waitSignal(window.experiments.noticed) as noticed:
        (drafts.save if saves else drafts.open)(file)
    return str(noticed.args[0])


def test_saved_and_opened_again(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.inspector.state.set_changes(CHANGES)
    assert "The story itself was not touched" in told(window, qtbot, tmp_path / "mine", saves=True)
    file = tmp_path / "mine.draft.json"
    assert json.loads(file.read_text(encoding="utf-8"))["address"] == f"{ENGLISH}:2:narrator:0"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.draft.json"]
    with qtbot.waitSignal(window.inspector.prepared):
        window.experiments.reset()
    with qtbot.waitSignal(window.inspector.prepared):
        window.experiments.drafts.open(file)
    assert window.inspector.state.changes == CHANGES
    assert window.compare.banner.isVisible()


def test_a_draft_leads_to_its_call(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.inspector.state.set_changes(CHANGES)
    told(window, qtbot, tmp_path / "mine.json", saves=True)
    window.experiments.reset()
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.go(":2:harbor-clerk/ledger:0")
    with qtbot.waitSignal(
        window.inspector.prepared, check_params_cb=lambda shown: shown.b is not None and shown.b.changed
    ):
        window.experiments.drafts.open(tmp_path / "mine.json")
    assert window.inspector.address_text == f"{ENGLISH}:2:narrator:0"
    assert window.inspector.state.changes == CHANGES


def test_a_draft_of_another_story_is_tried_here(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(
        json.dumps({"format": "covel-inspector-draft/1", "address": "elsewhere:1:x:0", "changes": {"window": 900}}),
        encoding="utf-8",
    )
    assert "not in this story" in told(window, qtbot, file, saves=False)
    assert window.inspector.state.changes == Changes(window=900)
    assert window.inspector.state.target.kind is TargetKind.WHAT_IF


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe", b'{"format": "covel-inspector-draft/1", "changes": 3}'])
def test_what_is_no_draft_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.json"
    file.write_bytes(content)
    assert "odd.json" in told(window, qtbot, file, saves=False)
    assert window.inspector.state.changes == Changes()


def test_a_missing_file_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    assert "cannot be read" in told(window, qtbot, tmp_path / "none.json", saves=False)
    assert "cannot be written" in told(window, qtbot, tmp_path / "no folder" / "x.json", saves=True)


def test_a_database_is_never_written_over(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.inspector.state.set_changes(CHANGES)
    file = tmp_path / "story.json"
    content = b"SQLite format 3\0" + bytes(100)
    file.write_bytes(content)
    assert "a draft needs a file of its own" in told(window, qtbot, file, saves=True)
    assert file.read_bytes() == content


def test_the_commands_ask_for_a_file(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "asked.draft.json"
    monkeypatch.setattr(
        "covel_inspector.app.what_if.draft_files.QFileDialog.getSaveFileName", lambda *_: (str(file), "")
    )
    monkeypatch.setattr(
        "covel_inspector.app.what_if.draft_files.QFileDialog.getOpenFileName", lambda *_: (str(file), "")
    )
    with qtbot.waitSignal(window.experiments.noticed) as noticed:
        window.commands["save-draft"].trigger()
    assert "no change to save" in str(noticed.args[0])
    window.inspector.state.set_changes(CHANGES)
    window.commands["save-draft"].trigger()
    assert file.exists()
    window.experiments.reset()
    window.commands["open-draft"].trigger()
    assert window.inspector.state.changes == CHANGES
    assert isinstance(window.experiments.drafts, DraftFiles)


def test_names_that_fit_nothing_stand_above_the_changed_request(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "odd.json"
    draft = {"format": "covel-inspector-draft/1", "changes": {"without": ["world-lre", "world-lore"]}}
    file.write_text(json.dumps(draft), encoding="utf-8")
    with qtbot.waitSignal(window.inspector.prepared) as shown:
        window.experiments.drafts.open(file)
    side = shown.args[0].b
    assert side.changes is not None
    assert side.tree is not None
    assert str(side.message) == "There is no “world-lre” here."
    assert "There is no “world-lre” here." in window.compare.remark.text()
