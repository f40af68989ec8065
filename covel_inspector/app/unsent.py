"""What is said of a call that failed before it was sent: nothing was recorded, all that is shown is rebuilt. Pure."""

from collections.abc import Iterator

from covel_inspector.app.figures import figure
from covel_inspector.app.page import Fact
from covel_inspector.domain import AbsenceReason, Call, Kind, Segment, SegmentTree, Sentence, plain, say


def told_unsent(call: Call, tree: SegmentTree | None, trouble: Sentence | None) -> Sentence:
    """Why it was never sent, and what is shown of it instead. ``trouble`` says why it cannot be rebuilt."""
    why = call.why_unsent
    if tree is None:
        return why if trouble is None else say("{why} It cannot be rebuilt either: {trouble}", why=why, trouble=trouble)
    line = missing_text(tree)
    if line is None:
        return say("{why} What is shown here is rebuilt from rows and files.", why=why)
    if line.fixed_tokens is None:
        return say(
            "{why} What is shown here is rebuilt from rows and files; what the player wrote is stored nowhere, because "
            "the turn failed.",
            why=why,
        )
    return say(
        "{why} What is shown here is rebuilt from rows and files; what the player wrote is stored nowhere, because the "
        "turn failed. By the numbers of the error it was {n} tokens long.",
        why=why,
        n=figure(line.fixed_tokens),
    )


def missing_text(tree: SegmentTree) -> Segment | None:
    """The mark that stands for a text which is stored nowhere; None when all texts are there."""
    keys = {absent.key for absent in tree.absent if absent.reason is AbsenceReason.NOT_STORED}
    return next((leaf for leaf in tree.leaves() if leaf.key in keys), None) if keys else None


def rebuilt_only(tree: SegmentTree | None) -> Sentence:
    """What is shown of it, for a heading."""
    if tree is None:
        return say("∅ cannot be rebuilt")
    if missing_text(tree) is None:
        return say("○ rebuilt only")
    return say("○ rebuilt without the player's text")


def failure_facts(call: Call) -> Iterator[Fact]:
    """The engine's own numbers and words on a request that was never sent."""
    if call.too_long is not None:
        numbers = say(
            "{needed} tokens, {over} more than the limit of {limit}",
            needed=figure(call.too_long.needed),
            over=figure(call.too_long.over),
            limit=figure(call.too_long.limit),
        )
        yield Fact(say("Needed"), numbers)
    yield Fact(say("Error"), plain(call.error))


def taken_leaves(segment: Segment) -> list[bool]:
    """Of each leaf of a piece, blanks aside, whether its text was taken over and not made."""
    return [leaf.taken for leaf in segment.leaves() if leaf.kind is not Kind.SEPARATOR or leaf is segment]


def never_sent(segment: Segment) -> Sentence:
    """What a piece of a request that was never sent was made from: there is no recording of it."""
    taken = taken_leaves(segment)
    if taken and all(taken):
        return say("The request was never sent. This piece was not rebuilt but taken over from other calls.")
    if any(taken):
        return say(
            "The request was never sent. This piece was rebuilt from rows and files, except for parts taken over from "
            "other calls."
        )
    return say("The request was never sent. This side was rebuilt from rows and files.")
