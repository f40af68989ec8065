"""The command line, run in this process on the made-up story."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from fake_source import FakeSource, fake_source

from covel_inspector.cli.program import run
from covel_inspector.cli.reader import Reader, Wanted
from covel_inspector.domain import Source, SourceError, say


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass
class Desk:
    """Runs command lines and keeps what was opened and shown."""

    read: Callable[[], tuple[str, str]]
    opened: list[tuple[str, str | None]] = field(default_factory=list)
    sources: list[FakeSource] = field(default_factory=list)
    shown: list[Wanted] = field(default_factory=list)
    fault: Exception | None = None

    def __call__(self, *arguments: str) -> Outcome:
        status = run(arguments, Reader(self._open, self._show))
        return Outcome(status, *self.read())

    def _open(self, location: str, covel_root: str | None) -> Source:
        if self.fault is not None:
            raise self.fault
        if location == "nowhere.db":
            raise SourceError(say("{file} is no file: name the database of a story.", file=location))
        self.opened.append((location, covel_root))
        self.sources.append(fake_source(location))
        return self.sources[-1]

    def _show(self, wanted: Wanted) -> int:
        if self.fault is not None:
            raise self.fault
        self.shown.append(wanted)
        return 0


@pytest.fixture(autouse=True)
def _english_without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.fixture
def desk(capsys: pytest.CaptureFixture[str]) -> Desk:
    """Call it with the words of a command line."""
    return Desk(lambda: tuple(capsys.readouterr()))  # type: ignore[arg-type]  # A pair of texts by its own type.
