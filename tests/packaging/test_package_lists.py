"""The lists beside the code say the same as the code: pins, notices, desktop file, sample."""

import configparser
import os
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _name(requirement: str) -> str:
    return re.split(r"[<>=!~;\[ ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def _pins(file: str) -> dict[str, str]:
    text = (ROOT / "packaging" / file).read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))


def test_every_dependency_is_pinned_and_every_pin_is_for_developers_too() -> None:
    run, dev = _pins("requirements.txt"), _pins("requirements-dev.txt")
    assert {_name(one) for one in PROJECT["project"]["dependencies"]} <= set(run)
    assert {_name(one) for one in PROJECT["dependency-groups"]["dev"]} <= set(dev)
    assert run.items() <= dev.items()


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_pins_have_hashes_and_name_no_registry(file: str) -> None:
    text = (ROOT / "packaging" / file).read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_qt_stays_below_the_version_that_kills_the_process() -> None:
    for file in ("requirements.txt", "requirements-dev.txt"):
        major, minor = map(int, _pins(file)["pyside6-essentials"].split(".")[:2])
        assert (6, 8) <= (major, minor) < (6, 12)


def test_every_package_that_runs_is_in_the_notices() -> None:
    notices = (ROOT / "packaging" / "NOTICES.md").read_text(encoding="utf-8").lower()
    named = {name.strip() for row in re.findall(r"^\| ([^|]+)\|", notices, re.MULTILINE) for name in row.split(",")}
    named = {name.partition(" (")[0] for name in named}
    assert set(_pins("requirements.txt")) - named == set()


def test_the_desktop_file_starts_the_command() -> None:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # Keys keep their capitals.
    parser.read(ROOT / "packaging" / "covel-inspector.desktop", encoding="utf-8")
    entry = parser["Desktop Entry"]
    assert entry["Exec"].split()[0] in PROJECT["project"]["scripts"]
    assert entry["Terminal"] == "false"


def test_ci_calls_what_the_readme_says() -> None:
    ci = ROOT / ".ci" / "run"
    assert os.access(ci, os.X_OK)
    command = "python3 packaging/bootstrap.py test"
    assert command in ci.read_text(encoding="utf-8")
    assert f"\n{command}\n" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_bundled_story_is_the_one_the_tests_know() -> None:
    bundled = ROOT / "resources" / "sample" / "emberwatch.db"
    assert bundled.read_bytes() == (ROOT / "tests" / "data" / "emberwatch.db").read_bytes()


def test_the_readme_names_no_file_that_is_not_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    without_comments = re.sub(r"<!--.*?-->", "", readme, flags=re.DOTALL)
    named = re.findall(r"\b((?:packaging|resources|tests|covel_inspector)/[\w./-]*\w)", without_comments)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
