"""Settings: what was kept comes back, and damage costs one value."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.app.settings import (
    RECENT_MAX,
    Recent,
    Settings,
    load,
    remember,
    remembered,
    save,
    settings_file,
)


def test_file_lies_where_the_environment_says(own_settings: Path) -> None:
    assert settings_file() == own_settings / "settings.json"


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    kept = Settings(theme="dark", language="zh-CN", text_scale=150, maximised=True, compare_view={"open": ["a"]})
    remember(kept, Recent("/stories/守夜.db", "/covel", "s:12:narrator:0"))
    save(kept, tmp_path / "below" / "settings.json")
    assert load(tmp_path / "below" / "settings.json") == kept


def test_missing_file_gives_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "settings.json") == Settings()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\ufeff{}", "[" * 100_000, '{"theme": 3}'])
def test_damaged_file_gives_defaults(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(text, encoding="utf-8")
    assert load(file) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [("theme", 3), ("text_scale", 9000), ("text_scale", True), ("maximised", 1), ("width", -5), ("recent", {})],
)
def test_damaged_value_costs_that_value_alone(tmp_path: Path, name: str, value: object) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"language": "zh-CN", name: value}), encoding="utf-8")
    assert load(file) == Settings(language="zh-CN")


def test_damaged_entry_costs_that_entry_alone(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    entries = [{"location": "a.db"}, {"location": ""}, {"location": "b.db", "address": 3}, 5, {"location": "c.db"}]
    file.write_text(json.dumps({"recent": entries}), encoding="utf-8")
    assert [entry.location for entry in load(file).recent] == ["a.db", "c.db"]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_no_value_stops_the_start(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    file = tmp_path_factory.getbasetemp() / "any-settings.json"
    names = ("theme", "mode", "text_scale", "width", "story_shown", "compare_view", "recent")
    file.write_text(json.dumps(dict.fromkeys(names, value)), encoding="utf-8")
    for name in names:
        assert type(getattr(load(file), name)) is type(getattr(Settings(), name))


def test_recent_sources_are_few_and_latest_first() -> None:
    kept = Settings()
    for number in range(RECENT_MAX + 5):
        remember(kept, Recent(f"{number}.db"))
    remember(kept, Recent("12.db", address="s:1:narrator:0"))
    assert len(kept.recent) == RECENT_MAX
    assert kept.recent[0] == Recent("12.db", address="s:1:narrator:0")
    assert remembered(kept, "12.db") == kept.recent[0]
    assert remembered(kept, "0.db") is None


@pytest.mark.skipif(os.name == "nt", reason="a file cannot stand where a folder is wanted in the same way there")
def test_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    save(Settings(), blocked / "settings.json")
    assert "cannot be kept" in caplog.text
