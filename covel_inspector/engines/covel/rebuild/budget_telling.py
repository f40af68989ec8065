"""The steps of a budget in sentences that need no manual. Tokens by the engine's estimate."""

from collections.abc import Mapping

from covel_inspector.domain import Sentence, say
from covel_inspector.domain.listing import joined
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.budget.pruning import prune_step
from covel_inspector.engines.covel.budget.request import FittedRequest
from covel_inspector.engines.covel.budget.steps import Action, Step, StepName
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.text.figures import grouped

STEP_TITLES: Mapping[StepName, Sentence] = {
    StepName.REPLAY: say("Left out already by earlier requests of this run"),
    StepName.OMIT: say("Data of old tool results left out"),
    StepName.FOLD: say("Old tool calls folded into a short list"),
    StepName.PRUNE: say("Oldest messages left out"),
    StepName.CUT_TOOL_RESULTS: say("Middle of long tool results cut out"),
    StepName.CUT_SUMMARIES: say("Middle of long summaries cut out"),
}

OVERFLOW_TITLE = say("It does not fit")


def told_step(step: Step, fitted: FittedRequest, texts: BudgetTexts, left: int) -> Sentence:
    """A step in one sentence. ``left`` is what the request weighs behind it."""
    cap = fitted.limits.cap
    what = _DONE[step.name](step, fitted, texts)
    if step.name is StepName.REPLAY:
        return what
    room = cap - left
    end = (
        say("Now it fits, with {room} tokens to spare before anything more must go.", room=count(room))
        if room >= 0
        else say("It is still {over} tokens too long.", over=count(-room))
    )
    return joined(what, end)


def told_overflow(fitted: FittedRequest) -> Sentence:
    """Why a request is not sent."""
    cap, total = fitted.limits.cap, fitted.total_tokens
    return say(
        "After everything that may be left out the request still needs {total} tokens, {over} more than its limit of "
        "{limit}; so it is never sent, and the engine reports an error instead. System prompt and tools alone take "
        "{fixed} tokens, and the messages that are left {messages}.",
        total=count(total),
        over=count(total - cap),
        limit=count(cap),
        fixed=count(fitted.fixed.total),
        messages=count(total - fitted.fixed.total),
    )


def told_smaller(window: int, old_window: int, kept: int, old_kept: int, size: int) -> Sentence:
    """Why a larger window keeps less."""
    return say(
        "The larger window of {window} tokens keeps fewer messages ({kept}) than one of {old_window} ({old_kept}): "
        "messages go in whole rounds, a round grows with the window (here {size} tokens), and a whole round goes even "
        "when only a little is too much.",
        window=count(window),
        kept=kept,
        old_window=count(old_window),
        old_kept=old_kept,
        size=count(size),
    )


def count(number: int) -> str:
    """A number of tokens with its thousands set apart."""
    return grouped(number, " ")


def _over(step: Step, fitted: FittedRequest) -> Sentence:
    return say(
        "The request was {over} tokens over its limit of {limit}.",
        over=count(step.over),
        limit=count(fitted.limits.cap),
    )


def _replay(step: Step, _fitted: FittedRequest, _texts: BudgetTexts) -> Sentence:
    omitted = sum(item.action is Action.OMITTED for item in step.touched)
    return say(
        "Earlier requests of this run had left out the data of {omitted} groups of tool calls and folded {folded} into "
        "a short list. What was done once is done again in every later request of the run, even when there is room: "
        "that saves {saved} tokens.",
        omitted=omitted,
        folded=len(step.touched) - omitted,
        saved=count(step.saved),
    )


def _omit(step: Step, fitted: FittedRequest, _texts: BudgetTexts) -> Sentence:
    if not step.touched:
        return say(
            "{over} No old tool result could give up its data: the newest groups of tool calls (here {spared}) are "
            "kept whole.",
            over=_over(step, fitted),
            spared=len(step.protected),
        )
    return say(
        "{over} Old tool results lose their data first, from the oldest on, until the request is down to {target} "
        "tokens (70 % of the limit). Groups of tool calls that lost theirs: {n}, which saved {saved} tokens. The "
        "newest groups (here {spared}) are kept whole.",
        over=_over(step, fitted),
        target=count(step.goal or 0),
        n=len(step.touched),
        saved=count(step.saved),
        spared=len(step.protected),
    )


