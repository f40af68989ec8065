"""A private copy of a database and what stands beside it, for files that could not be read without writing."""

import shutil
import tempfile
from pathlib import Path

from covel_inspector.domain import SourceError, plain, say
from covel_inspector.engines.covel.database.connecting import one_line
from covel_inspector.engines.covel.database.header import FileHandle, side_file

_TRIES = 3


def copied(path: Path, handle: FileHandle, suffixes: tuple[str, ...]) -> Path:
    """A copy of the file and of its side files in a new temporary folder; the caller removes it with :func:`removed`.

    Copied again when somebody wrote meanwhile. Raises SourceError when that never ends or the copy fails.
    """
    target = Path("copy.db")
    try:
        target = Path(tempfile.mkdtemp(prefix="covel-inspector-")) / target
        for _ in range(_TRIES):
            before = _stamps(path, suffixes)
            handle.copy_to(target)
            for suffix in suffixes:
                side = side_file(path, suffix)
                if side.exists():
                    shutil.copyfile(side, side_file(target, suffix))
                else:
                    side_file(target, suffix).unlink(missing_ok=True)
            if _stamps(path, suffixes) == before:
                return target
    except OSError as error:
        if target.is_absolute():
            removed(target)
        raise SourceError(
            say(
                "'{file}' had to be copied to be read safely, and that failed: {reason}.",
                file=one_line(path),
                reason=plain(error.strerror or type(error).__name__),
            )
        ) from None
    removed(target)
    raise SourceError(say("'{file}' is being written at this moment. Try again in a second.", file=one_line(path)))


def removed(copy: Path) -> None:
    """Remove a copy with its folder, whatever SQLite has put there. Never raises."""
    shutil.rmtree(copy.parent, ignore_errors=True)


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
