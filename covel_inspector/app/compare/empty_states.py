"""What the view says when there is nothing to draw: always what is missing, and why."""

from dataclasses import dataclass

from covel_inspector.app.sides import Prepared, Side
from covel_inspector.domain import Sentence, say
from covel_inspector.domain.listing import joined

NOTHING_CHOSEN = say("Choose a turn in the story to see what the model was sent.")
NO_REQUEST = say("There is no request to show.")
CONCEALED = say("The engine conceals this call: its request was never written down.")


@dataclass(frozen=True, slots=True)
class Layout:
    """How two sides are shown: whether B alone, and what must be said about them."""

    page: Sentence | None = None
    """Said instead of everything else, when B has no request."""
    one_sided: bool = False
    """Only B is drawn."""
    remark: Sentence | None = None
    """Said above the tree: why there is no A, or what must be known of a tree that is drawn."""
    details: str = ""
    """What the engine itself said, where the remark is our telling of it."""


def layout_of(prepared: Prepared | None) -> Layout:
    """What there is to draw."""
    if prepared is None:
        return Layout(page=NOTHING_CHOSEN)
    a, b = prepared.a, prepared.b
    if b is None:
        return Layout(page=NOTHING_CHOSEN)
    if b.tree is None:
        return Layout(page=_why_empty(b))
    if a is None or a.tree is None:
        return Layout(one_sided=True, remark=_both(b.message, _said(a)), details=b.details)
    shown = b if b.message is not None else a
    return Layout(remark=shown.message, details=shown.details)


def _both(first: Sentence | None, second: Sentence | None) -> Sentence | None:
    if first is None or second is None:
        return first or second
    return joined(first, second)


def _why_empty(side: Side) -> Sentence:
    if side.message is not None:
        return side.message
    if side.call is not None and side.call.problem is not None:
        return side.call.problem
    if side.call is not None and side.call.concealed:
        return CONCEALED
    if side.verdict is not None and side.verdict.reason.template:
        return side.verdict.reason
    return NO_REQUEST


def _said(side: Side | None) -> Sentence | None:
    """Why side A has nothing; None when nobody asked for an A."""
    if side is None:
        return None
    return say("Nothing to compare with: {why}", why=_why_empty(side)) if side.address_text else _why_empty(side)
