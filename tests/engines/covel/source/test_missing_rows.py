"""Every row of a sample story that a recorded request does not hold is named, with the reason why."""

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, SegmentTree, Status
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
STORIES = ("emberwatch", "tidewater")


class Story:
    """A sample with its rows read by plain SQL and its truth."""

    def __init__(self, name: str) -> None:
        self.source: CovelSource = open_covel(str(DATA / f"{name}.db"), str(DATA / "sample-root"))
        self.truth = {call["event"]: call for call in json.loads((DATA / f"{name}.truth.json").read_text())["calls"]}
        with sqlite3.connect(f"file:{DATA / name}.db?mode=ro&immutable=1", uri=True) as connection:
            connection.row_factory = sqlite3.Row
            self.rows = [dict(row) for row in connection.execute("select * from turn_messages")]
            self.results = [dict(row) for row in connection.execute("select turn_id, created_at from turn_results")]
            self.summaries = {
                row["id"]: row["created_at"]
                for row in connection.execute("select id, created_at from session_summaries")
            }
            self.suspended = [dict(row) for row in connection.execute("select * from suspensions")]
        connection.close()

    def requests(self) -> Iterator[tuple[Any, SegmentTree, dict[str, Any]]]:
        """Each recorded call with its tree and its truth."""
        for session in self.source.sessions():
            for call in self.source.calls(session.id):
                tree = self.source.recorded(call.address)
                if tree is not None:
                    yield call, tree, self.truth[call.row]

    def sent_at(self, call: Any, truth: dict[str, Any]) -> str:
        """When the history of a request was read: for a resumed run when it was suspended."""
        resumed = [
            row["created_at"]
            for row in self.suspended
            if row["turn_id"] == call.turn_id and row["runtime_id"] == call.address.runtime
            if row["resolved_at"] <= call.started_at
        ]
        later = [one for one in self.results if one["turn_id"] == call.turn_id and resumed]
        return resumed[0] if resumed and truth["step"] == 0 and len(later) < 2 else str(call.started_at)

    def committed(self, row: dict[str, Any]) -> str:
        times = sorted(one["created_at"] for one in self.results if one["turn_id"] == row["turn_id"])
        return next((time for time in times if time >= row["created_at"]), row["created_at"]) if times else ""


@pytest.fixture(scope="module", params=STORIES)
def story(request: pytest.FixtureRequest) -> Iterator[Story]:
    made = Story(request.param)
    yield made
    made.source.close()


def rows_of(absent: tuple[Absent, ...]) -> dict[str, Absent]:
    return {row: one for one in absent if one.origin.table == "turn_messages" for row in one.origin.rows}


WINDOWS = {"harbor-clerk/ledger": 1, "char-creator/character-tracker": 1, "world-init/dimension-tracker": 1}
"""Runtimes of the samples whose window and pruning must be told apart: turns they see."""


def is_filtered(call: Any, row: dict[str, Any]) -> bool:
    foreign = row["source_runtime_id"] != call.address.runtime
    structured = foreign and row["content"].lstrip()[:1] in ("{", "[")
    return row["source_type"] == "runtime" and (not row["content"].strip() or structured)


def expected(story: Story, call: Any, truth: dict[str, Any], row: dict[str, Any]) -> AbsenceReason:
    """The reason by a plain reading of the rules, for a row that is not there."""
    sent = story.sent_at(call, truth)
    if story.committed(row) >= sent:
        return AbsenceReason.NOT_COMMITTED
    if story.summaries.get(row["compacted_at_turn_id"] or "", "9") <= sent:
        return AbsenceReason.COMPACTION
    if is_filtered(call, row):
        return AbsenceReason.FILTER
    turns = [
        one["turn_id"]
        for one in sorted(story.rows, key=lambda one: (one["created_at"], one["order"]))
        if one["session_id"] == call.address.session
        and story.committed(one) < sent
        and not is_filtered(call, one)
        and (one["turn_id"] != call.turn_id or one["source_type"] != "player")
    ]
    newest = list(dict.fromkeys(reversed(turns)))[: WINDOWS.get(call.address.runtime)]
    pruned = truth.get("budget", {}).get("pruned")
    return AbsenceReason.PRUNED if pruned and row["turn_id"] in newest else AbsenceReason.WINDOW


