"""What was observed of the segments of a session: asked for once, in the panels' thread, and told in facts."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from covel_inspector.app.figures import figure
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.page import Fact, Page
from covel_inspector.app.session_work import SLICE, SessionWork, Slice
from covel_inspector.app.work import Ticket
from covel_inspector.domain import Observation, Segment, Sentence, Source, say
from covel_inspector.domain.listing import joined
from covel_inspector.report.observation_words import (
    departures,
    details_told,
    seen_told,
    suggested_words,
    suggestions,
)

OBSERVED = say("Observed")
LOOKING: Sentence = say("the calls of the session are being read")
"""Stands for an observation that is not there yet."""

_BEFORE = (say("Kind"), say("Made by"), say("Assumed"), say("Declared"), say("Role"))
"""Facts that stand before what was observed, and with which it is compared."""

_PREFIX = "segment:"


@dataclass(frozen=True, slots=True)
class _Read:
    """Some calls are read. ``found`` is None until all are."""

    session: str
    done: int
    everything: int
    found: Mapping[str, Observation] | None


class SessionObservations(SessionWork):
    """Observations by key of segment, one session at a time. One for each inspector."""

    nothing: Mapping[str, Observation] = MappingProxyType({})

    def __init__(self, inspector: Inspector) -> None:
        super().__init__(inspector)
        self._read: _Read | None = None

    @classmethod
    def of(cls, inspector: Inspector) -> "SessionObservations":
        """The one that observes for an inspector."""
        return inspector.findChild(cls) or cls(inspector)

    def looking(self) -> Sentence:
        """How far the reading has come."""
        read = self._read
        if read is None or not read.everything:
            return LOOKING
        return say("{done} of {all} calls of the session are read", done=figure(read.done), all=figure(read.everything))

    def first(self, session: str) -> Slice:
        """Begin to read."""
        self._read = None
        return partial(_read_on, session=session)

    def following(self, answer: _Read) -> Slice | None:
        """Read on; the source knows where it was."""
        self._read = answer
        return partial(_read_on, session=answer.session) if answer.found is None else None

    def result(self, answer: _Read) -> Mapping[str, Observation]:
        """All observations of the session."""
        return answer.found or {}


def _read_on(source: Source, ticket: Ticket, *, session: str) -> _Read:
    end = time.monotonic() + SLICE
    at = (0, 0)

    def go_on(done: int, everything: int) -> bool:
        nonlocal at
        at = done, everything
        ticket.check()
        return time.monotonic() < end

    found = source.observed(session, go_on)
    return _Read(session, *at, found)


def is_observed(segment: Segment) -> bool:
    """Whether a segment is one of those that are observed: what plugins add, and blocks that nobody can name."""
    return segment.key.startswith(_PREFIX)


def observation_of(segment: Segment, observed: Mapping[str, Observation] | None) -> Observation | None:
    """The observation of a segment; None while there is none."""
    return observed.get(segment.key.partition("#")[0]) if observed is not None else None


def with_observation(page: Page, seen: Observation | None) -> Page:
    """The page about one segment with what was observed of it; None = it is being looked for."""
    at = max((place for place, fact in enumerate(page.facts, 1) if fact.label in _BEFORE), default=0)
    if not at:
        return page
    facts = (*page.facts[:at], *observed_facts(seen), *page.facts[at:])
    if seen is None:
        return replace(page, facts=facts)
    return replace(
        page,
        facts=facts,
        paragraphs=(*page.paragraphs, *observed_reasons(seen)),
        warnings=(*page.warnings, *departures(seen)),
    )


def observed_facts(seen: Observation | None) -> Iterator[Fact]:
    """What was seen, and what that suggests where no file says it."""
    if seen is None:
        yield Fact(OBSERVED, LOOKING)
        return
    yield Fact(OBSERVED, joined(*seen_told(seen)))
    suggested = suggested_words(seen)
    if suggested is not None and not seen.is_declared:
        yield Fact(say("Suggests"), suggested)


def observed_reasons(seen: Observation) -> Iterator[Sentence]:
    """Where it was seen, and why that suggests what it does: a paragraph each."""
    details, reasons = tuple(details_told(seen)), tuple(suggestions(seen))
    if details:
        yield joined(*details)
    if reasons:
        yield say("By observation: {reasons}", reasons=joined(*reasons))
