"""How a story database is opened so that nothing in its folder changes and its game never has to wait.

Follows the reference on the database, "Opening safely", with one thing more: a WAL file is read with
``readonly_shm=1``, so that the shared index of a killed game is not even rewritten.
"""

import contextlib
import json
import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from covel_inspector.domain import Sentence, SourceError, say
from covel_inspector.engines.covel.database.connecting import (
    FAULTS,
    Fault,
    code_of,
    connect,
    is_busy,
    location,
    one_line,
    probe,
    source_error,
    tolerate_broken_schema,
)
from covel_inspector.engines.covel.database.copying import PrivateCopy
from covel_inspector.engines.covel.database.header import (
    FileHandle,
    Header,
    cut_off,
    handle_of,
    read_header,
    side_file,
    side_size,
)

_WAL_MODE_BYTE = 19
_LOCK_BYTES = 4096
_ABSENT = (0, 0, 0)


class Way(StrEnum):
    """How a file was opened."""

    LIVE = "live"
    """WAL mode with its log: sees every commit of a running game."""
    IMMUTABLE = "immutable"
    """WAL mode without a log: nobody has it open."""
    PLAIN = "plain"
    """Rollback-journal mode."""
    COPY = "copy"
    """A private copy, because the file could not be read without writing beside it."""


@dataclass(frozen=True, slots=True)
class Access:
    """How a file was opened, and why that way."""

    way: Way
    reason: Sentence


_LIVE = Access(Way.LIVE, say("Read live, together with its write-ahead log"))
_DEAD = Access(Way.COPY, say("Read from a copy: its write-ahead log is there, but the index of that log is not"))
_CLEAN = Access(Way.IMMUTABLE, say("Read as a file that nobody writes: it was closed cleanly"))
_PLAIN = Access(Way.PLAIN, say("Read directly: it keeps no write-ahead log"))
_HOT = Access(Way.COPY, say("Read from a copy: an interrupted change waits beside it to be rolled back"))
_UNREACHABLE = Access(Way.COPY, say("Read from a copy: SQLite could not open it where it lies"))


