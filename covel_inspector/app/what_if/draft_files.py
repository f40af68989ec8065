"""Drafts as files: changes written into a file of their own, and taken over from one. Never a story database."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.wording import Wording
from covel_inspector.app.work import Failure
from covel_inspector.domain import Address, Changes, Source, SourceError, say
from covel_inspector.domain.drafts import Draft, draft_text, parse_draft

SUFFIX = ".draft.json"

_MOST_BYTES = 50_000_000
_DATABASE = b"SQLite format 3\0"


class DraftFiles(QObject):
    """Asks for a file and reads or writes it. ``noticed`` carries a Sentence."""

    noticed = Signal(object)

    def __init__(self, window: QWidget, inspector: Inspector, wording: Wording) -> None:
        super().__init__(window)
        self._window, self._inspector, self._wording = window, inspector, wording

    def ask_to_open(self) -> None:
        """Let the reader choose a draft, and take it over."""
        title = self._wording.text(say("Open a draft"))
        chosen, _ = QFileDialog.getOpenFileName(self._window, title, self._folder(), self._kinds())
        if chosen:
            self.open(Path(chosen))

    def ask_to_save(self) -> None:
        """Let the reader choose where the changes are kept."""
        if self._inspector.state.changes == Changes():
            self.noticed.emit(say("There is no change to save yet."))
            return
        title = self._wording.text(say("Save as a draft"))
        spot = self._inspector.state.spot
        name = f"turn-{spot.turn}{SUFFIX}" if spot is not None else f"what-if{SUFFIX}"
        chosen, _ = QFileDialog.getSaveFileName(self._window, title, str(Path(self._folder()) / name), self._kinds())
        if chosen:
            self.save(Path(chosen))

    def open(self, file: Path) -> None:
        """Take the changes of a draft over, and go to the call they were made for, when it is in this story."""
        try:
            if file.stat().st_size > _MOST_BYTES:
                self.noticed.emit(say("{file} is too large to be a draft.", file=file.name))
                return
            draft = parse_draft(file.read_text(encoding="utf-8"), file.name)
        except UnicodeDecodeError:
            self.noticed.emit(say("{file} is not UTF-8, so it is no draft.", file=file.name))
            return
        except OSError as error:
            self.noticed.emit(say("{file} cannot be read: {why}", file=file.name, why=str(error.strerror or error)))
            return
        except SourceError as error:
            self.noticed.emit(error.sentence)
            return
        desk = self._inspector.desk
        if draft.address and draft.address != self._inspector.address_text and desk is not None:
            job = partial(_resolve, text=draft.address)
            desk.ask(job, partial(self._go_and_take, draft.changes), partial(self._take_here, draft.changes), "draft")
        else:
            self._take(draft.changes, self._inspector.state.runtime)

    def save(self, file: Path) -> None:
        """Write the changes of this runtime. A database is never written over."""
        if file.suffix != ".json":
            file = file.with_name(file.name + SUFFIX)
        try:
            if _is_database(file) or file.absolute() == Path(self._inspector.location).absolute():
                self.noticed.emit(say("{file} is a database; a draft needs a file of its own.", file=file.name))
                return
            text = draft_text(Draft(self._inspector.state.changes, self._inspector.address_text))
            fresh = file.with_name(file.name + ".new")
            fresh.write_text(text, encoding="utf-8", errors="surrogatepass")
            fresh.replace(file)
        except OSError as error:
            self.noticed.emit(say("{file} cannot be written: {why}", file=file.name, why=str(error.strerror or error)))
            return
        self.noticed.emit(say("Saved as {file}. The story itself was not touched.", file=str(file)))

    def _go_and_take(self, changes: Changes, address: Address) -> None:
        self._inspector.go(str(address))
        self._take(changes, address.runtime)

    def _take_here(self, changes: Changes, trouble: Failure) -> None:
        self._take(changes, self._inspector.state.runtime)
        self.noticed.emit(
            say(
                "The draft was made for a call that is not in this story; it is tried on this one. {why}",
                why=trouble.sentence,
            )
        )

    def _take(self, changes: Changes, runtime: str) -> None:
        state = self._inspector.state
        state.set_changes(changes, runtime)
        state.set_target(Target(TargetKind.WHAT_IF))

    def _folder(self) -> str:
        return str(Path(self._inspector.location).parent) if self._inspector.location else ""

    def _kinds(self) -> str:
        text = self._wording.text
        return f"{text(say('Drafts'))} (*{SUFFIX});;{text(say('All files'))} (*)"


def _is_database(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(len(_DATABASE)) == _DATABASE


def _resolve(source: Source, *, text: str) -> Address:
    return source.resolve(text)
