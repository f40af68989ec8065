"""Runs the rules over the sessions of a source and puts their findings together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from covel_inspector.analysis.lint.registry import CHECKS
from covel_inspector.analysis.lint.rule import LintRule
from covel_inspector.analysis.lint.rules import unreadable
from covel_inspector.analysis.lint.seen import Seen, SeenSession
from covel_inspector.domain import Call, Finding, SegmentTree, Session, Severity, Source

Progress = Callable[[int, int], None]
"""Called with the number of calls that were looked at, and of all."""

_SEVERITIES = tuple(Severity)


def lint(
    source: Source,
    sessions: Iterable[Session] | None = None,
    off: Collection[str] = (),
    progress: Progress | None = None,
) -> tuple[Finding, ...]:
    """The findings in some sessions (default: all), gravest first. ``off`` names rules that are not run.

    The same finding in many calls is one, with the number of calls and the first of them.
    """
    chosen = list(source.sessions() if sessions is None else sessions)
    checks = [check for check in CHECKS if check.rule.id not in off]
    of_session = {session.id: source.calls(session.id) for session in chosen}
    count = sum(map(len, of_session.values()))
    done = 0
    gathered: dict[tuple[str, ...], Finding] = {}
    for session in chosen:
        calls = of_session[session.id]
        for found in _in_session(source, session, calls, checks, off):
            _add(gathered, found)
        for seen in _seen(source, calls):
            for check in checks:
                for found in check.in_call(seen) if check.in_call is not None and seen is not None else ():
                    _add(gathered, found)
            done += 1
            if progress is not None:
                progress(done, count)
    if unreadable.RULE.id not in off:
        for problem in source.problems():
            _add(gathered, unreadable.as_finding(problem))
    return tuple(sorted(gathered.values(), key=lambda found: _SEVERITIES.index(found.severity)))


def _in_session(
    source: Source, session: Session, calls: Sequence[Call], checks: Sequence[LintRule], off: Collection[str]
) -> Iterator[Finding]:
    seen = SeenSession(source, session, calls)
    for check in checks:
        if check.in_session is not None:
            yield from check.in_session(seen)
    yield from (found for found in source.findings(session.id) if found.rule not in off)


def _seen(source: Source, calls: Sequence[Call]) -> Iterator[Seen | None]:
    """The calls one after another; None for one whose request cannot be read."""
    before: dict[str, SegmentTree] = {}
    for call in calls:
        tree = source.recorded(call.address)
        if tree is None:
            yield None
            continue
        first = call.address.call == 0
        rebuilt = source.rebuilt(call.address) if first else None
        yield Seen(
            call,
            tree,
            before.get(call.address.runtime),
            source.template(call.address) if first else None,
            rebuilt.absent if rebuilt is not None else (),
        )
        before[call.address.runtime] = tree


def _add(gathered: dict[tuple[str, ...], Finding], found: Finding) -> None:
    key = _identity(found)
    known = gathered.get(key)
    gathered[key] = found if known is None else replace(known, times=known.times + 1)


def _identity(found: Finding) -> tuple[str, ...]:
    """What makes two findings the same one: the rule and its place in files, rows or the runtime's request."""
    place = found.place
    if place.file:
        return found.rule, place.file, str(place.line), place.segment
    if place.row:
        return found.rule, place.table, place.row, place.segment
    address = place.address
    return found.rule, *((address.session, address.runtime) if address is not None else ()), place.segment
