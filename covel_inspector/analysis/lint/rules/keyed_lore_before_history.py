"""A lorebook entry that comes and goes by its keys and stands in the system prompt, before the history."""

from collections.abc import Iterator
from itertools import pairwise

from covel_inspector.analysis.lint.rule import LintRule, finding
from covel_inspector.analysis.lint.seen import SeenSession
from covel_inspector.domain import (
    Address,
    Finding,
    FindingPlace,
    LoreHistory,
    LoreOutcome,
    LoreState,
    Rule,
    Sentence,
    Severity,
    say,
)

RULE = Rule("keyed-lore-before-history", say("Keyed lore before the history"), Severity.WARNING)

_WOKEN_BY_KEYS = (LoreOutcome.KEY, LoreOutcome.NO_KEY)


def _look(seen: SeenSession) -> Iterator[Finding]:
    history = seen.lore_history
    for state in seen.lorebook:
        if state.outcome not in _WOKEN_BY_KEYS or state.position == "at_depth":
            continue
        changes, address = _changes(state, history)
        sentence = _what(state.label, changes, len(history.addresses) if history is not None else 0)
        remedy = say("Give it the position at_depth with a small depth, so that it stands behind the history.")
        place = FindingPlace(table="lorebook_entries", row=state.entry, address=address, segment=state.key)
        yield finding(RULE, place, sentence, remedy, None if changes else Severity.HINT)


def _what(entry: str, changes: int, turns: int) -> Sentence:
    if changes:
        return say(
            "{entry} stands in the system prompt and came or went in {n} of {turns} turns: then neither the lore "
            "behind it nor the history could come from the cache",
            entry=entry,
            n=changes,
            turns=turns,
        )
    return say(
        "{entry} stands in the system prompt when a key hits: then neither the lore behind it nor the history can come "
        "from the cache",
        entry=entry,
    )


def _changes(state: LoreState, history: LoreHistory | None) -> tuple[int, Address | None]:
    """How often the entry came or went, and the call where it first did."""
    row = next((row for row in history.rows if row.key == state.key), None) if history is not None else None
    if history is None or row is None:
        return 0, None
    changed = [number for number, (a, b) in enumerate(pairwise(row.outcomes), 1) if a.is_in != b.is_in]
    return len(changed), history.addresses[changed[0]] if changed else None


CHECK = LintRule(RULE, in_session=_look)
