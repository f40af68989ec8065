"""A file that was replaced, or written anew, while it was open: the place that is asked for is not in it any more."""

from covel_inspector.app.preparing import Question, title_of
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.domain import Sentence, Source, say


def gone(source: Source, question: Question) -> Prepared | None:
    """A side that says so, when the file no longer holds what its lists told; None when all is there."""
    why = _why_gone(source, question)
    if why is None:
        return None
    spot = question.spot
    title = title_of(spot.address) if spot.address is not None else say("turn {turn}", turn=spot.turn)
    address_text = str(spot.address) if spot.address is not None else ""
    return Prepared(None, Side(address_text, title, message=why, gone=True))


def _why_gone(source: Source, question: Question) -> Sentence | None:
    spot = question.spot
    if spot.session not in {session.id for session in source.sessions()}:
        return say(
            "The file was replaced while it was open: it no longer holds this session. Press F5 to read it again."
        )
    known = (*source.calls(spot.session), *source.unsent(spot.session))
    if spot.address is not None and spot.address not in {call.address for call in known}:
        return say("The file was changed while it was open: it no longer holds this call. Press F5 to read it again.")
    return None
