"""A lorebook entry that can never come in."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import SeenSession
from covel_inspector.domain import Finding, FindingPlace, LoreOutcome, Rule, Severity, say

RULE = Rule("unreachable-lore", say("Unreachable lorebook entry"), Severity.WARNING)


def _look(seen: SeenSession) -> Iterator[Finding]:
    for state in seen.lorebook:
        if state.outcome is LoreOutcome.KEYLESS:
            place = FindingPlace(table="lorebook_entries", row=state.entry, segment=state.key)
            sentence = say("{entry} never comes in. {why}", entry=state.label, why=state.why)
            yield finding(RULE, place, sentence, say("Give it a key, or make it constant."))


CHECK = LintRule(RULE, in_session=_look)
