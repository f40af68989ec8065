"""Opening leaves file and folder as they were, whatever they are called and whoever owns them."""

import os
import shutil
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from story_files import DATA, Contents, Writers, names, topics

from covel_inspector.domain import ReadCancelledError, SourceError
from covel_inspector.engines.covel.database import Way, open_database, open_readonly


@pytest.mark.parametrize(
    ("name", "way"),
    [("emberwatch.db", Way.IMMUTABLE), ("tidewater.db", Way.PLAIN), ("driftwood-old-schema.db", Way.IMMUTABLE)],
)
def test_a_sample_stays_as_it_is(name: str, way: Way, tmp_path: Path, contents_of: Contents) -> None:
    path = Path(shutil.copyfile(DATA / name, tmp_path / name))
    before = contents_of(tmp_path)
    with open_database(path) as database:
        assert database.access.way is way
        for session in database.sessions():
            assert database.call_rows(session.id)
            assert database.turn_messages(session.id)
        assert names(tmp_path) == [name]
    assert contents_of(tmp_path) == before


@pytest.mark.parametrize("kind", ["rollback", "clean wal", "left wal"])
def test_a_read_only_folder(
    kind: str, small_story: Path, open_folder: Path, writer_of: Writers, nobody: Any, contents_of: Contents
) -> None:
    path = Path(shutil.copyfile(small_story, open_folder / "covel.db"))
    expected = 1
    if kind != "rollback":
        writer = writer_of(path)
        writer.do("write")
        writer.do("quit" if kind == "clean wal" else "die")
        expected = 2
    for file in open_folder.iterdir():
        file.chmod(0o444)
    if kind == "left wal":
        (open_folder / "covel.db-shm").unlink()
    open_folder.chmod(0o555)
    before = contents_of(open_folder)
    with nobody():
        with pytest.raises(OSError, match=r"."):
            (open_folder / "new").touch()
        assert topics(path) == expected
    assert contents_of(open_folder) == before


def test_a_file_one_may_not_read_says_so(small_story: Path, open_folder: Path, nobody: Any) -> None:
    path = Path(shutil.copyfile(small_story, open_folder / "covel.db"))
    path.chmod(0o000)
    with nobody(), pytest.raises(SourceError, match="may not be read by you"):
        open_readonly(path)


@pytest.mark.parametrize(
    "name",
    [
        "a?b#c%20d&mode=rwc.db",
        "第一次守夜 存档.db",
        " .db",
        "%3f.db",
        'it\'s "quoted".db',
        "new\nline.db",
        "emoji 🕯.db",
    ],
)
def test_odd_names(name: str, small_story: Path, tmp_path: Path, writer_of: Writers) -> None:
    folder = tmp_path / name.replace(".db", "")
    folder.mkdir()
    path = Path(shutil.copyfile(small_story, folder / name))
    assert topics(path) == 1
    writer_of(path).do("write")
    assert topics(path) == 2


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there, not bytes")
def test_a_name_that_is_no_text(small_story: Path, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.db"))
    shutil.copyfile(small_story, path)
    assert topics(path) == 1


def test_errors_about_odd_names_stay_on_one_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no file") as caught:
        open_database(tmp_path / "a\nb\r\u2028\udcff灯.db")
    assert "a\\nb\\r\\u2028\\udcff灯.db" in str(caught.value)


def test_a_path_longer_than_sqlite_takes(small_story: Path, tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(6):
        folder /= "守夜人的故事" * 10
    folder.mkdir(parents=True)
    path = Path(shutil.copyfile(small_story, folder / "covel.db"))
    with open_database(path) as database:
        assert len(database.events("s")) == 1
        assert database.access.way is Way.COPY


def test_a_link_is_followed_to_the_log_beside_its_target(wal_story: Path, tmp_path: Path, writer_of: Writers) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(wal_story)
    writer_of(wal_story).do("write")
    assert topics(link) == 2
    assert names(tmp_path) == ["link.db", "story"]


def test_a_replaced_file_is_opened_anew(story: Path, small_story: Path, tmp_path: Path) -> None:
    other = Path(shutil.copyfile(small_story, tmp_path / "other.db"))
    connection = sqlite3.connect(other)
    connection.execute("DELETE FROM events")
    connection.commit()
    connection.close()
    with open_database(story) as database:
        mark = database.data_version()
        assert len(database.events("s")) == 1
        other.replace(story)
        assert database.data_version() != mark
        assert database.events("s") == []
        story.unlink()
        # What was open stays readable on POSIX; nothing better can be had.
        assert [session.id for session in database.sessions()] == ["s"]


def test_a_file_may_be_closed_by_another_thread(story: Path) -> None:
    database = open_database(story)
    thread = threading.Thread(target=database.close)
    thread.start()
    thread.join()
    with pytest.raises(SourceError, match="was closed"):
        database.sessions()


def test_nothing_can_be_written_through_the_connection(story: Path) -> None:
    file = open_readonly(story)
    for statement in ("DELETE FROM sessions", "CREATE TABLE t (x)", "PRAGMA user_version = 3"):
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            file.connection().execute(statement)
    file.close()
    file.close()
    with pytest.raises(SourceError, match="was closed"):
        file.connection()


def test_an_interrupted_read_says_so(story: Path) -> None:
    with open_database(story) as database:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        timer = threading.Timer(0.1, database.interrupt)
        timer.start()
        with pytest.raises(ReadCancelledError, match="cancelled"):
            database._tables.number("events", endless)
        timer.join()
        assert len(database.events("s")) == 1
