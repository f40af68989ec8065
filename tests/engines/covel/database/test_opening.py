"""Opening leaves file and folder as they were, sees what a running game commits, and explains what it cannot open."""

import gc
import gzip
import os
import shutil
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.domain import ReadCancelledError, SourceError
from covel_inspector.engines.covel.database import Generation, Way, open_database, open_readonly
from covel_inspector.engines.covel.database.header import FileHandle
from covel_inspector.engines.covel.database.opening import lock_owner

DATA = Path(__file__).parents[3] / "data"
Contents = Callable[[Path], dict[str, bytes]]
Writers = Callable[..., Any]


def topics(path: Path) -> int:
    with open_database(path) as database:
        return len(database.events("s"))


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def temporary_copies() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("covel-inspector-*"))


@pytest.fixture(autouse=True)
def _no_copies_left() -> Any:
    before = temporary_copies()
    yield
    assert temporary_copies() <= before


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


def test_a_running_game_is_followed_and_left_alone(wal_story: Path, writer_of: Writers, contents_of: Contents) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    files = names(wal_story.parent)
    with open_database(wal_story) as database:
        assert database.access.way is Way.LIVE
        assert len(database.events("s")) == 2
        mark = database.data_version()
        assert database.data_version() == mark
        writer.do("write")
        assert database.data_version() != mark
        assert len(database.events("s")) == 3
        writer.do("checkpoint")
        writer.do("write")
        assert len(database.events("s")) == 4
        assert names(wal_story.parent) == files
    writer.do("write")
    writer.do("quit")
    # The last connection of the game puts its log away; nothing of ours is in its way.
    assert names(wal_story.parent) == ["covel.db"]
    assert topics(wal_story) == 5


def test_a_game_that_ends_while_we_look_on_can_put_its_log_away(wal_story: Path, writer_of: Writers) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    with open_database(wal_story) as database:
        assert len(database.events("s")) == 2
        database.data_version()
        mark = database.data_version()
        writer.do("quit")
        assert names(wal_story.parent) == ["covel.db"]
        assert database.data_version() != mark
        assert len(database.events("s")) == 2
        assert database.access.way is Way.IMMUTABLE
    assert names(wal_story.parent) == ["covel.db"]


def test_a_game_that_starts_while_we_look_on_is_followed(wal_story: Path, writer_of: Writers) -> None:
    with open_database(wal_story) as database:
        assert database.access.way is Way.IMMUTABLE
        assert len(database.events("s")) == 1
        mark = database.data_version()
        writer = writer_of(wal_story)
        writer.do("write")
        assert database.data_version() != mark
        assert len(database.events("s")) == 2
        assert database.access.way is Way.LIVE
        writer.do("checkpoint")
        writer.do("write")
        assert len(database.events("s")) == 3


def test_a_rollback_file_that_becomes_a_wal_file_is_opened_anew(story: Path, writer_of: Writers) -> None:
    with open_database(story) as database:
        assert database.access.way is Way.PLAIN
        writer = writer_of(story, "wal")
        writer.do("write")
        writer.do("quit")
        assert len(database.events("s")) == 2
        assert database.access.way is Way.IMMUTABLE
    assert names(story.parent) == ["covel.db"]


def test_a_rollback_writer_is_not_disturbed(story: Path, writer_of: Writers) -> None:
    writer = writer_of(story, "delete")
    with open_database(story) as database:
        mark = database.data_version()
        for count in range(3):
            writer.do("write")
            assert len(database.events("s")) == 2 + count
            assert database.data_version() != mark
            mark = database.data_version()
    writer.do("quit")
    assert names(story.parent) == ["covel.db"]


def test_what_a_killed_game_left_is_read_and_stays(wal_story: Path, writer_of: Writers, contents_of: Contents) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    writer.do("die")
    before = contents_of(wal_story.parent)
    assert sorted(before) == ["covel.db", "covel.db-shm", "covel.db-wal"]
    assert topics(wal_story) == 2
    assert contents_of(wal_story.parent) == before


