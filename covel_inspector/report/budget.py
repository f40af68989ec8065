"""What a token budget did to a request, as text and as JSON.

JSON of a run, an object: ``address``, ``estimator``, ``outcome`` (fits, trimmed, overflow or unknown-limit),
``window``, ``reserve``, ``limit`` (null when not known), ``limit_source``, ``before``, ``after``, ``distance`` (tokens
left under the limit before any trimming), ``shares`` (``name, title, kind, tokens`` in wire order), ``steps`` (``name,
title, over, goal, saved, told``, and ``touched`` and ``protected`` with ``key, title, share, tokens_before,
tokens_after, note``), ``figures`` (the numbers of an overflow by the engine's names), ``notes``, ``segments`` (the
estimate of the request's segments added up, as ``show`` and the window tell it), ``extras`` (``title, tokens``: what
the budget counts otherwise) and ``reported`` (the provider's count, null when not reported); with a draft also
``draftNotes`` (sentences on names in it that fit nothing).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from covel_inspector.analysis.token_bridge import budget_bridge
from covel_inspector.domain import BudgetItem, BudgetOutcome, BudgetRun, BudgetStep, Sentence, say
from covel_inspector.domain.listing import labelled
from covel_inspector.domain.names import estimator_name
from covel_inspector.report.figures import figure, percent
from covel_inspector.report.terminal import Column, one_line, table
from covel_inspector.report.wording import Catalogue

OUTCOME: dict[BudgetOutcome, Sentence] = {
    BudgetOutcome.FITS: say("fits"),
    BudgetOutcome.TRIMMED: say("was trimmed to fit"),
    BudgetOutcome.OVERFLOW: say("does not fit and is never sent"),
    BudgetOutcome.UNKNOWN_LIMIT: say("limit unknown"),
}

_BAR = 40
_MOST_ITEMS = 12


@dataclass(frozen=True, slots=True)
class OtherCounts:
    """The same request counted elsewhere: segment by segment, and by the provider (None = not reported)."""

    segments: int
    reported: int | None = None


def budget_object(
    address: str, run: BudgetRun, words: Catalogue, estimator: str, counts: OtherCounts | None = None
) -> dict[str, Any]:
    """The JSON form of a run (see the module's text)."""
    return {
        "address": address,
        "estimator": estimator,
        "outcome": run.outcome.value,
        "window": run.window,
        "reserve": run.reserve,
        "limit": run.limit,
        "limit_source": words.text(run.limit_source),
        "before": run.before,
        "after": run.after,
        "distance": run.distance,
        "shares": [
            {
                "name": share.name,
                "title": words.text(share.title),
                "kind": share.kind.value,
                "tokens": share.tokens,
            }
            for share in run.shares
        ],
        "steps": [_step_object(step, words) for step in run.steps],
        "figures": dict(run.figures),
        "notes": [words.text(note) for note in run.notes],
        "segments": counts.segments if counts is not None else None,
        "extras": [{"title": words.text(extra.title), "tokens": extra.tokens} for extra in run.extras],
        "reported": counts.reported if counts is not None else None,
    }


def budget_lines(run: BudgetRun, words: Catalogue, estimator: str, counts: OtherCounts | None = None) -> list[str]:
    """The run for people: outcome, blocks of the bar, steps with what they touched and spared, other counts."""
    lines = [*_heading(run, words, estimator), "", *_share_lines(run, words)]
    for number, step in enumerate(run.steps, 1):
        lines.extend(["", f"{number}. {one_line(words.text(step.title))}", f"   {one_line(words.text(step.told))}"])
        lines.extend(_item_lines(step.touched, words))
        if step.protected:
            lines.append(f"   {words.text(say('Not touched:'))}")
            lines.extend(_item_lines(step.protected, words))
    if run.figures:
        told = ", ".join(f"{name}={number}" for name, number in run.figures)
        lines.extend(["", one_line(words.text(say("Figures of the engine's error: {figures}", figures=told)))])
    lines.extend(one_line(words.text(note)) for note in run.notes)
    if counts is not None:
        lines.extend(["", *(one_line(words.text(told)) for told in _other_counts(run, counts))])
    return lines


def _other_counts(run: BudgetRun, counts: OtherCounts) -> Iterator[Sentence]:
    yield budget_bridge(counts.segments, run, figure, is_same=True)
    if counts.reported is not None:
        yield say("The provider reported {n} tokens of input.", n=figure(counts.reported))


def _heading(run: BudgetRun, words: Catalogue, estimator: str) -> list[str]:
    if run.limit is None:
        weight = say("{tokens} tokens ({estimator})", tokens=figure(run.before), estimator=estimator_name(estimator))
        return [words.text(labelled(OUTCOME[run.outcome], weight)), one_line(words.text(run.limit_source))]
    weight = say(
        "{before} tokens before, {after} after, limit {limit} ({estimator})",
        before=figure(run.before),
        after=figure(run.after),
        limit=figure(run.limit),
        estimator=estimator_name(estimator),
    )
    lines = [words.text(labelled(OUTCOME[run.outcome], weight))]
    if run.window is not None and run.reserve is not None:
        made = say(
            "limit = window {window} − reserve {reserve}: {source}",
            window=figure(run.window),
            reserve=figure(run.reserve),
            source=run.limit_source,
        )
        lines.append(one_line(words.text(made)))
    else:
        lines.append(one_line(words.text(run.limit_source)))
    distance = run.limit - run.before
    if distance >= 0:
        lines.append(words.text(say("{n} tokens are left until anything must go", n=figure(distance))))
    return lines


def _share_lines(run: BudgetRun, words: Catalogue) -> list[str]:
    whole = max(1, run.before)
    columns = [
        Column(words.text(say("Part"))),
        Column(words.text(say("Tokens")), right=True),
        Column(words.text(say("Share")), right=True),
        Column(""),
    ]
    rows = [
        [
            words.text(share.title),
            figure(share.tokens),
            percent(share.tokens / whole),
            "█" * round(_BAR * share.tokens / whole),
        ]
        for share in run.shares
    ]
    return table(columns, rows)


def _item_lines(items: Sequence[BudgetItem], words: Catalogue) -> list[str]:
    lines = []
    for item in items[:_MOST_ITEMS]:
        tokens = figure(item.tokens_before)
        if item.tokens_after != item.tokens_before:
            tokens = f"{tokens} → {figure(item.tokens_after)}"
        lines.append(f"   - {one_line(words.text(item.title))}  {tokens}  {one_line(words.text(item.note))}")
    if len(items) > _MOST_ITEMS:
        lines.append("   " + words.text(say("… and {n} more", n=len(items) - _MOST_ITEMS)))
    return lines


def _step_object(step: BudgetStep, words: Catalogue) -> dict[str, Any]:
    return {
        "name": step.name,
        "title": words.text(step.title),
        "over": step.over,
        "goal": step.goal,
        "saved": step.saved,
        "told": words.text(step.told),
        "touched": [_item_object(item, words) for item in step.touched],
        "protected": [_item_object(item, words) for item in step.protected],
    }


def _item_object(item: BudgetItem, words: Catalogue) -> dict[str, Any]:
    return {
        "key": item.key,
        "title": words.text(item.title),
        "share": item.share,
        "tokens_before": item.tokens_before,
        "tokens_after": item.tokens_after,
        "note": words.text(item.note),
    }
