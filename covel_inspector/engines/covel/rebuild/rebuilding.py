"""One call rebuilt: params, context, pictures, tool loop, retry hint, budget, and one tree of the final request."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from covel_inspector.domain import (
    Changes,
    Grade,
    Kind,
    Origin,
    Segment,
    SegmentTree,
    Sentence,
    say,
)
from covel_inspector.domain.building import whole
from covel_inspector.domain.request import Group
from covel_inspector.engines.covel.assembler.build import assemble
from covel_inspector.engines.covel.assembler.errors import AssemblerError
from covel_inspector.engines.covel.attribution import CallMoment
from covel_inspector.engines.covel.budget.limits import BudgetError
from covel_inspector.engines.covel.rebuild.context import Prepared, prepare
from covel_inspector.engines.covel.rebuild.frozen import frozen_messages
from covel_inspector.engines.covel.rebuild.loop import answers_before, loop_units
from covel_inspector.engines.covel.rebuild.moment import Moment, moment_of
from covel_inspector.engines.covel.rebuild.pictures import send_pictures
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.rebuild.trimming import trim
from covel_inspector.engines.covel.rebuild.units import (
    PlacedLeaf,
    Unit,
    moved_boundaries,
    put_together,
    take_apart,
)
from covel_inspector.engines.covel.records.calls import KernelMessage, RecordedCall
from covel_inspector.engines.covel.records.flatten import message_parts
from covel_inspector.engines.covel.records.naming import TITLES, segment_key, tool_title
from covel_inspector.engines.covel.records.rows import TraceRow
from covel_inspector.engines.covel.textpack import TextPackError


@dataclass(frozen=True, slots=True)
class CallToRebuild:
    """A call with what is known of it: the recording may be missing, the traces tell its tool loop."""

    moment: CallMoment
    recorded: SegmentTree | None
    payload: RecordedCall | None
    concealed: bool = False
    traces: tuple[TraceRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A rebuilt request; ``reason`` says why there is none, or from what it was built."""

    tree: SegmentTree | None
    reason: Sentence


def rebuild(record: SessionRecord, call: CallToRebuild, changes: Changes) -> Rebuilt:
    """The request of a call from rows and files. Never raises: what cannot be rebuilt says why."""
    if call.concealed:
        return Rebuilt(None, say("the runtime is concealed: its prompt is kept out of the records on purpose"))
    seen = call.moment
    moment = moment_of(seen.turn_id, seen.runtime_id, seen.plugin_id, seen.started_at, record.executions)
    try:
        frozen = frozen_messages(record, moment, call.traces, call.payload)
        if frozen is not None:
            return Rebuilt(frozen, say("the run was suspended: its messages are those frozen in the suspension"))
        prepared = prepare(record, moment, call.recorded, changes)
        return Rebuilt(_built(record, call, moment, prepared), prepared.facts.source)
    except (AssemblerError, BudgetError, TextPackError) as error:
        return Rebuilt(None, say("the assembler refused: {error}", error=str(error)))


def _built(record: SessionRecord, call: CallToRebuild, moment: Moment, prepared: Prepared) -> SegmentTree:
    assembly = assemble(prepared.params, prepared.pack)
    system = KernelMessage(role="system", content=assembly.context.system_prompt)
    units = take_apart(assembly.tree, [system, *assembly.context.messages])
    shown = {leaf.key: leaf for leaf in call.recorded.leaves()} if call.recorded is not None else {}
    units = [_marked_as_taken(unit, prepared, shown) for unit in units]
    units, without_pictures = send_pictures(units, record.media_bytes, call.recorded)
    answers = answers_before(call.traces, moment.runtime_id, call.moment.step)
    units.extend(loop_units(answers, len(units)))
    units.extend(_retry_hint(prepared, call.moment.attempt, len(units)))
    tools = call.payload.tools if call.payload is not None else ()
    response_format = call.payload.response_format if call.payload is not None else None
    trimmed = trim(units, record, call, prepared, assembly.context.current_turn_user_messages)
    tree = put_together(
        trimmed.units,
        tools,
        [_tool_segment(tool) for tool in tools],
        response_format,
        _format_segment() if response_format is not None else None,
    )
    boundaries = moved_boundaries(assembly.tree.boundaries, assembly.tree.request, tree.request)
    absent = (*assembly.tree.absent, *prepared.absent, *without_pictures, *trimmed.absent)
    return replace(tree, boundaries=boundaries, absent=absent)


def _marked_as_taken(unit: Unit, prepared: Prepared, shown: Mapping[str, Segment]) -> Unit:
    if not prepared.taken:
        return unit
    return replace(unit, leaves=tuple(_marked(placed, prepared, shown) for placed in unit.leaves))


def _marked(placed: PlacedLeaf, prepared: Prepared, shown: Mapping[str, Segment]) -> PlacedLeaf:
    """A leaf that had to be taken from the recording says so, and keeps the name it has there."""
    leaf = placed.leaf
    keys = (leaf.key, leaf.key.partition("#")[0], *(segment.key for segment in placed.path))
    why = next((prepared.taken[key] for key in keys if key in prepared.taken), None)
    if why is None:
        return placed
    source = shown.get(leaf.key) or shown.get(leaf.key.removeprefix(segment_key("", "")))
    if source is not None and source.text == leaf.text:
        leaf = replace(leaf, key=source.key, kind=source.kind, title=source.title, grade=source.grade)
    return replace(placed, leaf=replace(leaf, taken=True, reason=why))


def _retry_hint(prepared: Prepared, attempt: int, index: int) -> list[Unit]:
    if attempt <= 0:
        return []
    text = f"[retry {attempt}] " + prepared.pack.text("retry.hint", prepared.language)
    message = KernelMessage(role="user", content=text)
    parts = message_parts(Group.MESSAGES, index, message)
    learned = "retry.hint" in prepared.learned
    segment = Segment(
        "retry-hint",
        Kind.RETRY_HINT,
        TITLES[Kind.RETRY_HINT],
        grade=Grade.EXACT,
        reason=say("attempt {n} repeats the call with a hint", n=attempt + 1),
        taken=learned,
    )
    return [Unit(message, (PlacedLeaf(0, whole(segment, parts, 0), ()),))]


def _tool_segment(tool: dict[str, object]) -> Segment:
    function = tool.get("function")
    name = str((function if isinstance(function, dict) else tool).get("name", "?"))
    return Segment(
        f"tool:{name}",
        Kind.TOOL,
        tool_title(name),
        origin=Origin(segment=name),
        grade=Grade.STRUCTURAL,
        reason=say("taken from the recording: no row or file holds tool definitions"),
        taken=True,
    )


def _format_segment() -> Segment:
    return Segment(
        "response-format",
        Kind.RESPONSE_FORMAT,
        TITLES[Kind.RESPONSE_FORMAT],
        grade=Grade.STRUCTURAL,
        reason=say("taken from the recording"),
        taken=True,
    )
