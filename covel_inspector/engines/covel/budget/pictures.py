"""What the engine counts for parts of a request that are no text, whatever stands in the record for them."""

from dataclasses import replace

from covel_inspector.domain import Field, Segment, SegmentTree
from covel_inspector.engines.covel.budget.estimator import NON_TEXT_PART_TOKENS


def with_fixed_counts(tree: SegmentTree) -> SegmentTree:
    """The tree with the engine's fixed count at every part that is no text, such as a picture."""
    parts = {number for number, part in enumerate(tree.request.parts) if part.field is Field.MEDIA_PART}
    if not parts:
        return tree
    return replace(tree, groups=tuple(_counted(group, parts) for group in tree.groups))


def _counted(segment: Segment, parts: set[int]) -> Segment:
    if segment.place is None:
        return replace(segment, children=tuple(_counted(child, parts) for child in segment.children))
    # A part may be claimed in several stretches: the first of them carries the count.
    if segment.place.part not in parts:
        return segment
    return replace(segment, fixed_tokens=NON_TEXT_PART_TOKENS if segment.place.start == 0 else 0)
