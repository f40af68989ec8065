"""Small story databases, and a second process that writes into them."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from story_files import DATA, Writer, as_nobody, contents, fill

SYSTEM_TEMPORARY = tempfile.gettempdir()


@pytest.fixture
def writer_of() -> Iterator[Callable[..., Writer]]:
    """Start writers; all are ended after the test."""
    started: list[Writer] = []

    def start(path: Path, mode: str = "wal") -> Writer:
        started.append(Writer(path, mode))
        return started[-1]

    yield start
    for writer in started:
        writer.end()


@pytest.fixture(scope="session")
def small_story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A story of one turn and two calls with the newest schema and the smallest pages, in rollback mode. Copy it."""
    path = tmp_path_factory.mktemp("small") / "small.db"
    original = sqlite3.connect((DATA / "tidewater.db").as_uri() + "?mode=ro", uri=True)
    story = sqlite3.connect(path, isolation_level=None)
    story.execute("PRAGMA page_size=512")
    for (sql,) in original.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"):
        story.execute(sql)
    fill(story)
    original.close()
    story.close()
    return path


@pytest.fixture
def story(tmp_path: Path, small_story: Path) -> Path:
    """A small story of its own in a folder of its own, rollback mode."""
    folder = tmp_path / "story"
    folder.mkdir()
    return Path(shutil.copyfile(small_story, folder / "covel.db"))


@pytest.fixture
def wal_story(story: Path) -> Path:
    """The same in WAL mode, closed cleanly: no log beside it."""
    connection = sqlite3.connect(story)
    connection.execute("PRAGMA journal_mode=wal")
    connection.execute("UPDATE sessions SET status = 'active'")
    connection.commit()
    connection.close()
    assert [file.name for file in story.parent.iterdir()] == ["covel.db"]
    return story


@pytest.fixture
def open_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that other users can reach, for tests that give up their rights; beside it one for temporary files."""
    base = Path(tempfile.mkdtemp(prefix="covel-test-", dir=SYSTEM_TEMPORARY))
    story, temporary = base / "story", base / "temporary"
    for folder, mode in ((base, 0o755), (story, 0o755), (temporary, 0o777)):
        folder.mkdir(exist_ok=True)
        folder.chmod(mode)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield story
    assert list(temporary.iterdir()) == []
    story.chmod(0o755)
    shutil.rmtree(base)


@pytest.fixture
def nobody() -> Callable[[], contextlib.AbstractContextManager[None]]:
    """A context in which we are no root. Skips where the system knows no users."""
    if not hasattr(os, "seteuid"):
        pytest.skip("file permissions of this system are not those of POSIX")
    return as_nobody


@pytest.fixture
def contents_of() -> Callable[[Path], dict[str, bytes]]:
    """Names and bytes of all files of a folder."""
    return contents


@pytest.fixture(autouse=True)
def _no_copies_left(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Temporary copies do not outlive a test."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []
