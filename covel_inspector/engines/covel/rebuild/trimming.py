"""The budget of a call, applied to the units of a rebuilt request. Follows the reference on the runtime, section 6.

The window of a call is recorded nowhere. When neither the slot file nor an overflow names it, a limit is looked for
under which the recorded request comes out; such a limit is marked as taken from the recording.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from covel_inspector.domain import (
    AbsenceReason,
    Absent,
    Field,
    Grade,
    Group,
    Kind,
    Place,
    Segment,
    SegmentTree,
    Sentence,
    say,
)
from covel_inspector.domain.building import whole
from covel_inspector.engines.covel.budget.cuts import cut_summaries, cut_tool_results
from covel_inspector.engines.covel.budget.estimator import Estimator, covel_tokens, message_tokens
from covel_inspector.engines.covel.budget.limits import Limits
from covel_inspector.engines.covel.budget.pruning import MARKER, prune
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.limits import Limit, known_limit
from covel_inspector.engines.covel.rebuild.units import PlacedLeaf, Unit
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import message_parts
from covel_inspector.engines.covel.records.naming import TITLES

if TYPE_CHECKING:
    from covel_inspector.engines.covel.rebuild.context import Prepared
    from covel_inspector.engines.covel.rebuild.rebuilding import CallToRebuild
    from covel_inspector.engines.covel.rebuild.session import SessionRecord

_TRIES = 300
_NEAR = 40


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The units that go out, and what the budget left out."""

    units: list[Unit]
    absent: tuple[Absent, ...] = ()
    limit: Limit | None = None


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts a budget writes, in the session's instruction language."""

    marker: str
    tool_cut: str
    summary_cut: str


def trim(
    units: Sequence[Unit],
    record: "SessionRecord",
    call: "CallToRebuild",
    prepared: "Prepared",
    current_turn_user_messages: int,
) -> Trimmed:
    """Apply the request budget when its limit is known, or can be read off the recorded request."""
    payload = call.payload
    checkout = record.evidence.checkout
    reserve = payload.max_output_tokens if payload is not None else None
    texts = _Texts(
        prepared.pack.text("pruned.marker", prepared.language),
        prepared.pack.text("truncation.toolResult", prepared.language),
        prepared.pack.text("truncation.summary", prepared.language),
    )
    limit = known_limit(
        (payload.slot if payload else "") or "",
        (payload.model if payload else "") or "",
        reserve,
        checkout.slots if checkout is not None else {},
        record.overflows,
    )
    fixed = _fixed_tokens(units, call, prepared)
    protect = current_turn_user_messages + (1 if call.moment.attempt > 0 else 0)
    if limit is None:
        limit = _read_off(units, fixed, protect, texts, call.recorded, reserve or 0)
    if limit is None:
        return Trimmed(list(units))
    units_after, absent = _apply(units, fixed, limit.input_limit, protect, texts, limit)
    return Trimmed(units_after, absent, limit)


def _fixed_tokens(units: Sequence[Unit], call: "CallToRebuild", prepared: "Prepared") -> int:
    """The fixed input as one string: system prompt, tools, response schema twice, the longest retry hint."""
    texts = [str(units[0].message.content)]
    payload = call.payload
    if payload is not None and payload.tools:
        tools = stringify([_kernel_tool(tool) for tool in payload.tools])
        texts.append(f"<tool_definitions>{tools}</tool_definitions>")
    if payload is not None and payload.response_format is not None:
        texts.extend([f"<response_format>{stringify(payload.response_format)}</response_format>"] * 2)
    declared = prepared.facts.declared
    retries = declared.max_retries if declared is not None else 1
    if retries > 0:
        texts.append(f"[retry {retries}] " + prepared.pack.text("retry.hint", prepared.language) + " " * retries)
    return covel_tokens("\n".join(text for text in texts if text))


def _kernel_tool(tool: dict[str, object]) -> object:
    """A tool in the kernel's own shape; traces keep it flattened as name, description, jsonSchema."""
    if "jsonSchema" not in tool:
        return tool
    function = {"name": tool.get("name"), "description": tool.get("description"), "parameters": tool["jsonSchema"]}
    return {"type": "function", "function": {key: value for key, value in function.items() if value is not None}}


