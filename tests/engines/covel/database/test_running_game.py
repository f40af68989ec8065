"""Beside a game that runs, starts, ends or was killed: its commits are seen, its files left alone."""

import gc
import tempfile
from pathlib import Path

import pytest
from story_files import Contents, Writers, names, temporary_copies, topics

from covel_inspector.domain import SourceError
from covel_inspector.engines.covel.database import Generation, Way, open_database, open_readonly
from covel_inspector.engines.covel.database.header import FileHandle
from covel_inspector.engines.covel.database.opening import lock_owner


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


def test_a_forgotten_file_is_given_back(wal_story: Path, writer_of: Writers) -> None:
    writer = writer_of(wal_story)
    writer.do("write")
    writer.do("die")
    (wal_story.parent / "covel.db-shm").unlink()
    file = open_readonly(wal_story)
    assert len(temporary_copies()) == 1
    del file
    gc.collect()
    assert temporary_copies() == []