def test_a_log_without_its_index_is_read_from_a_copy(
    wal_story: Path, writer_of: Writers, contents_of: Contents
) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    writer.do("die")
    (wal_story.parent / "covel.db-shm").unlink()
    before = contents_of(wal_story.parent)
    with open_database(wal_story) as database:
        assert database.access.way is Way.COPY
        assert "copy" in str(database.access.reason)
        assert len(database.events("s")) == 2
        assert database.path == wal_story.resolve()
        mark = database.data_version()
        assert database.data_version() == mark
    assert contents_of(wal_story.parent) == before
    # The game comes back: the copy is given up, the file followed.
    with open_database(wal_story) as database:
        mark = database.data_version()
        writer_of(wal_story).do("write")
        assert database.data_version() != mark
        assert len(database.events("s")) == 3
        assert database.access.way is Way.LIVE


def test_an_interrupted_change_is_rolled_back_in_a_copy_only(
    story: Path, writer_of: Writers, contents_of: Contents
) -> None:
    clean = story.read_bytes()
    writer = writer_of(story, "delete")
    writer.do("half")
    writer.do("die")
    before = contents_of(story.parent)
    assert sorted(before) == ["covel.db", "covel.db-journal"]
    assert before["covel.db"] != clean
    with open_database(story) as database:
        assert database.access.way is Way.COPY
        assert len(database.events("s")) == 1
    assert contents_of(story.parent) == before


def test_a_writer_in_the_middle_of_a_change_gives_a_sentence(story: Path, writer_of: Writers) -> None:
    writer = writer_of(story, "delete")
    writer.do("half")
    with pytest.raises(SourceError, match=r"being written at this moment\. Try again"):
        open_database(story)


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


def test_two_openings_in_one_process_keep_each_others_locks(wal_story: Path, writer_of: Writers) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    with open_database(wal_story) as first:
        assert len(first.events("s")) == 2
        open_database(wal_story).close()
        writer.do("quit")
        # The first still holds the file, so the game had to leave its log.
        assert (wal_story.parent / "covel.db-wal").exists()
        assert len(first.events("s")) == 2


@pytest.mark.parametrize(
    ("lock", "owner"),
    [
        ('{"pid": 1234, "startedAt": "2026-11-02T09:15:27.481Z"}', 1234),
        ('{"pid": true}', None),
        ('{"pid": "1"}', None),
        ("[1]", None),
        ("{", None),
        ("[" * 9000, None),
        (None, None),
    ],
)
def test_the_lock_file_is_only_read(lock: str | None, owner: int | None, wal_story: Path, writer_of: Writers) -> None:
    file = wal_story.with_name("covel.db.lock")
    if lock is not None:
        file.write_text(lock, encoding="utf-8")
    writer_of(wal_story).do("write")
    with open_database(wal_story) as database:
        assert (f"names process {owner}" in str(database.access.reason)) == (owner is not None)
    assert lock_owner(wal_story) == owner
    assert file.exists() == (lock is not None)


def test_a_schema_that_changes_while_we_look_on(wal_story: Path, writer_of: Writers) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    with open_database(wal_story) as database:
        assert database.generation is Generation.CURRENT
        database.data_version()
        writer.do("upgrade")
        assert len(database.events("s")) == 2
        database.data_version()
        assert [entry.owner for entry in database.lorebook("s")] == ["plugin:world"]


def test_a_file_may_be_closed_by_another_thread(story: Path) -> None:
    database = open_database(story)
    thread = threading.Thread(target=database.close)
    thread.start()
    thread.join()
    with pytest.raises(SourceError, match="was closed"):
        database.sessions()


