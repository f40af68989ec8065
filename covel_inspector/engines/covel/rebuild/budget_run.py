"""A fitted request in the common nouns: outcome, blocks, steps with the segments they touched, and figures."""

from collections.abc import Iterable, Sequence

from covel_inspector.domain import BudgetItem, BudgetOutcome, BudgetRun, BudgetStep, Kind, Sentence, say
from covel_inspector.engines.covel.budget.ledger import FOLD
from covel_inspector.engines.covel.budget.request import FittedRequest
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.budget_extras import extras_of
from covel_inspector.engines.covel.rebuild.budget_shares import INSERTED, UNKNOWN_INSERTED, share_of, shares_of
from covel_inspector.engines.covel.rebuild.budget_telling import OVERFLOW_TITLE, STEP_TITLES, told_overflow, told_step
from covel_inspector.engines.covel.rebuild.leavings import MARKER_KEY
from covel_inspector.engines.covel.rebuild.trimming import Trimmed, estimator_of
from covel_inspector.engines.covel.rebuild.units import Unit
from covel_inspector.engines.covel.records.naming import TITLES, fold_key, fold_title

_MOST_SPARED = 12
"""How many of the heaviest messages are named when a request does not fit."""


def budget_run(request: AssembledRequest, trimmed: Trimmed, notes: Sequence[Sentence] = ()) -> BudgetRun:
    """What the budget did to a request. Tokens by the engine's estimate."""
    estimate = estimator_of(request)
    shares = shares_of(request, estimate)
    before = sum(share.tokens for share in shares)
    fitted, limit = trimmed.fitted, trimmed.limit
    if fitted is None or limit is None:
        return BudgetRun(
            BudgetOutcome.UNKNOWN_LIMIT,
            None,
            request.target.reserve,
            None,
            say("nobody names the window of this call: neither a slot file nor an error nor a trimmed request"),
            before,
            before,
            shares,
            notes=tuple(notes),
            extras=extras_of(request, trimmed.units),
        )
    return BudgetRun(
        _outcome(fitted),
        limit.window,
        limit.reserve,
        limit.input_limit,
        limit.source,
        fitted.before,
        fitted.total_tokens,
        shares,
        tuple(_steps(request, fitted)),
        figures_of(fitted) if fitted.overflows else (),
        tuple(notes),
        extras_of(request, trimmed.units),
    )


def figures_of(fitted: FittedRequest) -> tuple[tuple[str, int], ...]:
    """The nine numbers that the engine's error text holds, by its names."""
    return (
        ("estimated", fitted.total_tokens),
        ("limit", fitted.limits.cap),
        ("fixed", fitted.fixed.total),
        ("system", fitted.fixed.system),
        ("tools", fitted.fixed.tools),
        ("responseFormat", fitted.fixed.response_format),
        ("messages", fitted.counts.body_tokens),
        ("toolResultSaved", fitted.counts.tool_result_saved),
        ("summarySaved", fitted.counts.summary_saved),
    )


def _outcome(fitted: FittedRequest) -> BudgetOutcome:
    if fitted.overflows:
        return BudgetOutcome.OVERFLOW
    return BudgetOutcome.TRIMMED if fitted.steps else BudgetOutcome.FITS


def _steps(request: AssembledRequest, fitted: FittedRequest) -> Iterable[BudgetStep]:
    body = request.units[1:]
    total = fitted.before
    for step in fitted.steps:
        total -= step.saved
        if not step.touched and not step.protected:
            continue
        yield BudgetStep(
            step.name.value,
            STEP_TITLES[step.name],
            step.over,
            step.goal,
            step.saved,
            tuple(_item(body, item.index, item.tokens_before, item.tokens_after, item.note) for item in step.touched),
            tuple(_item(body, item.index, item.tokens, item.tokens, item.why) for item in step.protected),
            told_step(step, fitted, request.texts, total),
        )
    if fitted.overflows:
        yield _overflow(request, fitted)


def _overflow(request: AssembledRequest, fitted: FittedRequest) -> BudgetStep:
    estimate = estimator_of(request)
    body = request.units[1:]
    weights = [
        (estimate(str(message.content)) if isinstance(message.content, str) else 0, origin)
        for message, origin in zip(fitted.messages[1:], fitted.origins, strict=True)
        if origin >= 0
    ]
    heaviest = sorted(weights, reverse=True)[:_MOST_SPARED]
    note = say("still in the request, and nothing of it may go")
    return BudgetStep(
        "overflow",
        OVERFLOW_TITLE,
        fitted.total_tokens - fitted.limits.cap,
        None,
        0,
        (),
        tuple(_item(body, origin, tokens, tokens, note) for tokens, origin in heaviest),
        told_overflow(fitted),
    )


def _item(body: Sequence[Unit], index: int, before: int, after: int, note: Sentence) -> BudgetItem:
    if index == FOLD:
        return BudgetItem(fold_key(1), fold_title(), before, after, note, "loop")
    if index < 0:
        return BudgetItem(MARKER_KEY, TITLES[Kind.PRUNE_MARKER], before, after, note, "history")
    unit = body[index]
    key, title = name_of(unit)
    return BudgetItem(key, title, before, after, note, share_of(unit))


def name_of(unit: Unit) -> tuple[str, Sentence]:
    """Key and title of the segment that a whole message is: its only leaf, a call in it, or the branch it is."""
    for placed in unit.leaves:
        if placed.leaf.kind is Kind.TOOL_CALL or len(unit.leaves) == 1:
            is_unnamed = placed.leaf.kind is Kind.UNKNOWN and share_of(unit) == INSERTED
            return placed.leaf.key, UNKNOWN_INSERTED if is_unnamed else placed.leaf.title
    first = unit.leaves[0]
    named = first.path[-1] if first.path else first.leaf
    return named.key, named.title
