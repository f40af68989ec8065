"""The only door to the disk: regular files inside the given folders, up to a limit, and a list of problems."""

import errno
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from covel_inspector.domain import Problem, Sentence, Severity, plain, say
from covel_inspector.engines.covel.records.manifests import FilePlace

MAX_FILE_BYTES = 2 * 1024 * 1024
"""Bytes of one file; larger ones are not read."""

MAX_FILES = 4000
"""Files of one checkout; the rest is not read."""

MAX_TOTAL_BYTES = 64 * 1024 * 1024
"""Bytes of all files together; the rest is not read."""

MAX_PROBLEMS = 100
"""Problems that are listed for one file."""

MAX_ENTRIES = 4000
"""Entries of one folder that are looked at."""

_CAUTION = ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
"""Flags for opening, where the system has them."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """The text of a file: line ends are LF, a byte order mark is removed. ``path`` is what a reader is shown."""

    path: str
    text: str

    def place(self, line: int = 1) -> FilePlace:
        """A line of this file."""
        return FilePlace(self.path, line)


@dataclass(slots=True)
class Desk:
    """Reads inside ``bases`` (real paths) and notes what goes wrong; paths in its problems are relative to ``root``."""

    root: Path
    bases: tuple[Path, ...]
    reports: list[tuple[FilePlace, Problem]] = field(default_factory=list)
    files_read: int = 0
    bytes_read: int = 0
    limit_reported: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    """Reports by path."""

    def start_over(self) -> None:
        """Count files and bytes anew: what comes next has limits of its own."""
        self.files_read = self.bytes_read = 0
        self.limit_reported = False

    def left_aside(self, path: Path) -> bool:
        """True for a file that is there but may not have been read for the limits, and so is not missing."""
        return self.limit_reported and self.has(path)

    def report(self, severity: Severity, place: FilePlace, sentence: Sentence) -> None:
        """Note a problem at a line of a file; line 0 means the file or folder as a whole."""
        count = self.counts[place.path] = self.counts.get(place.path, 0) + 1
        if count > MAX_PROBLEMS + 1:
            return
        if count == MAX_PROBLEMS + 1:
            severity, sentence = Severity.WARNING, say("There are more problems in this file")
        where = f"{place.path}:{place.line}" if place.line else place.path
        self.reports.append((place, Problem(severity, where, sentence)))

    def is_full(self, path: str) -> bool:
        """True when no more problems of this file will be listed, so that their lines need not be found."""
        return self.counts.get(path, 0) > MAX_PROBLEMS

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was reported: files in the order of their first problem, and in each file from top to bottom."""
        order: dict[str, int] = {}
        for place, _ in self.reports:
            order.setdefault(place.path, len(order))
        ranked = sorted(self.reports, key=lambda report: (order[report[0].path], report[0].line))
        return tuple(problem for _, problem in ranked)

    def shown(self, path: Path) -> str:
        """The path as people see it: relative to the root where possible, with forward slashes."""
        try:
            return path.relative_to(self.root).as_posix() or "."
        except ValueError:
            return path.as_posix()

    def folders(self, folder: Path) -> list[Path]:
        """The folders inside ``folder``, by name. Links that lead out of the bases and hidden names are left out."""
        return [path for path in self._entries(folder) if self._kind(path) == stat.S_IFDIR]

    def names(self, folder: Path) -> list[str]:
        """The names of everything in ``folder``, sorted, whatever they are."""
        return [path.name for path in self._entries(folder)]

    def is_folder(self, path: Path) -> bool:
        """True for a folder inside the bases. A link that leads out is reported."""
        return os.path.lexists(path) and self._kind(path) == stat.S_IFDIR

    def has(self, path: Path) -> bool:
        """True when something with this name exists, even if it cannot be read."""
        return os.path.lexists(path)

    def read(self, path: Path) -> TextFile | None:
        """The text of a file; None, with the reason reported, when it is missing or cannot be read."""
        shown = self.shown(path)
        try:
            data = self._bytes(path)
        except OSError as error:
            self.report(Severity.ERROR, FilePlace(shown, 0), _why(error))
            return None
        return None if data is None else self._decoded(shown, data)

    def _bytes(self, path: Path) -> bytes | None:
        place = FilePlace(self.shown(path), 0)
        looked = self._look(path)
        if looked is None:
            return None
        target, kind = looked
        if kind != stat.S_IFREG:
            self.report(
                Severity.ERROR, place, say("A text file was expected here, and this is {what}", what=_what(kind))
            )
            return None
        if self._limit_reached(place):
            return None
        self.files_read += 1
        # Between the look and the opening somebody may have put a link or a pipe here: it must not mislead or block us.
        handle = os.open(target, os.O_RDONLY | sum(getattr(os, name, 0) for name in _CAUTION))
        with os.fdopen(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                return None
            data = stream.read(MAX_FILE_BYTES + 1)
        self.bytes_read += len(data)
        if len(data) > MAX_FILE_BYTES:
            self.report(
                Severity.ERROR,
                place,
                say("Larger than {n} MB, so it was not read", n=MAX_FILE_BYTES // 1024 // 1024),
            )
            return None
        return data

    def _limit_reached(self, place: FilePlace) -> bool:
        if self.files_read < MAX_FILES and self.bytes_read < MAX_TOTAL_BYTES:
            return False
        if not self.limit_reported:
            self.limit_reported = True
            sentence = say(
                "More than {files} files or {size} MB: this file and those after it were not read",
                files=MAX_FILES,
                size=MAX_TOTAL_BYTES // 1024 // 1024,
            )
            self.report(Severity.ERROR, place, sentence)
        return True

    def _decoded(self, shown: str, data: bytes) -> TextFile | None:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            self.report(
                Severity.ERROR, FilePlace(shown, 1), say("Saved as UTF-16; save it as UTF-8, which the engine expects")
            )
            return None
        if b"\0" in data:
            line = data.count(b"\n", 0, data.index(b"\0")) + 1
            self.report(Severity.ERROR, FilePlace(shown, line), say("This is no text: it holds zero bytes"))
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self.report(
                Severity.WARNING,
                FilePlace(shown, line),
                say("Not valid UTF-8; what is broken reads as U+FFFD, as it does in the engine"),
            )
            text = data.decode("utf-8-sig", errors="replace")
        return TextFile(shown, text.replace("\r\n", "\n"))

    def _entries(self, folder: Path) -> list[Path]:
        found: list[Path] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.startswith(".") or entry.name == "node_modules":
                        continue
                    if len(found) >= MAX_ENTRIES:
                        self.report(
                            Severity.ERROR,
                            FilePlace(self.shown(folder), 0),
                            say("More than {n} entries: the others were not looked at", n=MAX_ENTRIES),
                        )
                        break
                    found.append(folder / entry.name)
        except OSError as error:
            self.report(Severity.ERROR, FilePlace(self.shown(folder), 0), _why(error))
        return sorted(found)

    def _kind(self, path: Path) -> int | None:
        looked = self._look(path)
        return None if looked is None else looked[1]

    def _look(self, path: Path) -> tuple[Path, int] | None:
        """The real path and the file type; None, with a report, when it leads out of the bases or cannot be seen."""
        place = FilePlace(self.shown(path), 0)
        try:
            target = Path(os.path.realpath(path))
            if not inside(target, self.bases):
                self.report(
                    Severity.WARNING, place, say("This link leads out of the folder that was given; it is not followed")
                )
                return None
            return target, stat.S_IFMT(target.stat().st_mode)
        except OSError as error:
            self.report(Severity.ERROR, place, _why(error))
        except ValueError:
            self.report(Severity.ERROR, place, say("This is no possible file name"))
        return None


def inside(path: Path, bases: Iterable[Path]) -> bool:
    """True when a real path is one of the bases or below one."""
    return any(path == base or base in path.parents for base in bases)


def _why(error: OSError) -> Sentence:
    if error.errno == errno.ENOENT:
        return say("There is no such file")
    if error.errno in (errno.EACCES, errno.EPERM):
        return say("Not readable: permission denied")
    if error.errno == errno.ELOOP:
        return say("These links lead in a circle")
    return say("Not readable: {reason}", reason=plain(error.strerror or type(error).__name__))


def _what(kind: int) -> Sentence:
    if kind == stat.S_IFDIR:
        return say("a folder")
    if kind == stat.S_IFIFO:
        return say("a pipe")
    if kind == stat.S_IFSOCK:
        return say("a socket")
    return say("a device")
