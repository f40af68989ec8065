"""What the token budget did to a rebuilt request, in the common nouns."""

from covel_inspector.domain import BudgetOutcome, BudgetRun, BudgetShare, SegmentTree, say
from covel_inspector.engines.covel.budget.estimator import covel_tokens


def unknown_run(tree: SegmentTree) -> BudgetRun:
    """A run of which only the request itself is known."""
    shares = tuple(
        BudgetShare(group.key, group.title, group.kind, covel_tokens(group.whole_text)) for group in tree.groups
    )
    total = sum(share.tokens for share in shares)
    return BudgetRun(
        BudgetOutcome.UNKNOWN_LIMIT,
        None,
        None,
        None,
        say("no file names the window of this slot"),
        total,
        total,
        shares,
    )
