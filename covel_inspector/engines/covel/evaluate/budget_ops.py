"""Pruning and request budgets on JSON cases of the assembler's vectors."""

from collections.abc import Mapping

from covel_inspector.engines.covel.budget.estimator import ESTIMATORS, Estimator, covel_tokens
from covel_inspector.engines.covel.budget.limits import check_limits
from covel_inspector.engines.covel.budget.pruning import prune
from covel_inspector.engines.covel.budget.request import FittedRequest, RequestInput, fit_request
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.evaluate.context_params import budget_options
from covel_inspector.engines.covel.evaluate.expanding import CaseError, Json, rows, section, text
from covel_inspector.engines.covel.evaluate.messages import Messages
from covel_inspector.engines.covel.javascript import instruction_language
from covel_inspector.engines.covel.textpack import TextPack


def estimator_of(params: Mapping[str, Json]) -> Estimator:
    """The estimator a case names; the engine's own when it names none. Raises CaseError for an unknown one."""
    name = text(params, "estimator")
    if not name:
        return covel_tokens
    if name not in ESTIMATORS:
        raise CaseError(f"'{name}' is no estimator; there are {', '.join(ESTIMATORS)}")
    return ESTIMATORS[name]


def prune_result(params: Mapping[str, Json], pack: TextPack) -> dict[str, Json]:
    """A ``budget`` case: pruning alone."""
    estimate = estimator_of(params)
    options = section(params, "options")
    limits = check_limits(budget_options(options))
    messages = Messages(rows(params, "messages"))
    marker = pack.text("pruned.marker", instruction_language(text(options, "locale") or None))
    pruned = prune(messages.kernel, estimate(text(params, "systemPrompt")), limits, marker, estimate)
    return {
        "messages": [messages.json_of(message) for message in pruned.messages],
        "totalTokens": pruned.total_tokens,
        "prunedMessageCount": pruned.pruned_message_count,
        "overBudget": pruned.over_budget,
    }


def request_result(params: Mapping[str, Json], pack: TextPack) -> dict[str, Json]:
    """A ``request-budget`` case: the steps at call time, without a ledger."""
    messages = Messages(rows(params, "messages"))
    fitted = fit_request(
        RequestInput(
            messages.kernel,
            tuple(rows(params, "tools")),
            params.get("responseFormat"),
            text(params, "retryText"),
        ),
        budget_options(params.get("contextBudget")),
        BudgetTexts.of(pack, instruction_language(text(params, "locale") or None)),
        estimator_of(params),
    )
    if fitted.overflows:
        detail = {"total": fitted.total_tokens, "inputLimit": fitted.limits.cap}
        return {"error": {"kind": "context-overflow", "detail": detail}}
    return {
        "messages": [messages.json_of(message) for message in fitted.messages],
        **_counts(fitted),
        "maxOutputTokens": fitted.max_output_tokens,
        "fixedInputTokens": fitted.fixed.total,
        "totalTokens": fitted.total_tokens,
    }


def _counts(fitted: FittedRequest) -> dict[str, Json]:
    return {
        "prunedMessageCount": fitted.counts.pruned_messages,
        "truncatedToolResultCount": fitted.counts.cut_tool_results,
        "truncatedSummaryCount": fitted.counts.cut_summaries,
    }
