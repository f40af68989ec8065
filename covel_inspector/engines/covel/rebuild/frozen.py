"""A resumed run: its messages were frozen when it was suspended. Follows the reference on the database, section 4.4."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Segment, SegmentTree, Sentence, say
from covel_inspector.engines.covel.attribution import CallMoment, attribute
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.moment import Moment
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.calls import KernelMessage, RecordedCall
from covel_inspector.engines.covel.records.rows import SuspensionRow, TraceRow


@dataclass(frozen=True, slots=True)
class FrozenRun:
    """The messages with which a run went on, and their tree. ``user_messages`` of the current turn are protected."""

    messages: tuple[KernelMessage, ...]
    tree: SegmentTree
    user_messages: int


def frozen_messages(
    record: SessionRecord, moment: Moment, traces: Sequence[TraceRow], payload: RecordedCall | None
) -> FrozenRun | None:
    """The first request of a resumed run; None when the call belongs to no resumed run."""
    suspension = resumed_from(record, moment, traces)
    if suspension is None:
        return None
    raw = suspension.pending_continuation.get("messages")
    if not isinstance(raw, list):
        return None
    messages = [KernelMessage.model_validate(message) for message in raw if isinstance(message, dict)]
    waiting = suspension.pending_continuation.get("suspendToolCallId")
    answer = _answer(record, suspension)
    if answer is not None:
        messages = [
            message.model_copy(update={"content": answer}) if message.tool_call_id == waiting else message
            for message in messages
        ]
    call = RecordedCall(
        runtimeId=moment.runtime_id,
        pluginId=moment.plugin_id,
        messages=tuple(messages),
        tools=payload.tools if payload is not None else (),
        responseFormat=payload.response_format if payload is not None else None,
    )
    seen = CallMoment(moment.turn_id, moment.runtime_id, moment.plugin_id, suspension.created_at)
    tree = attribute(call, seen, record.index)
    note = say("frozen in suspension {id} of {time}", id=suspension.id, time=suspension.created_at)
    tree = replace(tree, groups=tuple(_noted(group, note) for group in tree.groups))
    users = suspension.pending_continuation.get("currentTurnUserMessages")
    return FrozenRun(tuple(messages), tree, users if isinstance(users, int) and users >= 0 else 1)


def resumed_from(record: SessionRecord, moment: Moment, traces: Sequence[TraceRow]) -> SuspensionRow | None:
    """The suspension whose frozen messages a call sends; None when it is no first call of a resumed run."""
    if any(_answered(row, moment) for row in traces):
        return None
    return _resumed(record, moment)


def _resumed(record: SessionRecord, moment: Moment) -> SuspensionRow | None:
    """The suspension of this runtime and turn that was resolved last before the call."""
    found = [
        row
        for row in record.evidence.suspensions
        if row.turn_id == moment.turn_id
        and row.runtime_id == moment.runtime_id
        and row.resolved_at
        and row.created_at < row.resolved_at <= moment.started_at
    ]
    later_runs = [
        result
        for result in record.executions.of_turn(moment.turn_id)
        if found and found[-1].resolved_at < result.created_at < moment.started_at
    ]
    return found[-1] if found and not later_runs else None


def _answered(row: TraceRow, moment: Moment) -> bool:
    """True for an answer of this run that came before the call: then it is a later step."""
    return (
        row.type == "llm.responded"
        and row.payload.get("runtimeId") == moment.runtime_id
        and row.created_at < moment.started_at
    )


def _answer(record: SessionRecord, suspension: SuspensionRow) -> str | None:
    """What the player answered: the form of this turn that was filled when the run was resumed."""
    forms = [
        form
        for form in record.player_inputs
        if form.turn_id == suspension.turn_id and suspension.created_at <= form.created_at <= suspension.resolved_at
    ]
    return stringify({"resumed": True, "input": forms[-1].values}) if forms else None


def _noted(segment: Segment, note: Sentence) -> Segment:
    children = tuple(_noted(child, note) for child in segment.children)
    if segment.is_leaf:
        grade = Grade.EXACT if segment.grade is not Grade.UNKNOWN else segment.grade
        return replace(segment, grade=grade, notes=(*segment.notes, note))
    return replace(segment, children=children)