def test_a_copy_that_cannot_be_made(
    wal_story: Path, writer_of: Writers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    writer.do("die")
    (wal_story.parent / "covel.db-shm").unlink()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(SourceError, match="had to be copied to be read safely, and that failed: No such file"):
        open_database(wal_story)


def test_a_file_that_never_stands_still_is_not_copied(
    wal_story: Path, writer_of: Writers, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    (wal_story.parent / "covel.db-shm").rename(wal_story.parent / "elsewhere")
    original = FileHandle.copy_to

    def disturbed(handle: FileHandle, target: Path) -> None:
        original(handle, target)
        writer.do("write")

    monkeypatch.setattr(FileHandle, "copy_to", disturbed)
    with pytest.raises(SourceError, match="is being written at this moment"):
        open_database(wal_story)


def test_nothing_can_be_written_through_the_connection(story: Path) -> None:
    file = open_readonly(story)
    for statement in ("DELETE FROM sessions", "CREATE TABLE t (x)", "PRAGMA user_version = 3"):
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            file.connection().execute(statement)
    file.close()
    file.close()
    with pytest.raises(SourceError, match="was closed"):
        file.connection()


def test_a_forgotten_file_is_given_back(wal_story: Path, writer_of: Writers) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    writer.do("die")
    (wal_story.parent / "covel.db-shm").unlink()
    before = temporary_copies()
    file = open_readonly(wal_story)
    assert temporary_copies() != before
    del file
    gc.collect()
    assert temporary_copies() == before


def test_an_interrupted_read_says_so(story: Path) -> None:
    with open_database(story) as database:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        timer = threading.Timer(0.1, database.interrupt)
        timer.start()
        with pytest.raises(ReadCancelledError, match="cancelled"):
            database._tables.number("events", endless)
        timer.join()
        assert len(database.events("s")) == 1


def damaged(original: bytes, changes: dict[int, bytes]) -> bytes:
    content = bytearray(original)
    for offset, replacement in changes.items():
        content[offset : offset + len(replacement)] = replacement
    return bytes(content)


BAD_FILES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "is empty"),
    "zeros": (lambda whole: bytes(len(whole)), "nothing but zeros"),
    "text": (lambda _: b"Dear diary,\n", "is no SQLite database"),
    "json": (lambda _: b'{"messages": []}', "is no SQLite database"),
    "encrypted": (lambda whole: bytes(byte ^ 0x5A for byte in whole), "or it is encrypted"),
    "packed": (gzip.compress, "packed archive"),
    "zip": (lambda whole: b"PK\x03\x04" + whole, "packed archive"),
    "dump": (lambda _: b"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", "text dump"),
    "only the magic": (lambda whole: whole[:16], "within its header"),
    "half a header": (lambda whole: whole[:99], "within its header"),
    "half a page": (lambda whole: whole[:300], "is cut off: 300 of"),
    "one page": (lambda whole: whole[:512], "is cut off: 512 of"),
    "half": (lambda whole: whole[: len(whole) // 2], "is cut off"),
    "odd page size": (lambda whole: damaged(whole, {16: b"\x03\x01"}), "header is damaged"),
    "unknown version": (lambda whole: damaged(whole, {18: b"\x09\x09"}), "header is damaged"),
    "first page gone": (lambda whole: damaged(whole, {100: b"\xff" * 400}), "is damaged"),
    "schema gone": (lambda whole: damaged(whole, {512: bytes(20_000)}), "is damaged|not one of Covel"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_explained_in_one_line(
    kind: str, small_story: Path, tmp_path: Path, contents_of: Contents
) -> None:
    make, expected = BAD_FILES[kind]
    path = tmp_path / "bad.db"
    path.write_bytes(make(small_story.read_bytes()))
    before = contents_of(tmp_path)
    with pytest.raises(SourceError, match=expected) as caught:
        open_database(path)
    assert_one_line(caught.value, str(path))
    assert contents_of(tmp_path) == before


@pytest.mark.parametrize("sql", ["", "CREATE TABLE notes (id, text)", "CREATE TABLE sessions (x)"])
def test_another_database_is_refused(sql: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 1")
    connection.execute(sql)
    connection.close()
    with pytest.raises(SourceError, match="not one of Covel") as caught:
        open_database(path)
    assert_one_line(caught.value, str(path))


def test_what_is_no_file_is_explained(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    cases = {
        tmp_path: "is a folder",
        "": "is a folder",
        tmp_path / "missing.db": "There is no file",
        tmp_path / "nowhere": "There is no file",
        tmp_path / "loop": "cannot be opened",
        "a\0b.db": "cannot be opened",
        "x" * 300: "cannot be opened",
        tmp_path / "missing" / "covel.db": "There is no file",
    }
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        cases |= {tmp_path / "pipe": "no regular file", "/dev/null": "no regular file"}
    for path, expected in cases.items():
        with pytest.raises(SourceError, match=expected) as caught:
            open_database(path)
        assert "\n" not in str(caught.value)
        assert "\0" not in str(caught.value)


def assert_one_line(error: SourceError, file: str) -> None:
    text = str(error)
    assert file in text
    assert "\n" not in text
    assert text.endswith((".", "?"))
    assert text == str(error.sentence)
