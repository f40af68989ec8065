"""A request that was never sent: its runtime failed before, and no list of recorded calls has it."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import SeenSession
from covel_inspector.domain import Finding, FindingPlace, Rule, Sentence, Severity, TooLong, say

RULE = Rule("never-sent", say("Request that was never sent"), Severity.ERROR)


def _look(session: SeenSession) -> Iterator[Finding]:
    for call in session.source.unsent(session.session.id):
        place = FindingPlace(table="turn_results", row=call.row, address=call.address)
        yield finding(RULE, place, call.why_unsent, _remedy(call.too_long))


def _remedy(too_long: TooLong | None) -> Sentence:
    if too_long is None:
        return say("Mend what the error names, and let the player send the line again.")
    if too_long.fixed >= too_long.limit:
        return say(
            "System prompt and tools alone are longer than the limit: shorten them, or give the slot a larger window."
        )
    return say(
        "Let the player write or paste less, or give the slot a larger window or a smaller reserve. The Budget panel "
        "shows what could not be left out, and tries other limits."
    )


CHECK = LintRule(RULE, in_session=_look)
