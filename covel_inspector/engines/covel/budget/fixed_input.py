"""What a request holds beside its messages, estimated as one string. Follows the reference on the runtime, 6."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from covel_inspector.engines.covel.budget.estimator import Estimator, message_text
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.calls import KernelMessage


@dataclass(frozen=True, slots=True)
class FixedInput:
    """Tokens of the fixed input: of all of it as one string, and of its parts each alone."""

    total: int
    system: int
    tools: int
    response_format: int


def fixed_input(
    messages: Sequence[KernelMessage],
    tools: Sequence[Mapping[str, Any]],
    response_format: object,
    retry_text: str,
    estimate: Estimator,
) -> FixedInput:
    """The fixed input: leading system message, tool definitions, the response format twice, the retry hint.

    The parts that hold text are joined by a line feed and estimated as one string.
    """
    system = message_text(messages[0].content) if messages and messages[0].role == "system" else ""
    framed_tools, framed_format = tool_text(tools), format_text(response_format)
    parts = [system, framed_tools, framed_format, framed_format, retry_text]
    joined = "\n".join([part for part in parts if part])
    return FixedInput(estimate(joined), estimate(system), estimate(framed_tools), 2 * estimate(framed_format))


def tool_text(tools: Sequence[Mapping[str, Any]]) -> str:
    """The tool definitions as they are estimated; empty without tools."""
    return f"<tool_definitions>{stringify(list(tools))}</tool_definitions>" if tools else ""


def format_text(response_format: object) -> str:
    """The response format as it is estimated, once; empty without one."""
    return f"<response_format>{stringify(response_format)}</response_format>" if response_format is not None else ""


def retry_allowance(max_retries: int, hint: str) -> str:
    """The longest retry hint that a call may carry, with room for its number; empty without retries."""
    return f"[retry {max_retries}] {hint}{' ' * max_retries}" if max_retries > 0 else ""
