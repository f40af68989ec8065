"""What verdicts and token estimates are called in sentences for people: needed wherever such sentences are made."""

from covel_inspector.domain.sentence import Sentence, plain, say
from covel_inspector.domain.verdict import Status

STATUS: dict[Status, Sentence] = {
    Status.IDENTICAL: say("identical"),
    Status.NORMALISED: say("same after normalisation"),
    Status.DIFFERS: say("differs"),
    Status.IMPOSSIBLE: say("cannot be rebuilt"),
    Status.NOTHING_RECORDED: say("nothing recorded"),
}

_ESTIMATORS: dict[str, Sentence] = {"Covel estimate": say("Covel estimate")}


def estimator_name(name: str) -> Sentence:
    """A source's ``estimator_name`` in the reader's language; a name we do not know stays as it is."""
    return _ESTIMATORS.get(name) or plain(name)
