"""The budget of one request, all its steps in order. Follows the reference on the runtime, section 6."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from covel_inspector.engines.covel.budget.cuts import Cut, cut_summaries, cut_tool_results
from covel_inspector.engines.covel.budget.estimator import Estimator, message_tokens
from covel_inspector.engines.covel.budget.fixed_input import FixedInput, fixed_input
from covel_inspector.engines.covel.budget.ledger import Fold, Ledger, Omission, Replayed, Trimmed, replay, trim_groups
from covel_inspector.engines.covel.budget.limits import BudgetOptions, Limits, check_limits
from covel_inspector.engines.covel.budget.pruning import MARKER, Pruned, prune
from covel_inspector.engines.covel.budget.steps import Step
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.records.calls import KernelMessage

TARGET_SHARE = 0.7
"""Share of the cap down to which tool groups are trimmed."""


class Mode(StrEnum):
    """What kind of request is fitted; in an emergency even the newest groups may be trimmed."""

    NORMAL = "normal"
    FINAL = "final"
    EMERGENCY = "emergency"


@dataclass(frozen=True, slots=True)
class RequestInput:
    """A request as the loop would send it. The first message is the system prompt when its role is system.

    ``retry_text`` is the longest retry hint, spelled out; empty = none.
    """

    messages: tuple[KernelMessage, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    response_format: Any = None
    retry_text: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was done, in numbers. Tokens by the run's estimator."""

    replayed_omissions: int = 0
    replayed_folds: int = 0
    added_omissions: int = 0
    added_folds: int = 0
    folded_groups: int = 0
    pruned_messages: int = 0
    cut_tool_results: int = 0
    cut_summaries: int = 0
    tool_result_saved: int = 0
    summary_saved: int = 0
    body_tokens: int = 0
    """Tokens of the messages before the cuts."""


@dataclass(frozen=True, slots=True)
class FittedRequest:
    """A request after its budget. ``messages`` are all of them, system prompt included.

    ``origins`` tells for each message behind the system prompt which one of the given list it is (counted behind the
    system prompt; MARKER and FOLD stand for new ones). ``overflows`` is True when it still does not fit; such a
    request is never sent. ``steps`` are those that had something to do, in order.
    """

    messages: tuple[KernelMessage, ...]
    origins: tuple[int, ...]
    limits: Limits
    target: int
    fixed: FixedInput
    before: int
    """Tokens of the request as it was given, fixed input included."""
    total_tokens: int
    overflows: bool
    counts: Counts
    ledger: Ledger
    steps: tuple[Step, ...] = field(default=())

    @property
    def max_output_tokens(self) -> int:
        """The reserve, which is sent as the output limit."""
        return self.limits.reserve


def fit_request(
    request: RequestInput,
    options: BudgetOptions,
    texts: BudgetTexts,
    estimate: Estimator,
    ledger: Ledger = (),
    mode: Mode = Mode.NORMAL,
) -> FittedRequest:
    """Replay the ledger, trim tool groups, prune history, cut texts: each only as far as it is needed.

    Raises BudgetError for limits that make no sense.
    """
    limits = check_limits(options)
    cap, target = limits.cap, int(limits.cap * TARGET_SHARE)
    fixed = fixed_input(request.messages, request.tools, request.response_format, request.retry_text, estimate)
    head = request.messages[:1] if request.messages and request.messages[0].role == "system" else ()
    body = request.messages[len(head) :]
    replayed = replay(body, ledger, texts, estimate)
    total = fixed.total + sum(block.tokens for block in replayed.blocks)
    trimmed = Trimmed(replayed.blocks, total, ())
    if total > cap:
        trimmed = trim_groups(replayed, total, cap, target, texts, estimate, emergency=mode is Mode.EMERGENCY)
    messages = [message for block in trimmed.blocks for message in block.messages]
    origins = [origin for block in trimmed.blocks for origin in block.origins]
    pruned = prune(messages, fixed.total, limits, texts.pruned, estimate)
    origins = [origin if origin == MARKER else origins[origin] for origin in pruned.kept]
    cuts = _cuts(pruned, cap, texts, estimate)
    messages = list(cuts[-1].messages) if cuts else list(pruned.messages)
    saved = sum(cut.saved for cut in cuts)
    counts = _counts(replayed, trimmed, pruned, cuts)
    before_prune = [origin for block in trimmed.blocks for origin in block.origins]
    steps = (
        replayed.step,
        *(step for step in trimmed.steps if step.touched or step.protected),
        None if pruned.step is None else _moved(pruned.step, before_prune),
        *(_moved(cut.step, origins) for cut in cuts),
    )
    return FittedRequest(
        (*head, *messages),
        tuple(origins),
        limits,
        target,
        fixed,
        total + (replayed.step.saved if replayed.step is not None else 0),
        pruned.total_tokens - saved,
        pruned.total_tokens - saved > cap,
        replace(counts, body_tokens=sum(message_tokens(message, estimate) for message in pruned.messages)),
        ledger + trimmed.records,
        tuple(step for step in steps if step is not None),
    )


def _cuts(pruned: Pruned, cap: int, texts: BudgetTexts, estimate: Estimator) -> list[Cut]:
    """Tool results first, then summaries; none when the request fits."""
    excess = pruned.total_tokens - cap
    if excess <= 0:
        return []
    results = cut_tool_results(pruned.messages, excess, texts.tool_cut, estimate)
    if results.saved >= excess:
        return [results]
    return [results, cut_summaries(results.messages, excess - results.saved, texts.summary_cut, estimate)]


def _counts(replayed: Replayed, trimmed: Trimmed, pruned: Pruned, cuts: Sequence[Cut]) -> Counts:
    folds = [record for record in trimmed.records if isinstance(record, Fold)]
    return Counts(
        replayed_omissions=replayed.omissions,
        replayed_folds=replayed.folds,
        added_omissions=sum(isinstance(record, Omission) for record in trimmed.records),
        added_folds=len(folds),
        folded_groups=sum(len(fold.groups) for fold in folds),
        pruned_messages=pruned.pruned_message_count,
        cut_tool_results=cuts[0].count if cuts else 0,
        cut_summaries=cuts[1].count if len(cuts) > 1 else 0,
        tool_result_saved=cuts[0].saved if cuts else 0,
        summary_saved=cuts[1].saved if len(cuts) > 1 else 0,
    )


def _moved(step: Step, origins: Sequence[int]) -> Step:
    """The step with the indexes of the given list instead of those of the list it worked on."""
    return replace(
        step,
        touched=tuple(replace(item, index=origins[item.index]) for item in step.touched),
        protected=tuple(replace(item, index=origins[item.index]) for item in step.protected),
    )
