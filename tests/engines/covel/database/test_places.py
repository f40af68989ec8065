"""Where a story database is looked for, best first."""

from pathlib import Path

import pytest

from covel_inspector.engines.covel.database import default_candidates


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home" / ".covel").mkdir(parents=True)
    return tmp_path / "home"


def places(home: Path, environ: dict[str, str] | None = None) -> list[str]:
    found = default_candidates(environ or {}, home, home / "work")
    return [path.relative_to(home).as_posix() if path.is_relative_to(home) else str(path) for path in found]


DEFAULTS = [".covel/data/covel.db", ".covel/covel.db", "work/data/covel.db", "work/apps/server/data/covel.db"]


def test_without_any_setting(home: Path) -> None:
    assert places(home) == DEFAULTS


def test_settings_come_first_and_in_order(home: Path) -> None:
    (home / ".covel" / "config.toml").write_text('[paths]\ndata_root = "~/stories"\n', encoding="utf-8")
    environ = {"SQLITE_PATH": "here.db", "COVEL_DATA_ROOT": "/srv/covel"}
    assert places(home, environ) == ["work/here.db", "/srv/covel/covel.db", "stories/covel.db", *DEFAULTS]


def test_another_covel_home(home: Path) -> None:
    other = home / "other"
    other.mkdir()
    (other / "config.toml").write_text('[paths]\ndata_root = "数据"\n', encoding="utf-8")
    found = places(home, {"COVEL_HOME": str(other)})
    assert found == ["other/数据/covel.db", "other/data/covel.db", "other/covel.db", *DEFAULTS]


@pytest.mark.parametrize(
    "config",
    ["[paths", "paths = 3", "[paths]\ndata_root = 3", '[paths]\ndata_root = ""', "[paths]\ndata_root = ' '", "\0"],
)
def test_a_broken_config_is_no_obstacle(config: str, home: Path) -> None:
    (home / ".covel" / "config.toml").write_text(config, encoding="utf-8")
    assert places(home) == DEFAULTS


def test_a_config_that_is_no_text(home: Path) -> None:
    (home / ".covel" / "config.toml").write_bytes(b"\xff\xfe\x00")
    assert places(home, {"SQLITE_PATH": "", "COVEL_DATA_ROOT": "a\0b"}) == DEFAULTS


def test_only_the_config_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = Path.read_text

    def noted(path: Path, encoding: str) -> str:
        read.append(path.name)
        return original(path, encoding=encoding)

    monkeypatch.setattr(Path, "read_text", noted)
    (home / ".covel" / "keys.env").write_text("SECRET=1", encoding="utf-8")
    places(home)
    assert set(read) == {"config.toml"}
