"""What can be said about a whole source: gathered once, rendered elsewhere."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from covel_inspector.domain import Address, Call, Facts, Kind, Problem, Session, Source, Status, TurnKind, Verdict

Progress = Callable[[int, int], None]
"""Told after each call: calls done, calls in all."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A call and what the comparison of its two requests says."""

    address: Address
    row: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class RuntimeFigures:
    """The calls of one runtime in one session, or of all of them.

    ``independent`` and ``total`` are code points of system prompts and messages, added over the calls that could be
    rebuilt; ``taken`` has the code points that came from the recording, by kind.
    """

    runtime: str
    calls: int
    statuses: dict[Status, int] = field(default_factory=dict)
    independent: int = 0
    total: int = 0
    taken: dict[Kind, int] = field(default_factory=dict)

    @property
    def independent_share(self) -> float:
        """0.0 to 1.0; 0.0 when nothing was rebuilt."""
        return self.independent / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """A session with its runtimes in order of first appearance, and every call that is not identical.

    ``turns`` are those that players began, as everywhere; ``background`` counts the executions between them that
    nobody's line began. ``unsent`` are the calls that failed before they were sent.
    """

    session: Session
    turns: int
    runtimes: tuple[RuntimeFigures, ...]
    exceptions: tuple[Judged, ...]
    background: int = 0
    unsent: tuple[Call, ...] = ()

    @property
    def calls(self) -> int:
        """Recorded calls."""
        return sum(runtime.calls for runtime in self.runtimes)


@dataclass(frozen=True, slots=True)
class Overview:
    """A whole source."""

    facts: Facts
    sessions: tuple[SessionOverview, ...]
    all_calls: RuntimeFigures
    problems: tuple[Problem, ...]


def gather(source: Source, session: str | None = None, progress: Progress | None = None) -> Overview:
    """Judge every call of a source, or of one session (its id).

    Raises SourceError when the source cannot be read any more; broken rows are verdicts and problems, not errors.
    """
    chosen = [one for one in source.sessions() if session is None or one.id == session]
    calls = {one.id: source.calls(one.id) for one in chosen}
    everything = sum(map(len, calls.values()))
    judged: dict[str, list[Judged]] = {}
    done = 0
    for one in chosen:
        judged[one.id] = []
        for call in calls[one.id]:
            judged[one.id].append(Judged(call.address, call.row, source.verdict(call.address)))
            done += 1
            if progress is not None:
                progress(done, everything)
    sessions = tuple(_session(source, one, judged[one.id]) for one in chosen)
    every = figures("", [call for calls_of_session in judged.values() for call in calls_of_session])
    return Overview(source.facts(), sessions, every, tuple(source.problems()))


def _session(source: Source, session: Session, judged: Sequence[Judged]) -> SessionOverview:
    kinds = Counter(turn.kind for turn in source.turns(session.id))
    return SessionOverview(
        session,
        kinds[TurnKind.PLAYER],
        _by_runtime(judged),
        tuple(call for call in judged if call.verdict.status is not Status.IDENTICAL),
        kinds[TurnKind.BACKGROUND],
        tuple(source.unsent(session.id)),
    )


def figures(runtime: str, judged: Sequence[Judged]) -> RuntimeFigures:
    """The figures of some calls under one name."""
    taken: Counter[Kind] = Counter()
    for call in judged:
        for one in call.verdict.taken:
            taken[one.kind] += one.characters
    counts = Counter(call.verdict.status for call in judged)
    return RuntimeFigures(
        runtime,
        len(judged),
        {status: counts[status] for status in Status},
        sum(call.verdict.independent for call in judged),
        sum(call.verdict.total for call in judged),
        dict(taken.most_common()),
    )


def _by_runtime(judged: Sequence[Judged]) -> tuple[RuntimeFigures, ...]:
    groups: dict[str, list[Judged]] = {}
    for call in judged:
        groups.setdefault(call.address.runtime, []).append(call)
    return tuple(figures(runtime, calls) for runtime, calls in groups.items())
