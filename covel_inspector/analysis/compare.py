"""Compares two segment trees: two turns, two runtimes, two files, or the recorded and the rebuilt tree of one call."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from covel_inspector.analysis.pairs import Comparison, Pair, PairState
from covel_inspector.analysis.shared import shared_prefix
from covel_inspector.analysis.siblings import Row, align, is_counted
from covel_inspector.domain import Group, Kind, Segment, SegmentTree, Sentence, say

__all__ = ["Comparison", "Pair", "PairState", "compare"]

_TRAVELLERS = frozenset(
    {
        Kind.WORLD_LORE,
        Kind.LORE,
        Kind.EXTENSION,
        Kind.EVENTS,
        Kind.ACTIVATION,
        Kind.INPUTS,
        Kind.EXPORTS,
        Kind.OWN_DATA,
        Kind.SUMMARY,
        Kind.NOTE,
    }
)
"""Kinds that are recognised in another branch: their keys name them wherever they stand."""


@dataclass(slots=True, eq=False)
class _Node:
    """A row while the pairing is still going on."""

    row: Row
    parent: "_Node | None"
    children: list["_Node"] = field(default_factory=list)
    moved_from: Sentence | None = None
    has_lost: bool = False
    """A's side had a child that is found in another branch of B."""


class _CancelledError(Exception):
    """The caller lost interest."""


def compare(a: SegmentTree | None, b: SegmentTree | None, cancelled: Callable[[], bool] | None = None) -> Comparison:
    """Aligns B with A. A missing side gives rows that are added or removed as a whole.

    Segments are partners when their keys are the same among the same siblings; stretches that nobody claims, when
    their texts are alike inside the same gap; and segments that went into another branch, by their keys again.
    The same trees always give the same rows.
    """
    try:
        nodes = _Pairing(cancelled).groups(a, b)
    except _CancelledError:
        return Comparison(a, b, (), is_complete=False)
    pairs = tuple(_frozen(node) for node in nodes)
    loud = (pair for group in pairs for pair in group.rows() if not pair.is_quiet)
    counts = Counter(pair.state for pair in loud)
    if a is None or b is None:
        return Comparison(a, b, pairs, counts=counts)
    shared = shared_prefix(a.request, b.request)
    return Comparison(a, b, pairs, shared.length, shared.a, shared.b, counts)


class _Pairing:
    """Builds the rows of all groups, then finds those that changed their branch."""

    def __init__(self, cancelled: Callable[[], bool] | None) -> None:
        self._cancelled = cancelled

    def groups(self, a: SegmentTree | None, b: SegmentTree | None) -> list[_Node]:
        nodes = []
        for group in Group:
            ours, theirs = a.group(group) if a else None, b.group(group) if b else None
            if ours or theirs:
                nodes.append(self._node(Row(ours, theirs), None))
        _join_travellers(nodes, self._grow)
        return nodes

    def _node(self, row: Row, parent: _Node | None) -> _Node:
        node = _Node(row, parent, moved_from=_moved_among_siblings(row) if row.is_moved else None)
        self._grow(node)
        return node

    def _grow(self, node: _Node) -> None:
        """Gives a row its children. A leaf against a branch is compared as one text."""
        if self._cancelled is not None and self._cancelled():
            raise _CancelledError
        a, b = node.row.a, node.row.b
        if node.row.is_regrouped or (a is not None and b is not None and a.is_leaf != b.is_leaf):
            node.children = []
            return
        rows = align(a.children if a else (), b.children if b else ())
        node.children = [self._node(row, node) for row in rows]


def _join_travellers(nodes: list[_Node], grow: Callable[[_Node], None]) -> None:
    """Joins a removed and an added segment of one key in different branches: it moved."""
    removed = _travellers(nodes, lambda row: row.a if row.b is None else None)
    added = _travellers(nodes, lambda row: row.b if row.a is None else None)
    for key, there in added.items():
        here = removed.get(key)
        if here is None or here.parent is None or there.parent is None:
            continue
        came_from = here.parent.row.a or here.parent.row.b
        if came_from is None:
            continue
        here.parent.children.remove(here)
        here.parent.has_lost = True
        there.row = Row(here.row.a, there.row.b, is_moved=True)
        there.moved_from = say("Was in “{branch}”", branch=came_from.title)
        grow(there)


def _travellers(nodes: list[_Node], side: Callable[[Row], Segment | None]) -> dict[str, _Node]:
    found: dict[str, _Node] = {}
    repeated: set[str] = set()
    for node, segment in _topmost(nodes, side):
        if segment.key in found:
            repeated.add(segment.key)
        found[segment.key] = node
    return {key: node for key, node in found.items() if key not in repeated}


def _topmost(nodes: list[_Node], side: Callable[[Row], Segment | None]) -> Iterator[tuple[_Node, Segment]]:
    """Travellers, without what lies inside one: that travels along."""
    for node in nodes:
        segment = side(node.row)
        if segment is not None and segment.kind in _TRAVELLERS:
            yield node, segment
        else:
            yield from _topmost(node.children, side)


def _moved_among_siblings(row: Row) -> Sentence:
    if row.after is None:
        return say("Was first here")
    return say("Was behind “{segment}”", segment=row.after.title)


def _frozen(node: _Node) -> Pair:
    a, b = node.row.a, node.row.b
    shown = b or a
    children = tuple(_frozen(child) for child in node.children)
    notes = _role_notes(a, b)
    return Pair(
        key=shown.key if shown else "",
        a=a,
        b=b,
        state=_state(node, children, is_other_role=bool(notes)),
        children=children,
        moved_from=node.moved_from,
        notes=notes,
    )


def _state(node: _Node, children: tuple[Pair, ...], *, is_other_role: bool) -> PairState:
    a, b = node.row.a, node.row.b
    if a is None:
        return PairState.ADDED
    if b is None:
        return PairState.REMOVED
    if children:
        is_different = is_other_role or node.has_lost or any(child.is_different for child in children)
    else:
        is_different = is_other_role or a.whole_text != b.whole_text
    if node.row.is_moved:
        return PairState.MOVED_CHANGED if is_different else PairState.MOVED
    return PairState.CHANGED if is_different else PairState.EQUAL


def _role_notes(a: Segment | None, b: Segment | None) -> tuple[Sentence, ...]:
    if a is None or b is None or a.role == b.role or not (a.is_leaf and b.is_leaf) or is_counted(b):
        return ()
    return (say("Role {a} became {b}", a=a.role or "—", b=b.role or "—"),)
