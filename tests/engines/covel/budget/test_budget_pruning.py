"""History pruning: what goes, what stays, and what the step tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.budget.estimator import ESTIMATORS, message_tokens
from covel_inspector.engines.covel.budget.limits import BudgetError, BudgetOptions, Limits, check_limits
from covel_inspector.engines.covel.budget.pruning import ENVELOPE_START, MARKER, protected_from, prune, prune_step
from covel_inspector.engines.covel.budget.steps import Action, StepName
from covel_inspector.engines.covel.records.calls import KernelMessage

CHARS = ESTIMATORS["chars"]
NOTE = "[gone]"

MESSAGES = st.lists(
    st.builds(
        KernelMessage,
        role=st.sampled_from(["user", "assistant", "system", "tool"]),
        content=st.text("ab", max_size=40) | st.text("ab", max_size=20).map(lambda text: ENVELOPE_START + text),
    ),
    max_size=14,
)


@given(MESSAGES, st.integers(0, 60), st.integers(20, 300), st.integers(0, 4))
def test_pruning_keeps_its_promises(messages: list[KernelMessage], fixed: int, cap: int, turns: int) -> None:
    pruned = prune(messages, fixed, Limits(cap, 0, turns), NOTE, CHARS)
    kept = [index for index in pruned.kept if index != MARKER]
    gone = [index for index in range(len(messages)) if index not in kept]
    tokens = [message_tokens(message, CHARS) for message in messages]
    assert kept == sorted(kept)
    assert pruned.pruned_message_count == len(gone)
    assert pruned.total_tokens == fixed + sum(message_tokens(message, CHARS) for message in pruned.messages)
    assert pruned.over_budget == (pruned.total_tokens > cap)
    assert [pruned.messages[place] for place, index in enumerate(pruned.kept) if index != MARKER] == [
        messages[index] for index in kept
    ]
    if fixed + sum(tokens) <= cap:
        assert gone == []
    border = protected_from(messages, turns)
    assert all(messages[index].role == "tool" for index in gone if index >= border)
    assert all(
        not str(messages[index].content).startswith(ENVELOPE_START) for index in gone if messages[index].role != "tool"
    )
    assert (pruned.kept[:1] == (MARKER,)) == bool(gone)


@given(MESSAGES, st.integers(20, 300))
def test_the_step_accounts_for_every_token(messages: list[KernelMessage], cap: int) -> None:
    pruned = prune(messages, 0, Limits(cap, 0, 1), NOTE, CHARS)
    step = pruned.step
    total = sum(message_tokens(message, CHARS) for message in messages)
    if step is None:
        assert total <= cap
        return
    assert step.name is StepName.PRUNE
    assert step.over == total - cap
    assert step.saved == total - pruned.total_tokens
    assert step.goal is not None
    assert step.goal % prune_step(cap) == 0
    touched = {item.index for item in step.touched}
    assert touched == set(range(len(messages))) - set(pruned.kept)
    assert all(item.action is Action.DROPPED and item.tokens_after == 0 for item in step.touched)
    assert touched.isdisjoint(item.index for item in step.protected)


def test_the_first_kept_message_moves_in_whole_steps() -> None:
    """Growing a history by one message at a time moves the cut rarely: that is what keeps a provider's prefix."""
    messages = [KernelMessage(role="user" if n % 2 == 0 else "assistant", content="x" * 10) for n in range(60)]
    cuts = []
    for size in range(30, 60):
        pruned = prune(messages[:size], 0, Limits(200, 0, 1), NOTE, CHARS)
        cuts.append(next(index for index in pruned.kept if index != MARKER))
    assert cuts == sorted(cuts)
    assert len(set(cuts)) < len(cuts) / 4


def test_whatever_is_protected_stays_even_when_it_does_not_fit() -> None:
    messages = [KernelMessage(role="user", content="x" * 500)]
    pruned = prune(messages, 0, Limits(100, 0, 1), NOTE, CHARS)
    assert pruned.messages == tuple(messages)
    assert pruned.over_budget
    assert pruned.step is not None
    assert str(pruned.step.stopped) == "nothing may be dropped"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (BudgetOptions(0), "maxInputTokens"),
        (BudgetOptions(10.5), "maxInputTokens"),
        (BudgetOptions(float("inf")), "maxInputTokens"),
        (BudgetOptions(float("nan")), "maxInputTokens"),
        (BudgetOptions(100, 100), "reservedForResponse"),
        (BudgetOptions(100, -1), "reservedForResponse"),
        (BudgetOptions(4000), "reservedForResponse"),
        (BudgetOptions(100, 10, -1), "protectLastUserTurns"),
        (BudgetOptions(100, 10, 0.5), "protectLastUserTurns"),
    ],
)
def test_limits_that_make_no_sense_are_refused(options: BudgetOptions, field: str) -> None:
    with pytest.raises(BudgetError) as caught:
        check_limits(options)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_limits_have_defaults() -> None:
    assert check_limits(BudgetOptions(5000)) == Limits(5000, 4000, 1)