def test_every_row_is_there_or_absent_for_the_right_reason(story: Story) -> None:
    reasons: Counter[AbsenceReason] = Counter()
    for call, tree, truth in story.requests():
        absent = rows_of(tree.absent)
        there = {message["row"] for message in truth["messages"] if "row" in message}
        own_line = {
            row["id"] for row in story.rows if row["turn_id"] == call.turn_id and row["source_type"] == "player"
        }
        stories = {leaf.text for leaf in tree.leaves() if leaf.kind is Kind.STORY}
        for row in story.rows:
            if row["session_id"] != call.address.session:
                continue
            told = row["turn_id"] == call.turn_id and row["content"] in stories
            if row["id"] in there or row["id"] in own_line or told:
                assert row["id"] not in absent, (call.address, row["id"])
                continue
            assert row["id"] in absent, (call.address, row["id"], row["content"][:40])
            assert absent[row["id"]].reason is expected(story, call, truth, row), (call.address, row["id"])
            assert absent[row["id"]].text == row["content"]
            reasons[absent[row["id"]].reason] += 1
    wanted = {AbsenceReason.NOT_COMMITTED, AbsenceReason.FILTER, AbsenceReason.WINDOW}
    assert wanted <= set(reasons)
    assert (AbsenceReason.COMPACTION in reasons) == bool(story.summaries)


def test_a_rebuilt_request_misses_the_same_rows_for_the_same_reasons(story: Story) -> None:
    seen = 0
    for call, tree, _ in list(story.requests())[-30:]:
        if story.source.verdict(call.address).status is not Status.IDENTICAL:
            continue
        rebuilt = story.source.rebuilt(call.address)
        assert rebuilt is not None
        if not rebuilt.absent:
            continue  # A resumed run is rebuilt from the messages that its suspension froze, not from rows.
        told = [{row: one.reason for row, one in rows_of(each.absent).items()} for each in (tree, rebuilt)]
        assert told[0] == told[1], call.address
        seen += 1
    assert seen > 10


def test_pruned_rows_name_their_step_and_stand_behind_the_marker(story: Story) -> None:
    for _, tree, truth in story.requests():
        pruned = [one for one in tree.absent if one.reason is AbsenceReason.PRUNED]
        assert len(pruned) == truth.get("budget", {}).get("pruned", 0)
        assert {one.after for one in pruned} <= {"prune-marker"}
        for one in pruned:
            if one.origin.table == "turn_messages":
                assert one.grade is Grade.EXACT
                known = truth["budget"]["cap"] == 1280
                assert ("in round 1 of pruning: above the limit of 1280" in str(one.note)) == known


def test_absent_rows_stand_where_they_would(story: Story) -> None:
    for _, tree, _ in story.requests():
        keys = {segment.key for segment in tree.walk()}
        for one in tree.absent:
            assert not one.after or one.after in keys, one.after


def test_compacted_rows_name_their_summary(story: Story) -> None:
    for _, tree, _ in story.requests():
        shown = {segment.key for segment in tree.walk() if segment.key.startswith("summary:")}
        for one in tree.absent:
            if one.reason is AbsenceReason.COMPACTION:
                assert (one.after in shown) == bool(one.after)
                assert (one.grade is Grade.EXACT) == bool(one.after)
                assert "compacted into summary" in str(one.note)


def test_a_cut_tool_result_shows_what_was_cut() -> None:
    made = Story("tidewater")
    cut = [
        (tree, one)
        for _, tree, _ in made.requests()
        for one in tree.absent
        if one.reason is AbsenceReason.CUT and one.kind is Kind.TOOL_RESULT
    ]
    assert len(cut) == 1
    tree, one = cut[0]
    leaf = next(leaf for leaf in tree.leaves() if leaf.key == one.key)
    assert one.after == leaf.key
    assert one.text not in leaf.text
    assert f"{len(one.text)} characters" in str(one.note)
    made.source.close()


def test_without_files_a_window_is_only_a_guess() -> None:
    source = open_covel(str(DATA / "tidewater.db"))
    grades: Counter[tuple[AbsenceReason, Grade]] = Counter()
    for session in source.sessions():
        for call in source.calls(session.id):
            tree = source.recorded(call.address)
            for one in rows_of(tree.absent).values() if tree is not None else ():
                grades[one.reason, one.grade] += 1
    assert (AbsenceReason.WINDOW, Grade.GUESS) in grades
    assert (AbsenceReason.WINDOW, Grade.STRUCTURAL) not in grades
    source.close()


def test_a_row_that_nothing_explains_is_called_unknown(tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    shutil.copy(DATA / "tidewater.db", path)
    with sqlite3.connect(path) as connection:
        session = connection.execute("select id from sessions order by created_at").fetchone()[0]
        row = connection.execute(
            "select id from turn_messages where source_type = 'player' and session_id = ? order by created_at "
            "limit 1 offset 1",
            (session,),
        ).fetchone()[0]
        connection.execute("update turn_messages set content = 'I never said this.' where id = ?", (row,))
    connection.close()
    source = open_covel(str(path), str(DATA / "sample-root"))
    address = next(call.address for call in source.calls(session, "5") if call.address.runtime == "tide-narrator")
    tree = source.recorded(address)
    assert tree is not None
    odd = rows_of(tree.absent)[row]
    assert odd.reason is AbsenceReason.UNKNOWN
    assert odd.grade is Grade.UNKNOWN
    source.close()
