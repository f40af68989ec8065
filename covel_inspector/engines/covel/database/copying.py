"""A private copy of a database and what stands beside it, for files that could not be read without writing."""

import shutil
import tempfile
from pathlib import Path

from covel_inspector.domain import SourceError, plain, say
from covel_inspector.engines.covel.database.connecting import one_line
from covel_inspector.engines.covel.database.header import FileHandle, side_file

_TRIES = 3


class PrivateCopy:
    """A copy of a file and of its side files in a temporary folder of its own, removed at the latest when we end.

    Copied again when somebody wrote meanwhile. Raises SourceError when that never ends or the copy fails.
    """

    def __init__(self, path: Path, handle: FileHandle, suffixes: tuple[str, ...]) -> None:
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="covel-inspector-", ignore_cleanup_errors=True)
        except OSError as error:
            raise _failed(path, error) from None
        self.path = Path(self._folder.name) / "copy.db"
        try:
            undisturbed = any(_copied(path, handle, self.path, suffixes) for _ in range(_TRIES))
        except OSError as error:
            self.remove()
            raise _failed(path, error) from None
        if not undisturbed:
            self.remove()
            raise SourceError(
                say("'{file}' is being written at this moment. Try again in a second.", file=one_line(path))
            )

    def remove(self) -> None:
        """Remove the folder, with whatever SQLite has put there. Close every connection first. Idempotent."""
        self._folder.cleanup()


def _copied(path: Path, handle: FileHandle, target: Path, suffixes: tuple[str, ...]) -> bool:
    """Copy once; False when the original changed meanwhile."""
    before = _stamps(path, suffixes)
    handle.copy_to(target)
    for suffix in suffixes:
        original, copy = side_file(path, suffix), side_file(target, suffix)
        if original.exists():
            shutil.copyfile(original, copy)
        else:
            copy.unlink(missing_ok=True)
    return _stamps(path, suffixes) == before


def _failed(path: Path, error: OSError) -> SourceError:
    return SourceError(
        say(
            "'{file}' had to be copied to be read safely, and that failed: {reason}.",
            file=one_line(path),
            reason=plain(error.strerror or type(error).__name__),
        )
    )


def _stamps(path: Path, suffixes: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    stamps = []
    for file in (path, *(side_file(path, suffix) for suffix in suffixes)):
        try:
            info = file.stat()
        except FileNotFoundError:
            stamps.append((-1, 0))
        else:
            stamps.append((info.st_size, info.st_mtime_ns))
    return tuple(stamps)
