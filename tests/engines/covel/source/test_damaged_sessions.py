"""A story does not vanish because of one broken row."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parents[3] / "data"


def changed(folder: Path, *statements: str) -> str:
    """A copy of tidewater with these statements run on it."""
    copy = folder / "changed.db"
    shutil.copyfile(DATA / "tidewater.db", copy)
    connection = sqlite3.connect(copy)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return str(copy)


@pytest.mark.parametrize(
    "statement",
    [
        "update sessions set active_plugins = '{'",
        "update sessions set metadata = '5'",
        "update sessions set locale = x'ff'",
        "update worlds set metadata = '['",
    ],
)
def test_a_broken_field_costs_that_field_only(tmp_path: Path, statement: str) -> None:
    source = open_covel(changed(tmp_path, statement), str(DATA / "sample-root"))
    sessions = source.sessions()
    assert len(sessions) == 2
    assert sum(len(source.calls(session.id)) for session in sessions) == 39
    assert source.recorded(source.calls(sessions[0].id)[0].address) is not None
    assert source.problems()
    source.close()


@pytest.mark.parametrize("statement", ["delete from sessions", "drop table sessions"])
def test_calls_without_a_session_row_are_shown_and_told_of(tmp_path: Path, statement: str) -> None:
    source = open_covel(changed(tmp_path, statement))
    sessions = source.sessions()
    assert sorted(session.call_count for session in sessions) == [11, 28]
    assert all(session.title == session.id for session in sessions)
    assert source.recorded(source.calls(sessions[0].id)[0].address) is not None
    told = [problem for problem in source.problems() if "no row" in str(problem.sentence)]
    assert {problem.where for problem in told} == {f"sessions {session.id}" for session in sessions}
    source.close()


def test_limits_named_by_failures_of_other_sessions_are_found(tmp_path: Path) -> None:
    source = open_covel(changed(tmp_path), str(DATA / "sample-root"))
    fork = source.sessions()[1]
    assert all(
        source.verdict(call.address).status.value in ("identical", "cannot-be-rebuilt")
        for call in source.calls(fork.id)
    )
    source.close()


def torn(folder: Path, table: str, number: int) -> tuple[str, str]:
    """A copy of tidewater without the pages that hold one row of a table; the row's turn."""
    connection = sqlite3.connect(DATA / "tidewater.db")
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    rows = f"SELECT id, turn_id FROM {table} WHERE session_id LIKE 'fdec%' ORDER BY rowid"
    row, turn = connection.execute(rows).fetchall()[number]
    connection.close()
    data = (DATA / "tidewater.db").read_bytes()
    pages = [data[start : start + size] for start in range(0, len(data), size)]
    file = folder / "torn.db"
    file.write_bytes(b"".join(b"\xff" * size if row.encode() in page else page for page in pages))
    return str(file), turn


def test_what_a_torn_file_still_holds_is_counted(tmp_path: Path) -> None:
    file, turn_id = torn(tmp_path, "trace_events", 3)
    source = open_covel(file, str(DATA / "sample-root"))
    facts = source.facts()
    calls = [call for session in source.sessions() for call in source.calls(session.id)]
    assert 0 < len(calls) < 39
    assert facts.calls >= len(calls)
    assert facts.runtimes == len({call.address.runtime for call in calls})
    turns = [turn for turn in source.turns(source.sessions()[0].id) if not turn.call_count and turn.id == turn_id]
    assert all("the file is damaged" in str(turn.note) for turn in turns)
    source.close()