def _fold(step: Step, _fitted: FittedRequest, _texts: BudgetTexts) -> Sentence:
    if not step.touched:
        return say(
            "No older group of tool calls could be folded into a short list: the newest one is kept as it is, because "
            "the model needs it to go on."
        )
    return say(
        "Old tool calls are then folded into a short list with one line each, from the oldest on, until the request is "
        "down to {target} tokens (70 % of the limit). Groups that were folded: {n}, which saved {saved} tokens. The "
        "newest group is kept as it is.",
        target=count(step.goal or 0),
        n=len(step.touched),
        saved=count(step.saved),
    )


def _prune(step: Step, fitted: FittedRequest, texts: BudgetTexts) -> Sentence:
    if not step.touched:
        return say(
            "{over} The oldest messages would go now, but none may. {spared}",
            over=_over(step, fitted),
            spared=_spared(step),
        )
    size = prune_step(fitted.limits.cap)
    gross, goal = sum(item.tokens_before for item in step.touched), step.goal or size
    went = say(
        "{over} Old messages go in whole rounds of {size} tokens (30 % of the limit): until the next round is due, the "
        "history begins with the same message in each turn.",
        over=_over(step, fitted),
        size=count(size),
    )
    marker = count(covel_tokens(texts.pruned))
    number = len(step.touched)
    if gross < goal:
        told = say(
            "{went} It would have taken {goal} tokens, but only {n} messages with {gross} tokens may go; a note of "
            "{marker} tokens stands in their place.",
            went=went,
            goal=count(goal),
            n=number,
            gross=count(gross),
            marker=marker,
        )
    elif goal == size:
        told = say(
            "{went} One round was enough: it took the {n} oldest messages, {gross} tokens; a note of {marker} tokens "
            "stands in their place.",
            went=went,
            n=number,
            gross=count(gross),
            marker=marker,
        )
    else:
        told = say(
            "{went} It took {steps} rounds, which are the {n} oldest messages, {gross} tokens; a note of {marker} "
            "tokens stands in their place.",
            went=went,
            steps=goal // size,
            n=number,
            gross=count(gross),
            marker=marker,
        )
    return told if not step.protected else joined(told, _spared(step))


def _spared(step: Step) -> Sentence:
    """How many messages were kept for each reason."""
    reasons: dict[str, tuple[Sentence, int]] = {}
    for item in step.protected:
        known = reasons.get(str(item.why))
        reasons[str(item.why)] = (item.why, 1 + (known[1] if known else 0))
    told = [
        say("One message is not touched: {why}.", why=why)
        if number == 1
        else say("{n} messages are not touched: {why}.", n=number, why=why)
        for why, number in reasons.values()
    ]
    if not told:
        return say("There is no message in front of those that always stay.")
    return joined(*told)


def _cut_results(step: Step, _fitted: FittedRequest, _texts: BudgetTexts) -> Sentence:
    if not step.touched:
        return say("{over} tokens were still too many, but no tool result could be cut.", over=count(step.over))
    return say(
        "{over} tokens were still too many, so tool results (here {n}) lost their middle, from the oldest on and only "
        "as much as needed: {saved} tokens. Beginning and end are kept.",
        over=count(step.over),
        n=len(step.touched),
        saved=count(step.saved),
    )


def _cut_summaries(step: Step, _fitted: FittedRequest, _texts: BudgetTexts) -> Sentence:
    if not step.touched:
        return say("{over} tokens were still too many, but no summary could be cut.", over=count(step.over))
    return say(
        "{over} tokens were still too many, so summaries of older turns (here {n}) lost their middle, from the oldest "
        "on and only as much as needed: {saved} tokens. Beginning and end are kept.",
        over=count(step.over),
        n=len(step.touched),
        saved=count(step.saved),
    )


_DONE = {
    StepName.REPLAY: _replay,
    StepName.OMIT: _omit,
    StepName.FOLD: _fold,
    StepName.PRUNE: _prune,
    StepName.CUT_TOOL_RESULTS: _cut_results,
    StepName.CUT_SUMMARIES: _cut_summaries,
}
