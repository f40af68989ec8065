"""The tool loop of an execution, from its trace events: what the model answered and what the tools gave back.

Follows the reference on the runtime, section 7: a step adds the model's message, and behind it the tools' messages in
the order of the calls.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import Field, Grade, Group, Kind, Origin, Segment, Sentence, say
from covel_inspector.domain.building import whole
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.units import PlacedLeaf, Unit
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import message_parts
from covel_inspector.engines.covel.records.naming import TITLES, tool_call_title, tool_result_title
from covel_inspector.engines.covel.records.rows import TraceRow


@dataclass(frozen=True, slots=True)
class Answer:
    """One answered step: the trace row of the answer, and the rows of its tools' results by call id."""

    row: TraceRow
    results: dict[str, TraceRow]


def answers_before(traces: Iterable[TraceRow], runtime_id: str, steps: int) -> list[Answer]:
    """The first ``steps`` answers of a runtime that called tools; ``traces`` are in the engine's order."""
    answers: list[Answer] = []
    for row in traces:
        if row.payload.get("runtimeId") != runtime_id:
            continue
        if row.type == "llm.responded" and row.payload.get("finishReason") != "error":
            if len(answers) == steps:
                break
            answers.append(Answer(row, {}))
        elif row.type in ("tool.completed", "tool.failed") and answers:
            call_id = row.payload.get("toolCallId")
            if isinstance(call_id, str):
                answers[-1].results[call_id] = row
    return answers


@dataclass(frozen=True, slots=True)
class Loop:
    """The messages of a loop with their segments. ``before`` counts, for each answer, the messages before it."""

    units: tuple[Unit, ...]
    before: tuple[int, ...]


def loop_units(answers: Sequence[Answer], first_index: int) -> Loop:
    """The messages of the loop. ``first_index`` is the index of the first one in the request."""
    units: list[Unit] = []
    before: list[int] = []
    calls = 1
    for answer in answers:
        before.append(len(units))
        payload = answer.row.payload
        tool_calls = tuple(call for call in payload.get("toolCalls") or () if isinstance(call, dict))
        if not tool_calls:
            continue
        reasoning = payload.get("reasoningContent")
        message = KernelMessage(
            role="assistant",
            content=payload.get("text") or "",
            toolCalls=tool_calls,
            reasoningContent=reasoning if isinstance(reasoning, str) and reasoning else None,
        )
        units.append(_assistant_unit(message, answer.row, first_index + len(units), calls))
        for offset, call in enumerate(tool_calls):
            result = answer.results.get(str(call.get("id", "")))
            if result is not None:
                units.append(_result_unit(call, result, first_index + len(units), calls + offset))
        calls += len(tool_calls)
    return Loop(tuple(units), tuple(before))


def _loop_branch() -> Segment:
    return Segment(key="loop", kind=Kind.GROUP, title=say("Tool loop"))


def _assistant_unit(message: KernelMessage, row: TraceRow, index: int, calls: int) -> Unit:
    parts = message_parts(Group.MESSAGES, index, message)
    origin = Origin(table="trace_events", rows=(row.id,))
    reason = say("the model's answer of this step, as the trace recorded it")
    leaves: list[PlacedLeaf] = []
    number = calls
    for ordinal, part in enumerate(parts):
        if part.field is Field.TOOL_CALL:
            segment = Segment(f"tool-call:{number}", Kind.TOOL_CALL, tool_call_title(part.name))
            number += 1
        elif part.field is Field.REASONING:
            segment = Segment(f"reasoning:{calls}", Kind.REASONING, TITLES[Kind.REASONING])
        else:
            segment = Segment(f"loop-text:{calls}", Kind.LOOP_NOTE, say("Text beside the tool call"))
        leaf = whole(_sure(segment, origin, reason), parts, ordinal)
        leaves.append(PlacedLeaf(ordinal, leaf, (_loop_branch(),)))
    return Unit(message, tuple(leaves))


def _result_unit(call: dict[str, object], row: TraceRow, index: int, number: int) -> Unit:
    payload = row.payload
    content = payload.get("result") if "result" in payload else payload.get("error")
    text = content if isinstance(content, str) else stringify(content)
    if row.type == "tool.failed" and "result" not in payload:
        text = stringify({"error": _error(payload)})
    message = KernelMessage(role="tool", content=text, toolCallId=str(call.get("id", "")))
    parts = message_parts(Group.MESSAGES, index, message)
    segment = Segment(f"tool-result:{number}", Kind.TOOL_RESULT, tool_result_title(str(call.get("name", ""))))
    origin = Origin(table="trace_events", rows=(row.id,))
    leaf = whole(_sure(segment, origin, say("the tool's result, as the trace recorded it")), parts, 0)
    return Unit(message, (PlacedLeaf(0, leaf, (_loop_branch(),)),))


def _error(payload: dict[str, object]) -> object:
    if "code" in payload:
        return {"code": payload["code"], "message": payload.get("error")}
    return payload.get("error")


def _sure(segment: Segment, origin: Origin, reason: Sentence) -> Segment:
    return replace(segment, origin=origin, grade=Grade.EXACT, reason=reason)
