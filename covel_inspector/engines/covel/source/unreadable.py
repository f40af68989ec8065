"""Calls whose rows cannot be read: what is known of them, and what nobody can tell."""

from covel_inspector.domain import Sentence, plain, say
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
