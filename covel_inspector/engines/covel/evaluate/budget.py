"""The budget's rules on JSON cases: requests with their ledger, compaction, history."""

from collections.abc import Callable, Mapping

from covel_inspector.engines.covel.assembler.history_steps import view_history
from covel_inspector.engines.covel.budget.compaction.numbers import (
    estimated_tokens,
    is_triggered,
    summaries_tokens,
    summary_budget,
)
from covel_inspector.engines.covel.budget.compaction.prompts import Reply, Summariser, SummaryPrompt
from covel_inspector.engines.covel.budget.compaction.shapes import CompactionError, LogRow, Segment, StoredSummary
from covel_inspector.engines.covel.budget.compaction.storing import Written, check_answer, is_stored_prefix, to_write
from covel_inspector.engines.covel.budget.estimator import Estimator
from covel_inspector.engines.covel.budget.fixed_input import retry_allowance
from covel_inspector.engines.covel.budget.ledger import Fold, Ledger, Omission
from covel_inspector.engines.covel.budget.limits import BudgetError
from covel_inspector.engines.covel.budget.request import FittedRequest, Mode, RequestInput, fit_request
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.evaluate.budget_ops import estimator_of
from covel_inspector.engines.covel.evaluate.compaction_ops import (
    answer_segment,
    budget_json,
    log_row,
    stored_summary,
    summary_json,
)
from covel_inspector.engines.covel.evaluate.context_params import budget_options, history_row
from covel_inspector.engines.covel.evaluate.expanding import CaseError, Json, expand, number, rows, section, text, texts
from covel_inspector.engines.covel.evaluate.messages import Messages
from covel_inspector.engines.covel.javascript import instruction_language
from covel_inspector.engines.covel.textpack import TextPack, default_pack


def evaluate_budget(case: Mapping[str, Json], pack: TextPack) -> Json:
    """The result of one case, in the shape of its ``expected``.

    Texts that ``pack`` lacks come from the default pack. Raises CaseError for a case that cannot be run.
    """
    given = expand(section(case, "input"))
    kind = text(given, "kind")
    if kind not in KINDS:
        raise CaseError(f"'{kind}' is no kind of case; there are {', '.join(KINDS)}")
    return KINDS[kind](given, default_pack().overlaid(pack))


def _requests(given: Mapping[str, Json], pack: TextPack) -> Json:
    common = section(given, "common")
    results: list[Json] = []
    ledger: Ledger = ()
    for entry in rows(given, "requests"):
        if entry.get("resumed") is True:
            ledger = ()
        result, ledger = _request({**common, **entry}, ledger, pack)
        results.append(result)
    return {"results": results, "ledger": [_record(record) for record in ledger]}


def _request(entry: Mapping[str, Json], ledger: Ledger, pack: TextPack) -> tuple[Json, Ledger]:
    language = instruction_language(text(entry, "locale") or None)
    messages = Messages(rows(entry, "messages"))
    retries = number(entry, "maxRetries") or 0
    mode = text(entry, "mode") or Mode.NORMAL.value
    if mode not in list(Mode):
        raise CaseError(f"'{mode}' is no mode; there are {', '.join(Mode)}")
    request = RequestInput(
        messages.kernel,
        tuple(rows(entry, "tools")),
        entry.get("responseFormat"),
        retry_allowance(int(retries), pack.text("retry.hint", language)),
    )
    try:
        fitted = fit_request(
            request, budget_options(entry), BudgetTexts.of(pack, language), estimator_of(entry), ledger, Mode(mode)
        )
    except BudgetError as error:
        return {"outcome": "config-error", "field": error.field}, ledger
    if fitted.overflows:
        return {"outcome": "context-overflow", "stats": {**_stats(fitted), **_nine(fitted)}}, fitted.ledger
    return {
        "outcome": "ok",
        "maxOutputTokens": fitted.max_output_tokens,
        "messages": [messages.json_of(message) for message in fitted.messages],
        "stats": _stats(fitted),
    }, fitted.ledger


def _stats(fitted: FittedRequest) -> dict[str, Json]:
    counts = fitted.counts
    return {
        "inputLimit": fitted.limits.cap,
        "target": fitted.target,
        "replayed": {"omitted": counts.replayed_omissions, "folds": counts.replayed_folds},
        "added": {
            "omitted": counts.added_omissions,
            "folds": counts.added_folds,
            "foldedGroups": counts.folded_groups,
        },
        "prunedMessageCount": counts.pruned_messages,
        "truncatedToolResultCount": counts.cut_tool_results,
        "truncatedSummaryCount": counts.cut_summaries,
        "totalTokens": fitted.total_tokens,
    }


def _nine(fitted: FittedRequest) -> dict[str, Json]:
    """The numbers of an overflow's message that are not among the others."""
    return {
        "fixed": fitted.fixed.total,
        "system": fitted.fixed.system,
        "tools": fitted.fixed.tools,
        "responseFormat": fitted.fixed.response_format,
        "messages": fitted.counts.body_tokens,
        "toolResultSaved": fitted.counts.tool_result_saved,
        "summarySaved": fitted.counts.summary_saved,
    }


def _record(record: Omission | Fold) -> dict[str, Json]:
    if isinstance(record, Omission):
        return {"kind": "omit"}
    return {"kind": "fold", "groups": len(record.groups), "content": record.content}


