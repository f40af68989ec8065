"""Pieces with the same place and order: only their ids decide which comes first."""

from collections import defaultdict
from collections.abc import Iterator

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import SeenSession
from covel_inspector.domain import (
    DeclaredSegment,
    Finding,
    FindingPlace,
    LoreOutcome,
    LoreState,
    PluginReport,
    Rule,
    Severity,
    say,
)
from covel_inspector.domain.listing import shortened

RULE = Rule("order-by-id", say("Order that depends on ids only"), Severity.HINT)

_NEVER_SENT = (LoreOutcome.DISABLED, LoreOutcome.KEYLESS)


def _look(seen: SeenSession) -> Iterator[Finding]:
    yield from _lore(seen)
    turn = seen.calls[-1].address.turn if seen.calls else ""
    for plugin in seen.source.plugins(seen.session.id, turn) if turn else ():
        if plugin.active is not False:
            yield from _segments(plugin)


def _lore(seen: SeenSession) -> Iterator[Finding]:
    groups: dict[tuple[str, float | None, float], list[LoreState]] = defaultdict(list)
    for state in sorted(seen.lorebook, key=lambda state: state.entry):
        if state.outcome not in _NEVER_SENT:
            groups[state.position, state.depth, state.order].append(state)
    for (position, _, order), states in groups.items():
        if len(states) > 1:
            sentence = say(
                "{names} share the position {position} and the order {order}: renaming one of them moves it",
                names=shortened(state.label for state in states),
                position=position,
                order=f"{order:g}",
            )
            place = FindingPlace(table="lorebook_entries", row=states[1].entry)
            yield finding(RULE, place, sentence, say("Give each entry an order of its own."))


def _segments(plugin: PluginReport) -> Iterator[Finding]:
    groups: dict[tuple[str, float], list[DeclaredSegment]] = defaultdict(list)
    for segment in plugin.segments:
        if segment.is_static:
            groups[segment.position, segment.order or 0].append(segment)
    for (position, _), segments in groups.items():
        if len(segments) > 1:
            sentence = say(
                "{names} share the position {position} and the order {order}: renaming one of them moves it",
                names=shortened(segment.id for segment in segments),
                position=position,
                order=f"{segments[0].order or 0:g}",
            )
            place = FindingPlace(file=segments[1].file, line=segments[1].line, segment=segments[1].key)
            yield finding(RULE, place, sentence, say("Give each segment an order of its own."))


CHECK = LintRule(RULE, in_session=_look)
