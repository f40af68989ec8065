"""A SQLite connection that cannot write, and what its errors mean for a reader."""

import sqlite3
import unicodedata
from pathlib import PurePath
from urllib.parse import quote

from covel_inspector.domain import ReadCancelledError, Sentence, SourceError, plain, say

BUSY_MS = 1500
"""How long a read waits for a writer that just commits, in milliseconds."""

_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")

# An attached writer may be in the middle of anything; nothing here may ever make SQLite write or trust the file.
_PRAGMAS = (
    "PRAGMA query_only=1",
    "PRAGMA trusted_schema=0",
    "PRAGMA mmap_size=0",  # A mapped file that is cut while we read ends the process.
    "PRAGMA temp_store=2",
    "PRAGMA cell_size_check=1",
)


Fault = sqlite3.Error | MemoryError | UnicodeDecodeError
FAULTS = (sqlite3.Error, MemoryError, UnicodeDecodeError)
"""What reading a damaged file can raise: wrong lengths ask for too much memory, and Python's own module cannot decode
the message of an error that quotes a broken name."""


class RepairedText(str):
    """Text of the database that was no valid UTF-8; what could not be read stands as U+FFFD."""

    __slots__ = ()


def survive(raw: bytes) -> str:
    """Text as SQLite stores it. Never raises: broken UTF-8 comes back as :class:`RepairedText`."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return RepairedText(_repaired(raw))


def _repaired(raw: bytes) -> str:
    """Surrogates written as three bytes each are joined when they pair; everything else unreadable is replaced."""
    try:
        text = raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace")
    return without_lone_surrogates(text)


def without_lone_surrogates(text: str) -> str:
    """The text with pairs of surrogates joined and lone ones as U+FFFD (one for one, so UTF-16 offsets stay)."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def one_line(text: object) -> str:
    """A path or id as it can be put into a line: what would break the line, or cannot be printed, is written out."""
    return "".join(
        character.encode("unicode_escape").decode() if unicodedata.category(character) in _UNPRINTABLE else character
        for character in str(text)
    )


def location(path: PurePath, *, immutable: bool) -> str:
    """The URI of a file for SQLite, every odd character of the path escaped.

    ``readonly_shm`` makes a reader of a WAL file use the shared index that is there, or rebuild it in memory:
    it neither creates one beside the file nor writes into the one a dead writer left.
    """
    # A Windows share: SQLite knows no host in a URI, only a path that begins with two slashes.
    base = "file://" + quote(path.as_posix()) if path.drive.startswith("\\\\") else path.as_uri()
    return base + ("?mode=ro&immutable=1" if immutable else "?mode=ro&readonly_shm=1")


def connect(uri: str) -> sqlite3.Connection:
    """A read-only connection. Raises sqlite3.Error; nothing of the file is read yet."""
    # SQLite itself takes care of threads; a file may be closed by another one than that which opened it.
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_MS / 1000, check_same_thread=False)
    connection.text_factory = survive
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    return connection


def probe(connection: sqlite3.Connection) -> None:
    """Read the schema once, so that a file that cannot be read says so now. Raises one of FAULTS."""
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def tolerate_broken_schema(connection: sqlite3.Connection) -> None:
    """Leave out tables and indexes whose definition is broken, instead of refusing the whole file."""
    # The name of the pragma is about something else; the connection is read-only with or without it.
    connection.execute("PRAGMA writable_schema=1")


def code_of(error: Fault) -> int:
    """The primary result code of an error, 0 when it is one of Python's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_cancelled(error: Fault) -> bool:
    """Whether the error is the answer to an interrupt."""
    return code_of(error) == sqlite3.SQLITE_INTERRUPT


def is_busy(error: Fault) -> bool:
    """Whether somebody else holds the file for longer than we wait."""
    return code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def source_error(error: Fault, file: str) -> SourceError:
    """The sentence for an error that leaves nothing to show."""
    return ReadCancelledError() if is_cancelled(error) else SourceError(explain(error, file))


def explain(error: Fault, file: str) -> Sentence:
    """One sentence for a result code, with what to do."""
    code = code_of(error)
    if isinstance(error, MemoryError | UnicodeDecodeError):
        code = sqlite3.SQLITE_CORRUPT
    if code == sqlite3.SQLITE_NOTADB:
        return say("'{file}' is no SQLite database, or it is encrypted.", file=file)
    if code == sqlite3.SQLITE_CORRUPT:
        return say("'{file}' is damaged and cannot be read by SQLite. Open another copy of it.", file=file)
    if is_busy(error):
        return say("'{file}' is being written at this moment. Try again in a second.", file=file)
    if code == sqlite3.SQLITE_FULL:
        return say("There is no space left to open '{file}'. Free some space for temporary files.", file=file)
    return say("'{file}' cannot be read: {reason}.", file=file, reason=plain(" ".join(str(error).split())))
