"""When compaction runs and how much summaries may hold. Tokens by the run's estimator."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from covel_inspector.engines.covel.budget.compaction.shapes import LogRow, StoredSummary
from covel_inspector.engines.covel.budget.estimator import Estimator

THRESHOLD = 0.6
"""Share of the context window above which compaction runs."""

MAX_SEGMENTS = 8
LEAST = 128
_ALL_SHARE, _ALL_MOST = 0.12, 8192
_ONE_SHARE, _ONE_MOST = 0.04, 2048


@dataclass(frozen=True, slots=True)
class SummaryBudget:
    """Tokens of all summaries and of one, and how many there may be."""

    all_tokens: int
    segment_tokens: int
    segments: int = MAX_SEGMENTS


def summary_budget(window: float) -> SummaryBudget:
    """The budget for a context window of ``window`` tokens."""
    share = max(LEAST, min(_ALL_MOST, math.floor(window * _ALL_SHARE)))
    whole = max(1, min(math.floor(window), share))
    one = min(whole, max(LEAST, min(_ONE_MOST, math.floor(window * _ONE_SHARE))))
    return SummaryBudget(whole, one)


def estimated_tokens(
    preview: str, rows: Iterable[LogRow], summaries: Sequence[StoredSummary], estimate: Estimator
) -> int:
    """What the context weighs: system prompt preview, rows without a mark, stored summaries."""
    live = sum(estimate(row.content) for row in rows if not row.summary_id)
    return estimate(preview) + live + summaries_tokens(summaries, estimate)


def summaries_tokens(summaries: Iterable[StoredSummary], estimate: Estimator) -> int:
    """Tokens of the summaries' contents."""
    return sum(estimate(summary.content) for summary in summaries)


def is_triggered(estimated: int, window: float, threshold: float = THRESHOLD) -> bool:
    """True when the estimate is above the share of the window that may be used."""
    return estimated > threshold * window
