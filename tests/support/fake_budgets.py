"""Budgets and compactions of the story in memory."""

from collections.abc import Callable

from covel_inspector.domain import (
    BudgetItem,
    BudgetOutcome,
    BudgetRun,
    BudgetShare,
    BudgetStep,
    Changes,
    CompactionReport,
    Group,
    NextCompaction,
    SegmentTree,
    say,
)


def budget_run(rebuilt: SegmentTree, changes: Changes, estimate: Callable[[str], int]) -> BudgetRun:
    """A run under a window of 4 000 tokens; a smaller one loses the first message behind the system prompt."""
    window, reserve = changes.window or 4000, changes.reserve or 1000
    shares = tuple(
        BudgetShare(group.key, group.title, group.kind, estimate(group.whole_text)) for group in rebuilt.groups
    )
    before, limit = sum(share.tokens for share in shares), window - reserve
    source = say("the window that the test made up")
    if before <= limit:
        return BudgetRun(BudgetOutcome.FITS, window, reserve, limit, source, before, before, shares)
    messages = rebuilt.group(Group.MESSAGES)
    leaf = next(messages.leaves()) if messages is not None else next(rebuilt.leaves())
    tokens = estimate(leaf.text)
    item = BudgetItem(leaf.key, leaf.title, tokens, 0, say("the oldest message"))
    told = say("The request was {over} tokens over its limit, so the oldest message was left out.", over=before - limit)
    step = BudgetStep("prune", say("History pruning"), before - limit, tokens, tokens, (item,), (), told)
    after = before - tokens
    outcome = BudgetOutcome.TRIMMED if after <= limit else BudgetOutcome.OVERFLOW
    return BudgetRun(outcome, window, reserve, limit, source, before, after, shares, (step,))


def compactions(session: str) -> CompactionReport:
    """A session in which nothing was compacted yet."""
    upcoming = NextCompaction(None, None, 4, 4, say("Nobody knows when the next compaction is due."))
    return CompactionReport(session, (), (), upcoming, say("Nothing has been compacted yet."))
