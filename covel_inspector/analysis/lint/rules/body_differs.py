"""The body in the file is not the one that was sent."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import Finding, FindingPlace, Rule, Severity, say

RULE = Rule("body-differs", say("Body differs from what was sent"), Severity.WARNING)


def _look(seen: Seen) -> Iterator[Finding]:
    report = seen.template
    if report is None or report.differs is None:
        return
    sentence = say(
        "The body of {runtime} is not the one that was sent: {how}", runtime=report.runtime, how=report.differs
    )
    remedy = say(
        "Open the recording with the version of the plugin that made it; or, if the file was edited since, record the "
        "turn again."
    )
    place = FindingPlace(file=report.file, line=report.line, address=seen.address, segment="body")
    yield finding(RULE, place, sentence, remedy)


CHECK = LintRule(RULE, in_call=_look)