class OpenedFile:
    """A database file that is open for reading.

    Used by one thread at a time; :meth:`interrupt` may be called from any thread while another one reads.

    ``access`` says how it is open *now*: when a game starts, ends, or replaces the file meanwhile, the next
    :meth:`connection` opens it again by the same rules. ``openings`` counts up whenever the schema may be another.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        """The file itself, links resolved."""
        self.openings = 0
        self._connection: sqlite3.Connection | None = None
        self._copy: PrivateCopy | None = None
        self._stamp = _ABSENT
        self._expected = 0
        self.schema_damaged = False
        """Whether definitions of tables or indexes are broken and left out."""
        self._copy_of = (_ABSENT, _ABSENT)
        self._version = 0
        self._commits = 0
        self._used = False
        self._closed = False
        self._handle: FileHandle | None = None
        self.access = self._open()

    def connection(self) -> sqlite3.Connection:
        """The connection to read with, valid for the file as it is at this moment. Raises SourceError."""
        if self._closed:
            raise SourceError(say("'{file}' was closed.", file=one_line(self.path)))
        self._used = True
        if self._connection is None or not self._still_right():
            self._release()
            self.access = self._open()
        connection = self._connection
        if connection is None:  # pragma: no cover - _open either connects or raises
            raise SourceError(say("'{file}' was closed.", file=one_line(self.path)))
        return connection

    def mark(self) -> str:
        """A text that changes when something was committed, or the file was replaced. Cheap.

        A live file that was not read since the last mark is let go until the next read: a game that ends while we
        hold it could not put its log away. A copy is let go when its original has changed.
        """
        stamps = (_stamp(self.path), _stamp(self.path, "-wal"))
        if not self._closed:
            idle = self.access.way is Way.LIVE and not self._used
            stale = self.access.way is Way.COPY and stamps != self._copy_of
            if idle or stale:
                self._release()
            self._commits += self._committed()
            self._used = False
        return f"{self._commits}:{stamps}"

    def _committed(self) -> int:
        """1 when SQLite saw a commit since it was asked last: the clock of the file system may be too coarse."""
        if self._connection is None:
            return 0
        try:
            version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        except FAULTS:
            return 0
        before, self._version = self._version, version
        if before in (0, version):
            return 0
        # The commit may have been an upgrade of the schema.
        self.openings += 1
        return 1

    def interrupt(self) -> None:
        """Stop the query that runs; it raises ReadCancelledError in its own thread. May be called from any thread."""
        connection = self._connection
        if connection is not None:
            connection.interrupt()

    def close(self) -> None:
        """Give the file back and remove a temporary copy. Idempotent."""
        self._closed = True
        self._release()

    def __del__(self) -> None:
        if not getattr(self, "_closed", True):
            self.close()

    def _release(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._copy is not None:
            self._copy.remove()
            self._copy = None
        # Last: closing the descriptor first would drop the locks of the connection.
        if self._handle is not None:
            self._handle.close()
            self._handle = None

    def _open(self) -> Access:
        handle = handle_of(self.path)
        self._handle = handle
        try:
            header = read_header(self.path, handle)
            self._stamp = _stamp(self.path)
            self._expected = header.pages * header.page_size
            self._copy_of = (self._stamp, _stamp(self.path, "-wal"))
            access = self._open_in_place(handle, header)
        except FAULTS as error:
            self._release()
            raise self._explained(error) from None
        except BaseException:
            self._release()
            raise
        self.openings += 1
        return access

    def _open_in_place(self, handle: FileHandle, header: Header) -> Access:
        try:
            return self._open_wal(handle) if header.wal else self._open_plain(handle)
        except sqlite3.OperationalError as error:
            # A path longer than SQLite takes, a file system without locks or shared memory …
            if code_of(error) != sqlite3.SQLITE_CANTOPEN or self._copy is not None:
                raise
            self._connect_copy(handle, "-wal", "-journal")
            return _UNREACHABLE

    def _open_wal(self, handle: FileHandle) -> Access:
        log = side_size(self.path, "-wal")
        if log >= 0 and side_size(self.path, "-shm") >= 0:
            try:
                self._connect(self.path)
            except sqlite3.OperationalError as error:
                if is_busy(error):
                    raise
            else:
                return self._live()
        if log > 0:
            self._connect_copy(handle, "-wal")
            return _DEAD
        self._connect(self.path, immutable=True)
        return _CLEAN

    def _live(self) -> Access:
        owner = lock_owner(self.path)
        if owner is None:
            return _LIVE
        return Access(Way.LIVE, say("{how}; its lock file names process {pid}", how=_LIVE.reason, pid=owner))

    def _open_plain(self, handle: FileHandle) -> Access:
        try:
            self._connect(self.path)
        except sqlite3.OperationalError as error:
            # A journal that nobody works on has to be rolled back before the file can be read. Not in place.
            if is_busy(error) or side_size(self.path, "-journal") <= 0:
                raise
            self._connect_copy(handle, "-journal")
            return _HOT
        return _PLAIN

    def _connect(self, path: Path, *, immutable: bool = False) -> None:
        connection = connect(location(path, immutable=immutable))
        try:
            self.schema_damaged = not self._schema_is_sound(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        self._version = 0

    def _schema_is_sound(self, connection: sqlite3.Connection) -> bool:
        """Whether every definition could be read; otherwise those that could not are left out from now on."""
        try:
            probe(connection)
        except FAULTS as error:
            if isinstance(error, sqlite3.OperationalError) or self._is_cut_off():
                raise
            tolerate_broken_schema(connection)
            probe(connection)
            return False
        return True

    def _connect_copy(self, handle: FileHandle, *suffixes: str) -> None:
        self._copy = PrivateCopy(self.path, handle, suffixes)
        # The copy is ours: SQLite may recover it as it likes. What it cannot recover shows when it is opened.
        with contextlib.closing(sqlite3.connect(self._copy.path)) as recovering, contextlib.suppress(*FAULTS):
            probe(recovering)
        self._connect(self._copy.path, immutable=True)

    def _still_right(self) -> bool:
        """Whether the way it was opened still fits: somebody may have started, ended or replaced the file."""
        try:
            info = self.path.stat()
        except OSError:
            # Deleted or unreachable: what we hold is the last that can be read.
            return True
        if self._handle is None or (info.st_dev, info.st_ino) != self._handle.identity:
            return False
        if self.access.way is Way.IMMUTABLE:
            return _stamp(self.path) == self._stamp and side_size(self.path, "-wal") <= 0
        if self.access.way is Way.PLAIN:
            return self._handle.read(_WAL_MODE_BYTE, 1) == b"\x01"
        return True

    def _is_cut_off(self) -> bool:
        return self._stamp[1] < self._expected

    def _explained(self, error: Fault) -> SourceError:
        if not isinstance(error, sqlite3.OperationalError) and self._is_cut_off():
            return SourceError(cut_off(self.path, self._stamp[1], self._expected))
        return source_error(error, one_line(self.path))


def open_readonly(path: str | Path) -> OpenedFile:
    """Open a database file for reading by the table "Opening safely".

    Raises SourceError with one clear sentence for anything that is no readable SQLite database.
    """
    text = str(path)
    try:
        # SQLite keeps its side files beside the file a link leads to.
        resolved = Path(text).resolve()
    except (OSError, ValueError, RuntimeError):
        resolved = Path(text)
    return OpenedFile(resolved)


def lock_owner(path: Path) -> int | None:
    """The process that the engine's lock file beside a database names; it may be long dead. Never raises."""
    try:
        with side_file(path, ".lock").open("rb") as file:
            lock = json.loads(file.read(_LOCK_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    owner = lock.get("pid") if isinstance(lock, dict) else None
    return owner if isinstance(owner, int) and not isinstance(owner, bool) else None


def _stamp(path: Path, suffix: str = "") -> tuple[int, int, int]:
    """Inode, bytes and time of the last change of a file; zeros when it is not there."""
    try:
        info = (side_file(path, suffix) if suffix else path).stat()
    except OSError:
        return _ABSENT
    return (info.st_ino, info.st_size, info.st_mtime_ns)
