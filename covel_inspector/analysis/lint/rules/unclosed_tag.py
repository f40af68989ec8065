"""A tag that opens a line of a body or segment and is never closed."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.blocks import outer_tags
from covel_inspector.analysis.lint.rule import LintRule, finding, place_of
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import Finding, FindingPlace, Kind, Rule, Severity, say

RULE = Rule("unclosed-tag", say("Unclosed tag"), Severity.WARNING)

_LOOKED_AT = frozenset({Kind.BODY, Kind.EXTENSION, Kind.LORE, Kind.WORLD_LORE})


def _look(seen: Seen) -> Iterator[Finding]:
    report = seen.template
    if report is not None:
        for name, start, alone in _open_tags(report.template):
            line = report.line + report.template.count("\n", 0, start) if report.line else 0
            place = FindingPlace(file=report.file, line=line, address=seen.address, segment="body")
            yield _report(name, place, alone)
    for segment in seen.written():
        if segment.kind not in _LOOKED_AT or (segment.kind is Kind.BODY and report is not None):
            continue
        text = segment.whole_text
        for name, start, alone in _open_tags(text):
            yield _report(name, place_of(segment, seen.address, text[:start]), alone)


def _open_tags(text: str) -> Iterator[tuple[str, int, bool]]:
    if "<" in text:
        yield from ((tag.name, tag.start, tag.stands_alone) for tag in outer_tags(text) if not tag.is_closed)


def _report(name: str, place: FindingPlace, stands_alone: bool) -> Finding:
    sentence = say(
        "<{tag}> opens a line and is not closed in the same text: it opens no block, so values behind it are not "
        "escaped, and a model may take all that follows for its content",
        tag=name,
    )
    remedy = say("Close it with </{tag}>, or begin the line with something else.", tag=name)
    # A tag with words behind it on its line may be meant as a mere word.
    return finding(RULE, place, sentence, remedy, None if stands_alone else Severity.HINT)


CHECK = LintRule(RULE, in_call=_look)
