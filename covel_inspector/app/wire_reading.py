"""Reads bodies while they are looked at: between the state and the wire view."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.state import Mode
from covel_inspector.app.wire_sides import WireChoice, WireSide, WireSides, wire_sides
from covel_inspector.app.work import SLOW, Failure
from covel_inspector.domain import Sentence

_LANE = "wire"


class WireReading(QObject):
    """Asks for the bodies of what is prepared, in wire mode only; what is read already is not read again."""

    read = Signal(object)
    """:class:`WireSides` to be shown."""
    waiting = Signal()
    """Nothing has come for a while."""

    def __init__(self, inspector: Inspector) -> None:
        super().__init__(inspector)
        self._inspector = inspector
        self._choice = WireChoice()
        self._asked: tuple[Prepared, WireChoice] | None = None
        self._slow = QTimer(self, singleShot=True, interval=SLOW)
        self._slow.timeout.connect(self.waiting)
        inspector.arrived.connect(self.follow)
        inspector.state.mode_changed.connect(self.follow)

    @Slot(object)
    def choose(self, choice: WireChoice) -> None:
        """Read other bodies."""
        self._choice = choice
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Something else is shown, or it is shown as bodies now."""
        prepared, desk = self._inspector.latest, self._inspector.desk
        if prepared is None or desk is None or self._inspector.state.mode is not Mode.WIRE:
            return
        wanted = (prepared, self._choice)
        if self._asked is not None and self._asked[0] is prepared and self._asked[1] == self._choice:
            return
        self._asked = wanted
        self._slow.start()
        job = partial(wire_sides, prepared=prepared, choice=self._choice)
        desk.ask_patiently(job, self._take, self._fail, _LANE)

    @Slot(object)
    def _take(self, sides: WireSides) -> None:
        self._slow.stop()
        self.read.emit(sides)

    @Slot(object)
    def _fail(self, trouble: Failure) -> None:
        self._slow.stop()
        if self._asked is not None:
            prepared, choice = self._asked
            a, b = (_failed(side, trouble.sentence) for side in (prepared.a, prepared.b))
            self.read.emit(WireSides(prepared, choice, a, b))


def _failed(side: Side | None, why: Sentence) -> WireSide | None:
    return WireSide(side.title, note=why) if side is not None else None
