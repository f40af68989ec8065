"""One context from its params. Follows the reference on the assembler."""

from dataclasses import replace

from covel_inspector.engines.covel.assembler.assembly import AssembledContext, Assembly, BudgetOutcome, Composition
from covel_inspector.engines.covel.assembler.conversation import Conversation, converse
from covel_inspector.engines.covel.assembler.extensions import land
from covel_inspector.engines.covel.assembler.params import ContextParams
from covel_inspector.engines.covel.assembler.pieces import PlacedMessage, PruneMarker
from covel_inspector.engines.covel.assembler.system_prompt import framework_head, render, system_sections
from covel_inspector.engines.covel.assembler.turn_data import turn_data
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.budget.estimator import estimator_named
from covel_inspector.engines.covel.budget.limits import check_limits
from covel_inspector.engines.covel.budget.pruning import MARKER, Pruned, prune
from covel_inspector.engines.covel.textpack import TextPack


def assemble(params: ContextParams, pack: TextPack) -> Assembly:
    """The context, and on demand its segment tree.

    Raises AssemblerError for what the engine refuses (``kind``: unsafe-tag, store-required, hidden-namespace),
    BudgetError for limits that make no sense, and TextPackError when the pack lacks a text that is needed.
    """
    wording = Wording.of(pack, params.turn_input.locale, params.instruction_override)
    landing = land(params.prompt_segments, params.manifest)
    sections = system_sections(params, landing, wording)
    system_prompt = render(sections)
    data = turn_data(params, wording)
    conversation = converse(params, landing, data, wording)
    pruned = _budget(params, system_prompt, conversation, wording)
    placed = conversation.messages if pruned is None else _placed(conversation, pruned)
    context = AssembledContext(
        system_prompt,
        framework_head(sections),
        tuple([placed_message.message for placed_message in placed]),
        conversation.turn_context,
        conversation.current_turn_user_messages,
    )
    if pruned is not None:
        context = replace(
            context,
            pruned_message_count=pruned.pruned_message_count,
            budget=BudgetOutcome(pruned.total_tokens, pruned.over_budget),
        )
    joined = "\n".join([piece.text for piece in data])
    return Assembly(context, Composition(params, landing, sections, conversation, placed, pruned, joined))


def _budget(params: ContextParams, system_prompt: str, conversation: Conversation, wording: Wording) -> Pruned | None:
    """Pruning with the whole current turn protected; None without an estimator or limits."""
    if params.estimator is None or params.context_budget is None:
        return None
    estimate = estimator_named(params.estimator)
    limits = check_limits(params.context_budget)
    limits = replace(
        limits, protected_user_turns=limits.protected_user_turns + conversation.current_turn_user_messages - 1
    )
    messages = [placed.message for placed in conversation.messages]
    return prune(messages, estimate(system_prompt), limits, wording.text("pruned.marker"), estimate)


def _placed(conversation: Conversation, pruned: Pruned) -> tuple[PlacedMessage, ...]:
    return tuple(
        PlacedMessage(pruned.messages[0], PruneMarker(pruned.pruned_message_count))
        if index == MARKER
        else conversation.messages[index]
        for index in pruned.kept
    )
