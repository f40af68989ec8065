"""How the provider's reports relate to the engine's estimate, over a whole session."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from covel_inspector.app.figures import figure
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.three_counts import as_ratio
from covel_inspector.app.work import Desk, Failure, Ticket
from covel_inspector.domain import Address, AddressError, Sentence, Source, SourceError, say

MOST_CALLS = 200
"""Calls that are looked at; of a longer session as many, evenly spread."""

_SLICE = 0.1
"""Seconds of one job: others in the same thread must not wait for a whole session."""

_LANE = "reports of a session"


@dataclass(frozen=True, slots=True)
class SessionCounts:
    """Estimates and reports added up, over ``calls`` calls that have both; ``of`` calls report their input."""

    session: str
    calls: int = 0
    of: int = 0
    estimated: int = 0
    reported: int = 0

    @property
    def ratio(self) -> float | None:
        """Reported over estimated; None when no call has both."""
        return self.reported / self.estimated if self.estimated else None

    def told(self) -> Sentence | None:
        """The ratio in words; None when no call has both numbers."""
        if self.ratio is None:
            return None
        ratio, calls = as_ratio(self.ratio), figure(self.calls)
        if self.calls < self.of:
            return say(
                "In this session the provider reports {ratio} times the estimate (over {calls} of {of} calls).",
                ratio=ratio,
                calls=calls,
                of=figure(self.of),
            )
        return say(
            "In this session the provider reports {ratio} times the estimate (over {calls} calls).",
            ratio=ratio,
            calls=calls,
        )


@dataclass(frozen=True, slots=True)
class _Progress:
    waiting: tuple[tuple[Address, int], ...]
    """Calls still to be looked at, with the input that was reported for them."""
    sums: SessionCounts


class SessionReports(QObject):
    """Adds up a session's calls in the panels' thread, a slice at a time. ``found`` carries SessionCounts."""

    found = Signal(object)

    def __init__(self, inspector: Inspector) -> None:
        super().__init__(inspector)
        self._inspector = inspector
        self._known: dict[str, SessionCounts] = {}
        self._asked = ""
        self._desk: Desk | None = None
        inspector.state.source_changed.connect(self._forget)

    def want(self, session: str) -> SessionCounts | None:
        """What is known of a session; when nothing is yet, it is found out."""
        known = self._known.get(session)
        if known is None and self._asked != session:
            self._desk = self._inspector.panel_desk()
            if self._desk is not None:
                self._asked = session
                self._go_on(partial(_begin, session=session))
        return known

    def _go_on(self, job: partial[_Progress]) -> None:
        if self._desk is not None and self._desk is self._inspector.opened_panel_desk:
            self._desk.ask_patiently(job, self._take, self._give_up, _LANE)

    @Slot(object)
    def _take(self, progress: _Progress) -> None:
        if progress.waiting:
            self._go_on(partial(_look, progress=progress))
            return
        self._known[progress.sums.session] = progress.sums
        self.found.emit(progress.sums)

    @Slot(object)
    def _give_up(self, _trouble: Failure) -> None:
        """No ratio is better than a wrong one; the log has the reason."""

    @Slot()
    def _forget(self) -> None:
        self._known.clear()
        self._asked = ""
        self._desk = None


def _begin(source: Source, _ticket: Ticket, *, session: str) -> _Progress:
    calls = source.calls(session)
    told = [(call.address, call.usage.input) for call in calls if call.usage is not None and call.usage.input]
    return _Progress(tuple(_spread(told)), SessionCounts(session, of=len(told)))


def _spread(calls: Sequence[tuple[Address, int]]) -> list[tuple[Address, int]]:
    if len(calls) <= MOST_CALLS:
        return list(calls)
    return [calls[number * len(calls) // MOST_CALLS] for number in range(MOST_CALLS)]


def _look(source: Source, ticket: Ticket, *, progress: _Progress) -> _Progress:
    end = time.monotonic() + _SLICE
    waiting, sums = list(progress.waiting), progress.sums
    while waiting and time.monotonic() < end:
        ticket.check()
        address, reported = waiting.pop(0)
        try:
            tree = source.recorded(address)
        except (SourceError, AddressError):
            tree = None
        if tree is not None:
            estimated = sum(source.estimate(part.text) for part in tree.request.parts)
            sums = replace(
                sums, calls=sums.calls + 1, estimated=sums.estimated + estimated, reported=sums.reported + reported
            )
    return _Progress(tuple(waiting), sums)
