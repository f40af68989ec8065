"""The segment tree of an assembled context."""

from collections.abc import Sequence

from covel_inspector.domain import (
    Boundary,
    Grade,
    Group,
    Kind,
    Part,
    Place,
    Request,
    Segment,
    SegmentTree,
    Sentence,
    Setter,
    say,
)
from covel_inspector.domain.building import branch
from covel_inspector.engines.covel.assembler.assembly import AssembledContext, Composition
from covel_inspector.engines.covel.assembler.params import ContextParams, HistoryRow
from covel_inspector.engines.covel.assembler.pieces import PlacedMessage, Section
from covel_inspector.engines.covel.assembler.system_prompt import GAP
from covel_inspector.engines.covel.assembler.tree.absences import absences
from covel_inspector.engines.covel.assembler.tree.describing_messages import describe_message
from covel_inspector.engines.covel.assembler.tree.describing_system import describe
from covel_inspector.engines.covel.assembler.tree.spots import Row, Spot, leaf
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.records.naming import GROUP_TITLES, SENTINEL, TITLES, history_title

_MARK_REASON = say("the engine's own cache mark")
_MARK_NOTES: dict[str, Sentence] = {
    "preamble": say("The engine lets the provider keep everything up to the end of the preamble."),
    "body": say("The engine lets the provider keep everything up to the end of the runtime body."),
    "stable": say("The engine lets the provider keep everything up to the end of the stable and session segments."),
    "lore": say("The engine lets the provider keep everything up to the end of the lorebook behind the body."),
}


def tree_of(context: AssembledContext, made: Composition) -> SegmentTree:
    """The tree of a context: its system prompt is message 0 of the request, even when it is empty."""
    system = KernelMessage(role="system", content=context.system_prompt)
    request = request_of((system, *context.messages))
    boundaries: list[Boundary] = []
    groups = [
        branch(Segment(Group.SYSTEM.value, Kind.GROUP, GROUP_TITLES[Group.SYSTEM]), _system(request, made, boundaries)),
        branch(Segment(Group.MESSAGES.value, Kind.GROUP, GROUP_TITLES[Group.MESSAGES]), _messages(request, made)),
    ]
    filled = tuple(group for group in groups if group.children)
    bare = SegmentTree(request, filled, tuple(boundaries))
    return SegmentTree(request, filled, bare.boundaries, absences(made, bare))


def _system(request: Request, made: Composition, boundaries: list[Boundary]) -> list[Segment]:
    part = request.parts[0]
    row = Row(Spot(0, 0, part.text, part.role))
    for number, section in enumerate([section for section in made.sections if section.text]):
        if number:
            row.skip(GAP)
        _section(row, section, made.params)
        if section.mark:
            row.lay(SENTINEL, lambda spot, name=section.mark: _mark(spot, name))  # type: ignore[misc]  # bound now
            end = row.offset
            boundaries.append(
                Boundary(len(boundaries) + 1, Place(0, end, end), Setter.ENGINE, _MARK_NOTES[section.mark])
            )
    return row.finish()


def _section(row: Row, section: Section, params: ContextParams) -> None:
    if section.name == "preamble":
        row.lay(section.text, lambda spot: _preamble(spot, section, params))
        return
    for number, piece in enumerate(section.pieces):
        if number:
            row.skip(section.joiner)
        row.lay(piece.text, lambda spot, piece=piece: describe(piece, spot, params))  # type: ignore[misc]  # bound now


def _preamble(spot: Spot, section: Section, params: ContextParams) -> Segment:
    inner = Row(spot)
    for number, piece in enumerate(section.pieces):
        if number:
            inner.skip(section.joiner)
        inner.lay(piece.text, lambda at, piece=piece: describe(piece, at, params))  # type: ignore[misc]  # bound now
    reason = say("the head of every runtime's prompt")
    whole = leaf(spot, "preamble", Kind.PREAMBLE, TITLES[Kind.PREAMBLE], reason, params.preamble_provenance)
    return branch(whole, inner.finish())


def _mark(spot: Spot, name: str) -> Segment:
    return leaf(spot, f"mark:{name}", Kind.MARK, TITLES[Kind.MARK], _MARK_REASON)


def _messages(request: Request, made: Composition) -> list[Segment]:
    parts: dict[int, list[tuple[int, Part]]] = {}
    for number, part in enumerate(request.parts):
        if part.group is Group.MESSAGES:
            parts.setdefault(part.index, []).append((number, part))
    first, last = _history_stretch(made.placed)
    segments: list[Segment] = []
    inside: list[Segment] = []
    for index, placed in enumerate(made.placed):
        target = inside if first <= index < last else segments
        target.extend(describe_message(placed.source, parts[index + 1], made.params))
        if index == last - 1:
            segments.append(_history(inside))
    return segments


def _history_stretch(placed: Sequence[PlacedMessage]) -> tuple[int, int]:
    """From the first message that is a row to behind the last one; what is inserted by depth lies between them."""
    rows = [index for index, message in enumerate(placed) if isinstance(message.source, HistoryRow)]
    return (rows[0], rows[-1] + 1) if rows else (0, 0)


def _history(inside: list[Segment]) -> Segment:
    count = sum(1 for segment in inside if segment.kind in (Kind.HISTORY, Kind.NOTE))
    whole = Segment(
        "history",
        Kind.HISTORY,
        history_title(count),
        grade=Grade.EXACT,
        reason=say("from the first to the last message that is a row"),
    )
    return branch(whole, inside)
