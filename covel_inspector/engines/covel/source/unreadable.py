"""Calls whose rows cannot be read: what is known of them, and what nobody can tell."""

from collections.abc import Iterable

from covel_inspector.domain import Problem, Sentence, Severity, plain, say
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import BadRow
from covel_inspector.engines.covel.source.turns import CallPlace


def why_unreadable(place: CallPlace, payload: RecordedCall | BadRow | None) -> Sentence | None:
    """Why the recording of a call cannot be shown; None when its row is whole.

    A row that names no runtime is not whole: nothing tells then whose body the request has.
    """
    if isinstance(payload, BadRow):
        return say("its row cannot be read: {why}", why=payload.sentence or plain(payload.reason))
    if place.row.problem is not None:
        return say("its row cannot be read: {why}", why=place.row.problem)
    return None if place.row.runtime_id else say("its row names no runtime")


def told_once(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each problem once: the database notes a broken row, and so does who needed it for a call, who knows more.

    The graver telling stays, and of two that are as grave the one that names a call.
    """
    best: dict[tuple[str, Sentence], Problem] = {}
    for one in problems:
        key = (one.where, one.sentence)
        known = best.get(key)
        if known is None or _weight(one) < _weight(known):
            best[key] = one
    return tuple(best.values())


def _weight(problem: Problem) -> tuple[int, bool]:
    return tuple(Severity).index(problem.severity), problem.address is None
