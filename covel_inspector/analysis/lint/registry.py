"""All rules that work on the common nouns; a new one is a file in ``rules`` and a line here."""

from collections.abc import Sequence

from covel_inspector.analysis.lint.rule import LintRule
from covel_inspector.analysis.lint.rules import (
    body_differs,
    keyed_lore_before_history,
    never_sent,
    order_by_id,
    static_segment_in_body,
    tag_written_twice,
    tool_order,
    turn_segment_before_history,
    turn_variable_in_body,
    unclosed_tag,
    unknown_variable,
    unreachable_lore,
    unreadable,
    value_cut,
)
from covel_inspector.domain import Rule, Source

CHECKS: tuple[LintRule, ...] = (
    never_sent.CHECK,
    turn_variable_in_body.CHECK,
    turn_segment_before_history.CHECK,
    tag_written_twice.CHECK,
    unclosed_tag.CHECK,
    keyed_lore_before_history.CHECK,
    order_by_id.CHECK,
    body_differs.CHECK,
    static_segment_in_body.CHECK,
    unreachable_lore.CHECK,
    value_cut.CHECK,
    unknown_variable.CHECK,
    tool_order.CHECK,
)


def all_rules(source: Source) -> Sequence[Rule]:
    """Every rule that can be broken in a source: ours, the engine's own, and that everything can be read."""
    return (*(check.rule for check in CHECKS), *source.finding_rules(), unreadable.RULE)
