"""The tool-group ledger of a run: what was omitted and folded stays so in every later request.

Follows the reference on the runtime, section 6. A ledger is a row of records that only grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from covel_inspector.domain import say
from covel_inspector.engines.covel.budget.estimator import Estimator, message_tokens
from covel_inspector.engines.covel.budget.folding import fold_lines, omitted
from covel_inspector.engines.covel.budget.groups import ToolGroup, find_groups
from covel_inspector.engines.covel.budget.steps import Action, Protected, Step, StepName, Touched
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.records.calls import KernelMessage

FOLD = -2
"""Stands in lists of origins for a fold's message."""


@dataclass(frozen=True, slots=True)
class Omission:
    """The data of one group's results was left out."""

    group: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Groups that became one system message; its text is frozen."""

    groups: tuple[str, ...]
    content: str


Ledger = tuple[Omission | Fold, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the body: a single message, a group, or a fold.

    ``origins`` are the body's indexes (FOLD for a fold's message); ``group`` is None for what is no group.
    ``covers`` are the groups of a fold, ``fresh`` is True for a fold made in this request.
    """

    messages: tuple[KernelMessage, ...]
    origins: tuple[int, ...]
    tokens: int
    group: ToolGroup | None = None
    original: tuple[KernelMessage, ...] = ()
    omitted: bool = False
    covers: tuple[ToolGroup, ...] = ()
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """The body with the ledger applied. ``omissions`` counts those of folded groups too: they hold as well."""

    blocks: tuple[Block, ...]
    omissions: int
    folds: int
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The body after new omissions and folds. ``records`` are what was added to the ledger."""

    blocks: tuple[Block, ...]
    total: int
    records: Ledger
    steps: tuple[Step, ...] = field(default=())


def replay(body: Sequence[KernelMessage], ledger: Ledger, texts: BudgetTexts, estimate: Estimator) -> Replayed:
    """Apply a ledger to an untouched body.

    A fold whose groups are not all there, unique and free is skipped; its groups still get their omissions.
    """
    groups = find_groups(body)
    known = {group.identity: group for group in groups if group.unique}
    folded: dict[str, Fold] = {}
    folds = 0
    for record in ledger:
        if isinstance(record, Fold) and all(name in known and name not in folded for name in record.groups):
            folded.update(dict.fromkeys(record.groups, record))
            folds += 1
    left_out = {record.group for record in ledger if isinstance(record, Omission)}
    blocks: list[Block] = []
    begun: set[Fold] = set()
    touched: list[Touched] = []
    for block in _blocks(body, groups, estimate):
        fold = folded.get(block.group.identity) if block.group is not None else None
        if block.group is not None and fold is not None:
            if fold not in begun:
                begun.add(fold)
                covered = tuple(known[name] for name in fold.groups)
                blocks.append(_fold_block(fold.content, covered, estimate))
            touched.extend(_touched(block, Action.FOLDED))
        elif block.group is not None and block.group.unique and block.group.identity in left_out:
            changed = _without_data(block, texts.omitted, estimate)
            blocks.append(changed)
            touched.extend(_touched(block, Action.OMITTED, changed))
        else:
            blocks.append(block)
    step = None
    if touched:
        saved = sum(item.tokens_before - item.tokens_after for item in touched) - sum(
            block.tokens for block in blocks if block.covers
        )
        step = Step(StepName.REPLAY, 0, saved, tuple(touched), (), say("all earlier omissions and folds were repeated"))
    return Replayed(tuple(blocks), len(left_out & known.keys()), folds, step)


def trim_groups(
    replayed: Replayed, total: int, cap: int, target: int, texts: BudgetTexts, estimate: Estimator, emergency: bool
) -> Trimmed:
    """Omit and fold old groups until the total is at most ``target``. ``cap`` is only told, not checked."""
    omission = _omit(replayed.blocks, total, cap, target, texts, estimate, 0 if emergency else 2)
    fold = _fold(omission.blocks, omission.total, cap, target, texts, estimate, 0 if emergency else 1)
    return Trimmed(fold.blocks, fold.total, omission.records + fold.records, omission.steps + fold.steps)


def _omit(
    given: Sequence[Block], total: int, cap: int, target: int, texts: BudgetTexts, estimate: Estimator, spared: int
) -> Trimmed:
    blocks = list(given)
    records: list[Omission | Fold] = []
    touched: list[Touched] = []
    places = [index for index, block in enumerate(blocks) if block.group is not None]
    over = total - cap
    for index in places[: len(places) - spared]:
        if total <= target:
            break
        block = blocks[index]
        if block.group is None or not block.group.unique or block.omitted:
            continue
        changed = _without_data(block, texts.omitted, estimate)
        if changed.tokens >= block.tokens:
            continue
        blocks[index] = changed
        total -= block.tokens - changed.tokens
        records.append(Omission(block.group.identity))
        touched.extend(_touched(block, Action.OMITTED, changed))
    protected = _spared([blocks[index] for index in places[len(places) - spared :]] if spared else [])
    step = _step(StepName.OMIT, over, target, total, over + cap - total, touched, protected)
    return Trimmed(tuple(blocks), total, tuple(records), (step,))


def _fold(
    given: Sequence[Block], total: int, cap: int, target: int, texts: BudgetTexts, estimate: Estimator, spared: int
) -> Trimmed:
    last = [block.group for block in given if block.group is not None]
    newest = {group.identity for group in last[len(last) - spared :]} if spared else set()
    result: list[Block] = []
    touched: list[Touched] = []
    over = total - cap
    for block in given:
        group = block.group
        if group is None or not group.unique or group.identity in newest or total <= target:
            result.append(block)
            continue
        lines = "\n".join(fold_lines(block.original))
        before = result[-1] if result and result[-1].fresh else None
        content = f"{_content(before)}\n{lines}" if before is not None else f"{texts.fold_title}\n{lines}"
        covered = (*before.covers, group) if before is not None else (group,)
        made = replace(_fold_block(content, covered, estimate), fresh=True)
        saved = block.tokens + (before.tokens if before is not None else 0) - made.tokens
        if saved <= 0:
            result.append(block)
            continue
        if before is not None:
            result.pop()
        result.append(made)
        total -= saved
        touched.extend(_touched(block, Action.FOLDED))
    records = tuple(
        Fold(tuple(group.identity for group in block.covers), _content(block)) for block in result if block.fresh
    )
    protected = _spared([block for block in given if block.group is not None and block.group.identity in newest])
    step = _step(StepName.FOLD, over, target, total, over + cap - total, touched, protected)
    return Trimmed(tuple(result), total, records, (step,))


def _content(block: Block) -> str:
    return str(block.messages[0].content)


def _blocks(body: Sequence[KernelMessage], groups: Sequence[ToolGroup], estimate: Estimator) -> list[Block]:
    blocks: list[Block] = []
    starts = {group.start: group for group in groups}
    index = 0
    while index < len(body):
        group = starts.get(index)
        end = group.end if group is not None else index + 1
        messages = tuple(body[index:end])
        tokens = sum(message_tokens(message, estimate) for message in messages)
        blocks.append(Block(messages, tuple(range(index, end)), tokens, group, messages))
        index = end
    return blocks


def _without_data(block: Block, marker: str, estimate: Estimator) -> Block:
    messages = (block.messages[0], *(omitted(result, marker) for result in block.messages[1:]))
    tokens = sum(message_tokens(message, estimate) for message in messages)
    return replace(block, messages=messages, tokens=tokens, omitted=True)


def _fold_block(content: str, covers: tuple[ToolGroup, ...], estimate: Estimator) -> Block:
    message = KernelMessage(role="system", content=content)
    return Block((message,), (FOLD,), message_tokens(message, estimate), covers=covers)


def _touched(block: Block, action: Action, changed: Block | None = None) -> list[Touched]:
    """The group as one entry, at its first message."""
    after = 0 if changed is None else changed.tokens
    note = (
        say("the group became a line of a summary") if changed is None else say("the data of its results was left out")
    )
    return [Touched(block.origins[0], action, block.tokens, after, note)]


def _spared(blocks: Sequence[Block]) -> list[Protected]:
    return [Protected(block.origins[0], block.tokens, say("among the newest groups of tool calls")) for block in blocks]


def _step(
    name: StepName,
    over: int,
    target: int,
    total: int,
    saved: int,
    touched: list[Touched],
    protected: list[Protected],
) -> Step:
    """``saved`` is what the request lost, with what was put in place of it taken off."""
    stopped = (
        say("the target of {target} tokens, 70 % of the limit, is reached", target=target)
        if total <= target
        else say("no older group is left; {over} tokens above the target", over=total - target)
    )
    return Step(name, over, saved, tuple(touched), tuple(protected), stopped, target)
