"""A value that was too long for its limit, so that the model saw only its beginning."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import AbsenceReason, Absent, Finding, FindingPlace, Kind, Rule, Severity, say
from covel_inspector.domain.listing import labelled

RULE = Rule("value-cut", say("Value cut at its limit"), Severity.WARNING)

_WITH_LIMITS = (Kind.WORLD_LORE, Kind.OWN_DATA)


def _look(seen: Seen) -> Iterator[Finding]:
    report = seen.template
    for variable in report.variables if report is not None else ():
        if variable.cut is not None and report is not None:
            sentence = labelled("{{ " + variable.path + " }}", variable.cut)
            place = FindingPlace(
                file=report.file, line=variable.line, address=seen.address, segment=f"variable:{variable.path}"
            )
            yield finding(RULE, place, sentence, say("Shorten the descriptions and fields, or ask for single values."))
    for absent in seen.left_out:
        if absent.reason is AbsenceReason.CUT and absent.kind in _WITH_LIMITS:
            yield _of_block(absent, seen)


def _of_block(absent: Absent, seen: Seen) -> Finding:
    origin = absent.origin
    row = origin.rows[0] if len(origin.rows) == 1 else ""
    place = FindingPlace(table=origin.table if row else "", row=row, address=seen.address, segment=absent.key)
    sentence = labelled(absent.title, absent.note)
    return finding(RULE, place, sentence, say("Shorten it, or split it so that only what is needed is sent."))


CHECK = LintRule(RULE, in_call=_look)
