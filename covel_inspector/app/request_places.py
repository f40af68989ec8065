"""Where something stands in a request: a row, a place where a key matched, a variable of the body. Pure."""

from collections.abc import Sequence

from covel_inspector.domain import Kind, LoreHit, Place, Segment, SegmentTree
from covel_inspector.text.folding import find_all


def leaf_of_row(tree: SegmentTree, row: str) -> Segment | None:
    """The first leaf whose text is from a row, by the row's id."""
    return next((leaf for leaf in tree.leaves() if row in leaf.origin.rows and leaf.kind is not Kind.LORE), None)


def player_line(tree: SegmentTree) -> Segment | None:
    """The leaf that holds what the player wrote in this turn."""
    return next((leaf for leaf in tree.leaves() if leaf.kind is Kind.PLAYER_LINE), None)


def hit_place(tree: SegmentTree, hit: LoreHit) -> Place | None:
    """Where a key stands in a request; None when the text is not in it, as far as the tree tells.

    A hit counts in the text as it is stored. Where the request has another form of it, the key is looked for; where
    it cannot be found either, the whole leaf is the place.
    """
    leaf = player_line(tree) if hit.row is None else leaf_of_row(tree, hit.row)
    if leaf is None or leaf.place is None:
        return None
    part, start = leaf.place.part, leaf.place.start
    spans = [(span.start, span.end) for span in find_all(leaf.text, hit.key)]
    if not spans and not hit.crosses:
        return leaf.place
    if (hit.start, hit.end) in spans or hit.crosses:
        first, last = hit.start, min(hit.end, len(leaf.text))
        return Place(part, start + first, start + last) if first < last else leaf.place
    first, last = min(spans, key=lambda span: abs(span[0] - hit.start))
    return Place(part, start + first, start + last)


def variable_leaves(tree: SegmentTree, path: str) -> list[Segment]:
    """The leaves that hold the value of a variable, in order."""
    return [leaf for leaf in tree.leaves() if leaf.origin.variable == path]


def path_to(groups: Sequence[Segment], segment: Segment) -> tuple[Segment, ...]:
    """The branches above a segment and itself, from its group on; empty when it is not there."""
    for top in groups:
        found = _path(top, segment)
        if found:
            return found
    return ()


def _path(above: Segment, segment: Segment) -> tuple[Segment, ...]:
    if above is segment:
        return (above,)
    for child in above.children:
        found = _path(child, segment)
        if found:
            return (above, *found)
    return ()
