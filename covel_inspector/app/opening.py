"""An attempt to open a source. What is open stays open until the new source has answered."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from covel_inspector.app.picking import Lists
from covel_inspector.app.work import Desk, Failure
from covel_inspector.domain import AddressError, Facts, Sentence, Session, Source

OpenSource = Callable[[str, str | None], Source]
"""Location and Covel root to a source; called in the source's own thread."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What is known right after opening: facts, sessions, the first place and its lists."""

    facts: Facts
    estimator: str
    sessions: tuple[Session, ...]
    lists: Lists | None
    address_text: str
    notice: Sentence | None
    """Why the wanted address was not found."""


class Opening(QObject):
    """One attempt at a time; a new one ends the one before. ``location`` and ``covel_root`` are those of the last."""

    opened = Signal(object)
    """Opened: the desk waits to be taken."""
    failed = Signal(object)
    """Failure: the file explains itself, and its desk is closed."""
    busy_changed = Signal(bool)

    def __init__(self, open_source: OpenSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.location = self.covel_root = ""
        self._open_source = open_source
        self._desk: Desk | None = None

    @property
    def is_active(self) -> bool:
        """True from the attempt until its answer."""
        return self._desk is not None

    def begin(self, location: str, covel_root: str | None, address: str) -> None:
        """Open a location in a thread of its own, at an address if one is given."""
        self.cancel()
        self.location, self.covel_root = location, covel_root or ""
        desk = self._desk = self.desk_on(location, covel_root)
        desk.busy_changed.connect(self.busy_changed)
        desk.ask(partial(_read_beginning, address=address), self._answer, self._fail, "open")

    def desk_on(self, location: str, covel_root: str | None) -> Desk:
        """A new desk on a source; it opens it by itself."""
        return Desk(partial(self._open_source, location, covel_root), self)

    def take(self, owner: QObject) -> Desk:
        """The desk of the source that was just opened; it belongs to ``owner`` from now on."""
        desk, self._desk = self._desk, None
        if desk is None:
            raise RuntimeError("nothing was opened")
        desk.busy_changed.disconnect(self.busy_changed)
        desk.setParent(owner)
        return desk

    def cancel(self) -> None:
        """Wait for nothing any more."""
        desk, self._desk = self._desk, None
        if desk is not None:
            desk.close()
            desk.deleteLater()

    @Slot(object)
    def _answer(self, opened: Opened) -> None:
        self.opened.emit(opened)

    @Slot(object)
    def _fail(self, trouble: Failure) -> None:
        self.cancel()
        self.failed.emit(trouble)


def _read_beginning(source: Source, *, address: str) -> Opened:
    facts, sessions = source.facts(), tuple(source.sessions())
    lists: Lists | None = None
    notice: Sentence | None = None
    found = ""
    if address:
        try:
            resolved = source.resolve(address)
        except AddressError as error:
            notice = error.sentence
        else:
            found = str(resolved)
            lists = read_lists(source, session=resolved.session)
    if lists is None and sessions:
        lists = read_lists(source, session=max(sessions, key=lambda one: (one.call_count > 0, one.updated_at)).id)
    return Opened(facts, source.estimator_name, sessions, lists, found, notice)


def read_lists(source: Source, *, session: str) -> Lists:
    """The turns and calls of a session."""
    known = next((one for one in source.sessions() if one.id == session), Session(session, session))
    return Lists.of(known, source.turns(session), source.calls(session), source.unsent(session))
