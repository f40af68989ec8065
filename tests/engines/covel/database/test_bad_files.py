"""What is no readable story database is explained in one line."""

import gzip
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from story_files import Contents

from covel_inspector.domain import SourceError
from covel_inspector.engines.covel.database import open_database


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
