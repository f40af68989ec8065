"""What the Budget panel says about a request's token budget, as values. Pure.

All tokens are by the engine's own estimate, which is also what the engine trims by.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from covel_inspector.app.figures import figure
from covel_inspector.app.sides import Side
from covel_inspector.domain import BudgetItem, BudgetOutcome, BudgetRun, BudgetStep, Kind, SegmentTree, Sentence, say

MOST_ITEMS = 60
"""Items of a step that are listed; more are counted."""

_FAR = 4
"""A limit beyond so many times the request is drawn behind a break, so that the request stays readable."""


@dataclass(frozen=True, slots=True)
class BarBlock:
    """A block of the bar: a share of the request before any trimming, and how much of it the steps took away."""

    name: str
    title: Sentence
    kind: Kind
    start: int
    tokens: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in tokens. ``limit`` and ``window`` are None when nobody knows them."""

    blocks: tuple[BarBlock, ...] = ()
    before: int = 0
    after: int = 0
    limit: int | None = None
    window: int | None = None

    @property
    def is_far(self) -> bool:
        """True when the limit lies so far out that it is drawn behind a break."""
        return self.limit is not None and self.limit > _FAR * max(1, self.before)

    @property
    def reach(self) -> int:
        """Tokens that the whole width should show."""
        if self.is_far:
            return self.before * (_FAR - 1)
        return max(self.before, self.window or 0, self.limit or 0)


@dataclass(frozen=True, slots=True)
class Item:
    """A message that a step touched or had to leave; ``key`` finds its row in the tree."""

    key: str
    title: Sentence
    figures: Sentence
    note: Sentence


@dataclass(frozen=True, slots=True)
class Step:
    """A step in a sentence, with its messages. ``keys`` are those it touched."""

    name: str
    number: int
    title: Sentence
    told: Sentence
    saved: int
    touched: tuple[Item, ...]
    protected: tuple[Item, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of what it touched; of what it had to leave when it touched nothing."""
        return tuple(item.key for item in self.touched or self.protected)


@dataclass(frozen=True, slots=True)
class BudgetView:
    """One run, ready to draw."""

    heading: Sentence
    limit_line: Sentence
    outcome: BudgetOutcome
    bar: Bar
    steps: tuple[Step, ...]
    figures: tuple[tuple[str, int], ...] = ()
    notes: tuple[Sentence, ...] = ()
    kept: int | None = None
    """Tokens that a cache could keep from the turn before; known in "what if" only."""


def budget_view(side: Side) -> BudgetView | None:
    """The run of a side; None when its engine tells none."""
    run = side.budget
    if run is None:
        return None
    return BudgetView(
        _heading(run),
        limit_line(run),
        run.outcome,
        bar_of(run, side.tree),
        _steps(run),
        run.figures,
        run.notes,
        side.kept,
    )


def limit_line(run: BudgetRun) -> Sentence:
    """The limit, what it is made of, and where it is known from."""
    if run.limit is None:
        return say("limit unknown: {source}", source=run.limit_source)
    if run.window is None or run.reserve is None:
        return say("limit {limit} · {source}", limit=figure(run.limit), source=run.limit_source)
    return say(
        "limit {limit} = window {window} − reserve {reserve} · {source}",
        limit=figure(run.limit),
        window=figure(run.window),
        reserve=figure(run.reserve),
        source=run.limit_source,
    )


def bar_of(run: BudgetRun, tree: SegmentTree | None) -> Bar:
    """The bar of a run; an item that names no share belongs to the one of its segment's kind, else to the history."""
    lost = _lost_by_share(run, _kinds(tree))
    blocks: list[BarBlock] = []
    start = 0
    for share in run.shares:
        left_out = min(lost.get(share.name, 0), share.tokens)
        blocks.append(BarBlock(share.name, share.title, share.kind, start, share.tokens, left_out))
        start += share.tokens
    return Bar(tuple(blocks), run.before, run.after, run.limit, run.window)


def _heading(run: BudgetRun) -> Sentence:
    room = run.limit - run.after if run.limit is not None else 0
    over = run.before - run.limit if run.limit is not None else 0
    if run.outcome is BudgetOutcome.UNKNOWN_LIMIT or run.limit is None:
        return say("{n} tokens; nobody recorded the window, so no step can be told", n=figure(run.before))
    if run.outcome is BudgetOutcome.OVERFLOW:
        return say(
            "It does not fit: {over} tokens too many, {left} even after every step, so it is never sent",
            over=figure(over),
            left=figure(-room),
        )
    if run.outcome is BudgetOutcome.FITS:
        return say("It fits: {n} of {limit} tokens, {room} left until the first step",
                   n=figure(run.before), limit=figure(run.limit), room=figure(room))  # fmt: skip
    return say(
        "It was {over} tokens over the limit; the steps took {saved} away, so {room} are free again",
        over=figure(over),
        saved=figure(run.before - run.after),
        room=figure(room),
    )


def _kinds(tree: SegmentTree | None) -> Mapping[str, Kind]:
    if tree is None:
        return {}
    kinds = {segment.key: segment.kind for segment in tree.walk()}
    kinds.update({absent.key: absent.kind for absent in tree.absent})
    return kinds


def _lost_by_share(run: BudgetRun, kinds: Mapping[str, Kind]) -> Mapping[str, int]:
    by_kind = {share.kind: share.name for share in reversed(run.shares)}
    history = by_kind.get(Kind.HISTORY) or (max(run.shares, key=lambda one: one.tokens).name if run.shares else "")
    lost: dict[str, int] = {}
    for item in _touched(run.steps):
        name = item.share or by_kind.get(kinds.get(item.key, Kind.HISTORY), history)
        lost[name] = lost.get(name, 0) + max(0, item.tokens_before - item.tokens_after)
    return lost


def _touched(steps: Iterable[BudgetStep]) -> Iterator[BudgetItem]:
    for step in steps:
        yield from step.touched


def _steps(run: BudgetRun) -> tuple[Step, ...]:
    return tuple(
        Step(
            step.name,
            number,
            step.title,
            step.told,
            step.saved,
            tuple(_item(item) for item in step.touched),
            tuple(_item(item) for item in step.protected),
        )
        for number, step in enumerate(run.steps, 1)
    )


def _item(item: BudgetItem) -> Item:
    if item.tokens_after == item.tokens_before:
        figures = say("{n} tok", n=figure(item.tokens_before))
    else:
        figures = say("{before} → {after} tok", before=figure(item.tokens_before), after=figure(item.tokens_after))
    return Item(item.key, item.title, figures, item.note)
