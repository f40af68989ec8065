"""``budget``, ``compaction``, and drafts for ``budget`` and ``show``."""

import json
from pathlib import Path

import pytest
from fake_source import CHINESE, ENGLISH, fake_source

from covel_inspector.cli.program import run
from covel_inspector.domain import Changes
from covel_inspector.domain.drafts import Draft, draft_text

ADDRESS = f"{ENGLISH}:1:narrator:0"
SAMPLE = str(Path(__file__).parent.parent / "data" / "tidewater.db")


def test_budget_of_a_request_that_fits(desk) -> None:
    outcome = desk("budget", "story.db", ADDRESS)
    assert outcome.status == 0
    assert outcome.lines[0] == ADDRESS
    assert outcome.lines[1].startswith("fits: ")
    assert "limit = window 4 000 − reserve 1 000" in outcome.lines[2]
    assert any(line.startswith("Part ") for line in outcome.lines)


def test_another_window_trims(desk) -> None:
    outcome = desk("budget", "story.db", ADDRESS, "--window", "1080")
    assert outcome.lines[1].startswith("was trimmed to fit: ")
    assert any("over its limit, so the oldest message was left out." in line for line in outcome.lines)


def test_budget_as_json(desk) -> None:
    outcome = desk("budget", "story.db", ADDRESS, "--window", "1100", "--reserve", "1050", "--json")
    told = json.loads(outcome.out)
    assert told["address"] == ADDRESS
    assert told["window"] == 1100
    assert told["limit"] == 50
    assert told["distance"] == 50 - told["before"]
    assert [step["name"] for step in told["steps"]] == ["prune"]
    assert told["steps"][0]["touched"][0]["tokens_after"] == 0
    assert sum(share["tokens"] for share in told["shares"]) == told["before"]


def test_budget_in_chinese(desk) -> None:
    outcome = desk("budget", "story.db", ADDRESS, "--language", "zh-CN")
    assert outcome.lines[1].startswith("放得下")


def test_a_request_that_cannot_be_rebuilt_has_no_budget(desk) -> None:
    outcome = desk("budget", "story.db", f"{ENGLISH}:2:harbor-clerk/ledger:0")
    assert outcome.status == 1
    assert "cannot be rebuilt" in outcome.err


def test_a_draft_gives_window_and_options_win(desk, tmp_path: Path) -> None:
    draft = tmp_path / "smaller.json"
    draft.write_text(draft_text(Draft(Changes(window=1100, reserve=1000))), encoding="utf-8")
    told = json.loads(desk("budget", "story.db", ADDRESS, "--draft", str(draft), "--json").out)
    assert (told["window"], told["reserve"]) == (1100, 1000)
    told = json.loads(desk("budget", "story.db", ADDRESS, "--draft", str(draft), "--window", "9000", "--json").out)
    assert (told["window"], told["reserve"]) == (9000, 1000)


def test_show_with_a_draft_is_the_rebuilt_request(desk, tmp_path: Path) -> None:
    draft = tmp_path / "off.json"
    draft.write_text(draft_text(Draft(Changes(without=("body",)))), encoding="utf-8")
    outcome = desk("show", "story.db", ADDRESS, "--draft", str(draft))
    assert outcome.status == 0
    assert outcome.lines[0] == f"{ADDRESS} · with the changes of {draft}"
    wire = desk("show", "story.db", ADDRESS, "--draft", str(draft), "--as", "wire")
    assert wire.status == 0
    whole = desk("show", "story.db", ADDRESS, "--source", "rebuilt", "--as", "wire")
    assert set(json.loads(wire.out)) == set(json.loads(whole.out))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "is no JSON file"),
        (b"\xff\xfe", "is no JSON file"),
        (b"[]", "should be an object"),
        (b'{"format": "other/1", "changes": {}}', 'its format is "other/1"'),
        (b'{"format": "covel-inspector-draft/1", "changes": {"windw": 1}}', 'there is no change "windw"'),
    ],
)
def test_a_file_that_is_no_draft_says_why(desk, tmp_path: Path, content: bytes, says: str) -> None:
    draft = tmp_path / "draft.json"
    draft.write_bytes(content)
    outcome = desk("budget", "story.db", ADDRESS, "--draft", str(draft))
    assert outcome.status == 2
    assert says in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_compaction_of_all_sessions_and_of_one(desk) -> None:
    both = desk("compaction", "story.db")
    assert both.status == 0
    assert sum(ENGLISH in line or CHINESE in line for line in both.lines) == 2
    one = json.loads(desk("compaction", "story.db", "--session", "tide", "--json").out)
    assert [report["session"] for report in one] == [ENGLISH]
    assert one[0]["next"]["distance"] is None


def test_the_fake_agrees_with_the_command() -> None:
    source = fake_source()
    assert source.unsent(ENGLISH) == ()
    assert source.budget(source.resolve(ADDRESS)) is not None


def test_calls_that_were_never_sent_stand_behind_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calls", SAMPLE, "--session", "fdec", "--turn", "7", "--language", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("Never sent: ")
    assert ":7:tide-narrator:0: The request of tide-narrator did not fit" in lines[1]
    assert "it needed 2 125 tokens, 845 more than its limit of 1 280" in lines[1]


def test_an_overflow_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["budget", SAMPLE, "fdec:7:tide-narrator:0", "--language", "en"]) == 0
    out = capsys.readouterr().out
    assert "does not fit and is never sent: 2 711 tokens before, 2 125 after, limit 1 280" in out
    assert "Figures of the engine's error: estimated=2125, limit=1280, fixed=670" in out
    assert "The token budget counts 2 125 = 2 112 of the segments + 9 (the frame around the tool definitions)" in out
    assert run(["show", SAMPLE, "fdec:7:tide-narrator:0", "--language", "en"]) == 1
    assert "the request was never sent" in capsys.readouterr().err
    assert run(["show", SAMPLE, "fdec:7:tide-narrator:0", "--source", "rebuilt", "--language", "en"]) == 0
    assert "Player line (not stored)" in capsys.readouterr().out


def test_a_window_without_sense_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["budget", SAMPLE, "fdec:2:tide-narrator:0", "--window", "10", "--reserve", "20"]) == 2
    assert "makes no sense" in capsys.readouterr().err


@pytest.mark.parametrize("changes", [Changes(reserve=-5), Changes(protected_turns=-1)])
def test_numbers_below_zero_are_one_line(changes: Changes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where nobody knows the window."""
    draft = tmp_path / "odd.json"
    draft.write_text(draft_text(Draft(changes)), encoding="utf-8")
    emberwatch = str(Path(SAMPLE).with_name("emberwatch.db"))
    assert run(["budget", emberwatch, ":3:narrator:0", "--draft", str(draft), "--language", "en"]) == 2
    assert "it must be 0 or more" in capsys.readouterr().err
