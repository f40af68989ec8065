"""Compaction on JSON cases of the assembler's vectors."""

from collections.abc import Iterator, Mapping
from itertools import count

from covel_inspector.engines.covel.budget.compaction.numbers import (
    THRESHOLD,
    SummaryBudget,
    estimated_tokens,
    is_triggered,
    summaries_tokens,
    summary_budget,
)
from covel_inspector.engines.covel.budget.compaction.shapes import CompactionError, LogRow, Segment, StoredSummary
from covel_inspector.engines.covel.budget.compaction.storing import (
    Written,
    check_answer,
    is_stored_prefix,
    same_summaries,
    to_write,
)
from covel_inspector.engines.covel.budget.compaction.strategy import bounded_again, plan_merge, plan_source
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.evaluate.expanding import CaseError, Json, number, rows, section, text, texts, whole
from covel_inspector.engines.covel.textpack import TextPack


def compaction_result(params: Mapping[str, Json], _pack: TextPack) -> dict[str, Json]:
    """A ``compaction`` case: trigger, checks and writes for a given answer."""
    log = [log_row(row) for row in rows(params, "messages")]
    summaries = [stored_summary(row) for row in rows(params, "summaries")]
    window = number(params, "contextWindow") or 0
    threshold = number(params, "threshold")
    estimated = estimated_tokens(text(params, "systemPrompt"), log, summaries, covel_tokens)
    result: dict[str, Json] = {"compacted": False, "estimatedTokens": estimated}
    if not is_triggered(estimated, window, THRESHOLD if threshold is None else threshold):
        return {**result, "reason": "below-threshold"}
    budget = summary_budget(window)
    result["summaryBudget"] = budget_json(budget)
    if params.get("provider") is None:
        return {**result, "reason": "nothing"}
    answer = [answer_segment(row) for row in rows(section(params, "provider"), "summaries")]
    try:
        check_answer(answer, log, summaries, budget, covel_tokens)
        stored = [stored_summary(row) for row in rows(params, "currentSummaries")]
        if "currentSummaries" in params and not same_summaries(summaries, stored):
            return {"error": {"kind": "summaries-changed"}}
        canonical = [log_row(row) for row in rows(params, "canonical")] if "canonical" in params else log
        if not is_stored_prefix(answer, canonical):
            return {**result, "reason": "not-a-prefix"}
        written = to_write(answer, log, summaries, text(params, "sessionId"), text(params, "now"), _new_ids())
    except CompactionError:
        return {"error": {"kind": "invalid-compaction"}}
    replaced = {id_ for item in written for id_ in item.merged}
    kept = [summary for summary in summaries if summary.id not in replaced]
    fresh = sum(covel_tokens(item.summary.content) for item in written)
    return {
        **result,
        "compacted": True,
        "summaryId": written[-1].summary.id,
        "summaryTokens": fresh,
        "totalSummaryTokens": fresh + summaries_tokens(kept, covel_tokens),
        "writes": [write for item in written for write in _writes(item)],
    }


def plan_result(params: Mapping[str, Json], _pack: TextPack) -> dict[str, Json]:
    """A ``strategy-plan`` case: what the default strategy would take, bound and merge."""
    summaries = [stored_summary(row) for row in rows(params, "existingSummaries")]
    budget = summary_budget(number(params, "contextWindow") or 0)
    plan = plan_source([log_row(row) for row in rows(params, "messages")], budget, covel_tokens)
    if plan is None:
        raise CaseError("not even one row could be read")
    result: dict[str, Json] = {
        "protectStart": plan.protect_start,
        "messageIds": [row.id for row in plan.rows],
        "summaryBudget": budget_json(budget),
    }
    if not plan.rows:
        return result
    fresh = min(plan.new_budget, whole(params, "freshTokens", plan.new_budget))
    old = [covel_tokens(summary.content) for summary in summaries]
    again = bounded_again(sum(old), fresh, plan.new_budget, budget)
    if again is not None:
        fresh = min(fresh, again)
        result["rebound"] = True
    merge = plan_merge(old, fresh, budget)
    return {
        **result,
        "sourceTokens": plan.source_tokens,
        "newBudget": plan.new_budget,
        "freshTokens": fresh,
        "mergeSummaryIds": [summary.id for summary in summaries[: merge.count]],
        "mergeBudget": merge.budget,
    }


def log_row(value: Mapping[str, Json]) -> LogRow:
    """A row of the message log."""
    return LogRow(
        text(value, "id"),
        text(value, "turnId"),
        text(value, "role"),
        text(value, "content"),
        text(value, "compactedAtTurnId"),
    )


def stored_summary(value: Mapping[str, Json]) -> StoredSummary:
    """A stored summary."""
    return StoredSummary(
        text(value, "id"),
        text(value, "content"),
        text(value, "sessionId"),
        text(value, "turnRangeStart"),
        text(value, "turnRangeEnd"),
        texts(value, "focusSections"),
        text(value, "createdAt"),
    )


def answer_segment(value: Mapping[str, Json]) -> Segment:
    """One part of a provider's answer."""
    return Segment(
        text(value, "content"),
        texts(value, "messageIds"),
        texts(value, "replacesSummaryIds"),
        texts(value, "focusSections"),
        value.get("truncated") is True,
    )


def budget_json(budget: SummaryBudget) -> dict[str, Json]:
    """The summary budget in the vectors' words."""
    return {
        "maxTokens": budget.all_tokens,
        "maxSegmentTokens": budget.segment_tokens,
        "maxSegments": budget.segments,
    }


def summary_json(summary: StoredSummary) -> dict[str, Json]:
    """A stored summary as a row."""
    return {
        "id": summary.id,
        "sessionId": summary.session_id,
        "turnRangeStart": summary.turn_range_start,
        "turnRangeEnd": summary.turn_range_end,
        "content": summary.content,
        "focusSections": list(summary.focus_sections),
        "createdAt": summary.created_at,
    }


def _writes(item: Written) -> Iterator[dict[str, Json]]:
    if item.merged:
        yield {"retag": {"to": item.summary.id, "from": list(item.merged)}}
        yield {"delete": list(item.merged)}
    yield {"save": summary_json(item.summary)}
    if item.rows:
        yield {"tag": {"messageIds": list(item.rows), "summaryId": item.summary.id}}


def _new_ids() -> Iterator[str]:
    return (f"new-{number}" for number in count(1))
