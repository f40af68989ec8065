"""A stretch of text that the reader selected in a request, and the leaves it covers. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from covel_inspector.domain import Segment


@dataclass(frozen=True, slots=True)
class PickedSpan:
    """Code points ``start`` to ``end`` of a leaf's text."""

    leaf: Segment
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PickedText:
    """The selected text as it stands in the request. ``is_a``: on the left side."""

    text: str
    spans: tuple[PickedSpan, ...]
    is_a: bool = False

    @property
    def leaf(self) -> Segment:
        """The leaf in which the selection begins."""
        return self.spans[0].leaf


def spans_between(leaves: Sequence[Segment], offsets: Sequence[int], start: int, end: int) -> tuple[PickedSpan, ...]:
    """The stretches of leaves that lie between two places of a text made of them.

    ``offsets``: where each leaf begins in that text, in code points; between leaves there may be gaps that are
    nobody's. An empty stretch (``start == end``) gives the leaf that stands there.
    """
    found = []
    for leaf, begin in zip(leaves, offsets, strict=True):
        first, last = max(start, begin), min(end, begin + len(leaf.text))
        is_inside = first < last or (start == end and begin <= start < begin + len(leaf.text))
        if is_inside:
            found.append(PickedSpan(leaf, first - begin, max(first, last) - begin))
    return tuple(found)


def pick(segment: Segment, text: str, offsets: Sequence[int], start: int, end: int, *, is_a: bool) -> PickedText | None:
    """What is selected of a segment's ``text``, whose leaves begin at ``offsets``; None where nothing of it is."""
    spans = spans_between(list(segment.leaves()), offsets, start, end)
    return PickedText(text[start:end], spans, is_a) if spans else None


def joined(spans: Sequence[PickedSpan]) -> tuple[PickedSpan, ...]:
    """Spans of lines put together: those of one leaf with only a line break between them are one."""
    found: list[PickedSpan] = []
    for span in spans:
        last = found[-1] if found else None
        if last is not None and last.leaf is span.leaf and span.start - last.end <= 1:
            found[-1] = PickedSpan(span.leaf, last.start, span.end)
        else:
            found.append(span)
    return tuple(found)
