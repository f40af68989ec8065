"""What trace events say about the budget of a call. Follows the reference on the runtime, section 6."""

from collections.abc import Iterable
from dataclasses import dataclass

from covel_inspector.engines.covel.records.rows import CallRow, TraceRow


@dataclass(frozen=True, slots=True)
class PruningEvent:
    """The counts of one ``context.pruned`` event."""

    pruned_messages: int
    cut_tool_results: int
    cut_summaries: int


def pruning_event(traces: Iterable[TraceRow], call: CallRow) -> PruningEvent | None:
    """The event that the budget of a call wrote; None when it wrote none.

    It is written between the answer before and the call: the last one of the same execution and runtime that is older
    than the call by the emitter's counter, and not older than the call's start.
    """
    found: TraceRow | None = None
    for trace in traces:
        if trace.type != "context.pruned" or trace.turn_id != call.turn_id or trace.trace_id != call.trace_id:
            continue
        if trace.payload.get("runtimeId") != call.runtime_id:
            continue
        if call.started_at <= trace.created_at <= call.created_at and _is_before(trace, call):
            found = trace
    if found is None:
        return None
    return PruningEvent(
        _count(found.payload.get("prunedMessageCount")),
        _count(found.payload.get("truncatedToolResultCount")),
        _count(found.payload.get("truncatedSummaryCount")),
    )


def _is_before(trace: TraceRow, call: CallRow) -> bool:
    number = trace.payload.get("seq")
    return not isinstance(number, int) or call.payload_seq is None or number < call.payload_seq


def _count(value: object) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else 0
