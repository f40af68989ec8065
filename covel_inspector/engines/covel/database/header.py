"""What the first bytes of a file say, before SQLite sees it. Follows the reference on the database, section 1."""

import contextlib
import stat
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from covel_inspector.domain import Sentence, SourceError, plain, say
from covel_inspector.engines.covel.database.connecting import one_line

HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\x00"
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"\xfd7zXZ", b"Rar!", b"\x28\xb5\x2f\xfd", b"BZh")
_COPY_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of a SQLite header that decide how the file may be opened."""

    wal: bool
    """The file is in WAL mode (header bytes 18 and 19)."""
    page_size: int
    """Bytes of a page."""
    pages: int
    """Pages the header promises; 0 when an old writer left the field out."""


class FileHandle:
    """The file itself, read without SQLite. All openings of one file in this process share one descriptor.

    On POSIX systems closing any descriptor of a file drops every lock that this process holds on it, also those of
    a SQLite connection in another thread. So the descriptor is closed with the last opening, never before.
    """

    _lock = threading.Lock()
    _shared: dict[tuple[int, int], tuple[BinaryIO, int]] = {}  # noqa: RUF012 - shared by all on purpose

    def __init__(self, path: Path) -> None:
        with FileHandle._lock:
            info = path.stat()
            self.identity = (info.st_dev, info.st_ino)
            file, count = FileHandle._shared.get(self.identity) or (path.open("rb", buffering=0), 0)
            FileHandle._shared[self.identity] = (file, count + 1)
        self._open = True

    def read(self, offset: int, size: int) -> bytes:
        """At most ``size`` bytes at a byte offset."""
        with FileHandle._lock:
            file = FileHandle._shared[self.identity][0]
            file.seek(offset)
            return file.read(size) or b""

    def copy_to(self, target: Path) -> None:
        """A copy of the whole file."""
        with target.open("wb") as copy:
            offset = 0
            while block := self.read(offset, _COPY_BLOCK):
                copy.write(block)
                offset += len(block)

    def close(self) -> None:
        """Give the descriptor back; close the SQLite connection of this opening first. Idempotent."""
        if not self._open:
            return
        self._open = False
        with FileHandle._lock:
            file, count = FileHandle._shared.pop(self.identity)
            if count > 1:
                FileHandle._shared[self.identity] = (file, count - 1)
            else:
                file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def handle_of(path: Path) -> FileHandle:
    """The file behind a path, if it is a regular file that may be read.

    Raises SourceError with one sentence otherwise; a pipe or device is never opened.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SourceError(
                say("'{file}' is a folder. Name the database file in it, usually covel.db.", file=one_line(path))
            )
        if not stat.S_ISREG(mode):
            raise SourceError(say("'{file}' is no regular file and cannot be opened.", file=one_line(path)))
        return FileHandle(path)
    except FileNotFoundError:
        raise SourceError(say("There is no file '{file}'. Check the path.", file=one_line(path))) from None
    except PermissionError:
        raise SourceError(
            say("'{file}' may not be read by you. Ask its owner for read permission.", file=one_line(path))
        ) from None
    except (OSError, ValueError) as error:
        # ValueError: a NUL inside the path.
        raise SourceError(
            say("'{file}' cannot be opened: {reason}.", file=one_line(path), reason=_reason(error))
        ) from None


def read_header(path: Path, handle: FileHandle) -> Header:
    """The header of a database file. Raises SourceError when these bytes are no SQLite database."""
    name = one_line(path)
    try:
        head = handle.read(0, HEADER_BYTES)
        size = path.stat().st_size
    except OSError as error:
        raise SourceError(say("'{file}' cannot be read: {reason}.", file=name, reason=_reason(error))) from None
    complaint = _complaint(head, name)
    if complaint is not None:
        raise SourceError(complaint)
    page_size = int.from_bytes(head[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    if page_size < 512 or page_size & (page_size - 1) or max(head[18:20]) > 2:
        raise SourceError(
            say("'{file}' begins like a SQLite database, but its header is damaged. Use another copy.", file=name)
        )
    # The page count counts only when the writer also left its change counter beside it.
    pages = int.from_bytes(head[28:32], "big") if head[24:28] == head[92:96] else 0
    if size < page_size:
        raise SourceError(cut_off(path, size, max(pages, 1) * page_size))
    return Header(wal=head[19] == 2, page_size=page_size, pages=pages)


def _complaint(head: bytes, file: str) -> Sentence | None:
    if not head:
        return say("'{file}' is empty (0 bytes), so it holds no database. Was it copied to the end?", file=file)
    if head.startswith(_MAGIC):
        if len(head) < HEADER_BYTES:
            return say("'{file}' is cut off within its header. Copy it again.", file=file)
        return None
    if not head.strip(b"\0"):
        return say("'{file}' begins with nothing but zeros: it was probably not copied to the end.", file=file)
    if head.startswith(_PACKED):
        return say("'{file}' is a packed archive. Unpack it and open the database inside.", file=file)
    if head.lstrip().startswith((b"PRAGMA", b"BEGIN TRANSACTION", b"CREATE TABLE")):
        return say(
            "'{file}' is a text dump of a database. Load it with sqlite3 first, then open the result.", file=file
        )
    return say("'{file}' is no SQLite database, or it is encrypted.", file=file)


def cut_off(path: Path, size: int, expected: int) -> Sentence:
    """The sentence for a file that holds fewer bytes than its header promises."""
    return say(
        "'{file}' is cut off: {size} of at least {expected} bytes are there. Copy it again.",
        file=one_line(path),
        size=size,
        expected=expected,
    )


def _reason(error: Exception) -> Sentence:
    text = error.strerror if isinstance(error, OSError) else str(error)
    return plain(text or type(error).__name__)


def side_file(path: Path, suffix: str) -> Path:
    """The file that SQLite keeps beside a database: ``-wal``, ``-shm`` or ``-journal``."""
    return path.with_name(path.name + suffix)


def side_size(path: Path, suffix: str) -> int:
    """Bytes of a side file; -1 when there is none."""
    with contextlib.suppress(OSError):
        return side_file(path, suffix).stat().st_size
    return -1
