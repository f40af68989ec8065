"""A variable that changes from turn to turn inside a body: everything behind it is sent anew each time."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import (
    Finding,
    FindingPlace,
    Group,
    Rule,
    SegmentTree,
    Sentence,
    Severity,
    TemplateVariable,
    Volatility,
    say,
)

RULE = Rule("turn-variable-in-body", say("Turn-dependent variable in the cached part"), Severity.WARNING)


def _look(seen: Seen) -> Iterator[Finding]:
    report = seen.template
    if report is None or not _is_cached(seen.tree):
        return
    for variable in report.variables:
        sentence = _what(variable)
        if sentence is not None:
            place = FindingPlace(
                file=report.file, line=variable.line, address=seen.address, segment=f"variable:{variable.path}"
            )
            remedy = say(
                "Give the value behind the last cache mark: as a turn segment of position system, or as an input of "
                "the runtime, instead of a variable of the body."
            )
            yield finding(RULE, place, sentence, remedy)


def _what(variable: TemplateVariable) -> Sentence | None:
    written = "{{ " + variable.path + " }}"
    if variable.changed:
        return say(
            "{variable} changed since the turn before; the body stands in the cached part, so nothing behind it could "
            "come from the cache",
            variable=written,
        )
    if variable.volatility is Volatility.TURN and not variable.is_missing:
        return say(
            "{variable} is new in every turn; the body stands in the cached part, so nothing behind it can come from "
            "the cache",
            variable=written,
        )
    return None


def _is_cached(tree: SegmentTree) -> bool:
    """True when the body stands in the system prompt: before a boundary, or in the implicit prefix."""
    system = tree.group(Group.SYSTEM)
    return system is not None and any(segment.key == "body" for segment in system.walk())


CHECK = LintRule(RULE, in_call=_look)
