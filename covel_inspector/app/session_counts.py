"""How the provider's reports relate to the engine's estimate, over a whole session."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from covel_inspector.analysis.token_table import request_tokens
from covel_inspector.app.figures import figure
from covel_inspector.app.session_work import SLICE, SessionWork, Slice
from covel_inspector.app.three_counts import as_ratio
from covel_inspector.app.work import Ticket
from covel_inspector.domain import Address, AddressError, Sentence, Source, SourceError, say

MOST_CALLS = 200
"""Calls that are looked at; of a longer session as many, evenly spread."""


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


class SessionReports(SessionWork):
    """Adds up a session's calls. ``found`` carries SessionCounts."""

    def first(self, session: str) -> Slice:
        """See which calls report their input."""
        return partial(_begin, session=session)

    def following(self, answer: _Progress) -> Slice | None:
        """Look at some of those that are left."""
        return partial(_look, progress=answer) if answer.waiting else None

    def result(self, answer: _Progress) -> SessionCounts:
        """The sums."""
        return answer.sums


def _begin(source: Source, _ticket: Ticket, *, session: str) -> _Progress:
    calls = source.calls(session)
    told = [(call.address, call.usage.input) for call in calls if call.usage is not None and call.usage.input]
    return _Progress(tuple(_spread(told)), SessionCounts(session, of=len(told)))


def _spread(calls: Sequence[tuple[Address, int]]) -> list[tuple[Address, int]]:
    if len(calls) <= MOST_CALLS:
        return list(calls)
    return [calls[number * len(calls) // MOST_CALLS] for number in range(MOST_CALLS)]


def _look(source: Source, ticket: Ticket, *, progress: _Progress) -> _Progress:
    end = time.monotonic() + SLICE
    waiting, sums = list(progress.waiting), progress.sums
    while waiting and time.monotonic() < end:
        ticket.check()
        address, reported = waiting.pop(0)
        try:
            tree = source.recorded(address)
        except (SourceError, AddressError):
            tree = None
        if tree is not None:
            estimated = request_tokens(tree, source.estimate)
            sums = replace(
                sums, calls=sums.calls + 1, estimated=sums.estimated + estimated, reported=sums.reported + reported
            )
    return _Progress(tuple(waiting), sums)
