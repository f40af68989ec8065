"""Helps to build trees that keep the invariant: leaves tile every part, in order, without gap or overlap."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from covel_inspector.domain.request import Part, Place
from covel_inspector.domain.segment import Grade, Kind, Segment
from covel_inspector.domain.sentence import say

Filler = Callable[[Place, str, int], Segment]
"""Makes the leaf for a stretch nobody claims: its place, its text, and its number among the gaps of the part."""


def placed(segment: Segment, parts: Sequence[Part], place: Place) -> Segment:
    """``segment`` as a leaf: with a place, the text that stands there and the role of its part."""
    part = parts[place.part]
    return replace(segment, place=place, text=part.text[place.start : place.end], role=segment.role or part.role)


def whole(segment: Segment, parts: Sequence[Part], part: int) -> Segment:
    """``segment`` as the only leaf of a part."""
    return placed(segment, parts, Place(part, 0, len(parts[part].text)))


def unclaimed(place: Place, text: str, number: int) -> Segment:
    """The usual filler: blank stretches are separators (structural), everything else is honestly unknown."""
    if not text.strip():
        return Segment(
            key=f"separator:{place.part}:{number}",
            kind=Kind.SEPARATOR,
            title=say("Blank between segments"),
            text=text,
            place=place,
            grade=Grade.STRUCTURAL,
            reason=say("only blanks stand here"),
        )
    return Segment(
        key=f"unknown:{number}",
        kind=Kind.UNKNOWN,
        title=say("Unknown"),
        text=text,
        place=place,
        grade=Grade.UNKNOWN,
        reason=say("no source in the database or the files matches this text"),
    )


def tile(
    parts: Sequence[Part],
    part: int,
    claims: Iterable[Segment],
    filler: Filler = unclaimed,
    start: int = 0,
    end: int | None = None,
) -> list[Segment]:
    """Claims (leaves, or branches of leaves, all inside the part) in order, with fillers between them.

    ``start`` and ``end`` bound the stretch that is tiled, in code points of the part (default: all of it).
    Raises ValueError when claims overlap or reach outside: that is a mistake of the caller.
    """
    text = parts[part].text
    limit = len(text) if end is None else end
    tiled: list[Segment] = []
    position = start
    gaps = 0
    for claim in sorted(claims, key=lambda claim: (_start(claim), _end(claim))):
        first, last = _start(claim), _end(claim)
        if first < position or last > limit:
            raise ValueError(f"{claim.key} claims {first}–{last} of part {part}, but {position}–{limit} is free")
        if first > position:
            tiled.append(filler(Place(part, position, first), text[position:first], gaps))
            gaps += 1
        tiled.append(claim)
        position = last
    if position < limit:
        tiled.append(filler(Place(part, position, limit), text[position:limit], gaps))
    return tiled


def branch(segment: Segment, children: Sequence[Segment]) -> Segment:
    """``segment`` as a branch; its children's keys are made unique by numbering repeated ones (``key#2``)."""
    seen: dict[str, int] = {}
    unique: list[Segment] = []
    for child in children:
        count = seen.get(child.key, 0) + 1
        seen[child.key] = count
        unique.append(child if count == 1 else replace(child, key=f"{child.key}#{count}"))
    return replace(segment, children=tuple(unique), place=None, text="")


def _start(segment: Segment) -> int:
    leaf = next(segment.leaves())
    return leaf.place.start if leaf.place is not None else 0


def _end(segment: Segment) -> int:
    *_, last = segment.leaves()
    return last.place.end if last.place is not None else 0
