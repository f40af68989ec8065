"""Why an extension segment stands where it stands, in sentences."""

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.assembler.extensions import place_of
from covel_inspector.engines.covel.assembler.params import PromptSegment
from covel_inspector.engines.covel.javascript import number_text

_LANDINGS = {
    "stable": say("in the system prompt, before the mark of the stable segments"),
    "turn_tail": say("volatile each turn: in the system prompt, behind the last cache mark"),
    "turn_context": say("volatile each turn: in the turn context before the player's line, not in the system prompt"),
    "before_history": say("before the history, as a message of its own"),
    "after_history": say("at the very end of the messages"),
}


def position_text(segment: PromptSegment) -> str:
    """The position as people write it: system, pre-history, post-history, depth 2."""
    if segment.position == "depth":
        return f"depth {number_text(segment.depth or 0)}"
    return segment.position


def audience_text(segment: PromptSegment) -> str:
    """The audience in one word or two."""
    return f"contract {segment.contract}" if segment.contract is not None else segment.audience


def why_here(segment: PromptSegment) -> tuple[Sentence, ...]:
    """Landing, order and audience."""
    return (_landing(segment), _order(segment), why_for(segment))


def why_for(segment: PromptSegment) -> Sentence:
    """Whom the segment addresses."""
    if segment.contract is not None:
        return say("It is for runtimes whose output fulfils {contract}.", contract=segment.contract)
    if segment.audience == "self":
        return say("It is for the runtimes of its own plugin.")
    if segment.audience == "story":
        return say("It is for runtimes that tell the story.")
    if segment.audience == "all":
        return say("It is for every runtime.")
    return say("Its audience is one that the engine does not know: {audience}.", audience=segment.audience or "?")


def _landing(segment: PromptSegment) -> Sentence:
    if segment.position == "depth":
        return say(
            "Depth {depth}: counted from the end of the conversation, the current turn included.",
            depth=number_text(segment.depth or 0),
        )
    return say(
        "Position {position}: {landing}.",
        position=segment.position or "?",
        landing=_LANDINGS[place_of(segment)],
    )


def _order(segment: PromptSegment) -> Sentence:
    if segment.order is None:
        return say("No order given, which is 0; sorted by volatility, order, plugin and id.")
    return say("Order {order}; sorted by volatility, order, plugin and id.", order=number_text(segment.order))
