"""The default strategy: which rows are summarised, how long the new text may be, and which old ones are merged."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from covel_inspector.engines.covel.budget.compaction.numbers import LEAST, SummaryBudget
from covel_inspector.engines.covel.budget.compaction.shapes import LogRow
from covel_inspector.engines.covel.budget.estimator import Estimator
from covel_inspector.engines.covel.javascript import head, length, trim, trim_end

PROTECTED_USER_ROWS = 2
PROTECTED_ROWS = 5
_SOURCE_SHARE = 0.25
_MERGE_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """The rows that a new summary is to cover. ``new_budget`` is its limit; 0 without rows."""

    protect_start: int
    rows: tuple[LogRow, ...]
    source_tokens: int = 0
    new_budget: int = 0


@dataclass(frozen=True, slots=True)
class MergePlan:
    """How many of the oldest summaries are merged, and the limit of the merged one (0 without a merge)."""

    count: int
    budget: int


def protected_start(rows: Sequence[LogRow]) -> int:
    """Index of the first row that is never compacted: the second-last user row or the last five rows, whichever
    begins earlier; 0 with fewer than two user rows."""
    users = [index for index, row in enumerate(rows) if row.role == "user"]
    if len(users) < PROTECTED_USER_ROWS:
        return 0
    return max(0, min(users[-PROTECTED_USER_ROWS], len(rows) - PROTECTED_ROWS))


def plan_source(
    rows: Sequence[LogRow],
    budget: SummaryBudget,
    estimate: Estimator,
    fits: Callable[[Sequence[LogRow]], bool] | None = None,
) -> SourcePlan | None:
    """The longest run of unmarked rows before the protected ones that the summary model can read.

    ``fits`` tells whether the model can read some rows (None = always). Gives None when there are rows but not even
    one fits.
    """
    border = protected_start(rows)
    first = max((index + 1 for index, row in enumerate(rows) if row.summary_id), default=0)
    candidates = rows[first:border]
    if not candidates:
        return SourcePlan(border, ())
    count = len(candidates) if fits is None else _longest(candidates, fits)
    if count == 0:
        return None
    chosen = tuple(candidates[:count])
    tokens = sum(estimate(row.content) for row in chosen)
    return SourcePlan(border, chosen, tokens, min(budget.segment_tokens, max(LEAST, math.ceil(tokens * _SOURCE_SHARE))))


def bounded_again(old_tokens: int, fresh_tokens: int, new_budget: int, budget: SummaryBudget) -> int | None:
    """The tighter limit of a new summary for which there is no room beside the stored ones; None when there is."""
    if old_tokens == 0 or old_tokens + fresh_tokens <= budget.all_tokens:
        return None
    return min(new_budget, budget.all_tokens // 2)


def plan_merge(old: Sequence[int], fresh_tokens: int, budget: SummaryBudget) -> MergePlan:
    """How many of the oldest summaries (their tokens, oldest first) must be merged beside a new one."""
    for count in range(len(old) + 1):
        left = sum(old[count:])
        merge = _merge_budget(sum(old[:count]), left, fresh_tokens, budget) if count else 0
        too_many = len(old) - count + 1 + (1 if count else 0) > budget.segments
        if not too_many and left + fresh_tokens + merge <= budget.all_tokens:
            return MergePlan(count, merge)
    return MergePlan(len(old), _merge_budget(sum(old), 0, fresh_tokens, budget) if old else 0)


def bounded(text: str, limit: int, marker: str, estimate: Estimator) -> tuple[str, bool]:
    """A reply within ``limit`` tokens, and whether it was cut: the longest prefix with the marker behind it."""
    whole = trim(text)
    if estimate(whole) <= limit:
        return whole, False
    alone = trim(marker)
    if estimate(alone) > limit:
        return head(whole, max(1, limit)), True
    best = alone
    low, high = 0, length(whole)
    while low <= high:
        middle = (low + high) // 2
        tried = trim_end(head(whole, middle)) + marker
        if estimate(tried) <= limit:
            best, low = tried, middle + 1
        else:
            high = middle - 1
    return best, True


def _merge_budget(merged: int, left: int, fresh: int, budget: SummaryBudget) -> int:
    return min(
        budget.segment_tokens,
        max(1, budget.all_tokens - fresh - left),
        max(1, math.ceil(merged * _MERGE_SHARE)),
    )


def _longest(rows: Sequence[LogRow], fits: Callable[[Sequence[LogRow]], bool]) -> int:
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(rows[:middle]):
            low = middle
        else:
            high = middle - 1
    return low
