"""What was observed of a segment over a session, in sentences: what was seen, what it suggests, what speaks against it.

All of it is observation. Nothing here may read as if a plugin had declared it.
"""

from collections.abc import Iterator, Sequence

from covel_inspector.domain import Observation, Sentence, Standing, Volatility, say
from covel_inspector.report.names import VOLATILITY

STANDING: dict[Standing, Sentence] = {
    Standing.KEPT: say("before the last cache mark"),
    Standing.END: say("at the end of the system prompt, before the history"),
    Standing.TURN: say("with the text of the turn"),
    Standing.LOOSE: say("a message of its own"),
    Standing.MIXED: say("in several places"),
}

_MOST_TURNS = 6
"""Turns that are named; more are only counted."""

_LEAST_SAME = 5
"""Turns with the same text before anybody is advised to keep it."""

_CONTRACT = say("An audience by a contract that they share would look the same.")


def suggested_words(seen: Observation) -> Sentence | None:
    """What it suggests, in short; None when it suggests nothing."""
    changes = volatility_words(seen.volatilities)
    if changes is not None and seen.audience:
        return say("{changes}, audience {audience}", changes=changes, audience=seen.audience)
    return changes or (say("audience {audience}", audience=seen.audience) if seen.audience else None)


def volatility_words(fitting: Sequence[Volatility]) -> Sentence | None:
    """One or several volatilities, joined by "or"; None for none."""
    words: Sentence | None = None
    for volatility in fitting:
        named = VOLATILITY[volatility]
        words = named if words is None else say("{first} or {second}", first=words, second=named)
    return words


def seen_told(seen: Observation) -> Iterator[Sentence]:
    """How often it was seen and whether its text changed, without any conclusion."""
    yield say("Seen in {seen} of {turns} turns.", seen=seen.seen, turns=seen.turns)
    if seen.is_doubled:
        yield say("Some requests hold several blocks of this name, so their texts cannot be compared.")
    elif seen.never_changed:
        yield (
            say("The text was the same each time.")
            if seen.texts == 1
            else say("Each runtime got the same text each time.")
        )
    elif seen.changes and seen.changes == seen.steps:
        yield say("The text was another in each turn.")
    elif seen.changes:
        yield say("From one turn to the next the text changed {n} of {steps} times.", n=seen.changes, steps=seen.steps)


def details_told(seen: Observation) -> Iterator[Sentence]:
    """Which turns, and which runtimes; many turns are not named."""
    if seen.unnamed:
        yield say("In {n} of the turns with it only its name was known, not whose it is.", n=seen.unnamed)
    if seen.missing and len(seen.missing) <= _MOST_TURNS:
        yield say("Turns without it: {turns}.", turns=", ".join(seen.missing))
    if seen.changes < seen.steps and seen.changed and len(seen.changed) <= _MOST_TURNS and not seen.is_doubled:
        yield say("Turns with another text than before: {turns}.", turns=", ".join(seen.changed))
    if len(seen.runtimes) > 1:
        yield say("Seen in requests of {runtimes}.", runtimes=", ".join(seen.runtimes))


def suggestions(seen: Observation) -> Iterator[Sentence]:
    """What that suggests of a segment that no file declares. Empty for one that does: nothing needs to be inferred."""
    if seen.is_declared:
        return
    if seen.volatilities:
        yield _volatility_told(seen)
    elif seen.seen < _LEAST_SAME and not any(departures(seen)):
        yield say("That is too little to tell how often it changes.")
    if seen.audience == "self":
        yield say("Other runtimes were called without it, as with the audience self: its own plugin.")
    elif seen.audience:
        yield say(
            "Runtimes that tell the story have it, and others were called without it, as with the audience {audience}.",
            audience=seen.audience,
        )
    if seen.audience and seen.audience_is_guess:
        yield say("The audience follows from whose segment it is, and that is a guess.")
    if seen.audience and seen.may_be_contract:
        yield _CONTRACT


def _volatility_told(seen: Observation) -> Sentence:
    if seen.volatilities == (Volatility.SESSION,):
        return say("It stands in the part that a cache keeps and changes seldom, as text per session does.")
    if Volatility.TURN not in seen.volatilities:
        return (
            say("It stands in the part that a cache keeps and stays the same, as stable text or text per session does.")
            if seen.standing is Standing.KEPT
            else say("Its place tells nothing; its text stays the same, as stable text or text per session does.")
        )
    if seen.standing is Standing.END:
        return say("It changes, and it stands where only text per turn stands.")
    if seen.standing is Standing.TURN:
        return say("It stands with the text of the turn and changes, as text per turn does.")
    return say("Its place tells nothing; its text is another each time, as text per turn is.")


def departures(seen: Observation) -> Iterator[Sentence]:
    """Where what was seen does not go together with what the segment is taken for, or with its place."""
    changed_often = seen.steps > 1 and 2 * seen.changes >= seen.steps
    if seen.standing is Standing.KEPT and changed_often:
        yield say(
            "It stands in the part that a cache should keep, yet its text changed {n} of {steps} times: each time "
            "everything behind it was sent anew.",
            n=seen.changes,
            steps=seen.steps,
        )
    elif seen.counts_as is Volatility.STABLE and seen.changes:
        yield say("It is declared as text that never changes, yet {n} different texts were seen.", n=seen.texts)
    if seen.standing is Standing.END and seen.changes:
        yield say(
            "It stands at the end of the system prompt, before the history, and its text changed {n} of {steps} times: "
            "each time everything behind it was sent anew. Behind the history it would cost a cache nothing.",
            n=seen.changes,
            steps=seen.steps,
        )
    elif seen.standing is Standing.END and seen.never_changed and seen.seen >= _LEAST_SAME:
        yield say(
            "It stands behind the last cache mark of the system prompt, yet it never changed: as text of the session "
            "it could stand in the part that a cache keeps."
        )
    if seen.standing is Standing.TURN and seen.never_changed and seen.seen >= _LEAST_SAME:
        yield say(
            "It stands with the text of the turn, yet it never changed: as text of the session it could stand in the "
            "part that a cache keeps."
        )
    if seen.meant_for and seen.audience and seen.meant_for != seen.audience:
        yield say(
            "It counts as meant for {expected}, yet those who have it suggest {observed}.",
            expected=seen.meant_for,
            observed=seen.audience,
        )
