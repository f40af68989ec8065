"""What is said of a verdict: in a pill, in few letters, and in a sentence. Pure."""

from covel_inspector.app.figures import percent
from covel_inspector.domain import Sentence, Status, Verdict, say

VerdictLook = tuple[Sentence, str]
"""What a pill says about a verdict, and the tone it says it in."""

_AGREES = (Status.IDENTICAL, Status.NORMALISED)


def verdict_look(verdict: Verdict) -> VerdictLook:
    """The pill of a verdict. The sign in front carries the meaning without the colour."""
    if verdict.status is Status.DIFFERS:
        count = len(verdict.differences)
        if count == 1:
            return say("≠ differs in 1 place"), "warning"
        return (say("≠ differs in {n} places", n=count) if count else say("≠ differs")), "warning"
    if verdict.status in _AGREES and verdict.total:
        share = percent(verdict.independent_share)
        if verdict.status is Status.IDENTICAL:
            return say("✓ identical · {share} independent", share=share), "good"
        return say("✓ same after normalisation · {share} independent", share=share), "good"
    return {
        Status.IDENTICAL: (say("✓ rebuilt identical"), "good"),
        Status.NORMALISED: (say("✓ same after normalisation"), "good"),
        Status.IMPOSSIBLE: (say("∅ cannot be rebuilt"), "quiet"),
        Status.NOTHING_RECORDED: (say("○ nothing recorded"), "quiet"),
    }[verdict.status]


def short_look(verdict: Verdict) -> str:
    """The sign of a verdict with its number, for a narrow heading: how much agrees independently, or how much not."""
    sign = str(verdict_look(verdict)[0])[0]
    if verdict.status in _AGREES and verdict.total:
        return f"{sign} {percent(verdict.independent_share)}"
    count = len(verdict.differences)
    return f"{sign} {count}" if verdict.status is Status.DIFFERS and count else sign


def independence(verdict: Verdict) -> Sentence | None:
    """How much of the rebuilt request owes nothing to the recording; None when nothing was rebuilt."""
    if not verdict.total:
        return None
    return say(
        "{share} of the rebuilt text comes from rows and files; the rest was taken from the recording.",
        share=percent(verdict.independent_share),
    )
