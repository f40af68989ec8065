"""What the token budget did to a rebuilt request, held against what records say, and against another window."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from covel_inspector.domain import BudgetRun, Changes, Sentence, say
from covel_inspector.domain.listing import joined
from covel_inspector.engines.covel.budget.pruning import prune_step
from covel_inspector.engines.covel.budget.request import FittedRequest
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.budget_run import budget_run
from covel_inspector.engines.covel.rebuild.budget_telling import told_smaller
from covel_inspector.engines.covel.rebuild.limits import Overflow, parse_overflow
from covel_inspector.engines.covel.rebuild.rebuilding import Rebuilt
from covel_inspector.engines.covel.rebuild.traced import PruningEvent

PRUNE = "prune"


def budget_of(
    rebuilt_with: Callable[[Changes], Rebuilt], changes: Changes, event: PruningEvent | None
) -> BudgetRun | None:
    """The run of a request with changes; None when it cannot be rebuilt.

    ``event`` is what the trace says about the call's budget. With a larger input limit than the one it had, the run
    says so when fewer messages are kept.
    """
    made = rebuilt_with(changes)
    if made.request is None or made.trimmed is None:
        return None
    if changes == Changes():
        return _as_it_was(made, event)
    run = budget_run(made.request, made.trimmed, tuple(_doubts(made.request)))
    if changes.window is None and changes.reserve is None and changes.model is None:
        return run
    before = rebuilt_with(replace(changes, window=None, reserve=None, model=None))
    return _compared(run, made, before)


def _as_it_was(made: Rebuilt, event: PruningEvent | None) -> BudgetRun | None:
    """The run with a word on whether records say the same; the figures of an overflow are the error's own."""
    if made.request is None or made.trimmed is None:
        return None
    overflow = parse_overflow(made.request.unsent)
    notes = () if made.request.unsent else tuple(_notes(made.trimmed.fitted, event))
    run = budget_run(made.request, made.trimmed, (*notes, *_doubts(made.request)))
    if overflow is None:
        return run
    told = (("estimated", overflow.estimated), ("limit", overflow.limit), *overflow.parts.items())
    return replace(run, figures=told, notes=(*run.notes, _against(run, overflow)))


def _doubts(request: AssembledRequest) -> Iterator[Sentence]:
    if request.guesses_hint and request.retry_text:
        yield say(
            "No repeated attempt is recorded in this file, so the engine's retry hint is not known; room for ours is "
            "counted in its place, and all numbers may be off by a few tokens."
        )


def _notes(fitted: FittedRequest | None, event: PruningEvent | None) -> Iterator[Sentence]:
    if fitted is None:
        if event is not None:
            yield say(
                "The trace says that {n} messages were left out and {cut} texts cut; without a limit it cannot be told "
                "which step did it.",
                n=event.pruned_messages,
                cut=event.cut_tool_results + event.cut_summaries,
            )
        return
    counts = fitted.counts
    done = (counts.pruned_messages, counts.cut_tool_results, counts.cut_summaries)
    traced = (event.pruned_messages, event.cut_tool_results, event.cut_summaries) if event is not None else (0, 0, 0)
    if done == traced == (0, 0, 0):
        return
    if done == traced:
        yield say("The trace of this call says the same: {n} messages left out, {cut} texts cut.",
                  n=done[0], cut=done[1] + done[2])  # fmt: skip
    else:
        yield say(
            "The trace of this call says otherwise: {n} messages left out and {cut} texts cut, against {own} and "
            "{own_cut} here.",
            n=traced[0],
            cut=traced[1] + traced[2],
            own=done[0],
            own_cut=done[1] + done[2],
        )


def _against(run: BudgetRun, overflow: Overflow) -> Sentence:
    """Whether the rebuilt request weighs what the error says."""
    own = dict(run.figures)
    named = {"estimated": overflow.estimated, "limit": overflow.limit, **overflow.parts}
    wrong = [name for name, number in named.items() if own.get(name) != number]
    if not wrong:
        return say("All numbers of the error come out of the rebuilt request too.")
    return say(
        "The numbers shown are those of the error; the rebuilt request gives others for: {names}.",
        names=", ".join(wrong),
    )


def _compared(run: BudgetRun, made: Rebuilt, before: Rebuilt) -> BudgetRun:
    """The run with a word on why a larger limit keeps less, when it does."""
    new = made.trimmed.fitted if made.trimmed is not None else None
    old = before.trimmed.fitted if before.trimmed is not None else None
    if new is None or old is None or new.limits.cap <= old.limits.cap:
        return run
    kept, old_kept = (sum(origin >= 0 for origin in fitted.origins) for fitted in (new, old))
    if kept >= old_kept:
        return run
    why = told_smaller(new.limits.window, old.limits.window, kept, old_kept, prune_step(new.limits.cap))
    steps = tuple(replace(step, told=joined(step.told, why)) if step.name == PRUNE else step for step in run.steps)
    return replace(run, steps=steps, notes=(*run.notes, why))
