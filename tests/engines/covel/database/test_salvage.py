"""Damage costs the rows it hit and no others; no damage ever raises anything but SourceError."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from story_files import READS

from covel_inspector.domain import SourceError
from covel_inspector.engines.covel.database import CovelDatabase, open_database
from covel_inspector.engines.covel.database.queries import Query, Where
from covel_inspector.engines.covel.database.salvage import Salvage


def pages_of(path: Path, name: str) -> list[int]:
    """Numbers of the leaf pages of a table or index that hold rows."""
    connection = sqlite3.connect(path)
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    connection.close()
    content = path.read_bytes()
    leaves: list[int] = []
    waiting = [root]
    while waiting:
        page = waiting.pop()
        start = (page - 1) * size
        kind = content[start]
        if kind in (10, 13):
            leaves.append(page)
            continue
        cells = int.from_bytes(content[start + 3 : start + 5], "big")
        waiting.append(int.from_bytes(content[start + 8 : start + 12], "big"))
        for cell in range(cells):
            place = start + int.from_bytes(content[start + 12 + 2 * cell : start + 14 + 2 * cell], "big")
            waiting.append(int.from_bytes(content[place : place + 4], "big"))
    return sorted(leaves)


def spoil(path: Path, page: int) -> None:
    connection = sqlite3.connect(path)
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xfe" * size)


@pytest.fixture
def long_story(story: Path) -> Path:
    """A small story with 300 domain events, written in another order than they are dated."""
    connection = sqlite3.connect(story)
    numbers = list(range(300))
    random.Random(5).shuffle(numbers)
    connection.execute("DELETE FROM events")
    for number in numbers:
        connection.execute(
            "INSERT INTO events (id, session_id, type, topic, payload, created_at) VALUES (?, 's', 'd', 't', ?, ?)",
            (f"e{number:03}", f'{{"n":{number}}}', f"2026-11-01T10:{number:03}"),
        )
    connection.commit()
    connection.close()
    return story


def test_rows_beside_a_broken_page_are_read_in_order(long_story: Path) -> None:
    leaves = pages_of(long_story, "events")
    assert len(leaves) > 20
    spoil(long_story, leaves[3])
    spoil(long_story, leaves[-4])
    spoil(long_story, leaves[len(leaves) // 2])
    with open_database(long_story) as database:
        rows = database.events("s")
        assert 250 < len(rows) < 300
        assert [row.created_at for row in rows] == sorted(row.created_at for row in rows)
        assert len({row.id for row in rows}) == len(rows)
        (bad,) = database.bad_rows
        assert (bad.table, bad.id) == ("events", "")
        assert f"{len(rows)} rows could be read" in bad.reason
        # Everything else is as it was.
        assert len(database.call_rows("s")) == 2


def test_a_broken_index_costs_nothing(long_story: Path) -> None:
    for page in pages_of(long_story, "events_session_id_idx"):
        spoil(long_story, page)
    with open_database(long_story) as database:
        rows = database.events("s")
        assert [row.id for row in rows] == [f"e{number:03}" for number in range(300)]
        (bad,) = database.bad_rows
        assert "an index of the table is damaged" in bad.reason


def test_a_broken_call_index_costs_nothing(story: Path) -> None:
    for page in pages_of(story, "trace_events_type_idx"):
        spoil(story, page)
    with open_database(story) as database:
        assert [row.id for row in database.call_rows("s")] == ["trace-0", "trace-2"]


def test_a_table_that_is_lost_wholly(long_story: Path) -> None:
    for page in pages_of(long_story, "events"):
        spoil(long_story, page)
    with open_database(long_story) as database:
        assert database.events("s") == []
        assert "0 rows could be read" in database.bad_rows[0].reason


def test_counting_a_damaged_table(long_story: Path) -> None:
    for name in ("trace_events", "sqlite_autoindex_trace_events_1", "trace_events_session_id_idx"):
        for page in pages_of(long_story, name):
            spoil(long_story, page)
    with open_database(long_story) as database:
        assert database.counts().sessions == 1
        assert database.counts().runtimes == 0
        assert "could not be counted" in database.bad_rows[0].reason


def test_a_broken_definition_costs_only_its_table(long_story: Path) -> None:
    content = long_story.read_bytes()
    for name in (b"CREATE TABLE `media_refs`", b"CREATE TABLE media_refs", b'CREATE TABLE "media_refs"'):
        content = content.replace(name, b"CREATE TABEL" + name[12:])
    assert content != long_story.read_bytes()
    long_story.write_bytes(content)
    with open_database(long_story) as database:
        assert len(database.events("s")) == 300
        assert [problem.where for problem in database.problems()] == ["sqlite_master"]


class Breaking:
    """Rows 1 to 100 of which some cannot be read, in place of a connection."""

    def __init__(self, broken: set[int]) -> None:
        self.broken = broken
        self.asked = 0

    def execute(self, _statement: str, parameters: tuple[Any, ...]) -> Any:
        self.asked += 1
        for row in range(max(1, parameters[-1]), 101):
            if row in self.broken:
                raise sqlite3.DatabaseError("database disk image is malformed")
            yield (row, f"v{row}")


@given(broken=st.sets(st.integers(1, 100), max_size=12))
def test_every_readable_row_is_found(broken: set[int]) -> None:
    connection: Any = Breaking(broken)
    salvage = Salvage(connection, Query("t", ("v",), Where()))
    found = salvage.rows({7})
    expected = [row for row in range(1, 101) if row not in broken and row != 7]
    # Doubling may step over a short readable stretch between two broken ones, never over the end of the damage.
    assert set(found) <= {(f"v{row}",) for row in expected}
    if len(broken) <= 1:
        assert found == [(f"v{row}",) for row in expected]
    assert salvage.lost == bool(broken)
    assert connection.asked < 200 * (len(broken) + 1)


def drive(database: CovelDatabase) -> None:
    for read in READS.values():
        result = read(database)
        assert result is None or repr(result)
    assert all("\n" not in row.reason for row in database.bad_rows)
    assert all(str(problem.sentence) for problem in database.problems())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_anywhere_never_raises_anything_else(
    data: st.DataObject, small_story: Path, tmp_path: Path, contents_of: Callable[[Path], dict[str, bytes]]
) -> None:
    content = bytearray(small_story.read_bytes())
    flips = data.draw(
        st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), min_size=0, max_size=40)
    )
    for offset, value in flips:
        content[offset] = value
    stretch = data.draw(st.integers(0, 2000))
    start = data.draw(st.integers(0, len(content)))
    content[start : start + stretch] = bytes([data.draw(st.sampled_from([0, 0x0D, 0x41, 0xFF]))]) * len(
        content[start : start + stretch]
    )
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    folder = tmp_path / "fuzz"
    folder.mkdir(exist_ok=True)
    path = folder / "covel.db"
    path.write_bytes(content)
    refusal = ""
    try:
        with open_database(path) as database:
            drive(database)
    except SourceError as error:
        refusal = str(error)
    assert "\n" not in refusal
    assert contents_of(folder) == {"covel.db": bytes(content)}
