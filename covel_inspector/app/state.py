"""Where the reader is: a plain object with signals, shared by all views. No widgets, no work."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.picked_text import PickedText
from covel_inspector.app.picking import Lists
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.domain import Absent, Address, Call, Changes, Facts, Session, Turn

Selection = Pair | Absent | None
"""A pair of segments, something that was left out, or nothing."""


class Mode(StrEnum):
    """How a request is shown; the values are kept in the settings."""

    STRUCTURE = "structure"
    READ = "read"
    WIRE = "wire"


@dataclass(frozen=True, slots=True)
class Spot:
    """A turn, and in it a call: None when the turn made none."""

    session: str
    turn: str
    address: Address | None


AS_IT_WAS = Changes()
"""No change at all."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The changes by runtime, and whether the changed request is shown."""

    changes: Mapping[str, Changes]
    is_shown: bool


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
    changes_changed = Signal()

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
        self._picked: PickedText | None = None
        self._changes: dict[str, Changes] = {}
        self._target_before = Target()

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
    def picked(self) -> PickedText | None:
        """The text that is selected inside of what is selected, if any."""
        return self._picked

    @property
    def runtime(self) -> str:
        """The runtime of the call the reader is at; the preferred one in a turn without calls."""
        return self._spot.address.runtime if self._spot and self._spot.address else self.preferred_runtime

    @property
    def changes(self) -> Changes:
        """What "what if" does otherwise for calls of this runtime: each runtime has changes of its own."""
        return self.changes_of(self.runtime)

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
        self._selected = self._picked = None
        self._changes = {}
        if self._target.address or self._target.kind is TargetKind.WHAT_IF:
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
            if target.kind is TargetKind.WHAT_IF:
                self._target_before = self._target
            self._target = target
            self.target_changed.emit()

    def changes_of(self, runtime: str) -> Changes:
        """The changes for calls of a runtime."""
        return self._changes.get(runtime, AS_IT_WAS)

    def set_changes(self, changes: Changes, runtime: str = "") -> None:
        """Ask what the request would be with these changes; the changed request becomes what the call is compared with.

        Without any change the comparison that was there before comes back. ``runtime`` is the one they are for, the one
        the reader is at unless named: changes for another one are kept until the reader comes there.
        """
        runtime = runtime or self.runtime
        if changes == self.changes_of(runtime):
            return
        self._changes[runtime] = changes
        if runtime != self.runtime:
            return
        if changes == AS_IT_WAS:
            self.leave_what_if()
        else:
            self.set_target(Target(TargetKind.WHAT_IF))
        self.changes_changed.emit()

    def leave_what_if(self) -> None:
        """Back to the comparison that was there before; the changes stay."""
        if self._target.kind is TargetKind.WHAT_IF:
            self.set_target(self._target_before)

    def kept_what_if(self) -> WhatIf:
        """The changes of every runtime, for :meth:`put_what_if`."""
        return WhatIf(dict(self._changes), self._target.kind is TargetKind.WHAT_IF)

    def put_what_if(self, kept: WhatIf) -> None:
        """Take changes over from the same source, opened before."""
        self._changes = dict(kept.changes)
        if kept.is_shown:
            self.set_target(Target(TargetKind.WHAT_IF))
        self.changes_changed.emit()

    def set_mode(self, mode: Mode) -> None:
        """Show requests another way."""
        if mode is not self._mode:
            self._mode = mode
            self.mode_changed.emit()

    def select(self, selected: Selection) -> None:
        """Something else is selected in the comparison, or nothing. Always tells: the sides around it may be new."""
        self._selected, self._picked = selected, None
        self.selection_changed.emit()

    def pick(self, picked: PickedText | None) -> None:
        """Some text of what is selected is selected, or none of it any more."""
        if picked != self._picked:
            self._picked = picked
            self.selection_changed.emit()

    def set_filter(self, text: str) -> None:
        """Filter the story."""
        if text != self._filter:
            self._filter = text
            self.filter_changed.emit()
