"""History pruning: whole steps off the front. Follows the reference on the assembler, section 15."""

from collections.abc import Sequence
from dataclasses import dataclass

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.budget.estimator import Estimator, message_text, message_tokens
from covel_inspector.engines.covel.budget.limits import Limits
from covel_inspector.engines.covel.budget.steps import Action, Protected, Step, StepName, Touched
from covel_inspector.engines.covel.javascript import trim_start
from covel_inspector.engines.covel.records.calls import KernelMessage

ENVELOPE_START = "<compacted_history>\n"
"""How the text of a summary envelope begins, blanks before it aside."""

MARKER = -1
"""Stands in :attr:`Pruned.kept` for the marker message."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """The list after pruning. Tokens include the fixed input.

    ``kept`` has the index, in the given list, of each resulting message, and MARKER for the marker.
    ``step`` is None when the list fitted.
    """

    messages: tuple[KernelMessage, ...]
    kept: tuple[int, ...]
    total_tokens: int
    pruned_message_count: int
    over_budget: bool
    step: Step | None = None


def is_envelope(message: KernelMessage) -> bool:
    """True when a message is a summary envelope, by the start of its text and whatever its role."""
    content = message.content
    text = content if isinstance(content, str) else message_text(content)
    return trim_start(text[:64]).startswith(ENVELOPE_START) or (
        text[:1].isspace() and trim_start(text).startswith(ENVELOPE_START)
    )


def prune(
    messages: Sequence[KernelMessage], fixed_tokens: int, limits: Limits, marker: str, estimate: Estimator
) -> Pruned:
    """Drop whole steps from the front until the request fits, or nothing more may go.

    ``fixed_tokens`` is what stands before the messages (system prompt, tools). ``marker`` is the text of the
    message that stands for what was dropped.
    """
    tokens = [message_tokens(message, estimate) for message in messages]
    total = fixed_tokens + sum(tokens)
    cap = limits.cap
    if total <= cap:
        return Pruned(tuple(messages), tuple(range(len(messages))), total, 0, over_budget=False)
    marker_tokens = estimate(marker)
    size = prune_step(cap)
    goal = -(-(total + marker_tokens - cap) // size) * size
    border = protected_from(messages, limits.protected_user_turns)
    envelopes = [index for index in range(border) if is_envelope(messages[index])]
    oldest, orphans = _drop(messages, tokens, border, frozenset(envelopes), goal)
    dropped = oldest + orphans
    protected = _protections(tokens, border, envelopes, dropped)
    saved = sum(tokens[index] for index in dropped)
    if not dropped:
        step = Step(StepName.PRUNE, total - cap, 0, (), protected, say("nothing may be dropped"), goal)
        return Pruned(tuple(messages), tuple(range(len(messages))), total, 0, over_budget=True, step=step)
    gone = frozenset(dropped)
    kept = tuple(index for index in range(len(messages)) if index not in gone)
    after = total - saved + marker_tokens
    touched = tuple(
        Touched(index, Action.DROPPED, tokens[index], 0, say("among the oldest messages")) for index in oldest
    ) + tuple(
        Touched(index, Action.DROPPED, tokens[index], 0, say("a tool result whose call was dropped"))
        for index in orphans
    )
    step = Step(StepName.PRUNE, total - cap, saved - marker_tokens, touched, protected, _end(saved, goal, size), goal)
    return Pruned(
        (KernelMessage(role="system", content=marker), *(messages[index] for index in kept)),
        (MARKER, *kept),
        after,
        len(dropped),
        over_budget=after > cap,
        step=step,
    )


def prune_step(cap: int) -> int:
    """Tokens of one step: 30 % of the cap, at least one."""
    # The product of doubles, as in the engine: at some caps it falls just below the whole number.
    return max(1, int(0.3 * cap))


def protected_from(messages: Sequence[KernelMessage], user_turns: int) -> int:
    """Index of the first protected message: the n-th user message from the end, with the system messages directly
    before it. 0 when there are fewer user messages, the number of messages when ``user_turns`` is 0."""
    if user_turns == 0:
        return len(messages)
    left = user_turns
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role != "user":
            continue
        left -= 1
        if left == 0:
            while index > 0 and messages[index - 1].role == "system":
                index -= 1  # noqa: PLW2901  # the loop ends here
            return index
    return 0


def _drop(
    messages: Sequence[KernelMessage], tokens: Sequence[int], border: int, envelopes: frozenset[int], goal: int
) -> tuple[list[int], list[int]]:
    """Indexes to drop: from the front until the goal, and the tool messages that would open the rest."""
    dropped: list[int] = []
    gone = 0
    for index in range(border):
        if gone >= goal:
            break
        if index in envelopes:
            continue
        dropped.append(index)
        gone += tokens[index]
    orphans: list[int] = []
    following = dropped[-1] + 1 if dropped else len(messages)
    while following < len(messages) and messages[following].role == "tool":
        orphans.append(following)
        following += 1
    return dropped, orphans


def _protections(
    tokens: Sequence[int], border: int, envelopes: Sequence[int], dropped: Sequence[int]
) -> tuple[Protected, ...]:
    gone = frozenset(dropped)
    kept = [
        Protected(index, tokens[index], say("a summary of older turns is kept"))
        for index in envelopes
        if index not in gone
    ]
    kept.extend(
        Protected(index, tokens[index], say("the last user turns and their turn context are kept"))
        for index in range(border, len(tokens))
        if index not in gone
    )
    return tuple(kept)


def _end(saved: int, goal: int, size: int) -> Sentence:
    if saved >= goal:
        return say("the goal of {goal} tokens, whole rounds of {size}, was reached", goal=goal, size=size)
    return say("nothing more may be dropped; {missing} tokens of the goal are missing", missing=goal - saved)
