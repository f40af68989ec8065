"""What every command knows about the person who called it: the language, and how files are opened."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from covel_inspector.cli.output import can_carry, only_ascii, print_error, print_lines
from covel_inspector.domain import AddressError, Sentence, Source, SourceError, say
from covel_inspector.report.json_text import json_text
from covel_inspector.report.terminal import one_line
from covel_inspector.report.wording import ENGLISH, Catalogue, catalogue, system_language

OpenFile = Callable[[str, str | None], Source]
"""From a location and a ``--covel-root`` (or None) to a source. Raises SourceError."""


def open_file(location: str, covel_root: str | None) -> Source:
    """The real opener; the engines are imported on first need."""
    from covel_inspector.engines.opening import open_source

    return open_source(location, covel_root)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a window should show; None = nothing, or what the user chose before."""

    location: str | None = None
    covel_root: str | None = None
    language: str | None = None
    theme: str | None = None
    address: str | None = None
    screenshot: str | None = None
    """A PNG to paint the window into; it closes again by itself."""


ShowWindow = Callable[[Wanted], int]
"""Shows a window until it is closed; the exit status. Raises ImportError when Qt or a system library is missing."""


def show_window(wanted: Wanted) -> int:
    """The real window; Qt is imported here."""
    from covel_inspector.app.start import run

    return run(wanted.location, wanted.covel_root, wanted.language, wanted.theme, wanted.address, wanted.screenshot)


@dataclass
class Reader:
    """One run of the command line. ``chosen_language`` and ``debug`` are set by options, before a command runs."""

    open_file: OpenFile = open_file
    show_window: ShowWindow = show_window
    chosen_language: str | None = None
    """None = the system's."""
    debug: bool = False

    @property
    def words(self) -> Catalogue:
        """The catalogue of the language in force; English where the output cannot carry the letters of another."""
        return catalogue(ENGLISH if self.is_unwritable else self.language)

    @property
    def language(self) -> str:
        """The language that was chosen, or the system's."""
        return self.chosen_language or system_language()

    @property
    def is_unwritable(self) -> bool:
        """Whether the output would show the language in force as escapes."""
        return self.language != ENGLISH and not can_carry("会话")

    def text(self, sentence: Sentence) -> str:
        """A sentence in the chosen language."""
        return self.words.text(sentence)

    @contextmanager
    def opened(self, location: str, covel_root: str | None) -> Iterator[Source]:
        """A source that is given back at the end."""
        source = self.open_file(location, covel_root)
        try:
            yield source
        finally:
            source.close()

    def print_json(self, value: object) -> None:
        """A value as JSON, readable where the output can carry it, plain ASCII where not."""
        print_lines([json_text(value, ascii_only=only_ascii())])

    def print_notes(self, notes: Iterable[Sentence]) -> None:
        """One line for each note, on standard error: it is no part of the outcome."""
        for note in notes:
            print_error(one_line(self.text(say("note: {text}", text=note))))


def problem_line(reader: Reader, error: SourceError | AddressError) -> str:
    """The line for an error that is the world's fault."""
    return reader.text(error.sentence)
