"""A segment that changes each turn and stands before the history: the history behind it cannot be cached."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding, place_of
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import Finding, Group, Kind, Rule, Severity, Volatility, say

RULE = Rule("turn-segment-before-history", say("Turn segment before the history"), Severity.WARNING)


def _look(seen: Seen) -> Iterator[Finding]:
    system = seen.tree.group(Group.SYSTEM)
    for leaf in system.leaves() if system is not None else ():
        if leaf.kind is Kind.EXTENSION and leaf.volatility is Volatility.TURN:
            sentence = say(
                "{segment} may change in every turn and stands at the end of the system prompt: when it does, the "
                "history behind it cannot come from the cache",
                segment=leaf.title,
            )
            remedy = say(
                "Declare the position system for it: turn segments of that position stand in the turn context, behind "
                "the history."
            )
            yield finding(RULE, place_of(leaf, seen.address), sentence, remedy)


CHECK = LintRule(RULE, in_call=_look)
