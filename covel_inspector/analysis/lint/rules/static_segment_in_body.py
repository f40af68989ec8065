"""A declared segment whose text the body of the same request says too."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding, place_of
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import Finding, Kind, Rule, Severity, say

RULE = Rule("static-segment-in-body", say("Static segment repeated in a body"), Severity.WARNING)

_LEAST_UNITS = 12
"""Letters below which a text says too little to be called repeated."""


def _look(seen: Seen) -> Iterator[Finding]:
    body = next((segment.whole_text for segment in seen.written() if segment.kind is Kind.BODY), "")
    for segment in seen.written():
        text = segment.text.strip()
        if segment.kind is not Kind.EXTENSION or not segment.origin.file or len(text) < _LEAST_UNITS:
            continue
        if text in body:
            sentence = say(
                "The whole text of {segment} stands in the body too, so it is sent twice", segment=segment.title
            )
            remedy = say("Remove one of the two.")
            yield finding(RULE, place_of(segment, seen.address), sentence, remedy)


CHECK = LintRule(RULE, in_call=_look)
