"""One call rebuilt: params, context, pictures, tool loop, retry hint, budget, and one tree of the final request."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from covel_inspector.domain import (
    AbsenceReason,
    Absent,
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
from covel_inspector.engines.covel.budget.fixed_input import retry_allowance
from covel_inspector.engines.covel.budget.pictures import with_fixed_counts
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.javascript.locales import instruction_language
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.borrowed import Borrowed
from covel_inspector.engines.covel.rebuild.context import Prepared, prepare
from covel_inspector.engines.covel.rebuild.editing import edited
from covel_inspector.engines.covel.rebuild.engine_words import EngineWords
from covel_inspector.engines.covel.rebuild.facts import RuntimeFacts, facts_of
from covel_inspector.engines.covel.rebuild.frozen import FrozenRun, frozen_messages
from covel_inspector.engines.covel.rebuild.limits import Limit, Target
from covel_inspector.engines.covel.rebuild.loop import answers_before, loop_units
from covel_inspector.engines.covel.rebuild.moment import Moment, moment_of
from covel_inspector.engines.covel.rebuild.pictures import send_pictures
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.rebuild.taken import is_made_up, with_claims_of
from covel_inspector.engines.covel.rebuild.trimming import Trimmed, trim
from covel_inspector.engines.covel.rebuild.units import (
    PlacedLeaf,
    Unit,
    moved_boundaries,
    put_together,
    take_apart,
)
from covel_inspector.engines.covel.rebuild.unsent import Unsent, settled
from covel_inspector.engines.covel.records.calls import KernelMessage, RecordedCall
from covel_inspector.engines.covel.records.flatten import message_parts
from covel_inspector.engines.covel.records.naming import TITLES, segment_key, tool_title
from covel_inspector.engines.covel.records.rows import TraceRow
from covel_inspector.engines.covel.textpack import TextPack, TextPackError


@dataclass(frozen=True, slots=True)
class CallToRebuild:
    """A call with what is known of it: the recording may be missing, the traces tell its tool loop."""

    moment: CallMoment
    recorded: SegmentTree | None
    payload: RecordedCall | None
    concealed: bool = False
    traces: tuple[TraceRow, ...] = ()
    unsent: Unsent | None = None
    """Set for a request that was never sent: then recording and payload are lent by another call."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A rebuilt request; ``reason`` says why there is none, or from what it was built. ``trimmed`` is its budget."""

    tree: SegmentTree | None
    reason: Sentence
    request: AssembledRequest | None = None
    trimmed: Trimmed | None = None

    @property
    def borrowed(self) -> Borrowed:
        """What of a recording stands inside segments that rows and files give."""
        return self.request.borrowed if self.request is not None else Borrowed()


def assemble_call(record: SessionRecord, call: CallToRebuild, changes: Changes) -> AssembledRequest | Sentence:
    """The request of a call from rows and files, before its budget; or why there is none. Never raises."""
    if call.concealed:
        return say("the runtime is concealed: its prompt is kept out of the records on purpose")
    seen = call.moment
    moment = moment_of(seen.turn_id, seen.runtime_id, seen.plugin_id, seen.started_at, record.executions)
    try:
        frozen = frozen_messages(record, moment, call.traces, call.payload)
        if frozen is not None:
            return edited(_resumed(record, call, moment, frozen), changes, "player-line")
        request = _assembled(record, call, moment, changes)
        if call.unsent is not None:
            request = settled(request, call.unsent)
        return edited(request, changes)
    except (AssemblerError, TextPackError) as error:
        return say("the assembler refused: {error}", error=str(error))


def finish(request: AssembledRequest, limit: Limit | None, protected_turns: int | None = None) -> Rebuilt:
    """The request as it goes out under a limit. Raises BudgetError for a limit that makes no sense."""
    trimmed = trim(request, limit, protected_turns)
    tree = put_together(
        trimmed.units,
        request.tools,
        [_tool_segment(tool, lent=bool(request.unsent)) for tool in request.tools],
        request.response_format,
        _format_segment() if request.response_format is not None else None,
    )
    boundaries = moved_boundaries(request.boundaries, request.base, tree.request)
    absent = (*_still_absent(request.absent, tree), *trimmed.absent)
    tree = replace(tree, boundaries=boundaries, absent=absent)
    return Rebuilt(with_fixed_counts(tree), request.reason, request, trimmed)


def _still_absent(absent: Iterable[Absent], tree: SegmentTree) -> Iterator[Absent]:
    """Without rows that no history could hold yet, but that stand in the request as the story of this turn."""
    sent = {row for leaf in tree.leaves() if leaf.origin.table == "turn_messages" for row in leaf.origin.rows}
    for one in absent:
        is_row = one.reason is AbsenceReason.NOT_COMMITTED and one.origin.table == "turn_messages"
        if not is_row or sent.isdisjoint(one.origin.rows):
            yield one


