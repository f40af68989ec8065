"""The samples are read as their truth files say; older and poorer files are read as far as they go."""

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from story_files import READS

from covel_inspector.engines.covel.database import CovelDatabase, Generation, open_database
from covel_inspector.engines.covel.records.calls import RecordedCall

DATA = Path(__file__).parents[3] / "data"


def sample(name: str) -> CovelDatabase:
    return open_database(DATA / f"{name}.db")


@pytest.fixture
def changed(story: Path) -> Callable[..., CovelDatabase]:
    """The small story after some statements, opened."""

    def change(*statements: str) -> CovelDatabase:
        connection = sqlite3.connect(story)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return open_database(story)

    return change


@pytest.mark.parametrize("name", ["emberwatch", "tidewater"])
def test_calls_are_those_of_the_truth_file(name: str) -> None:
    truth = json.loads((DATA / f"{name}.truth.json").read_text(encoding="utf-8"))["calls"]
    with sample(name) as database:
        rows = sorted(database.call_rows(), key=lambda row: row.row)
        assert [row.id for row in rows] == [call["event"] for call in truth]
        for row, call in zip(rows, truth, strict=True):
            assert (row.session_id, row.turn_id, row.runtime_id) == (call["session"], call["turnId"], call["runtime"])
            assert (row.plugin_id, row.attempt, row.started_at) == (call["plugin"], call["attempt"], call["startedAt"])
            assert row.concealed == bool(call.get("concealed"))
            text = database.call_payload_text(row.id)
            assert row.payload_bytes == len(text.encode())
            payload = database.call_payload(row.id)
            assert isinstance(payload, RecordedCall)
            assert payload.runtime_id == row.runtime_id
            assert len(payload.messages) == len(json.loads(text)["messages"])
        responses = database.responses()
        assert len(responses) == len(truth)
        # A failed attempt reported nothing; the truth file knows what it would have been.
        reported = Counter((row.input_tokens, row.output_tokens) for row in responses if not row.error)
        usages = [call["usage"] for call in truth]
        told = Counter((usage["inputTokens"], usage["outputTokens"]) for usage in usages)
        assert reported <= told
        assert (told - reported).total() == sum(bool(row.error) for row in responses)
        assert database.bad_rows == []
        assert database.problems() == []


def test_what_the_samples_hold() -> None:
    with sample("emberwatch") as database:
        (session,) = database.sessions()
        assert session.title == "第一次守夜"
        assert database.generation is Generation.CURRENT
        counts = database.counts()
        assert (counts.sessions, counts.calls, counts.runtimes) == (1, 163, 5)
        assert database.session_counts(session.id) == (24, 163)
        assert database.world("nowhere") is None
        world = database.world(session.world_id)
        assert world is not None
        assert world.id == session.world_id
        assert len(database.turn_results(session.id)) == 27
        assert all(not row.runtime_results for row in database.turn_results(session.id))
        assert all(row.runtime_results for row in database.turn_results(session.id, with_results=True))
        lines = database.player_lines(session.id)
        messages = [row for row in database.turn_messages(session.id) if row.source_type == "player"]
        assert [line.content for line in lines] == [row.content[:200] for row in messages]
        assert len(database.summaries(session.id)) == 2
        assert {row.summary_id for row in database.turn_messages(session.id)} >= {
            row.id for row in database.summaries(session.id)
        }
        assert {mark.type for mark in database.event_marks(session.id)} == {
            "context.compacted",
            "hook.rewrote",
            "runtime.completed",
            "tool.failed",
        }
        assert len(database.event_marks(session.id, ["context.compacted"])) == 2
        assert len(database.media(session.id)) == 3
        assert sum(row.enabled for row in database.lorebook(session.id)) == 9
        assert [row.payload for row in database.snapshots(session.id)] == [{}, {}]
        snapshot = database.snapshot(database.snapshots(session.id)[0].id)
        assert snapshot is not None
        assert snapshot.payload["schemaVersion"] == 3
        schema = database.character_schema(session.id)
        assert schema is not None
        assert set(schema) == {"version", "types", "attributes"}


def test_suspensions_forks_and_retries_of_tidewater() -> None:
    with sample("tidewater") as database:
        main, fork = database.sessions()
        (suspension,) = database.suspensions(main.id)
        assert suspension.pending_continuation["messages"]
        assert len(database.turn_result_rows(main.id, suspension.turn_id)) == 2
        assert database.suspensions(fork.id) == []
        calls = database.call_rows(main.id, suspension.turn_id)
        assert 0 < len(calls) < len(database.call_rows(main.id))
        assert {call.turn_id for call in calls} == {suspension.turn_id}
        assert database.traces(main.id, []) == []
        (failed,) = database.traces(main.id, ["runtime.failed"])
        assert "context-overflow" in failed.payload["error"]
        assert len(database.traces(main.id, ["llm.calling"], suspension.turn_id)) == len(calls)
        hidden = database.plugin_data(main.id, "omens")
        assert {row.namespace for row in hidden} == {"_hidden.omens"}
        assert database.plugin_data(main.id, "omens", "other") == []
        assert any(response.error for response in database.responses(main.id))


