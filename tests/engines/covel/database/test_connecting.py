"""Paths become URIs that SQLite understands, errors become sentences, and broken text stays readable."""

import sqlite3
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from covel_inspector.domain import ReadCancelledError
from covel_inspector.engines.covel.database.connecting import (
    RepairedText,
    explain,
    location,
    source_error,
    survive,
    without_lone_surrogates,
)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PurePosixPath("/a b/c?d#e%.db"), "file:///a%20b/c%3Fd%23e%25.db"),
        (PurePosixPath("/灯.db"), "file:///%E7%81%AF.db"),
        (PureWindowsPath(r"C:\Spiele\灯 1.db"), "file:///C:/Spiele/%E7%81%AF%201.db"),
        (PureWindowsPath(r"\\server\share\covel.db"), "file:////server/share/covel.db"),
    ],
)
def test_locations(path: PurePosixPath | PureWindowsPath, uri: str) -> None:
    assert location(path, immutable=True) == f"{uri}?mode=ro&immutable=1"
    assert location(path, immutable=False) == f"{uri}?mode=ro&readonly_shm=1"


def test_text_that_is_valid_is_plain() -> None:
    assert survive("灯\0".encode()) == "灯\0"
    assert type(survive(b"lamp")) is str
    assert type(survive(b"\xff")) is RepairedText


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert without_lone_surrogates("a\ud83d\udd6fb\ud83dc\udd6f") == "a\U0001f56fb�c�"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (sqlite3.SQLITE_NOTADB, "is no SQLite database, or it is encrypted"),
        (sqlite3.SQLITE_CORRUPT, "is damaged"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "is damaged"),
        (sqlite3.SQLITE_BUSY, "is being written"),
        (sqlite3.SQLITE_BUSY_RECOVERY, "is being written"),
        (sqlite3.SQLITE_FULL, "no space left"),
        (sqlite3.SQLITE_IOERR_READ, "cannot be read: disk on fire"),
    ],
)
def test_errors_are_explained_by_their_code(code: int, expected: str) -> None:
    error = sqlite3.OperationalError("disk\non fire")
    error.sqlite_errorcode = code
    text = str(explain(error, "story.db"))
    assert expected in text
    assert "\n" not in text
    assert "'story.db'" in text


def test_damage_that_python_reports_in_its_own_way() -> None:
    assert "is damaged" in str(explain(MemoryError(), "story.db"))


def test_an_interrupt_is_no_fault_of_the_file() -> None:
    error = sqlite3.OperationalError("interrupted")
    error.sqlite_errorcode = sqlite3.SQLITE_INTERRUPT
    assert isinstance(source_error(error, "story.db"), ReadCancelledError)
