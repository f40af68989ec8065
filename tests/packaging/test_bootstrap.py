"""The bootstrap's decisions, without installing anything."""

import json
import os
import stat
import subprocess
from pathlib import Path

import bootstrap
import pytest
from system_libraries import Missing


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty environment in a clone whose path is hard to write down."""
    root = tmp_path / "a clone 守's"
    monkeypatch.setattr(bootstrap, "ROOT", root)
    monkeypatch.setattr(bootstrap, "VENV", root / ".venv")
    monkeypatch.setattr(bootstrap, "STAMP", root / ".venv" / "stamp.json")
    (root / ".venv").mkdir(parents=True)
    return root


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("pip 23.0.1 from /usr/lib/python3/dist-packages/pip (python 3.11)", (23, 0)),
        ("pip 22.3 from x", (22, 3)),
        ("pip 26.3b1 from x", (0, 0)),
        ("pip 9 from x", (9, 0)),
        ("", (0, 0)),
        ("something else", (0, 0)),
    ],
)
def test_pip_versions(text: str, version: tuple[int, int]) -> None:
    assert bootstrap.pip_version(text) == version


def test_fingerprint_follows_the_pins_and_the_place(tmp_path: Path) -> None:
    pins = tmp_path / "requirements.txt"
    pins.write_text("a==1\n", encoding="utf-8")
    before = bootstrap.fingerprint(pins, Path("/one"))
    assert bootstrap.fingerprint(pins, Path("/one")) == before
    assert bootstrap.fingerprint(pins, Path("/two")) != before
    pins.write_text("a==2\n", encoding="utf-8")
    assert bootstrap.fingerprint(pins, Path("/one")) != before


@pytest.mark.parametrize("content", [None, "", "{", "[]", "7"])
def test_a_damaged_stamp_is_no_stamp(clone: Path, content: str | None) -> None:
    if content is not None:
        (clone / ".venv" / "stamp.json").write_text(content, encoding="utf-8")
    assert bootstrap.read_stamp() == {}
    bootstrap.note_in_stamp(run="x")
    bootstrap.note_in_stamp(apt="y")
    assert bootstrap.read_stamp() == {"run": "x", "apt": "y"}


def _steps(monkeypatch: pytest.MonkeyPatch, works: bool) -> list[str]:
    done: list[str] = []
    monkeypatch.setattr(bootstrap, "venv_works", lambda: works)
    monkeypatch.setattr(bootstrap, "make_environment", lambda: done.append("make"))
    monkeypatch.setattr(bootstrap, "install", lambda pins: done.append(pins.name))
    monkeypatch.setattr(bootstrap, "link_project", lambda: done.append("link"))
    return done


def test_the_first_run_sets_up_and_the_second_does_nothing(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = _steps(monkeypatch, works=False)
    bootstrap.set_up(developer=False)
    assert done == ["make", "requirements.txt", "link"]
    done = _steps(monkeypatch, works=True)
    bootstrap.set_up(developer=False)
    assert done == []
    bootstrap.set_up(developer=True)
    assert done == ["requirements-dev.txt", "link"]
    bootstrap.set_up(developer=True)
    bootstrap.set_up(developer=False)
    assert done == ["requirements-dev.txt", "link"]


def test_an_environment_of_a_developer_is_kept(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = _steps(monkeypatch, works=True)
    bootstrap.set_up(developer=False)
    assert "make" not in done


def test_a_broken_environment_is_made_again_despite_its_stamp(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _steps(monkeypatch, works=True)
    bootstrap.set_up(developer=False)
    done = _steps(monkeypatch, works=False)
    bootstrap.set_up(developer=False)
    assert done == ["make", "requirements.txt", "link"]


def test_an_environment_that_is_not_there_does_not_work(clone: Path) -> None:
    assert not bootstrap.venv_works()


@pytest.mark.skipif(os.name == "nt", reason="the command is a shell script")
def test_the_command_finds_the_clone_from_anywhere(clone: Path, tmp_path: Path) -> None:
    site = clone / ".venv" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (clone / ".venv" / "bin").mkdir()
    python = clone / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\necho "$0" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    bootstrap.link_project()
    script = clone / ".venv" / "bin" / "covel-inspector"
    assert script.stat().st_mode & stat.S_IXUSR
    said = subprocess.run([str(script), "open", "a b"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert said.stdout == f"{python} -m covel_inspector open a b\n"
    link = (site / "covel_inspector.pth").read_text(encoding="ascii")
    path: list[str] = []
    exec(link, {"__builtins__": {"__import__": lambda *_: type("sys", (), {"path": path})}})
    assert path == [str(clone)]


@pytest.mark.parametrize("arguments", [[], ["nix"], ["--help"]])
def test_without_a_command_it_says_how(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert bootstrap.main(arguments) == 2
    said = capsys.readouterr().err
    assert "bootstrap.py sample" in said
    assert "bootstrap.py test" in said


def test_a_failed_setup_is_one_line(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(pins: Path) -> None:
        raise bootstrap.SetupError("no network")

    _steps(monkeypatch, works=True)
    monkeypatch.setattr(bootstrap, "install", fail)
    assert bootstrap.main(["sample"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "bootstrap: no network"
    assert not (clone / ".venv" / "stamp.json").exists()


def test_a_folder_that_cannot_be_written_is_named(clone: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def fail() -> None:
        raise PermissionError(13, "Permission denied", "/x/.venv")

    _steps(monkeypatch, works=True)
    monkeypatch.setattr(bootstrap, "link_project", fail)
    assert bootstrap.main(["sample"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "bootstrap: /x/.venv: Permission denied"


LIBRARIES = Missing(("libEGL.so.1",), ("libegl1",), font=True)
FONT = Missing(font=True)


def _system(monkeypatch: pytest.MonkeyPatch, found: list[Missing], root: bool) -> list[str]:
    """Stand for a machine: what is missing each time somebody looks; gives the list of apt runs."""
    runs: list[str] = []
    monkeypatch.setattr(bootstrap, "find_missing", lambda window: found.pop(0))
    monkeypatch.setattr(bootstrap, "is_root", lambda: root)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap, "_apt", lambda arguments, settings: runs.append(" ".join(arguments)))
    return runs


def test_root_installs_libraries_before_fonts(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = _system(monkeypatch, [LIBRARIES, LIBRARIES, Missing()], root=True)
    bootstrap.prepare_system(window=False, strict=True)
    assert runs[0].endswith("update")
    assert runs[1].endswith("install libegl1")
    assert runs[2].endswith("install fonts-noto-cjk")


def test_a_font_that_cannot_be_had_is_said_and_not_tried_again(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = _system(monkeypatch, [FONT, FONT, FONT, FONT], root=True)
    bootstrap.prepare_system(window=False, strict=True)
    bootstrap.prepare_system(window=False, strict=True)
    assert len(runs) == 2
    assert capsys.readouterr().err.count("No font with Chinese characters was found") == 2


def test_others_get_one_line_with_the_command(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = _system(monkeypatch, [LIBRARIES, LIBRARIES], root=False)
    bootstrap.prepare_system(window=True, strict=False)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "sudo apt-get install -y --no-install-recommends libegl1 fonts-noto-cjk" in said
    with pytest.raises(bootstrap.SetupError, match=r"libEGL\.so\.1"):
        bootstrap.prepare_system(window=True, strict=True)
    assert runs == []


def test_the_last_words_of_a_failing_apt_are_repeated(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    failed = subprocess.CompletedProcess([], 100, "", "E: Unable to\nfetch some archives\n")
    monkeypatch.setattr(bootstrap.subprocess, "run", lambda command, **_: failed)
    bootstrap._apt(["update"], {})
    assert capsys.readouterr().err == "[setup] apt-get failed: E: Unable to fetch some archives\n"


def test_where_nothing_is_missing_nothing_happens(clone: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    runs = _system(monkeypatch, [Missing()], root=True)
    bootstrap.prepare_system(window=True, strict=True)
    assert (runs, capsys.readouterr().err) == ([], "")


def test_all_checks_run_and_one_failure_is_enough(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    runs: list[list[str]] = []

    def run(command: list[str], **settings: object) -> subprocess.CompletedProcess[bytes]:
        runs.append(command)
        assert settings["env"]["QT_QPA_PLATFORM"] == "offscreen"  # type: ignore[index]  # A mapping, by the call.
        return subprocess.CompletedProcess(command, "mypy" in command)

    monkeypatch.setattr(bootstrap.subprocess, "run", run)
    assert bootstrap.run_checks(["-k", "x"]) == 1
    assert len(runs) == 5
    assert runs[-1][1:] == ["-m", "pytest", "-k", "x"]
    assert capsys.readouterr().err.splitlines()[-1] == "[setup] failed: types"


def test_the_stamp_is_plain_json(clone: Path) -> None:
    bootstrap.note_in_stamp(run="x")
    assert json.loads((clone / ".venv" / "stamp.json").read_text(encoding="utf-8")) == {"run": "x"}