def _assembled(record: SessionRecord, call: CallToRebuild, moment: Moment, changes: Changes) -> AssembledRequest:
    prepared = prepare(record, moment, call.recorded, changes, lent=call.unsent is not None)
    assembly = assemble(prepared.params, prepared.pack)
    system = KernelMessage(role="system", content=assembly.context.system_prompt)
    units = take_apart(assembly.tree, [system, *assembly.context.messages])
    shown = {leaf.key: leaf for leaf in call.recorded.leaves()} if call.recorded is not None else {}
    units = [_marked_as_taken(unit, prepared, shown) for unit in units]
    units, without_pictures = send_pictures(units, record.media_bytes, call.recorded)
    context = len(units)
    loop = loop_units(answers_before(call.traces, moment.runtime_id, call.moment.step), context)
    units.extend(loop.units)
    earlier = [context + before for before in loop.before]
    if call.moment.attempt > 0:
        earlier.append(len(units))
        units.append(_retry_hint(prepared, call.moment.attempt, len(units)))
    payload = call.payload
    return AssembledRequest(
        units=tuple(units),
        earlier=tuple(earlier),
        protect=assembly.context.current_turn_user_messages + (1 if call.moment.attempt > 0 else 0),
        tools=payload.tools if payload is not None else (),
        response_format=payload.response_format if payload is not None else None,
        retry_text=retry_text(prepared.facts, prepared.pack, prepared.language),
        texts=BudgetTexts.of(prepared.pack, prepared.language),
        target=target_of(payload),
        base=assembly.tree.request,
        boundaries=assembly.tree.boundaries,
        absent=(*assembly.tree.absent, *prepared.absent, *without_pictures),
        reason=prepared.facts.source,
        guesses_hint="retry.hint" not in prepared.learned and not record.is_pack_given,
        borrowed=Borrowed(EngineWords.learned_from(prepared.pack, prepared.learned, prepared.language), prepared.older),
    )


def _resumed(record: SessionRecord, call: CallToRebuild, moment: Moment, frozen: FrozenRun) -> AssembledRequest:
    """What a suspension kept. Its budget begins anew: what it did before the break is forgotten."""
    payload = call.payload
    language = instruction_language(record.evidence.session.locale or None)
    facts = facts_of(record.evidence.checkout, moment.runtime_id, moment.plugin_id, call.recorded)
    return AssembledRequest(
        units=tuple(take_apart(frozen.tree, frozen.messages)),
        earlier=(),
        protect=frozen.user_messages,
        tools=payload.tools if payload is not None else (),
        response_format=payload.response_format if payload is not None else None,
        retry_text=retry_text(facts, record.pack, language),
        texts=BudgetTexts.of(record.pack, language),
        target=target_of(payload),
        base=frozen.tree.request,
        boundaries=frozen.tree.boundaries,
        absent=frozen.tree.absent,
        reason=say("the run was suspended: its messages are those frozen in the suspension"),
        guesses_hint="retry.hint" not in record.learned and not record.is_pack_given,
    )


def retry_text(facts: RuntimeFacts, pack: TextPack, language: str) -> str:
    """The longest retry hint that a call of a runtime may carry, as its budget counts it."""
    retries = facts.declared.max_retries if facts.declared is not None else 1
    return retry_allowance(retries, pack.text("retry.hint", language))


def target_of(payload: RecordedCall | None) -> Target:
    """The model that a recorded call went to."""
    if payload is None:
        return Target()
    return Target(payload.slot or "", payload.model or "", payload.max_output_tokens)


def _marked_as_taken(unit: Unit, prepared: Prepared, shown: Mapping[str, Segment]) -> Unit:
    return replace(unit, leaves=tuple(_marked(placed, prepared, shown) for placed in unit.leaves))


def _marked(placed: PlacedLeaf, prepared: Prepared, shown: Mapping[str, Segment]) -> PlacedLeaf:
    """A leaf that had to be taken from the recording says so, and keeps its name and what it declares there."""
    leaf = placed.leaf
    source = shown.get(leaf.key) or shown.get(leaf.key.removeprefix(segment_key("", "")))
    if source is not None and source.kind is Kind.UNKNOWN and source.text != leaf.text:
        # Pieces of unknown source are only numbered: another one may have this key.
        source = None
    if is_made_up(leaf):
        leaf = with_claims_of(leaf, source)
    keys = (leaf.key, leaf.key.partition("#")[0], *(segment.key for segment in placed.path))
    why = next((prepared.taken[key] for key in keys if key in prepared.taken), None)
    older = prepared.older.get(leaf.key.partition("#")[0])
    if older is not None:
        return replace(placed, leaf=replace(leaf, taken=False, reason=older.reason))
    if why is None:
        return replace(placed, leaf=leaf)
    if source is not None and source.text == leaf.text:
        leaf = replace(leaf, key=source.key, kind=source.kind, title=source.title, grade=source.grade)
    return replace(placed, leaf=replace(leaf, taken=True, reason=why))


def _retry_hint(prepared: Prepared, attempt: int, index: int) -> Unit:
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
    return Unit(message, (PlacedLeaf(0, whole(segment, parts, 0), ()),))


def _tool_segment(tool: Mapping[str, object], lent: bool) -> Segment:
    function = tool.get("function")
    name = str((function if isinstance(function, dict) else tool).get("name", "?"))
    return Segment(
        f"tool:{name}",
        Kind.TOOL,
        tool_title(name),
        origin=Origin(segment=name),
        grade=Grade.STRUCTURAL,
        reason=say("lent by another call of the runtime: no row or file holds tool definitions")
        if lent
        else say("taken from the recording: no row or file holds tool definitions"),
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
