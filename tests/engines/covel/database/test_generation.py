"""The generation of a schema is told by its tables and columns."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from covel_inspector.engines.covel.database import Generation, open_database
from covel_inspector.engines.covel.database.generation import Layout, is_younger, read_layout

DATA = Path(__file__).parents[3] / "data"


def layout(statements: Sequence[str]) -> Layout:
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    found = read_layout(connection)
    connection.close()
    return found


SPRING = [
    "CREATE TABLE sessions (id, turn_count)",
    "CREATE TABLE trace_events (id, session_id, type, payload, created_at)",
    "CREATE TABLE turn_results (id, session_id, turn_id)",
    "CREATE TABLE lorebook_entries (id, plugin_id)",
    "CREATE TABLE approvals (id)",
    "CREATE TABLE plugin_configs (id)",
]


@pytest.mark.parametrize(
    ("name", "generation"),
    [
        ("emberwatch", Generation.CURRENT),
        ("tidewater", Generation.CURRENT),
        ("driftwood-old-schema", Generation.LATE_SUMMER_2026),
    ],
)
def test_the_samples(name: str, generation: Generation) -> None:
    with open_database(DATA / f"{name}.db") as database:
        assert database.generation is generation


def test_spring() -> None:
    assert layout(SPRING).generation is Generation.SPRING_2026
    assert layout(SPRING).is_covel


@pytest.mark.parametrize(
    "statements",
    [
        [],
        ["CREATE TABLE sessions (id)"],
        ["CREATE TABLE lorebook_entries (plugin_id, owner)", "CREATE TABLE turn_results (seq)"],
        ["CREATE TABLE lorebook_entries (plugin_id)", "CREATE TABLE turn_results (origin)"],
    ],
)
def test_signs_that_do_not_add_up(statements: list[str]) -> None:
    assert layout(statements).generation is Generation.UNKNOWN


@pytest.mark.parametrize(
    ("statement", "covel"),
    [
        ("CREATE TABLE sessions (id, x)", True),
        ("CREATE TABLE trace_events (session_id, type, payload)", True),
        ("CREATE TABLE trace_events (x)", False),
        ("CREATE TABLE sessions (token, user)", False),
        ("CREATE VIEW sessions AS SELECT 1 AS id", False),
    ],
)
def test_what_counts_as_a_story_database(statement: str, covel: bool) -> None:
    assert layout([statement]).is_covel is covel


def test_tables_without_row_ids_are_known() -> None:
    found = layout(
        [
            "CREATE TABLE a (id PRIMARY KEY) WITHOUT ROWID",
            "CREATE TABLE b (id PRIMARY KEY, note DEFAULT 'WITHOUT ROWID')",
            "CREATE TABLE c (id TEXT PRIMARY KEY) WITHOUT ROWID, STRICT",
            "CREATE TABLE d (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
        ]
    )
    assert found.with_row_ids == {"b"}


def test_tables_without_row_ids_are_read(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "story.db")
    connection.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, created_at TEXT) WITHOUT ROWID")
    connection.execute("INSERT INTO sessions VALUES ('a', '2'), ('b', '1')")
    connection.execute(
        "CREATE TABLE trace_events (id TEXT PRIMARY KEY, session_id, type, payload, created_at) WITHOUT ROWID"
    )
    connection.execute("INSERT INTO trace_events VALUES ('t', 'a', 'llm.calling', '{}', '')")
    connection.commit()
    connection.close()
    with open_database(tmp_path / "story.db") as database:
        assert [row.id for row in database.sessions()] == ["b", "a"]
        assert [(row.id, row.row) for row in database.call_rows("a")] == [("t", 0)]


def test_what_is_younger_than_a_file_is_not_missed() -> None:
    assert is_younger("character_schemas", Generation.LATE_SUMMER_2026)
    assert is_younger("runtime_exports", Generation.SPRING_2026)
    assert not is_younger("runtime_exports", Generation.LATE_SUMMER_2026)
    assert not is_younger("character_schemas", Generation.CURRENT)
