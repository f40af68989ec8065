"""The shape of a rule, and how it reports."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from covel_inspector.analysis.lint.seen import Seen, SeenSession
from covel_inspector.domain import Address, Finding, FindingPlace, Rule, Segment, Sentence, Severity


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule and how it looks: at every call, at a session as a whole, or both."""

    rule: Rule
    in_call: Callable[[Seen], Iterator[Finding]] | None = None
    in_session: Callable[[SeenSession], Iterator[Finding]] | None = None


def finding(
    rule: Rule, place: FindingPlace, sentence: Sentence, remedy: Sentence, severity: Severity | None = None
) -> Finding:
    """A finding of a rule; ``severity`` where it differs from the rule's usual one."""
    return Finding(rule.id, severity or rule.severity, rule.title, sentence, remedy, place)


def place_of(segment: Segment, address: Address, text_before: str = "") -> FindingPlace:
    """The place of a segment in a call: also its file and line (behind ``text_before`` of its text), or its row."""
    origin = segment.origin
    line = origin.line + text_before.count("\n") if origin.file and origin.line else 0
    row = origin.rows[0] if len(origin.rows) == 1 else ""
    return FindingPlace(origin.file, line, origin.table if row else "", row, address, segment.key)
