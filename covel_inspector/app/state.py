"""Where the reader is: a plain object with signals, shared by all views. No widgets, no work."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.picking import Lists
from covel_inspector.app.targets import Target
from covel_inspector.domain import Absent, Address, Call, Facts, Session, Turn

Selection = Pair | Absent | None
"""A pair of segments, something that was left out, or nothing."""


class Mode(StrEnum):
    """How a request is shown; the values are kept in the settings."""

    STRUCTURE = "structure"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Spot:
    """A turn, and in it a call: None when the turn made none."""

    session: str
    turn: str
    address: Address | None


class State(QObject):
    """The opened source as far as its lists are read, and the place in it.

    Setters emit their signal only when something changed. ``lists_changed`` carries the session's id.
    """

    source_changed = Signal()
    lists_changed = Signal(str)
    spot_changed = Signal()
    target_changed = Signal()
    mode_changed = Signal()
    filter_changed = Signal()
    selection_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.facts: Facts | None = None
        self.estimator = ""
        self.sessions: tuple[Session, ...] = ()
        self.lists: dict[str, Lists] = {}
        self.preferred_runtime = ""
        """The runtime the reader chose last: stepping comes back to it after a turn without it."""
        self._spot: Spot | None = None
        self._target = Target()
        self._mode = Mode.STRUCTURE
        self._filter = ""
        self._selected: Selection = None

    @property
    def spot(self) -> Spot | None:
        """Where the reader is; None while nothing is open, or the story has no turns."""
        return self._spot

    @property
    def target(self) -> Target:
        """What the call is compared with."""
        return self._target

    @property
    def mode(self) -> Mode:
        """How requests are shown."""
        return self._mode

    @property
    def filter(self) -> str:
        """Text of the story filter."""
        return self._filter

    @property
    def selected(self) -> Selection:
        """What is selected in the comparison."""
        return self._selected

    @property
    def here(self) -> Lists | None:
        """The lists of the session the reader is in."""
        return self.lists.get(self._spot.session) if self._spot else None

    @property
    def turn(self) -> Turn | None:
        """The turn the reader is at."""
        lists = self.here
        return lists.turn(self._spot.turn) if lists and self._spot else None

    @property
    def call(self) -> Call | None:
        """The call the reader is at."""
        lists = self.here
        return lists.call(self._spot.address) if lists and self._spot and self._spot.address else None

    def open(self, facts: Facts | None, estimator: str, sessions: tuple[Session, ...]) -> None:
        """A source was opened (or closed: None). Everything known of the last one is forgotten."""
        self.facts = facts
        self.estimator = estimator
        self.sessions = sessions
        self.lists = {}
        self.preferred_runtime = ""
        self._spot = None
        self._selected = None
        if self._target.address:
            self._target = Target()
        self.source_changed.emit()

    def put_lists(self, lists: Lists) -> None:
        """The turns and calls of a session were read."""
        self.lists[lists.session.id] = lists
        self.lists_changed.emit(lists.session.id)

    def go(self, spot: Spot | None) -> None:
        """Move to another place."""
        if spot != self._spot:
            self._spot = spot
            self.spot_changed.emit()

    def set_target(self, target: Target) -> None:
        """Compare with something else."""
        if target != self._target:
            self._target = target
            self.target_changed.emit()

    def set_mode(self, mode: Mode) -> None:
        """Show requests another way."""
        if mode is not self._mode:
            self._mode = mode
            self.mode_changed.emit()

    def select(self, selected: Selection) -> None:
        """Something else is selected in the comparison, or nothing. Always tells: the sides around it may be new."""
        self._selected = selected
        self.selection_changed.emit()

    def set_filter(self, text: str) -> None:
        """Filter the story."""
        if text != self._filter:
            self._filter = text
            self.filter_changed.emit()
