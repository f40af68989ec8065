"""``segments``: what was observed of the segments of a session."""

import json
from pathlib import Path

import pytest
from fake_source import ENGLISH

from covel_inspector.cli.program import run

DATA = Path(__file__).parent.parent / "data"


def test_a_table_for_each_session(desk) -> None:
    outcome = desk("segments", "story.db")
    assert outcome.status == 0
    assert [line for line in outcome.lines if "·" in line and ENGLISH in line]
    assert len([line for line in outcome.lines if line.startswith("dimensions")]) == 2
    assert desk.sources[-1].closed


def test_one_session_and_one_plugin(desk) -> None:
    outcome = desk("segments", "story.db", "--session", ENGLISH, "--plugin", "narrator")
    assert [line.split()[0] for line in outcome.lines[2:]] == ["Segment", "tone"]


def test_a_plugin_without_segments_is_named_with_those_that_have_some(desk) -> None:
    outcome = desk("segments", "story.db", "--plugin", "nobody")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.strip().endswith("No segment of 'nobody' was seen. Plugins: dimensions, narrator.")


def test_json_and_chinese(desk) -> None:
    told = json.loads(desk("segments", "story.db", "--json", "--session", ENGLISH).out)
    assert [segment["key"] for segment in told[0]["segments"]] == [
        "segment:dimensions/dimensions", "segment:narrator/tone",
    ]  # fmt: skip
    assert "据观察推测" in desk("segments", "story.db", "--language", "zh-CN").out


def test_the_sample(capsys: pytest.CaptureFixture[str]) -> None:
    root = str(DATA / "sample-root")
    assert run(["segments", str(DATA / "emberwatch.db"), "--covel-root", root, "--json", "--language", "en"]) == 0
    (session,) = json.loads(capsys.readouterr().out)
    by_key = {segment["key"]: segment for segment in session["segments"]}
    notes = by_key["segment:character-blueprint/character-notes"]
    assert notes["told"][0] == "Seen in 24 of 24 turns."
    assert notes["suggests"]["volatilities"] == ["session"]
    assert len(by_key) == 11
