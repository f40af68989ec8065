"""Head/tail cuts: the middle of a long text gives way to a marker. Follows the reference on the assembler,
section 15, at call time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.budget.estimator import Estimator, message_tokens
from covel_inspector.engines.covel.budget.pruning import is_envelope
from covel_inspector.engines.covel.budget.steps import Action, Protected, Step, StepName, Touched
from covel_inspector.engines.covel.javascript import head, length, tail, trim
from covel_inspector.engines.covel.records.calls import KernelMessage


@dataclass(frozen=True, slots=True)
class Cut:
    """The list after cuts: ``saved`` tokens in all, ``count`` messages changed."""

    messages: tuple[KernelMessage, ...]
    saved: int
    count: int
    step: Step


def cut_text(text: str, goal: int, marker: str, cost: Callable[[str], int]) -> str:
    """The longest head and tail of ``text`` around ``marker`` that costs at most ``goal`` tokens.

    ``cost`` tells what the message would cost with a text. A marker that reaches the goal alone stands alone,
    trimmed. Lengths are UTF-16 code units, and a cut may go through a surrogate pair.
    """
    if cost(marker) >= goal:
        return trim(marker)
    low, high = 0, length(text)
    best = trim(marker)
    while low <= high:
        kept = (low + high) // 2
        tried = head(text, (kept + 1) // 2) + marker + tail(text, kept // 2)
        if cost(tried) <= goal:
            best = tried
            low = kept + 1
        else:
            high = kept - 1
    return best


def cut_tool_results(messages: Sequence[KernelMessage], excess: int, marker: str, estimate: Estimator) -> Cut:
    """Shorten tool results, oldest first, until ``excess`` tokens are saved."""
    return _cut(StepName.CUT_TOOL_RESULTS, messages, _is_tool_text, excess, marker, estimate)


def cut_summaries(messages: Sequence[KernelMessage], excess: int, marker: str, estimate: Estimator) -> Cut:
    """Shorten summary envelopes, oldest first, until ``excess`` tokens are saved."""
    return _cut(StepName.CUT_SUMMARIES, messages, _is_envelope_text, excess, marker, estimate)


def _cut(
    name: StepName,
    messages: Sequence[KernelMessage],
    may_cut: Callable[[KernelMessage], bool],
    excess: int,
    marker: str,
    estimate: Estimator,
) -> Cut:
    result = list(messages)
    marker_tokens = estimate(marker)
    touched: list[Touched] = []
    protected: list[Protected] = []
    left = excess
    for index, message in enumerate(messages):
        if left <= 0:
            break
        if not may_cut(message):
            continue
        own = message_tokens(message, estimate)
        if own <= marker_tokens:
            protected.append(Protected(index, own, say("no longer than the marker that would replace its middle")))
            continue
        others = own - estimate(message.content)

        def cost(text: str, others: int = others) -> int:
            return estimate(text) + others

        shorter = cut_text(message.content, max(marker_tokens, own - left - 1), marker, cost)
        cut = message.model_copy(update={"content": shorter})
        after = message_tokens(cut, estimate)
        if after >= own:
            continue
        result[index] = cut
        left -= own - after
        touched.append(Touched(index, Action.CUT, own, after, say("the middle of the text was cut out")))
    saved = excess - left
    step = Step(name, excess, saved, tuple(touched), tuple(protected), _end(left, bool(touched)), excess)
    return Cut(tuple(result), saved, len(touched), step)


def _end(left: int, cut_something: bool) -> Sentence:
    if left <= 0:
        return say("the request fits")
    if not cut_something:
        return say("nothing could be cut")
    return say("nothing more can be cut; {missing} tokens too many are left", missing=left)


def _is_tool_text(message: KernelMessage) -> bool:
    return message.role == "tool" and isinstance(message.content, str)


def _is_envelope_text(message: KernelMessage) -> bool:
    return isinstance(message.content, str) and is_envelope(message)
