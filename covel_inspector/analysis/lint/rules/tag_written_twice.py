"""Two segments of a request open the same tag: a model cannot tell which one a rule speaks of."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.blocks import outer_tags
from covel_inspector.analysis.lint.rule import LintRule, finding, place_of
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import Finding, Rule, Segment, Severity, say

RULE = Rule("tag-written-twice", say("More than one writer of the same tag"), Severity.WARNING)


def _look(seen: Seen) -> Iterator[Finding]:
    first: dict[str, Segment] = {}
    for segment in seen.written():
        text = segment.whole_text
        for tag in outer_tags(text) if "<" in text else ():
            if not tag.is_closed:
                continue
            writer = first.setdefault(tag.name, segment)
            if writer.key.partition("#")[0] == segment.key.partition("#")[0]:
                continue
            sentence = say(
                "<{tag}> is written by {first} and again by {second}", tag=tag.name, first=writer.title,
                second=segment.title,
            )  # fmt: skip
            remedy = say("Give one of the two blocks a name of its own.")
            yield finding(RULE, place_of(segment, seen.address, text[: tag.start]), sentence, remedy)


CHECK = LintRule(RULE, in_call=_look)
