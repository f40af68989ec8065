"""The same tools in another order: providers hash tools first, so nothing of the cached request can be used."""

from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import Finding, FindingPlace, Group, Rule, SegmentTree, Severity, say

RULE = Rule("tool-order", say("Tool list that changes its order"), Severity.WARNING)


def _look(seen: Seen) -> Iterator[Finding]:
    if seen.before is None:
        return
    now, earlier = _names(seen.tree), _names(seen.before)
    common = set(now) & set(earlier)
    kept = [name for name in now if name in common]
    was = [name for name in earlier if name in common]
    moved = next((name for name, other in zip(kept, was, strict=False) if name != other), None)
    if moved is None:
        return
    sentence = say(
        "{runtime} sends the same tools in another order than before; the first that moved is {tool}. Providers hash "
        "tools first, so nothing of the cached request could be used",
        runtime=seen.address.runtime,
        tool=moved,
    )
    remedy = say("Register the tools in a fixed order; new ones at the end.")
    yield finding(RULE, FindingPlace(address=seen.address, segment=Group.TOOLS.value), sentence, remedy)


def _names(tree: SegmentTree) -> list[str]:
    return [part.name for part in tree.request.parts if part.group is Group.TOOLS]


CHECK = LintRule(RULE, in_call=_look)
