"""``open`` and ``sample``: the window where there is a display, else the report."""

import json
import os
import socket
from pathlib import Path

import pytest

from covel_inspector.cli.display import unseen_screen, why_no_window
from covel_inspector.cli.reader import Wanted


@pytest.fixture
def _screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covel_inspector.cli.window.why_no_window", lambda: None)


@pytest.mark.usefixtures("_screen")
@pytest.mark.parametrize("arguments", [("open", "story.db"), ("./story.db",), ("/x/story.db",)])
def test_a_file_opens_the_window(desk, arguments: tuple[str, ...]) -> None:
    outcome = desk("--language", "zh-CN", *arguments, "--covel-root", ".")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    assert desk.shown == [Wanted(arguments[-1], ".", "zh-CN")]
    assert desk.opened == []


@pytest.mark.usefixtures("_screen")
def test_without_a_file_the_window_opens_empty(desk) -> None:
    assert desk("open").status == 0
    assert desk().status == 0
    assert desk.shown == [Wanted()] * 2


@pytest.mark.usefixtures("_screen")
def test_sample_opens_the_bundled_story(desk) -> None:
    assert desk("sample").status == 0
    (wanted,) = desk.shown
    assert Path(wanted.location).is_file()
    assert (Path(wanted.covel_root) / "plugins").is_dir()


@pytest.mark.usefixtures("_screen")
def test_the_window_can_begin_at_a_call_in_a_theme(desk) -> None:
    assert desk("open", "story.db", "--address", ":3:narrator:0", "--theme", "dark").status == 0
    assert desk.shown == [Wanted("story.db", theme="dark", address=":3:narrator:0")]


def test_a_picture_needs_no_display(desk, tmp_path: Path) -> None:
    picture = str(tmp_path / "window.png")
    assert desk("sample", "--screenshot", picture).status == 0
    assert desk.shown[0].screenshot == picture
    assert "QT_QPA_PLATFORM" not in os.environ


def test_a_screen_that_nobody_sees_has_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    with unseen_screen(1200, 800):
        platform, _, file = os.environ["QT_QPA_PLATFORM"].partition(":configfile=")
        screen = json.loads(Path(file).read_text(encoding="utf-8"))["screens"][0]
    assert (platform, screen["width"], screen["height"]) == ("offscreen", 1200, 800)
    assert not Path(file).exists()
    assert os.environ["QT_QPA_PLATFORM"] == "xcb"


def test_without_a_display_there_is_a_line_and_the_report(desk) -> None:
    outcome = desk("open", "story.db")
    assert outcome.status == 0
    assert outcome.err == "No window can be shown (there is no display); here is the report instead.\n"
    assert outcome.lines[0] == "Report on story.db"
    assert desk.shown == []


def test_without_a_display_a_file_that_cannot_be_opened_is_only_the_error(desk) -> None:
    outcome = desk("open", "nowhere.db")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "report instead" not in outcome.err


def test_without_a_display_and_a_file_there_is_only_the_line(desk) -> None:
    outcome = desk()
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)


@pytest.mark.usefixtures("_screen")
def test_a_missing_library_of_the_system_is_named(desk) -> None:
    fault = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    fault.name = "PySide6.QtGui"
    desk.fault = fault
    outcome = desk("open")
    assert outcome.status == 2
    assert "libEGL.so.1" in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_display_that_does_not_answer_is_no_display(tmp_path: Path) -> None:
    assert str(why_no_window({"DISPLAY": ":9999"}, "linux")) == "the display :9999 does not answer"
    assert str(why_no_window({}, "linux")) == "there is no display"
    assert why_no_window({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, "linux") is not None
    assert why_no_window({"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}, "linux") is not None
    assert why_no_window({}, "darwin") is None
    assert why_no_window({"QT_QPA_PLATFORM": "vnc"}, "linux") is None


def test_a_display_that_answers_is_one(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-0"))
        server.listen()
        assert why_no_window({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}, "linux") is None
