"""``report``."""

import json

import pytest


def test_text_markdown_and_json(desk) -> None:
    assert desk("report", "story.db").lines[0] == "Report on story.db"
    assert desk("report", "story.db", "--as", "markdown").lines[0] == "# Report on story.db"
    found = json.loads(desk("report", "story.db", "--json").out)
    assert found["all"]["calls"] == 11
    assert json.loads(desk("report", "story.db", "--as", "json").out) == found


def test_one_session(desk) -> None:
    found = json.loads(desk("report", "story.db", "--json", "--session", "watch").out)
    assert found["all"]["calls"] == 4


def test_no_progress_in_pipes(desk) -> None:
    assert desk("report", "story.db").err == ""


def test_progress_on_a_terminal_is_wiped_out(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import itertools
    import sys

    clock = itertools.count()
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    err = desk("report", "story.db").err
    assert "11 of 11 calls judged" in err
    assert err.endswith("\r\x1b[K")
