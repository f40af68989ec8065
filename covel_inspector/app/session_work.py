"""Work over all calls of a session in the panels' thread: a slice at a time, once a session, behind everything else."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.work import Desk, Failure, Settling, Ticket
from covel_inspector.domain import Source

SLICE = 0.05
"""Seconds of one job: others in the same thread must not wait for a whole session."""

BREATH = 25
"""Milliseconds between two slices: the window's thread shares one interpreter with this one."""

REST = 400
"""Milliseconds a reader must rest before a session is begun: stepping past something asks for nothing."""

Slice = Callable[[Source, Ticket], Any]
"""A job of about that length; its answer says what is left to do."""


class SessionWork(QObject):
    """What subclasses find out about a session. ``found`` carries it.

    Begins when the reader rests. A request that is on its way comes first: no slice begins before it is there.
    """

    found = Signal(object)
    moved = Signal()
    """A slice was done, and more are left."""

    def __init__(self, inspector: Inspector) -> None:
        super().__init__(inspector)
        self._inspector = inspector
        self._known: dict[str, Any] = {}
        self._asked = ""
        self._desk: Desk | None = None
        self._waiting: Slice | None = None
        self._wanted = ""
        self._resting = Settling(self, REST)
        self._resting.settled.connect(self._begin)
        self._breathing = QTimer(self, singleShot=True, interval=BREATH)
        self._breathing.timeout.connect(self._begin_waiting)
        inspector.state.source_changed.connect(self._forget)
        for signal in (inspector.prepared, inspector.preparing_failed):
            signal.connect(self._begin_waiting)

    # To override

    nothing: Any = None
    """What is known of a session that cannot be read; None = its users wait in silence."""

    def first(self, session: str) -> Slice:
        """The first slice."""
        raise NotImplementedError

    def following(self, answer: Any) -> Slice | None:
        """The slice behind the one that gave an answer; None when all is done."""
        raise NotImplementedError

    def result(self, answer: Any) -> Any:
        """What is known after the last slice."""
        raise NotImplementedError

    # For its users

    def want(self, session: str) -> Any | None:
        """What is known of a session; when nothing is yet, it is found out."""
        known = self._known.get(session)
        if known is None and self._asked != session:
            self._wanted = session
            self._resting.touch()
        return known

    # Inside

    @property
    def _lane(self) -> str:
        return f"session {type(self).__name__}"

    @Slot()
    def _begin(self) -> None:
        self._desk = self._inspector.panel_desk()
        if self._desk is not None and self._asked != self._wanted:
            self._asked = self._wanted
            self._breathing.stop()
            self._waiting = None
            self._go_on(self.first(self._asked))

    def _go_on(self, job: Slice) -> None:
        if self._desk is None or self._desk is not self._inspector.opened_panel_desk:
            return
        if self._inspector.is_preparing:
            self._desk.cancel(self._lane)
            self._waiting = job
        else:
            self._desk.ask_patiently(job, self._take, self._give_up, self._lane)

    @Slot()
    def _begin_waiting(self) -> None:
        job, self._waiting = self._waiting, None
        if job is not None:
            self._go_on(job)

    @Slot(object)
    def _take(self, answer: Any) -> None:
        following = self.following(answer)
        if following is not None:
            self.moved.emit()
            self._waiting = following
            self._breathing.start()
            return
        self._known[self._asked] = self.result(answer)
        self.found.emit(self._known[self._asked])

    @Slot(object)
    def _give_up(self, _trouble: Failure) -> None:
        """Nothing is better than something wrong; the log has the reason."""
        if self.nothing is not None:
            self._known[self._asked] = self.nothing
            self.found.emit(self.nothing)

    @Slot()
    def _forget(self) -> None:
        self._known.clear()
        self._asked = self._wanted = ""
        self._desk = self._waiting = None
        self._resting.stop()
        self._breathing.stop()
