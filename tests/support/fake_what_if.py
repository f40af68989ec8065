"""The story in memory with requests that follow changes, a call that was never sent, and summaries."""

from collections.abc import Sequence
from dataclasses import replace

from fake_budgets import budget_run
from fake_compaction import compaction_report
from fake_source import ENGLISH, FakeCall, FakeSource, fake_source
from fake_trees import TIDE, narrator

from covel_inspector.domain import (
    Address,
    BudgetOutcome,
    BudgetRun,
    Call,
    Changes,
    CompactionReport,
    Kind,
    Place,
    Request,
    Segment,
    SegmentTree,
    SourceError,
    Status,
    TooLong,
    Verdict,
    say,
)

UNSENT = Address(ENGLISH, "3", "narrator", 0)


def changed_tree(tree: SegmentTree, changes: Changes) -> SegmentTree:
    """The tree without some leaves, and with other texts for others; boundaries are left aside."""
    texts = dict(changes.texts)
    parts = ["" for _ in tree.request.parts]

    def follow(segment: Segment) -> Segment | None:
        if segment.key in changes.without or segment.key in changes.lore_off:
            return None
        if segment.place is None:
            children = [made for child in segment.children if (made := follow(child)) is not None]
            return replace(segment, children=tuple(children)) if children else None
        text = texts.get(segment.key, segment.text)
        if segment.kind is Kind.PLAYER_LINE and changes.player_line is not None:
            text = changes.player_line
        part = segment.place.part
        start = len(parts[part])
        parts[part] += text
        return replace(segment, text=text, place=Place(part, start, start + len(text)))

    groups = tuple(made for group in tree.groups if (made := follow(group)) is not None)
    made = tuple(replace(part, text=text) for part, text in zip(tree.request.parts, parts, strict=True))
    return SegmentTree(Request(made), groups, (), tree.absent)


class WhatIfSource(FakeSource):
    """``asked`` counts the changes that were asked for; ``windows`` are those that nobody recorded when it is empty."""

    def __init__(self) -> None:
        whole = fake_source()
        super().__init__(whole._sessions, whole._turns, whole._calls, whole._problems)
        self.asked: list[Changes] = []
        self.knows_window = True

    def _find(self, address: Address) -> FakeCall:
        if address != UNSENT:
            return super()._find(address)
        (call,) = self.unsent(ENGLISH)
        nothing = Verdict(Status.NOTHING_RECORDED, say("the request was never sent"))
        return FakeCall(call, None, narrator(TIDE, 3), nothing)

    def rebuilt(self, address: Address, changes: Changes | None = None) -> SegmentTree | None:
        tree = super().rebuilt(address)
        return tree if tree is None or changes is None else changed_tree(tree, changes)

    def budget(self, address: Address, changes: Changes | None = None) -> BudgetRun | None:
        changes = changes or Changes()
        self.asked.append(changes)
        if changes.window is not None and changes.reserve is not None and changes.reserve >= changes.window:
            raise SourceError(say("the reserve is not below the window"))
        tree = self.rebuilt(address, changes)
        if tree is None:
            return None
        run = budget_run(tree, changes, self.estimate)
        if self.knows_window or changes.window is not None:
            return run
        return replace(
            run,
            outcome=BudgetOutcome.UNKNOWN_LIMIT,
            window=None,
            reserve=None,
            limit=None,
            limit_source=say("nobody recorded the window"),
            steps=(),
            after=run.before,
        )

    def unsent(self, session: str, turn: str | None = None) -> Sequence[Call]:
        if session != ENGLISH or turn not in (None, "3"):
            return ()
        return (
            Call(
                UNSENT,
                "result-unsent",
                f"{ENGLISH}-t3",
                model="imaginary-large",
                started_at="2026-05-01T10:03:00.000Z",
                error="[imaginary] 5000 of 4000",
                failure=say("The player's text did not fit."),
                too_long=TooLong(5000, 4000, 700),
            ),
        )

    def compactions(self, session: str) -> CompactionReport:
        return compaction_report(session)
