"""What a budget left out of a request, as absent things with the step that removed them."""

from collections.abc import Iterator, Sequence

from covel_inspector.domain import AbsenceReason, Absent, Grade, Sentence, say
from covel_inspector.engines.covel.budget.ledger import FOLD
from covel_inspector.engines.covel.budget.pruning import prune_step
from covel_inspector.engines.covel.budget.request import FittedRequest
from covel_inspector.engines.covel.budget.steps import Action, Step, StepName, Touched
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.units import Unit
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.naming import fold_key

MARKER_KEY = "prune-marker"


def trimmed_away(body: Sequence[Unit], fitted: FittedRequest) -> Iterator[Absent]:
    """Everything that the steps removed. ``body`` are the units behind the system prompt, as they were given."""
    sent = {origin: message for message, origin in zip(fitted.messages[1:], fitted.origins, strict=True)}
    for step in fitted.steps:
        if step.name is StepName.PRUNE:
            yield from _pruned(body, step, fitted.limits.cap)
            continue
        for touched in step.touched:
            if touched.action is Action.CUT:
                yield _cut(body[touched.index], sent.get(touched.index))
            else:
                yield from _group(body, touched, fitted, sent)


def pruning_steps(tokens: Sequence[int], cap: int, gone: int = 0) -> list[int]:
    """For each dropped message, from the oldest, the number of the round that it went in, from 1.

    ``gone`` are the tokens dropped before the first of them.
    """
    size = prune_step(cap)
    numbers: list[int] = []
    for own in tokens:
        numbers.append(gone // size + 1)
        gone += own
    return numbers


def pruned_note(number: int, cap: int) -> Sentence:
    """Why a message was dropped, by the number of its round: the budget numbers its steps otherwise."""
    return say(
        "left out in round {n} of pruning: above the limit of {limit} tokens the oldest messages go in whole rounds "
        "of {size}",
        n=number,
        limit=cap,
        size=prune_step(cap),
    )


def group_end(messages: Sequence[KernelMessage], start: int) -> int:
    """Behind the group of tool calls that begins at ``start``."""
    end = start + 1
    while end < len(messages) and messages[end].role == "tool":
        end += 1
    return end


def cut_middle(whole: str, sent: str) -> str:
    """What of a text is no longer there, when head and tail of it still are."""
    head = _same(whole, sent)
    tail = _same(whole[head:][::-1], sent[head:][::-1])
    return whole[head : len(whole) - tail]


def _pruned(body: Sequence[Unit], step: Step, cap: int) -> Iterator[Absent]:
    numbers = pruning_steps([touched.tokens_before for touched in step.touched], cap)
    for touched, number in zip(step.touched, numbers, strict=True):
        if touched.index < 0:
            continue
        for placed in body[touched.index].leaves:
            leaf = placed.leaf
            yield Absent(
                leaf.key,
                leaf.kind,
                leaf.title,
                AbsenceReason.PRUNED,
                pruned_note(number, cap),
                leaf.text,
                leaf.origin,
                MARKER_KEY,
                Grade.EXACT,
            )


def _cut(unit: Unit, sent: KernelMessage | None) -> Absent:
    leaf = unit.leaves[0].leaf
    title, key = (leaf.title, leaf.key) if len(unit.leaves) == 1 else _named(unit)
    text = str(unit.message.content)
    middle = cut_middle(text, str(sent.content)) if sent is not None else text
    note = say("the middle of this text, {n} characters, was cut out to fit the limit", n=len(middle))
    return Absent(key, leaf.kind, title, AbsenceReason.CUT, note, middle, leaf.origin, key, Grade.EXACT)


def _named(unit: Unit) -> tuple[Sentence, str]:
    path = unit.leaves[0].path
    named = path[-1] if path else unit.leaves[0].leaf
    return named.title, named.key


def _group(
    body: Sequence[Unit], touched: Touched, fitted: FittedRequest, sent: dict[int, KernelMessage]
) -> Iterator[Absent]:
    end = group_end([unit.message for unit in body], touched.index)
    folded = touched.action is Action.FOLDED
    after = fold_key(_fold_number(fitted.origins, touched.index)) if folded else ""
    for index in range(touched.index, end):
        unit = body[index]
        kept = sent.get(index)
        if folded:
            note = say("this group of tool calls became a line of a short list to fit the limit")
            for placed in unit.leaves:
                leaf = placed.leaf
                reason = AbsenceReason.FOLDED
                yield Absent(leaf.key, leaf.kind, leaf.title, reason, note, leaf.text, leaf.origin, after, Grade.EXACT)
        elif kept is not None and kept.content != unit.message.content:
            leaf = unit.leaves[0].leaf
            note = say("the data of this tool result was left out to fit the limit")
            content = unit.message.content
            text = content if isinstance(content, str) else stringify(content)
            yield Absent(
                leaf.key, leaf.kind, leaf.title, AbsenceReason.OMITTED, note, text, leaf.origin, leaf.key, Grade.EXACT
            )


def _fold_number(origins: Sequence[int], start: int) -> int:
    """Number of the fold that stands for the group which began at ``start``: the last one before what follows it."""
    folds = 0
    for origin in origins:
        if origin > start:
            break
        folds += origin == FOLD
    return max(1, folds)


def _same(a: str, b: str) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
