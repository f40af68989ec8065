"""Pairs the children of two branches: by key, and by text where a key says nothing.

Rows come in an order that both sides can read from top to bottom: the longest row of partners that stand in the same
order on both sides holds the frame; what one side has alone stands in the gap where it belongs; a partner that changed
its rank stands where B has it.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from covel_inspector.domain import Kind, Segment, say
from covel_inspector.text.anchors import Budget, find_matches, longest_rising
from covel_inspector.text.similarity import similarity

_COUNTED = frozenset({Kind.UNKNOWN, Kind.SEPARATOR})

_KEYED_BY_ROW = (Kind.HISTORY, Kind.NOTE, Kind.SUMMARY)
"""Kinds whose keys are row ids."""

_ALIKE = 0.6
"""Least similarity at which two unknown stretches count as the same one, changed."""

_MOST_TRIED = 12
"""Unknown stretches of a gap that are compared with one."""

_STEPS, _EDITS = 1_000_000, 300
"""Limits of the search for the same texts among what nobody claims."""


@dataclass(frozen=True, slots=True)
class Row:
    """Two siblings side by side.

    ``after`` is set for one that moved: A's sibling before it, None when it came first. ``is_regrouped`` marks a row
    that stands for several siblings on a side: the same text, cut into other pieces.
    """

    a: Segment | None
    b: Segment | None
    is_moved: bool = False
    after: Segment | None = None
    is_regrouped: bool = False


def is_counted(segment: Segment) -> bool:
    """True for segments whose key only counts what nobody claims, so that it says nothing about identity."""
    return segment.kind in _COUNTED


def align(a: Sequence[Segment], b: Sequence[Segment]) -> list[Row]:
    """Rows for the children of two branches; every child stands in exactly one row."""
    by_text = _COUNTED | {kind for kind in _KEYED_BY_ROW if _has_no_key_in_common(kind, a, b)}
    places_b = {segment.key: index for index, segment in enumerate(b) if segment.kind not in by_text}
    partners = [
        (index, places_b[segment.key])
        for index, segment in enumerate(a)
        if segment.key in places_b and segment.kind not in by_text
    ]
    frame = longest_rising(partners)
    in_frame = {second for _, second in frame}
    moved = {second: first for first, second in partners if second not in in_frame}
    moved_from = set(moved.values())

    rows: list[Row] = []
    start_a = start_b = 0
    for first, second in [*frame, (len(a), len(b))]:
        gap_a = [a[index] for index in range(start_a, first) if index not in moved_from]
        gap_b = [_moved_row(a, b, index, moved) if index in moved else b[index] for index in range(start_b, second)]
        rows.extend(_gap(gap_a, gap_b, by_text))
        if first < len(a):
            rows.append(Row(a[first], b[second]))
        start_a, start_b = first + 1, second + 1
    return rows


def _moved_row(a: Sequence[Segment], b: Sequence[Segment], index: int, moved: Mapping[int, int]) -> Row:
    first = moved[index]
    before = next((a[number] for number in range(first - 1, -1, -1) if not is_counted(a[number])), None)
    return Row(a[first], b[index], is_moved=True, after=before)


def _has_no_key_in_common(kind: Kind, a: Sequence[Segment], b: Sequence[Segment]) -> bool:
    """True when the keys of a kind come from different tables: two files or sessions number their rows anew."""
    return not {segment.key for segment in a if segment.kind is kind}.intersection(
        segment.key for segment in b if segment.kind is kind
    )


def _gap(a: Sequence[Segment], b: Sequence[Segment | Row], by_text: frozenset[Kind]) -> list[Row]:
    """Rows between two partners of the frame: A's lonely siblings, and B's with the finished rows of moved ones."""
    lonely_b = [item for item in b if isinstance(item, Segment)]
    if a and len(lonely_b) == len(b) and _texts_by_role(a) == _texts_by_role(lonely_b) != []:
        return _recut(a, lonely_b)
    partner = dict(_pairs_by_text(a, lonely_b, by_text))
    rank_of = {second: first for first, second in partner.items()}
    rows: list[Row] = []
    next_a = 0
    lonely = 0
    for item in b:
        if isinstance(item, Row):
            rows.append(item)
            continue
        rank = rank_of.get(lonely)
        lonely += 1
        end = _end_of_lonely(a, next_a, partner) if rank is None else rank
        rows.extend(Row(segment, None) for segment in a[next_a:end])
        rows.append(Row(None if rank is None else a[rank], item))
        next_a = end if rank is None else rank + 1
    rows.extend(Row(segment, None) for segment in a[next_a:])
    return rows


def _end_of_lonely(a: Sequence[Segment], start: int, partner: Mapping[int, int]) -> int:
    return next((number for number in range(start, len(a)) if number in partner), len(a))


def _texts_by_role(segments: Sequence[Segment]) -> list[tuple[str, str]]:
    leaves = [leaf for segment in segments for leaf in segment.leaves() if leaf.text]
    return [(role, "".join(leaf.text for leaf in group)) for role, group in groupby(leaves, key=lambda leaf: leaf.role)]


def _recut(a: Sequence[Segment], b: Sequence[Segment]) -> list[Row]:
    """Rows for a gap with the same text on both sides: piece by piece where the cuts agree, else as a whole."""
    if len(a) == len(b) and all(
        ours.kind is theirs.kind and _texts_by_role([ours]) == _texts_by_role([theirs])
        for ours, theirs in zip(a, b, strict=True)
    ):
        return [Row(ours, theirs) for ours, theirs in zip(a, b, strict=True)]
    return [Row(_several(a), _several(b), is_regrouped=True)]


def _several(segments: Sequence[Segment]) -> Segment:
    """One segment that stands for a run of siblings."""
    if len(segments) == 1:
        return segments[0]
    first = segments[0]
    return Segment(
        key=f"run:{first.key}",
        kind=first.kind,
        title=say("{n} pieces from “{first}” on", n=len(segments), first=first.title),
        children=tuple(segments),
        role=first.role,
    )


def _pairs_by_text(a: Sequence[Segment], b: Sequence[Segment], by_text: frozenset[Kind]) -> list[tuple[int, int]]:
    """Partners among segments of the given kinds in one gap, in the order of both sides.

    The same texts first, as a comparison of lines would find them; then, between those, texts that are alike. Rows of
    two tables must have one text in common before they may be alike: else they are not known to be of one story.
    """
    ours = [index for index, segment in enumerate(a) if segment.kind in by_text]
    theirs = [index for index, segment in enumerate(b) if segment.kind in by_text]
    same = _same_texts([a[index] for index in ours], [b[index] for index in theirs])
    alike = _COUNTED | {a[ours[first]].kind for first, _ in same}
    pairs: list[tuple[int, int]] = []
    start_a = start_b = 0
    for first, second in [*same, (len(ours), len(theirs))]:
        loose_a = [index for index in ours[start_a:first] if a[index].kind in alike]
        pairs.extend(_alike_pairs(a, b, loose_a, theirs[start_b:second]))
        if first < len(ours):
            pairs.append((ours[first], theirs[second]))
        start_a, start_b = first + 1, second + 1
    return pairs


def _same_texts(a: Sequence[Segment], b: Sequence[Segment]) -> list[tuple[int, int]]:
    numbers: dict[tuple[Kind, str], int] = {}
    a_numbers = [numbers.setdefault((segment.kind, segment.whole_text), len(numbers)) for segment in a]
    b_numbers = [numbers.setdefault((segment.kind, segment.whole_text), len(numbers)) for segment in b]
    separators = frozenset(number for (kind, _), number in numbers.items() if kind is Kind.SEPARATOR)
    matches = find_matches(a_numbers, b_numbers, separators, Budget(_STEPS, _EDITS))
    return [(first + step, second + step) for first, second, count in matches for step in range(count)]


def _alike_pairs(
    a: Sequence[Segment], b: Sequence[Segment], ours: Sequence[int], theirs: Sequence[int]
) -> list[tuple[int, int]]:
    """Partners among the given indexes: separators one after the other, unknown stretches by likeness."""
    by_kind: dict[Kind, list[int]] = defaultdict(list)
    for index in theirs:
        by_kind[b[index].kind].append(index)
    pairs: list[tuple[int, int]] = []
    start_b = 0
    for first in ours:
        indexes = by_kind[a[first].kind]
        here = bisect_left(indexes, start_b)
        second = _most_alike(a[first], b, indexes[here : here + _MOST_TRIED])
        if second is not None:
            pairs.append((first, second))
            start_b = second + 1
    return pairs


def _most_alike(segment: Segment, b: Sequence[Segment], candidates: Sequence[int]) -> int | None:
    if segment.kind is Kind.SEPARATOR or not candidates:
        return candidates[0] if candidates else None
    likeness, best = max((similarity(segment.whole_text, b[index].whole_text), -index) for index in candidates)
    return -best if likeness >= _ALIKE else None
