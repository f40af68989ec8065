"""What the Cache panel says of a "what if": how much the changed request would repeat of the turn before. Pure."""

from covel_inspector.app.figures import figure
from covel_inspector.app.sides import Prepared
from covel_inspector.domain import Address, Changes, Sentence, say
from covel_inspector.report.names import estimator_name


def is_tried(prepared: Prepared | None, address: Address, changes: Changes) -> bool:
    """Whether the call is shown with exactly these changes."""
    b = prepared.b if prepared is not None else None
    return b is not None and b.changes == changes and b.address_text == str(address)


def trial_told(prepared: Prepared | None, address: Address, changes: Changes) -> Sentence | None:
    """What the changes keep from turn to turn, beside what was kept without; tokens of the engine's estimate.

    None where nothing is changed, another call is shown, or no call of the turn before is known.
    """
    if prepared is None or changes == Changes() or not is_tried(prepared, address, changes):
        return None
    a, b = prepared.a, prepared.b
    if a is None or b is None or a.kept is None or b.kept is None or a.figures is None or b.figures is None:
        return None
    return say(
        "With your changes {n} of {m} tokens begin like the request of the turn before, "
        "instead of {k} of {l} (predicted; {estimator}).",
        n=figure(b.kept),
        m=figure(b.figures.total),
        k=figure(a.kept),
        l=figure(a.figures.total),
        estimator=estimator_name(b.figures.estimator),
    )
