"""From one count of a request to another, in a sentence: why the figures of one request differ. Pure.

A request is counted in several places. Views add up the engine's estimate of each segment; the token budget counts the
request as the engine does before it sends it; the prefix measurement has an estimate of its own; the provider reports.
"""

from collections.abc import Callable, Iterable

from covel_inspector.domain import BudgetRun, Sentence, say

Figure = Callable[[int], str]
"""How a number is written."""


def budget_bridge(segments: int, run: BudgetRun, figure: Figure, *, is_same: bool) -> Sentence:
    """What the budget counts, made out of the sum of the segments (``segments``, by the engine's estimate).

    ``is_same``: the segments are those of the request that the budget was run on. Where a recorded request is not the
    rebuilt one, the rest of the difference is told as that.
    """
    rest = run.after - segments - sum(extra.tokens for extra in run.extras)
    terms = [(extra.tokens, extra.title) for extra in run.extras]
    if rest:
        terms.append((rest, _rounding() if is_same else _other_request()))
    if not terms:
        return say("The token budget counts the same: {n}.", n=figure(run.after))
    return say(
        "The token budget counts {n} = {segments} of the segments {terms}.",
        n=figure(run.after),
        segments=figure(segments),
        terms=_joined(_term(tokens, title, figure) for tokens, title in terms),
    )


def prefix_bridge(measured: int, segments: int, reported: int | None, figure: Figure) -> Sentence:
    """The prefix measurement's count of a request beside the sum of its segments, and what was reported."""
    told = say(
        "The cache figures count {measured} tokens for this request, by the characters of the provider's body with the "
        "JSON around its texts, without cache marks and pictures. The engine's estimate, segment by segment, is "
        "{segments}.",
        measured=figure(measured),
        segments=figure(segments),
    )
    if reported is None:
        return told
    return say("{told} The provider reported {n}.", told=told, n=figure(reported))


def _rounding() -> Sentence:
    return say("it rounds up once for each message, not for each segment")


def _other_request() -> Sentence:
    return say("rounding, and the budget is run on the rebuilt request, which differs from this one")


def _term(tokens: int, title: Sentence, figure: Figure) -> Sentence:
    sign = "+" if tokens >= 0 else "−"
    return say("{sign} {n} ({what})", sign=sign, n=figure(abs(tokens)), what=title)


def _joined(terms: Iterable[Sentence]) -> Sentence:
    joined, *rest = terms
    for term in rest:
        joined = say("{terms} {term}", terms=joined, term=term)
    return joined
