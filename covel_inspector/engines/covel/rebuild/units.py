"""A tree taken apart into messages and put together again, so that messages can go, change and be added.

The assembler's tree stands for the context alone. What happens to the request afterwards (tool loop, budget, retry
hint) works on messages; each message keeps its segments with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import Boundary, Group, Kind, Place, Request, Segment, SegmentTree, Sentence, say
from covel_inspector.domain.building import branch
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.records.naming import GROUP_TITLES, history_title

Path = tuple[Segment, ...]
"""The branches above a leaf, below its group, outermost first (their children are not used)."""


@dataclass(frozen=True, slots=True)
class PlacedLeaf:
    """A leaf of one message: its part counted within the message, and the branches it stands in."""

    part: int
    leaf: Segment
    path: Path


@dataclass(frozen=True, slots=True)
class Unit:
    """A message with its segments. The system prompt is a unit as well."""

    message: KernelMessage
    leaves: tuple[PlacedLeaf, ...]


def take_apart(tree: SegmentTree, messages: Sequence[KernelMessage]) -> list[Unit]:
    """The units of a tree, one a message. ``messages`` are those the tree's request was made of."""
    first_part: dict[int, int] = {}
    index_of: dict[int, int] = {}
    for number, part in enumerate(tree.request.parts):
        if part.group in (Group.SYSTEM, Group.MESSAGES):
            first_part.setdefault(part.index, number)
            index_of[number] = part.index
    found: list[list[PlacedLeaf]] = [[] for _ in messages]
    for group in tree.groups:
        for path, leaf in _with_paths(group, ()):
            place = leaf.place
            if place is not None and place.part in index_of:
                index = index_of[place.part]
                found[index].append(PlacedLeaf(place.part - first_part[index], leaf, path))
    return [Unit(message, tuple(leaves)) for message, leaves in zip(messages, found, strict=True)]


def put_together(
    units: Sequence[Unit],
    tools: Sequence[Mapping[str, object]],
    tool_segments: Sequence[Segment],
    response_format: object,
    response_segment: Segment | None,
) -> SegmentTree:
    """One tree for the final list of messages. ``tool_segments`` are templates, one a tool, without places."""
    request = request_of([unit.message for unit in units], tools, response_format)
    groups: list[Segment] = []
    tool_leaves: list[tuple[Path, Segment]] = []
    message_leaves: dict[Group, list[tuple[Path, Segment]]] = {Group.SYSTEM: [], Group.MESSAGES: []}
    format_leaves: list[tuple[Path, Segment]] = []
    first_part: dict[int, int] = {}
    for number, part in enumerate(request.parts):
        whole_part = Place(number, 0, len(part.text))
        if part.group is Group.TOOLS:
            leaf = replace(tool_segments[part.index], text=part.text, place=whole_part)
            tool_leaves.append(((), leaf))
        elif part.group is Group.RESPONSE_FORMAT and response_segment is not None:
            format_leaves.append(((), replace(response_segment, text=part.text, place=whole_part)))
        else:
            first_part.setdefault(part.index, number)
    for index, unit in enumerate(units):
        group = Group.SYSTEM if index == 0 and unit.message.role == "system" else Group.MESSAGES
        for placed in unit.leaves:
            if placed.leaf.place is None:
                continue
            place = replace(placed.leaf.place, part=first_part[index] + placed.part)
            message_leaves[group].append((placed.path, replace(placed.leaf, place=place)))
    for name, leaves in (
        (Group.TOOLS, tool_leaves),
        (Group.SYSTEM, message_leaves[Group.SYSTEM]),
        (Group.MESSAGES, message_leaves[Group.MESSAGES]),
        (Group.RESPONSE_FORMAT, format_leaves),
    ):
        if leaves:
            groups.append(_group(name, leaves))
    return SegmentTree(request, tuple(groups))


def moved_boundaries(
    boundaries: Sequence[Boundary], old: Request, new: Request, notes: Sentence | None = None
) -> tuple[Boundary, ...]:
    """Boundaries of the system prompt, whose part has another number in the new request."""
    system = next((n for n, part in enumerate(new.parts) if part.group is Group.SYSTEM), None)
    if system is None:
        return ()
    return tuple(
        replace(boundary, place=replace(boundary.place, part=system), note=notes or boundary.note)
        for boundary in boundaries
        if old.parts[boundary.place.part].group is Group.SYSTEM
    )


def _with_paths(segment: Segment, path: Path) -> list[tuple[Path, Segment]]:
    found: list[tuple[Path, Segment]] = []
    for child in segment.children:
        if child.is_leaf:
            found.append((path, child))
        else:
            found.extend(_with_paths(child, (*path, replace(child, children=()))))
    return found


def _group(name: Group, leaves: Sequence[tuple[Path, Segment]]) -> Segment:
    top = Segment(key=name.value, kind=Kind.GROUP, title=GROUP_TITLES[name])
    return branch(top, _nested(leaves, 0))


def _nested(leaves: Sequence[tuple[Path, Segment]], depth: int) -> list[Segment]:
    """Neighbours that stand in the same branch at this depth go into one branch again."""
    children: list[Segment] = []
    index = 0
    while index < len(leaves):
        path, leaf = leaves[index]
        if len(path) <= depth:
            children.append(leaf)
            index += 1
            continue
        head = path[depth]
        last = index
        while last < len(leaves) and len(leaves[last][0]) > depth and leaves[last][0][depth].key == head.key:
            last += 1
        inner = _nested(leaves[index:last], depth + 1)
        if head.kind is Kind.HISTORY:
            head = replace(
                head, title=history_title(sum(1 for child in inner if child.kind in (Kind.HISTORY, Kind.NOTE)))
            )
        children.append(_no_better_than_its_leaves(branch(head, inner)))
        index = last
    return children


def _no_better_than_its_leaves(segment: Segment) -> Segment:
    """A branch of which nothing was rebuilt says so; its grade is the worst of theirs."""
    texts = [leaf for leaf in segment.leaves() if leaf.kind is not Kind.SEPARATOR]
    if not texts or not all(leaf.taken for leaf in texts):
        return segment
    grade = max((segment.grade, *(leaf.grade for leaf in texts)), key=lambda one: one.rank)
    reasons = dict.fromkeys(leaf.reason for leaf in texts)
    reason = next(iter(reasons)) if len(reasons) == 1 else say("all of it is taken from the recording")
    return replace(segment, taken=True, grade=grade, reason=reason)
