"""What the engine's budget counts otherwise than the texts of a request. Tokens by the engine's estimate.

Follows the reference on the runtime, section 6: the fixed input has frames, counts the response format twice and keeps
room for a retry hint; a message counts its names, ids and calls beside its text.
"""

from collections.abc import Iterator, Sequence

from covel_inspector.domain import BudgetExtra, Kind, say
from covel_inspector.engines.covel.budget.estimator import covel_tokens, message_tokens
from covel_inspector.engines.covel.budget.fixed_input import format_text, tool_text
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.units import Unit

_BESIDE_TEXT = (Kind.TOOL_CALL, Kind.REASONING)


def extras_of(request: AssembledRequest, units: Sequence[Unit]) -> tuple[BudgetExtra, ...]:
    """Why the budget's count is not the sum of the segments. ``units`` are those that go out."""
    return tuple(extra for extra in _extras(request, units) if extra.tokens)


def _extras(request: AssembledRequest, units: Sequence[Unit]) -> Iterator[BudgetExtra]:
    tools = covel_tokens(tool_text(request.tools)) - sum(covel_tokens(stringify(tool)) for tool in request.tools)
    yield BudgetExtra(say("the frame around the tool definitions"), tools)
    if request.response_format is not None:
        twice = 2 * covel_tokens(format_text(request.response_format)) - covel_tokens(
            stringify(request.response_format)
        )
        yield BudgetExtra(say("the response format, which the budget counts twice"), twice)
    yield BudgetExtra(say("room for a retry hint"), covel_tokens(request.retry_text))
    yield BudgetExtra(say("names and ids of tool calls and results"), sum(map(_beside_text, units[1:])))


def _beside_text(unit: Unit) -> int:
    """Fields of a message that the budget counts as JSON, less the calls that are segments themselves."""
    message = unit.message
    fields = message_tokens(message.model_copy(update={"content": ""}), covel_tokens)
    shown = sum(covel_tokens(placed.leaf.text) for placed in unit.leaves if placed.leaf.kind in _BESIDE_TEXT)
    return fields - shown if fields else 0
