"""What the Budget panel says of a run: heading, limit, bar and steps."""

from dataclasses import replace

import pytest
from fake_trees import TIDE, narrator

from covel_inspector.app.panels.budget_content import Bar, bar_of, budget_view
from covel_inspector.app.panels.budget_figures import rows_of
from covel_inspector.app.sides import Side
from covel_inspector.domain import BudgetItem, BudgetOutcome, BudgetRun, BudgetShare, BudgetStep, Kind, plain, say

TREE = narrator(TIDE, 3)
SHARES = (
    BudgetShare("system", plain("System"), Kind.BODY, 500),
    BudgetShare("history", plain("History"), Kind.HISTORY, 600),
    BudgetShare("turn", plain("Turn context"), Kind.TURN_CONTEXT, 189),
)
TOUCHED = BudgetItem("history:1u", plain("Player"), 300, 0, plain("the oldest"))
KEPT = BudgetItem("player-line", plain("Player line"), 40, 40, plain("this turn"))
STEP = BudgetStep("prune", plain("Oldest messages left out"), 9, 384, 300, (TOUCHED,), (KEPT,), say("It was too long."))
TRIMMED = BudgetRun(
    BudgetOutcome.TRIMMED, 1980, 700, 1280, say("named by a file"), 1289, 989, SHARES, (STEP,)
)  # fmt: skip


def side(run: BudgetRun | None) -> Side:
    return Side("tide-01:3:narrator:0", plain("turn 3"), TREE, budget=run)


def test_a_side_without_a_run_has_no_view_and_no_limit() -> None:
    assert budget_view(side(None)) is None
    assert side(None).limit is None
    assert side(TRIMMED).limit == 1280


@pytest.mark.parametrize(
    ("run", "heading"),
    [
        (TRIMMED, "It was 9 tokens over the limit; the steps took 300 away, so 291 are free again"),
        (
            replace(TRIMMED, outcome=BudgetOutcome.FITS, limit=1300, after=1289, steps=()),
            "It fits: 1\u202f289 of 1\u202f300 tokens, 11 left until the first step",
        ),
        (
            replace(TRIMMED, outcome=BudgetOutcome.OVERFLOW, limit=900),
            "It does not fit: 389 tokens too many, 89 even after every step, so it is never sent",
        ),
        (
            replace(TRIMMED, outcome=BudgetOutcome.UNKNOWN_LIMIT, limit=None, window=None, steps=()),
            "1\u202f289 tokens; nobody recorded the window, so no step can be told",
        ),
    ],
)
def test_each_outcome_is_a_sentence(run: BudgetRun, heading: str) -> None:
    view = budget_view(side(run))
    assert view is not None
    assert str(view.heading) == heading


def test_the_limit_says_what_it_is_made_of_and_where_it_is_from() -> None:
    view = budget_view(side(TRIMMED))
    assert view is not None
    assert str(view.limit_line) == "limit 1\u202f280 = window 1\u202f980 − reserve 700 · named by a file"
    unknown = budget_view(side(replace(TRIMMED, limit=None)))
    assert unknown is not None
    assert str(unknown.limit_line) == "limit unknown: named by a file"


def test_blocks_stand_side_by_side_and_know_what_was_left_out() -> None:
    bar = bar_of(TRIMMED, TREE)
    assert [(block.name, block.start, block.tokens, block.left_out) for block in bar.blocks] == [
        ("system", 0, 500, 0),
        ("history", 500, 600, 300),
        ("turn", 1100, 189, 0),
    ]
    assert bar.reach == 1980


def test_an_item_may_name_its_share_and_never_takes_more_than_there_is() -> None:
    item = replace(TOUCHED, share="turn", tokens_before=5000)
    bar = bar_of(replace(TRIMMED, steps=(replace(STEP, touched=(item,)),)), TREE)
    assert [block.left_out for block in bar.blocks] == [0, 0, 189]
    unknown = bar_of(replace(TRIMMED, steps=(replace(STEP, touched=(replace(TOUCHED, key="nobody"),)),)), None)
    assert [block.left_out for block in unknown.blocks] == [0, 300, 0]


def test_a_far_limit_leaves_the_request_readable() -> None:
    assert Bar((), 1000, 1000, 200_000, 201_000).reach == 3000
    assert not Bar((), 1000, 1000, 3000, 3500).is_far
    assert Bar((), 0, 0, None, None).reach == 0


def test_steps_are_numbered_and_name_what_they_touched() -> None:
    view = budget_view(side(TRIMMED))
    assert view is not None
    step = view.steps[0]
    assert (step.number, step.keys, str(step.told)) == (1, ("history:1u",), "It was too long.")
    assert str(step.touched[0].figures) == "300 → 0 tok"
    assert str(step.protected[0].figures) == "40 tok"
    alone = budget_view(side(replace(TRIMMED, steps=(replace(STEP, touched=()),))))
    assert alone is not None
    assert alone.steps[0].keys == ("player-line",)


def test_figures_of_two_runs_stand_side_by_side() -> None:
    was = budget_view(side(TRIMMED))
    wide = replace(TRIMMED, limit=5000, after=1289, steps=(), shares=SHARES[:2])
    now = budget_view(side(wide))
    rows = {str(row.title): (row.was, row.is_now, row.left_out) for row in rows_of(was, now)}
    assert rows["limit"] == (1280, 5000, 0)
    assert rows["after the steps"] == (989, 1289, 0)
    assert rows["History"] == (600, 600, 0)
    assert rows["Turn context"] == (189, None, 0)
    assert [str(row.title) for row in rows_of(was, None)][:3] == ["limit", "before the steps", "after the steps"]
    assert {str(row.title): row.left_out for row in rows_of(was, None)}["after the steps"] == 300
    assert rows_of(None, None) == ()
