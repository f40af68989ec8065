"""What panels say of a turn that has no request: why, and what they can therefore not show. Pure."""

from covel_inspector.domain import Sentence, Turn, say


def why_no_request(turn: Turn | None) -> Sentence:
    """Why a turn has no request."""
    note = turn.note if turn is not None else None
    return note or say("No model was called in this turn, or the calls are no longer kept.")


def no_lorebook(turn: Turn | None) -> Sentence:
    """For the Lorebook panel."""
    return say("{why} So there is no request of which it could be told which entries were in it.",
               why=why_no_request(turn))  # fmt: skip


def no_body(turn: Turn | None) -> Sentence:
    """For the Template panel."""
    return say("{why} So there is no request whose body could be shown with its values.",
               why=why_no_request(turn))  # fmt: skip


def no_pieces(turn: Turn | None) -> Sentence:
    """For the Plugins panel, which still shows what is declared."""
    return say("{why} So only what is declared can be told.", why=why_no_request(turn))


def no_budget(turn: Turn | None) -> Sentence:
    """For the Budget panel."""
    return say("{why} So there is no request whose budget could be told.", why=why_no_request(turn))