def _compaction(given: Mapping[str, Json], pack: TextPack) -> Json:
    estimate = estimator_of(given)
    fast = int(number(given, "fastInputWindow") or 0)
    story = number(given, "storyInputWindow")
    window = fast if story is None else min(fast, int(story))
    log = [log_row(row) for row in rows(given, "rows")]
    summaries = [stored_summary(row) for row in rows(given, "summaries")]
    budget = summary_budget(window)
    estimated = estimated_tokens(text(given, "promptPreview"), log, summaries, estimate)
    triggered = is_triggered(estimated, window)
    result: dict[str, Json] = {
        "estimatedTokens": estimated,
        "contextWindow": window,
        "triggered": triggered,
        "budget": budget_json(budget),
    }
    if not triggered:
        return {**result, "outcome": "below-threshold"}
    calls: list[SummaryPrompt] = []
    summariser = Summariser(pack, text(given, "locale"), fast, budget, estimate)
    try:
        answer = _answer(given, summariser, log, summaries, calls)
    except CompactionError as error:
        return {**result, "calls": _calls(calls), "outcome": "failed", "reason": error.reason}
    result["calls"] = _calls(calls)
    if answer is None:
        return {**result, "outcome": "nothing-to-compact"}
    try:
        check_answer(answer, log, summaries, budget, estimate)
    except CompactionError as error:
        return {**result, "outcome": "failed", "reason": f"invalid:{error.reason}"}
    stored = [log_row(row) for row in rows(given, "storedRows")] if given.get("storedRows") is not None else log
    if not is_stored_prefix(answer, stored):
        return {**result, "outcome": "skipped-prefix"}
    written = to_write(
        answer, stored, summaries, text(given, "sessionId"), text(given, "now"), iter(texts(given, "newIds"))
    )
    return {**result, "outcome": "compacted", **_stored(answer, written, stored, summaries, estimate)}


def _answer(
    given: Mapping[str, Json],
    summariser: Summariser,
    log: list[LogRow],
    summaries: list[StoredSummary],
    calls: list[SummaryPrompt],
) -> list[Segment] | None:
    """The provider's answer; None when the default strategy finds nothing to do."""
    if given.get("provided") is not None:
        return [answer_segment(row) for row in rows(section(given, "provided"), "summaries")]
    replies = iter(rows(given, "replies"))

    def ask(prompt: SummaryPrompt) -> Reply:
        calls.append(prompt)
        reply = next(replies, {})
        return Reply(text(reply, "text"), text(reply, "finishReason"))

    return summariser.run(log, summaries, ask) or None


def _stored(
    answer: list[Segment],
    written: list[Written],
    stored: list[LogRow],
    summaries: list[StoredSummary],
    estimate: Estimator,
) -> dict[str, Json]:
    renamed = {old: item.summary.id for item in written for old in item.merged}
    tagged = {row: item.summary.id for item in written for row in item.rows}
    after = [item.summary for item in written if item.merged]
    after.extend(summary for summary in summaries if summary.id not in renamed)
    after.extend(item.summary for item in written if not item.merged)
    after.sort(key=lambda summary: summary.created_at)
    marks = {row.id: tagged.get(row.id) or renamed.get(row.summary_id, row.summary_id) for row in stored}
    covered = [row for row in stored if row.id in tagged]
    fresh = [item.summary for item in written]
    return {
        "result": {"summaries": [_segment(segment) for segment in answer]},
        "summaries": [summary_json(summary) for summary in after],
        "tags": {row: mark for row, mark in marks.items() if mark},
        "event": {
            "summaryId": written[-1].summary.id,
            "summaryIds": [summary.id for summary in fresh],
            "messagesCompacted": len(covered),
            "tokenSavings": sum(estimate(row.content) for row in covered),
            "focusSections": list(dict.fromkeys(section for summary in fresh for section in summary.focus_sections)),
            "summariesMerged": len(renamed),
            "summaryTokens": summaries_tokens(fresh, estimate),
            "totalSummaryTokens": summaries_tokens(after, estimate),
            "summaryTruncated": any(item.truncated for item in written),
        },
    }


def _calls(calls: list[SummaryPrompt]) -> list[Json]:
    return [{"system": call.system, "user": call.user, "maxSummaryTokens": call.max_tokens} for call in calls]


def _segment(segment: Segment) -> dict[str, Json]:
    return {
        "content": segment.content,
        "focusSections": list(segment.focus_sections),
        "truncated": segment.truncated,
        "messageIds": list(segment.message_ids),
        "replacesSummaryIds": list(segment.replaces),
    }


def _history(given: Mapping[str, Json], _pack: TextPack) -> Json:
    current = text(given, "currentTurnId")
    log = [
        history_row(row)
        for row in rows(given, "rows")
        if not (row.get("turnId") == current and row.get("sourceType") == "player") and not row.get("compactedAtTurnId")
    ]
    policy = section(given, "history") or given
    window = number(policy, "maxTurns")
    view = view_history(log, text(given, "runtimeId"), (), None if window is None else int(window))
    return {
        "kept": [row.id for row in view.rows],
        "includeSummaries": window is None or policy.get("includeSummaries") is True,
    }


KINDS: Mapping[str, Callable[[Mapping[str, Json], TextPack], Json]] = {
    "requests": _requests,
    "compaction": _compaction,
    "history": _history,
}
