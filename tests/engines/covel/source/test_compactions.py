"""What became of a story's history, on the samples and on stories with other fates."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from covel_inspector.domain import CompactionReport, HintKind, SourceError
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parents[3] / "data"
ROOT = DATA / "sample-root"
SLOTS = """
[slots.story]
context_window = {story}
max_tokens = 1000

[slots.fast]
context_window = {fast}
max_tokens = 500
"""


def report(path: Path, root: Path | None = ROOT) -> CompactionReport:
    source = open_covel(str(path), str(root) if root is not None else None)
    try:
        return source.compactions(source.sessions()[0].id)
    finally:
        source.close()


@pytest.fixture
def story(tmp_path: Path) -> Path:
    """A copy of the story with two summaries."""
    path = tmp_path / "emberwatch.db"
    with sqlite3.connect(f"file:{DATA / 'emberwatch.db'}?mode=ro&immutable=1", uri=True) as given:
        with sqlite3.connect(path) as copy:
            given.backup(copy)
        copy.close()
    given.close()
    return path


@pytest.fixture
def with_windows(tmp_path: Path) -> Callable[[int, int], Path]:
    """The folder of the samples with a slot file."""

    def make(story: int, fast: int) -> Path:
        root = tmp_path / f"root-{story}-{fast}"
        shutil.copytree(ROOT, root)
        (root / "llm.toml").write_text(SLOTS.format(story=story, fast=fast), encoding="utf-8")
        return root

    return make


def test_summaries_with_the_rows_they_stand_for() -> None:
    found = report(DATA / "emberwatch.db")
    first, second = found.summaries
    assert (first.first_turn, first.last_turn, first.made_before_turn) == ("1", "10", "13")
    assert (second.first_turn, second.last_turn, second.made_before_turn) == ("11", "19", "22")
    assert (len(first.rows), first.rows_tokens, first.tokens) == (42, 2151, 184)
    assert (len(second.rows), second.rows_tokens, second.tokens) == (37, 1969, 188)
    assert first.saved == 1967
    assert first.reported_saved == 2151
    assert {row.turn.partition("+")[0] for row in first.rows} == {str(number) for number in range(1, 11)}
    assert all(row.key.endswith(f":{row.row}") for row in first.rows)
    assert "42 messages of 2 151 tokens became 184, which saves 1 967" in str(first.told)
    assert "Summaries: 2." in str(found.told)


def test_attempts_are_told_in_order() -> None:
    found = report(DATA / "emberwatch.db")
    assert [(one.turn, one.succeeded) for one in found.attempts] == [("13", True), ("22", True)]
    assert found.attempts[0].summaries == (found.summaries[0].key,)
    assert "Before turn 13: 42 messages of 2 151 tokens were compacted" in str(found.attempts[0].told)


def test_hints_are_of_words_that_stand_in_the_rows() -> None:
    for summary in report(DATA / "emberwatch.db").summaries:
        texts = {row.key: row.text for row in summary.rows}
        for hint in summary.hints:
            assert hint.text in texts[hint.row] or hint.kind is HintKind.NAME
            assert hint.text not in summary.text
            assert hint.count >= 1


def test_without_windows_the_next_one_is_unknown() -> None:
    upcoming = report(DATA / "emberwatch.db").upcoming
    assert upcoming.trigger is None
    assert upcoming.distance is None
    assert upcoming.estimated is not None
    assert "unknown because no file names the window of: story, fast" in str(upcoming.told)


def test_with_windows_the_distance_is_known(with_windows: Callable[[int, int], Path]) -> None:
    far = report(DATA / "emberwatch.db", with_windows(9000, 7000)).upcoming
    assert far.trigger == int(0.6 * 6500)
    assert far.estimated is not None
    assert far.distance == far.trigger - far.estimated > 0
    assert "tokens and is compacted above 3 900" in str(far.told)
    near = report(DATA / "emberwatch.db", with_windows(2000, 7000)).upcoming
    assert near.trigger == 600
    assert near.distance is not None
    assert near.distance < 0
    assert "The next turn should compact" in str(near.told)


def test_one_window_alone_is_not_enough(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(ROOT, root)
    (root / "llm.toml").write_text(SLOTS.format(story=9000, fast=7000).partition("[slots.fast]")[0], encoding="utf-8")
    upcoming = report(DATA / "emberwatch.db", root).upcoming
    assert upcoming.trigger is None
    assert "the window of: fast." in str(upcoming.told)


def test_a_story_without_summaries() -> None:
    found = report(DATA / "tidewater.db")
    assert found.summaries == ()
    assert found.attempts == ()
    assert str(found.told) == "Nothing of this story has been compacted."


def add_event(path: Path, kind: str, at: str, payload: dict[str, object]) -> None:
    with sqlite3.connect(path) as connection:
        like = connection.execute("select * from trace_events where type = 'context.compacted' limit 1")
        names = [column[0] for column in like.description]
        row = dict(zip(names, like.fetchone(), strict=True))
        row |= {"id": f"{kind}-{at}", "type": kind, "payload": json.dumps(payload), "created_at": at}
        if "seq" in row:
            row["seq"] = 900_000
        marks = ", ".join("?" for _ in row)
        # The names are columns of the table itself.
        connection.execute(f"insert into trace_events ({', '.join(row)}) values ({marks})", tuple(row.values()))
    connection.close()


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("source-too-large", "not even the oldest row fits"),
        ("incomplete-reply", "ran into its output limit"),
        ("something new", "something new"),
    ],
)
def test_failed_attempts_say_why(story: Path, reason: str, says: str) -> None:
    payload = {"pluginId": "p", "extensionId": "e", "reason": reason, "consecutiveFailures": 2}
    add_event(story, "context.compaction.failed", "2026-10-17T14:00:00.000Z", payload)
    found = report(story)
    failed = [one for one in found.attempts if not one.succeeded]
    assert len(failed) == 1
    assert found.attempts[0] is failed[0]
    assert says in str(failed[0].told)
    assert "failure number 2 in a row" in str(failed[0].told)
    assert "Attempts that failed: 1." in str(found.told)


def test_a_merge_is_told(story: Path) -> None:
    with sqlite3.connect(story) as connection:
        old, new = (row[0] for row in connection.execute("select id from session_summaries order by created_at"))
    connection.close()
    payload = {
        "summaryId": new,
        "summaryIds": [old, new],
        "messagesCompacted": 37,
        "tokenSavings": 1969,
        "summariesMerged": 3,
        "summaryTokens": 372,
        "summaryTruncated": True,
    }
    add_event(story, "context.compacted", "2026-10-18T10:00:00.000Z", payload)
    found = report(story)
    assert [summary.merged for summary in found.summaries] == [3, 0]
    assert [summary.shortened for summary in found.summaries] == [False, True]
    told = str(found.attempts[-1].told)
    assert "merged into one for it: 3" in told
    assert "too long and was cut" in told


def test_a_session_that_is_not_there() -> None:
    source = open_covel(str(DATA / "tidewater.db"))
    with pytest.raises(SourceError, match="There is no session nowhere"):
        source.compactions("nowhere")
    source.close()
