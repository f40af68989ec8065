"""From one count of a request to another: what is told, and that the terms add up."""

import re
from pathlib import Path

import pytest

from covel_inspector.analysis.counters import engine_counter
from covel_inspector.analysis.token_bridge import budget_bridge, prefix_bridge
from covel_inspector.analysis.token_table import TokenTable, request_tokens
from covel_inspector.domain import BudgetExtra, BudgetOutcome, BudgetRun, Kind, Status, plain
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parents[1] / "data"


def run(after: int, *extras: int) -> BudgetRun:
    made = tuple(BudgetExtra(plain(f"extra {number}"), tokens) for number, tokens in enumerate(extras))
    return BudgetRun(BudgetOutcome.FITS, None, None, None, plain("made up"), after, after, (), extras=made)


@pytest.mark.parametrize(("after", "extras"), [(100, ()), (150, (40, 10)), (90, ()), (95, (10, -20)), (1000, (900,))])
def test_the_terms_add_up(after: int, extras: tuple[int, ...]) -> None:
    told = str(budget_bridge(100, run(after, *extras), str, is_same=True)).replace("−", "-")
    terms = [int(f"{sign}{number}") for sign, number in re.findall(r"([+-]) (\d+) \(", told)]
    assert str(after) in told
    assert 100 + sum(terms) == after


def test_what_is_left_is_rounding_only_for_the_request_that_the_budget_was_run_on() -> None:
    assert "rounds up once for each message" in str(budget_bridge(100, run(95), str, is_same=True))
    assert "run on the rebuilt request" in str(budget_bridge(100, run(95), str, is_same=False))


def test_the_prefix_estimate_beside_the_others() -> None:
    told = str(prefix_bridge(1871, 1980, 2043, str))
    assert all(number in told for number in ("1871", "1980", "2043"))
    assert "reported" not in str(prefix_bridge(1871, 1980, None, str))


@pytest.mark.parametrize("name", ["emberwatch", "tidewater"])
def test_on_the_samples_nothing_but_rounding_is_left(name: str) -> None:
    """The budget of every call that was rebuilt is its segments and what is named, to a token for each segment."""
    source = open_covel(str(DATA / f"{name}.db"), str(DATA / "sample-root"))
    counter = engine_counter(source.estimator_name, source.estimate)
    looked_at = pictures = 0
    for session in source.sessions():
        for call in (*source.calls(session.id), *source.unsent(session.id)):
            tree, budget = source.rebuilt(call.address), source.budget(call.address)
            if tree is None or budget is None:
                continue
            segments = request_tokens(tree, source.estimate)
            assert segments == TokenTable(tree, counter, has_fixed=True).total
            recorded = source.recorded(call.address)
            if recorded is not None and source.verdict(call.address).status is Status.IDENTICAL:
                assert request_tokens(recorded, source.estimate) == pytest.approx(segments, abs=len(tree.request.parts))
            rest = budget.after - segments - sum(extra.tokens for extra in budget.extras)
            assert -sum(1 for _ in tree.leaves()) <= rest <= 2 * len(tree.request.parts)
            assert sum(share.tokens for share in budget.shares) == budget.before
            pictures += any(share.kind is Kind.PICTURES for share in budget.shares)
            looked_at += 1
    source.close()
    assert looked_at > 30
    assert bool(pictures) is (name == "emberwatch")