def test_new_calls_can_be_asked_for(story: Path) -> None:
    with open_database(story) as database:
        first, second = database.call_rows("s")
        assert database.call_rows(after=first.row) == [second]
        assert database.call_rows(after=second.row) == []
        assert len(database.responses(after=0)) == 1


def test_the_older_sample_is_read_whole() -> None:
    with sample("driftwood-old-schema") as database:
        assert database.generation is Generation.LATE_SUMMER_2026
        (session,) = database.sessions()
        calls = database.call_rows(session.id)
        assert len(calls) == 12
        assert [call.row for call in calls] == sorted(call.row for call in calls)
        assert all(isinstance(database.call_payload(call.id), RecordedCall) for call in calls)
        owners = {entry.owner for entry in database.lorebook(session.id)}
        assert owners
        assert all(owner.startswith("plugin:") for owner in owners)
        assert database.character_schema(session.id) is None
        assert len(database.turn_results(session.id)) == 3
        # Nothing is wrong with an old file that lacks what is newer than itself.
        assert database.problems() == []


@pytest.mark.parametrize("read", READS)
def test_every_read_of_the_small_story(read: str, story: Path) -> None:
    with open_database(story) as database:
        READS[read](database)
        assert database.bad_rows == []
        assert database.problems() == []


TABLES = [
    "worlds", "sessions", "turn_messages", "turn_results", "session_summaries", "tool_calls", "trace_events",
    "characters", "character_schemas", "lorebook_entries", "plugin_data", "player_inputs", "suspensions",
    "state_snapshots", "runtime_exports", "events", "media_assets",
]  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_a_missing_table_is_a_problem_and_no_error(table: str, changed: Callable[..., CovelDatabase]) -> None:
    with changed(f"DROP TABLE {table}") as database:
        for read in READS.values():
            read(database)
        assert {problem.where.partition(" ")[0] for problem in database.problems()} == {table}
        assert table in {problem.where for problem in database.problems()}


@pytest.mark.parametrize(
    ("table", "column", "read", "left"),
    [
        ("turn_messages", "role", "turn_messages", 0),
        ("turn_messages", "ui", "turn_messages", 1),
        ("sessions", "phase", "sessions", 1),
        ("trace_events", "seq", "call_rows", 2),
        ("trace_events", "trace_id", "call_rows", 2),
        ("trace_events", "turn_id", "responses", 1),
    ],
)
def test_a_missing_column(table: str, column: str, read: str, left: int, changed: Callable[..., CovelDatabase]) -> None:
    indexes = {
        "seq": "DROP INDEX trace_events_created_idx",
        "trace_id": "DROP INDEX trace_events_trace_id_idx",
        "turn_id": "DROP INDEX trace_events_turn_id_idx",
    }
    with changed(indexes.get(column, "SELECT 1"), f"ALTER TABLE {table} DROP COLUMN {column}") as database:
        assert len(READS[read](database)) == left
        problems = [problem.where for problem in database.problems()]
        assert problems == ([] if left else [f"{table}.{column}"])


def test_unknown_tables_and_columns_do_not_matter(changed: Callable[..., CovelDatabase]) -> None:
    with changed(
        'CREATE TABLE "odd "" name" (x)',
        "ALTER TABLE sessions ADD COLUMN novelty TEXT DEFAULT 'x'",
        "CREATE VIEW v AS SELECT missing FROM nowhere",
    ) as database:
        for read in READS.values():
            read(database)
        assert database.problems() == []


def test_a_virtual_table_without_its_extension_is_never_touched(story: Path) -> None:
    connection = sqlite3.connect(story)
    connection.execute("PRAGMA writable_schema=1")
    connection.execute(
        "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES"
        " ('table', 'vec_mem_m1', 'vec_mem_m1', 0, 'CREATE VIRTUAL TABLE vec_mem_m1 USING vec0(embedding float[4])')"
    )
    connection.commit()
    connection.close()
    with open_database(story) as database:
        for read in READS.values():
            read(database)
        assert database.problems() == []


def test_order_ties_fall_back_to_the_order_of_writing(changed: Callable[..., CovelDatabase]) -> None:
    with changed(
        "DROP INDEX trace_events_created_idx",
        "ALTER TABLE trace_events DROP COLUMN seq",
        "UPDATE trace_events SET id = 'z' || id WHERE rowid = 1",
    ) as database:
        assert [row.id for row in database.call_rows("s")] == ["ztrace-0", "trace-2"]


def test_the_copies_of_the_sample_are_the_whole_set(tmp_path: Path) -> None:
    for name in ("emberwatch.db", "tidewater.db", "driftwood-old-schema.db"):
        shutil.copyfile(DATA / name, tmp_path / name)
        with open_database(tmp_path / name) as copy, open_database(DATA / name) as original:
            assert copy.counts() == original.counts()
