"""What the token budget did to a rebuilt request, and how another window compares to the one it had."""

from collections.abc import Callable
from dataclasses import replace

from covel_inspector.domain import BudgetRun, Changes, say
from covel_inspector.engines.covel.budget.pruning import prune_step
from covel_inspector.engines.covel.rebuild.budget_run import budget_run
from covel_inspector.engines.covel.rebuild.budget_telling import told_smaller
from covel_inspector.engines.covel.rebuild.rebuilding import Rebuilt

PRUNE = "prune"


def budget_of(rebuilt_with: Callable[[Changes], Rebuilt], changes: Changes) -> BudgetRun | None:
    """The run of a request with changes; None when it cannot be rebuilt.

    With a larger input limit than the one it had, the run says so when fewer messages are kept.
    """
    made = rebuilt_with(changes)
    if made.request is None or made.trimmed is None:
        return None
    run = budget_run(made.request, made.trimmed)
    if changes.window is None and changes.reserve is None and changes.model is None:
        return run
    before = rebuilt_with(replace(changes, window=None, reserve=None, model=None))
    return _compared(run, made, before)


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
    steps = tuple(
        replace(step, told=say("{what} {end}", what=step.told, end=why)) if step.name == PRUNE else step
        for step in run.steps
    )
    return replace(run, steps=steps, notes=(*run.notes, why))
