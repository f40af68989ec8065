"""The budget of a request: steps, ledger and cuts."""

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.budget.cuts import cut_text
from covel_inspector.engines.covel.budget.estimator import ESTIMATORS
from covel_inspector.engines.covel.budget.groups import find_groups
from covel_inspector.engines.covel.budget.ledger import FOLD
from covel_inspector.engines.covel.budget.limits import BudgetOptions
from covel_inspector.engines.covel.budget.pruning import MARKER
from covel_inspector.engines.covel.budget.request import Mode, RequestInput, fit_request
from covel_inspector.engines.covel.budget.steps import StepName
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.textpack import default_pack

CHARS = ESTIMATORS["chars"]
TEXTS = BudgetTexts.of(default_pack(), "en")


def call(number: int, size: int = 200) -> list[KernelMessage]:
    """A complete group of one tool call."""
    return [
        KernelMessage.model_validate(
            {"role": "assistant", "content": "", "toolCalls": [{"id": f"c{number}", "name": "look", "arguments": "{}"}]}
        ),
        KernelMessage.model_validate(
            {
                "role": "tool",
                "content": '{"data":"' + "x" * size + f'","summary":"found {number}"}}',
                "toolCallId": f"c{number}",
            }
        ),
    ]


def request(groups: int) -> RequestInput:
    messages = [KernelMessage(role="system", content="s" * 50), KernelMessage(role="user", content="go")]
    for number in range(groups):
        messages.extend(call(number))
    return RequestInput(tuple(messages))


def test_a_request_that_fits_is_left_alone() -> None:
    given_request = request(3)
    fitted = fit_request(given_request, BudgetOptions(100_000, 100), TEXTS, CHARS)
    assert fitted.messages == given_request.messages
    assert fitted.origins == tuple(range(7))
    assert fitted.ledger == ()
    assert fitted.steps == ()
    assert not fitted.overflows


def test_steps_tell_what_was_over_what_went_and_what_was_spared() -> None:
    fitted = fit_request(request(6), BudgetOptions(1500, 100), TEXTS, CHARS)
    names = [step.name for step in fitted.steps]
    assert names[0] is StepName.OMIT
    omission = fitted.steps[0]
    assert omission.over > 0
    assert [item.index for item in omission.touched] == [1 + 2 * number for number in range(len(omission.touched))]
    assert [item.index for item in omission.protected] == [9, 11]
    assert all(item.tokens_after < item.tokens_before for item in omission.touched)
    assert not fitted.overflows
    assert fitted.total_tokens <= fitted.limits.cap


def test_a_ledger_only_grows_and_is_frozen() -> None:
    first = fit_request(request(6), BudgetOptions(1500, 100), TEXTS, CHARS)
    assert first.ledger
    second = fit_request(request(8), BudgetOptions(1500, 100), TEXTS, CHARS, first.ledger)
    assert second.ledger[: len(first.ledger)] == first.ledger
    assert second.counts.replayed_omissions == first.counts.added_omissions
    again = fit_request(request(6), BudgetOptions(100_000, 100), TEXTS, CHARS, first.ledger)
    assert [step.name for step in again.steps] == [StepName.REPLAY]
    assert again.ledger == first.ledger


def test_an_emergency_spares_nothing() -> None:
    normal = fit_request(request(1), BudgetOptions(250, 50), TEXTS, CHARS)
    emergency = fit_request(request(1), BudgetOptions(250, 50), TEXTS, CHARS, mode=Mode.EMERGENCY)
    assert normal.counts.added_omissions == 0
    assert emergency.counts.added_omissions == 1


def test_origins_name_the_messages_that_are_left() -> None:
    given_request = request(9)
    fitted = fit_request(given_request, BudgetOptions(900, 100, 1), TEXTS, CHARS)
    body = given_request.messages[1:]
    for origin, message in zip(fitted.origins, fitted.messages[1:], strict=True):
        if origin in (MARKER, FOLD):
            assert message.role == "system"
        else:
            assert message.role == body[origin].role
            assert message.tool_calls == body[origin].tool_calls


def test_irregular_groups_are_no_groups() -> None:
    group = call(1)
    stranger = KernelMessage.model_validate({"role": "tool", "content": "?", "toolCallId": "other"})
    assert len(find_groups(group)) == 1
    assert find_groups([*group, stranger]) == []
    assert find_groups(group[:1]) == []
    twins = find_groups([*group, KernelMessage(role="user", content="more"), *group])
    assert [found.unique for found in twins] == [False, False]


@given(st.text(st.characters(), max_size=60), st.integers(0, 60), st.text("…~", min_size=1, max_size=4))
def test_a_cut_is_the_longest_that_fits(text: str, goal: int, marker: str) -> None:
    cut = cut_text(text, goal, marker, CHARS)
    if CHARS(marker) >= goal:
        assert cut == marker
        return
    assert CHARS(cut) <= max(goal, CHARS(marker))
    kept = min(goal - CHARS(marker), CHARS(text))
    assert CHARS(cut) == kept + CHARS(marker)
