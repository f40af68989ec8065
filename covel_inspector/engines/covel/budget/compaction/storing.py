"""The host's side: which answers are accepted, and what is written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from covel_inspector.engines.covel.budget.compaction.numbers import SummaryBudget, summaries_tokens
from covel_inspector.engines.covel.budget.compaction.shapes import CompactionError, LogRow, Segment, StoredSummary
from covel_inspector.engines.covel.budget.estimator import Estimator
from covel_inspector.engines.covel.javascript import is_blank


@dataclass(frozen=True, slots=True)
class Written:
    """One summary that is written. ``merged`` are the ids it replaces, ``rows`` those it newly covers."""

    summary: StoredSummary
    rows: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    truncated: bool = False


def check_answer(
    answer: Sequence[Segment],
    rows: Sequence[LogRow],
    summaries: Sequence[StoredSummary],
    budget: SummaryBudget,
    estimate: Estimator,
) -> None:
    """Refuse an answer that breaks a rule.

    Raises CompactionError with the reason: empty, blank, mixed, segment-size, summary-order, message-order,
    segment-count, total-size.
    """
    if not answer:
        raise CompactionError("empty", "the answer holds no summary")
    for segment in answer:
        _check_segment(segment, budget, estimate)
    replaced = [id_ for segment in answer for id_ in segment.replaces]
    if replaced != [summary.id for summary in summaries[: len(replaced)]]:
        raise CompactionError("summary-order", "replaced summaries must be the oldest ones, without a gap")
    covered = [id_ for segment in answer for id_ in segment.message_ids]
    live = [row.id for row in rows if not row.summary_id]
    if covered != live[: len(covered)]:
        raise CompactionError("message-order", "covered rows must be the first live ones, in order")
    kept = summaries[len(replaced) :]
    if len(kept) + len(answer) > budget.segments:
        raise CompactionError("segment-count", f"more than {budget.segments} summaries")
    total = summaries_tokens(kept, estimate) + sum(estimate(segment.content) for segment in answer)
    if total > budget.all_tokens:
        raise CompactionError("total-size", f"{total} tokens of summaries, {budget.all_tokens} are allowed")


def is_stored_prefix(answer: Sequence[Segment], stored: Sequence[LogRow]) -> bool:
    """True when the covered rows are the first unmarked ones of the stored log."""
    covered = [id_ for segment in answer for id_ in segment.message_ids]
    return covered == [row.id for row in stored if not row.summary_id][: len(covered)]


def same_summaries(known: Sequence[StoredSummary], stored: Sequence[StoredSummary]) -> bool:
    """True when ids and texts of the stored summaries are those the attempt began with."""
    return [(summary.id, summary.content) for summary in known] == [(summary.id, summary.content) for summary in stored]


def to_write(
    answer: Sequence[Segment],
    rows: Sequence[LogRow],
    summaries: Sequence[StoredSummary],
    session_id: str,
    now: str,
    new_ids: Iterator[str],
) -> list[Written]:
    """What an accepted answer writes, in its order.

    What merges summaries goes on as the oldest of them: its id, its first turn, its time. All others take the next new
    ids and times 1 ms apart, from ``now`` on, or behind the newest stored one where that is later.
    """
    known = {summary.id: summary for summary in summaries}
    turns = {row.id: row.turn_id for row in rows}
    time = _first_time(now, summaries)
    written: list[Written] = []
    for segment in answer:
        if segment.replaces:
            first, last = known[segment.replaces[0]], known[segment.replaces[-1]]
            merged = replace(
                first,
                content=segment.content,
                focus_sections=segment.focus_sections,
                turn_range_end=last.turn_range_end,
            )
            written.append(Written(merged, (), segment.replaces, segment.truncated))
        else:
            summary = StoredSummary(
                next(new_ids),
                segment.content,
                session_id,
                turns[segment.message_ids[0]],
                turns[segment.message_ids[-1]],
                segment.focus_sections,
                instant(time),
            )
            time += timedelta(milliseconds=1)
            written.append(Written(summary, segment.message_ids, (), segment.truncated))
    return written


def instant(time: datetime) -> str:
    """An ISO instant with milliseconds and ``Z``."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def _check_segment(segment: Segment, budget: SummaryBudget, estimate: Estimator) -> None:
    if is_blank(segment.content):
        raise CompactionError("blank", "a summary without text")
    if bool(segment.message_ids) == bool(segment.replaces):
        raise CompactionError("mixed", "a summary must cover rows or replace summaries, one of the two")
    tokens = estimate(segment.content)
    if tokens > budget.segment_tokens:
        raise CompactionError("segment-size", f"a summary of {tokens} tokens, {budget.segment_tokens} are allowed")


def _first_time(now: str, summaries: Sequence[StoredSummary]) -> datetime:
    times = [_read(now)]
    times.extend(_read(summary.created_at) + timedelta(milliseconds=1) for summary in summaries if summary.created_at)
    return max(times)


def _read(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise CompactionError("time", f"'{text}' is no ISO instant") from error