def _apply(
    units: Sequence[Unit], fixed: int, cap: int, protect: int, texts: _Texts, limit: Limit
) -> tuple[list[Unit], tuple[Absent, ...]]:
    body = list(units[1:])
    messages = [unit.message for unit in body]
    limits = Limits(cap, 0, protect)
    pruned = prune(messages, fixed, limits, texts.marker, covel_tokens)
    absent: list[Absent] = []
    if pruned.pruned_message_count:
        gone = set(range(len(body))) - set(pruned.kept)
        note = say("over the limit of {limit} tokens: the oldest messages went in whole steps", limit=cap)
        for index in sorted(gone):
            absent.extend(_left_out(body[index], note))
        body = [_marker_unit(texts.marker, limit) if n == MARKER else body[n] for n in pruned.kept]
    excess = pruned.total_tokens - cap
    if excess > 0:
        body, saved = _cut(
            body, cut_tool_results([u.message for u in body], excess, texts.tool_cut, covel_tokens).messages
        )
        excess -= saved
    if excess > 0:
        body, _ = _cut(body, cut_summaries([u.message for u in body], excess, texts.summary_cut, covel_tokens).messages)
    return [units[0], *body], tuple(absent)


def _cut(
    body: Sequence[Unit], messages: Sequence[KernelMessage], estimate: Estimator = covel_tokens
) -> tuple[list[Unit], int]:
    changed: list[Unit] = []
    saved = 0
    for unit, message in zip(body, messages, strict=True):
        if message is unit.message or message == unit.message:
            changed.append(unit)
            continue
        saved += message_tokens(unit.message, estimate) - message_tokens(message, estimate)
        text = str(message.content)
        first = unit.leaves[0]
        note = say("the middle of this text was cut out to fit the limit")
        leaf = replace(first.leaf, text=text, place=Place(0, 0, len(text)), notes=(*first.leaf.notes, note))
        changed.append(Unit(message, (replace(first, part=0, leaf=leaf),)))
    return changed, saved


def _marker_unit(text: str, limit: Limit) -> Unit:
    message = KernelMessage(role="system", content=text)
    segment = Segment(
        "prune-marker",
        Kind.PRUNE_MARKER,
        TITLES[Kind.PRUNE_MARKER],
        grade=Grade.EXACT,
        reason=say("stands for the messages that did not fit; {source}", source=limit.source),
        taken=limit.taken,
    )
    return Unit(message, (PlacedLeaf(0, whole(segment, message_parts(Group.MESSAGES, 1, message), 0), ()),))


def _left_out(unit: Unit, note: Sentence) -> list[Absent]:
    return [
        Absent(
            placed.leaf.key,
            placed.leaf.kind,
            placed.leaf.title,
            AbsenceReason.PRUNED,
            note,
            placed.leaf.text,
            placed.leaf.origin,
            after="prune-marker",
        )
        for placed in unit.leaves
    ]


def _read_off(
    units: Sequence[Unit], fixed: int, protect: int, texts: _Texts, recorded: SegmentTree | None, reserve: int
) -> Limit | None:
    """A limit under which the recorded messages come out, when the recording shows a prune marker."""
    if recorded is None or all(leaf.kind is not Kind.PRUNE_MARKER for leaf in recorded.leaves()):
        return None
    wanted = [
        part.text for part in recorded.request.parts if part.group is Group.MESSAGES and part.field is Field.CONTENT
    ]
    total = fixed + sum(message_tokens(unit.message, covel_tokens) for unit in units[1:])
    # A cut fills the request up to its limit, so the recorded size comes first; else steps of the whole range.
    sent = fixed + sum(covel_tokens(part.text) for part in recorded.request.parts if part.group is Group.MESSAGES)
    stride = max(1, (total - fixed) // _TRIES)
    source = say("no file names the window: this limit is one under which the recorded request comes out")
    for cap in (*range(sent, sent + _NEAR), *range(total - 1, fixed, -stride)):
        if cap <= 0:
            continue
        limit = Limit(cap, reserve, source, taken=True)
        made, _ = _apply(units, fixed, cap, protect, texts, limit)
        contents = [unit.message.content for unit in made[1:] if not unit.message.tool_calls]
        if contents == wanted:
            return limit
    return None
