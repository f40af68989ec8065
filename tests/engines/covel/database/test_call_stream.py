"""Calls one at a time: in the order of the engine, without what cannot be read, whatever the table looks like."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from story_files import DATA

from covel_inspector.engines.covel.database import open_database

COLUMNS = (
    "id TEXT PRIMARY KEY NOT NULL, session_id TEXT, type TEXT, trace_id TEXT, turn_id TEXT, payload TEXT, "
    "created_at TEXT, seq INTEGER"
)
Row = tuple[str, str, str, str | bytes | None, str, int]
"""Id, session, type, payload, time, number."""


def database(path: Path, rows: Sequence[Row], columns: str = COLUMNS, more: str = "") -> Path:
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE trace_events ({columns}){more}")
    connection.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY)")
    connection.executemany(
        "INSERT INTO trace_events (id, session_id, type, payload, created_at, seq) VALUES (?, ?, ?, ?, ?, ?)", rows
    )
    connection.commit()
    connection.close()
    return path


ROWS: list[Row] = [
    ("c", "s", "llm.calling", "{}", "2026-01-02", 1),
    ("other", "s", "llm.responded", "{}", "2026-01-02", 0),
    ("b", "t", "llm.calling", "{}", "2026-01-02", 0),
    ("a", "s", "llm.calling", "{}", "2026-01-01", 9),
    ("d", "s", "llm.calling", "{}", "2026-01-02", 1),
]


def ids(path: Path, session: str | None = None) -> list[str]:
    with open_database(path) as opened:
        return [call.id for call in opened.call_texts(session)]


@pytest.mark.parametrize("more", ["", " WITHOUT ROWID"])
def test_calls_come_by_time_and_number(tmp_path: Path, more: str) -> None:
    path = database(tmp_path / "story.db", ROWS, more=more)
    assert ids(path) == ["a", "b", "c", "d"], "equal ones in the order of writing"
    assert ids(path, "s") == ["a", "c", "d"]
    assert ids(path, "nobody") == []


def test_an_older_table_without_numbers(tmp_path: Path) -> None:
    columns = COLUMNS.removesuffix(", seq INTEGER") + ", seq INTEGER"
    path = database(tmp_path / "story.db", ROWS, columns)
    connection = sqlite3.connect(path)
    connection.execute("ALTER TABLE trace_events DROP COLUMN seq")
    connection.execute("ALTER TABLE trace_events DROP COLUMN trace_id")
    connection.commit()
    connection.close()
    assert ids(path) == ["a", "c", "b", "d"]


def test_what_is_no_text_is_skipped_and_noted(tmp_path: Path) -> None:
    odd: list[Row] = [
        ("null", "s", "llm.calling", None, "1", 0),
        ("empty", "s", "llm.calling", "", "2", 0),
        ("binary", "s", "llm.calling", b"{}", "3", 0),
        ("good", "s", "llm.calling", "{}", "4", 0),
    ]
    with open_database(database(tmp_path / "story.db", odd)) as opened:
        assert [call.id for call in opened.call_texts()] == ["good"]
        assert [row.id for row in opened.bad_rows] == ["null", "empty", "binary"]


def test_a_file_without_traces(tmp_path: Path) -> None:
    path = tmp_path / "story.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY)")
    connection.commit()
    connection.close()
    assert ids(path) == []


def test_every_call_of_a_sample_comes_with_its_payload() -> None:
    with open_database(DATA / "emberwatch.db") as opened:
        calls = list(opened.call_texts())
        assert len(calls) == 163
        assert [call.id for call in calls] == [row.id for row in opened.call_rows()]
        assert all(call.payload.startswith('{"flowId"') and call.trace_id and call.turn_id for call in calls)


def test_a_half_used_stream_keeps_no_read_open(tmp_path: Path) -> None:
    """A writer can rewrite the whole file while somebody holds the stream."""
    path = database(tmp_path / "story.db", ROWS)
    with open_database(path) as opened:
        stream = opened.call_texts()
        assert next(stream).id == "a"
        writer = sqlite3.connect(path, timeout=0.1)
        writer.execute("DELETE FROM trace_events WHERE id IN ('b', 'c')")
        writer.commit()
        writer.close()
        assert [call.id for call in stream] == ["d"], "rows that went meanwhile are left out"
