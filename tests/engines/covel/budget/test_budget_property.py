"""What holds for the budget of any request, whatever stands in it. Long run: ``HYPOTHESIS_PROFILE=long``."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.budget.estimator import covel_tokens, message_tokens
from covel_inspector.engines.covel.budget.groups import find_groups
from covel_inspector.engines.covel.budget.ledger import FOLD, Ledger
from covel_inspector.engines.covel.budget.limits import BudgetOptions
from covel_inspector.engines.covel.budget.pruning import MARKER, is_envelope, protected_from
from covel_inspector.engines.covel.budget.request import FittedRequest, Mode, RequestInput, fit_request
from covel_inspector.engines.covel.budget.steps import StepName
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.textpack import default_pack

TEXTS = BudgetTexts.of(default_pack(), "en")

WORDS = st.sampled_from(["tide", "灯塔", "🔥", "a long word of the sea ", "雾潮起时", "\n", "x" * 90])
SHORT = st.lists(WORDS, min_size=1, max_size=6).map("".join)
LONG = st.tuples(SHORT, st.integers(1, 40)).map(lambda pair: pair[0] * pair[1])


@st.composite
def groups(draw: st.DrawFn, number: int) -> list[KernelMessage]:
    """A complete group: an assistant message with one or two calls and their results."""
    count = draw(st.integers(1, 2))
    calls = [{"id": f"c{number}.{n}", "name": "look", "arguments": draw(SHORT)} for n in range(count)]
    made = [KernelMessage(role="assistant", content="", toolCalls=tuple(calls))]
    for call in calls:
        shape = draw(st.sampled_from(["envelope", "text", "error"]))
        content = draw(LONG)
        if shape == "envelope":
            content = '{"data":"' + "x" * len(content) + f'","summary":"found {number}"}}'
        elif shape == "error":
            content = '{"error":{"code":"E","message":"no"}}'
        made.append(KernelMessage(role="tool", content=content, toolCallId=call["id"]))
    return made


@st.composite
def bodies(draw: st.DrawFn) -> tuple[KernelMessage, ...]:
    """Messages in any order: players, replies, summaries, system notes, groups of tool calls."""
    made: list[KernelMessage] = []
    for number in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(["user", "user", "assistant", "system", "envelope", "group", "group"]))
        if kind == "envelope":
            made.append(KernelMessage(role="user", content="<compacted_history>\n" + draw(LONG)))
        elif kind == "group":
            made.extend(draw(groups(number)))
        else:
            made.append(KernelMessage(role=kind, content=draw(LONG)))
    return tuple(made)


@st.composite
def requests(draw: st.DrawFn) -> RequestInput:
    """A request with a system prompt, sometimes with tools and a response format."""
    system = KernelMessage(role="system", content=draw(SHORT))
    tools: tuple[dict[str, Any], ...] = draw(st.sampled_from([(), ({"name": "look", "description": "looks"},)]))
    schema = draw(st.sampled_from([None, {"type": "object"}]))
    return RequestInput((system, *draw(bodies())), tools, schema, draw(st.sampled_from(["", "[retry 1] again "])))


OPTIONS = st.builds(BudgetOptions, st.integers(60, 3000), st.integers(0, 50), st.integers(0, 4))


def weight(messages: tuple[KernelMessage, ...]) -> int:
    return sum(message_tokens(message, covel_tokens) for message in messages)


def run(request: RequestInput, options: BudgetOptions, mode: Mode = Mode.NORMAL, ledger: Ledger = ()) -> FittedRequest:
    return fit_request(request, options, TEXTS, covel_tokens, ledger, mode)


@given(requests(), OPTIONS, st.sampled_from(list(Mode)))
def test_never_over_the_limit_unless_it_says_so(request: RequestInput, options: BudgetOptions, mode: Mode) -> None:
    fitted = run(request, options, mode)
    total = fitted.fixed.total + weight(fitted.messages[1:])
    assert total == fitted.total_tokens
    assert fitted.overflows == (total > fitted.limits.cap)


@given(requests(), OPTIONS)
def test_a_request_that_fits_is_never_touched(request: RequestInput, options: BudgetOptions) -> None:
    fitted = run(request, options)
    if fitted.before <= fitted.limits.cap:
        assert fitted.messages == request.messages
        assert fitted.steps == ()
        assert fitted.ledger == ()
    else:
        assert fitted.steps


@given(requests(), OPTIONS)
def test_protected_things_survive(request: RequestInput, options: BudgetOptions) -> None:
    body = request.messages[1:]
    fitted = run(request, options)
    border = protected_from(body, fitted.limits.protected_user_turns)
    kept = {origin for origin in fitted.origins if origin >= 0}
    folded = {
        index
        for step in fitted.steps
        if step.name is StepName.FOLD
        for touched in step.touched
        for group in find_groups(body)
        if group.start == touched.index
        for index in range(group.start, group.end)
    }
    orphans = {
        touched.index
        for step in fitted.steps
        if step.name is StepName.PRUNE
        for touched in step.touched
        if touched.index >= 0 and body[touched.index].role == "tool"
    }
    for index, message in enumerate(body):
        if index in folded or index in orphans:
            continue
        if index >= border or is_envelope(message):
            assert index in kept, index
    newest = find_groups(body)[-1:]
    for group in newest:
        dropped = set(range(group.start, group.end)) - kept
        assert not dropped & set(range(border, len(body))) - orphans


@given(requests(), OPTIONS, st.sampled_from(list(Mode)))
def test_no_tool_result_is_left_without_its_call(request: RequestInput, options: BudgetOptions, mode: Mode) -> None:
    fitted = run(request, options, mode)
    asked: set[object] = set()
    for message in fitted.messages:
        if message.tool_calls:
            asked = {call["id"] for call in message.tool_calls}
        elif message.role == "tool":
            assert message.tool_call_id in asked
        else:
            asked = set()


@given(requests(), OPTIONS, st.sampled_from(list(Mode)))
def test_the_same_input_gives_the_same_steps(request: RequestInput, options: BudgetOptions, mode: Mode) -> None:
    one, two = run(request, options, mode), run(request, options, mode)
    assert one == two
    assert [str(step.stopped) for step in one.steps] == [str(step.stopped) for step in two.steps]


@given(requests(), OPTIONS)
def test_steps_account_for_every_token_and_message(request: RequestInput, options: BudgetOptions) -> None:
    body = request.messages[1:]
    fitted = run(request, options)
    assert fitted.before == fitted.fixed.total + weight(body)
    assert fitted.before - sum(step.saved for step in fitted.steps) == fitted.total_tokens
    for step in fitted.steps:
        touched = [item.index for item in step.touched if item.index >= 0]
        assert len(touched) == len(set(touched))
        assert all(item.tokens_after <= item.tokens_before for item in step.touched)
    made = [origin for origin in fitted.origins if origin >= 0]
    assert made == sorted(made)
    assert fitted.origins.count(MARKER) == (1 if fitted.counts.pruned_messages else 0)
    assert fitted.origins.count(FOLD) <= fitted.counts.added_folds


@given(requests(), OPTIONS, SHORT)
def test_what_was_left_out_once_stays_so_in_the_next_request(
    request: RequestInput, options: BudgetOptions, line: str
) -> None:
    first = run(request, options)
    longer = RequestInput(
        (*request.messages, KernelMessage(role="user", content=line)),
        request.tools,
        request.response_format,
        request.retry_text,
    )
    second = run(longer, options, ledger=first.ledger)
    assert second.ledger[: len(first.ledger)] == first.ledger
    replayed = next((step for step in second.steps if step.name is StepName.REPLAY), None)
    assert (replayed is not None) == bool(first.ledger)
