"""A body asks for a variable that does not exist."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import Finding, FindingPlace, Rule, Severity, ValueSource, say
from covel_inspector.domain.listing import labelled

RULE = Rule("unknown-variable", say("Unknown variable in a body"), Severity.WARNING)


def _look(seen: Seen) -> Iterator[Finding]:
    report = seen.template
    for variable in report.variables if report is not None else ():
        if variable.source is ValueSource.NOWHERE and report is not None:
            place = FindingPlace(file=report.file, line=variable.line, address=seen.address, segment="body")
            sentence = labelled("{{ " + variable.path + " }}", variable.where)
            yield finding(RULE, place, sentence, say("Correct its name, or remove it."))


CHECK = LintRule(RULE, in_call=_look)
