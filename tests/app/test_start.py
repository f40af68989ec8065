"""The program's beginning and end, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_source import FakeSource, fake_source
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.camera import Camera
from covel_inspector.app.settings import Recent, Settings, load, settings_file
from covel_inspector.app.start import _install_net, _Keeper
from covel_inspector.app.window import MainWindow

PROJECT = Path(__file__).parent.parent.parent
DATA = PROJECT / "tests" / "data"


def test_program_opens_a_story_paints_it_and_ends_quietly(tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    code = (
        "import sys; from covel_inspector.app.start import run; "
        f"sys.exit(run({str(DATA / 'emberwatch.db')!r}, {str(DATA / 'sample-root')!r}, 'zh-CN', 'dark', "
        f"':12:narrator:0', {str(picture)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "QThread" not in done.stderr
    image = QImage(str(picture))
    assert image.width() >= 640
    assert image.pixelColor(image.width() - 20, image.height() // 2).lightness() < 80
    assert not settings_file().exists()


@pytest.mark.parametrize("content", [b"no database at all", None], ids=["bad", "missing"])
def test_picture_of_a_bad_file_ends_with_a_line_and_a_status(tmp_path: Path, content: bytes | None) -> None:
    story, picture = tmp_path / "torn.db", tmp_path / "window.png"
    if content is not None:
        story.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-m", "covel_inspector", "open", str(story), "--screenshot", str(picture)],
        cwd=PROJECT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert (done.returncode, len(told)) == (2, 1)
    assert "torn.db" in told[0]
    assert not picture.exists()


def test_picture_of_nothing_is_not_taken(make_window: MakeWindow, qtbot: QtBot, tmp_path: Path) -> None:
    def empty(location: str) -> FakeSource:
        return FakeSource((), (), (), location=location)

    for opener, address, words in (
        (empty, "", "no session in this file"),
        (fake_source, "tide-01:99:narrator:0", "tide-01:99:narrator:0"),
    ):
        window = make_window(opener=lambda location, _root, make=opener: make(location))
        window.open("story.db", address=address)
        camera = Camera(window, str(tmp_path / "window.png"))
        qtbot.waitUntil(window.isHidden, timeout=10_000)
        assert words in str(camera.trouble)
    assert list(tmp_path.iterdir()) == []


def test_picture_that_cannot_be_written_says_so(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    camera = Camera(opened, str(tmp_path / "nowhere" / "window.png"))
    opened.inspector.step(-1)
    qtbot.waitUntil(opened.isHidden, timeout=10_000)
    assert "could not be written" in str(camera.trouble)


def test_story_folder_is_left_as_it_was(tmp_path: Path, make_window: MakeWindow, qtbot: QtBot) -> None:
    from covel_inspector.app.start import open_source

    story = tmp_path / "story.db"
    story.write_bytes((DATA / "emberwatch.db").read_bytes())
    before = story.read_bytes()
    window = make_window(opener=open_source)
    with qtbot.waitSignal(window.inspector.prepared, timeout=30_000):
        window.open(str(story))
    window.close()
    assert [file.name for file in tmp_path.iterdir()] == ["story.db"]
    assert story.read_bytes() == before


def test_choices_of_the_command_line_are_not_kept() -> None:
    kept = Settings(theme="light", language="en")
    keeper = _Keeper(kept, "zh-CN", None)
    assert (kept.language, kept.theme) == ("zh-CN", "light")
    kept.theme = "dark"
    kept.recent = [Recent("a.db")]
    keeper.save()
    assert load(settings_file()) == Settings(theme="dark", language="en", recent=[Recent("a.db")])
    assert kept.language == "zh-CN"


def test_mistake_of_ours_is_shown_once_and_the_window_lives_on(
    make_window: MakeWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    window = make_window()
    monkeypatch.setattr(sys, "excepthook", lambda *_error: None)
    net = _install_net(window)
    try:
        error = RuntimeError("deep inside")
        for _ in range(3):
            sys.excepthook(type(error), error, None)
        qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
        boxes = window.findChildren(QMessageBox)
        assert len(boxes) == 1
        assert "deep inside" in boxes[0].detailedText()
        assert caplog.text.count("Not caught") == 3
        boxes[0].accept()
    finally:
        net.remove()
    assert window.isVisible()
