"""The command line on real database files, nothing made up."""

import json
import shutil
from pathlib import Path

import pytest

from covel_inspector.cli.program import run

DATA = Path(__file__).parents[1] / "data"
ROOT = str(DATA / "sample-root")


@pytest.mark.parametrize(
    ("file", "calls"), [("emberwatch.db", 163), ("tidewater.db", 39), ("driftwood-old-schema.db", None)]
)
def test_every_call_of_every_sample_can_be_listed_and_shown(
    file: str, calls: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = tmp_path / file
    shutil.copyfile(DATA / file, story)
    before = story.read_bytes()
    assert run(["calls", str(story), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert calls is None or len(listed) == calls
    for call in listed[:: max(1, len(listed) // 5)]:
        status = run(["show", str(story), call["address"], "--json", "--covel-root", ROOT])
        captured = capsys.readouterr()
        assert status == (0 if captured.out else 1)
        assert captured.err == "" if captured.out else call["address"] in captured.err
    assert story.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file]


def test_the_whole_report_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(DATA / "tidewater.db"), "--covel-root", ROOT, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["all"]["calls"] == 39
    assert sum(found["all"]["statuses"].values()) == 39
    assert len(found["sessions"]) == 2
    assert run(["report", str(DATA / "tidewater.db"), "--covel-root", ROOT, "--language", "zh-CN"]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("tidewater.db 的报告")


def test_two_turns_of_a_story_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    story = str(DATA / "emberwatch.db")
    assert run(["compare", story, ":21:narrator:0", ":22:narrator:0", "--covel-root", ROOT]) == 1
    out = capsys.readouterr().out
    assert "海铃" in out


@pytest.mark.parametrize("content", [None, b"", b"no database at all", b"SQLite format 3\0" + bytes(84)])
def test_a_file_that_is_no_story_is_one_line(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "story.db"
    if content is not None:
        file.write_bytes(content)
    for arguments in (["sessions", str(file)], ["report", str(file)], ["show", str(file), ":1:x:0"]):
        assert run([*arguments, "--language", "en"]) == 2
        captured = capsys.readouterr()
        assert (captured.out, captured.err.count("\n")) == ("", 1)
        assert "story.db" in captured.err
