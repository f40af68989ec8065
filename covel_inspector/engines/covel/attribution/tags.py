"""Blocks that only their tag speaks for: a request holds a segment once, so of two blocks one is another's text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from covel_inspector.domain import Grade, Kind, Segment, say

TWICE = say("The tag occurs more than once; one of the blocks may be quoted text.")


def with_doubted_tags(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """The segments of a whole request; those named by their tag are guesses where another one has the same name."""
    segments = tuple(segments)
    leaves = list(_sure_leaves(segments))
    keys = {leaf.key.partition("#")[0] for leaf in leaves if leaf.grade is Grade.TAG}
    counts = Counter(_name(leaf) for leaf in leaves if leaf.key.partition("#")[0] in keys)
    doubted = {name for name, count in counts.items() if count > 1}
    return tuple(_doubted(segment, doubted) for segment in segments) if doubted else segments


def _sure_leaves(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Leaves that are named for sure or by their tag. The many rows of a history are passed over: no tag names them."""
    for segment in segments:
        if segment.children:
            if segment.kind is not Kind.HISTORY:
                yield from _sure_leaves(segment.children)
        elif segment.grade in (Grade.TAG, Grade.EXACT):
            yield segment


def _name(segment: Segment) -> tuple[str, str]:
    return segment.key.partition("#")[0], str(segment.title)


def _doubted(segment: Segment, names: set[tuple[str, str]]) -> Segment:
    if segment.children:
        return replace(segment, children=tuple(_doubted(child, names) for child in segment.children))
    if segment.grade is Grade.TAG and _name(segment) in names:
        return replace(segment, grade=Grade.GUESS, notes=(TWICE, *segment.notes))
    return segment
