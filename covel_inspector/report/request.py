"""One request, as a tree, as text and as JSON.

JSON of a request, an object:

- ``address``, ``source`` (``recorded`` or ``rebuilt``), ``estimator`` (name of the token estimate), ``characters``
  (code points of all parts), ``tokens`` (estimate, segment by segment and added up)
- ``parts``: ``group, index, ordinal, field, role, name, text`` in wire order
- ``segments``: a tree of ``key, kind, title, grade, role, characters, tokens, place, origin, volatility, position,
  order, audience, reason, notes, children``; ``place`` is null for a branch, else ``part, start, end`` (number of the
  part, code points in it); ``tokens`` adds up the estimates of its leaves; what is no
  text, such as a picture, counts as the engine counts it
- ``boundaries``: ``number, part, offset, setter, note``
- ``absent``: ``key, kind, title, reason, note, characters, after, grade``
- ``draftNotes``, only with a draft: sentences on names in it that fit nothing
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from covel_inspector.analysis.token_table import request_tokens
from covel_inspector.domain import Absent, Boundary, Field, Kind, Part, Segment, SegmentTree, say
from covel_inspector.domain.listing import enumerated, labelled
from covel_inspector.report import names
from covel_inspector.report.figures import figure
from covel_inspector.report.terminal import clip, one_line, pad, visible, width
from covel_inspector.report.wording import Catalogue

Estimate = Callable[[str], int]
"""Tokens of a text."""

_TITLE_COLUMNS = 56
_TOLD_ALONE = 3


def request_object(
    address: str, source: str, tree: SegmentTree, words: Catalogue, estimator: str, estimate: Estimate
) -> dict[str, Any]:
    """The JSON form of a request (see the module's text)."""
    return {
        "address": address,
        "source": source,
        "estimator": estimator,
        "characters": tree.request.length,
        "tokens": request_tokens(tree, estimate),
        "parts": [_part_object(part) for part in tree.request.parts],
        "segments": [_segment_object(segment, words, estimate) for segment in tree.groups],
        "boundaries": [
            {
                "number": boundary.number,
                "part": boundary.place.part,
                "offset": boundary.place.end,
                "setter": boundary.setter.value,
                "note": words.text(boundary.note),
            }
            for boundary in tree.boundaries
        ],
        "absent": [
            {
                "key": one.key,
                "kind": one.kind.value,
                "title": words.text(one.title),
                "reason": one.reason.value,
                "note": words.text(one.note),
                "characters": len(one.text),
                "after": one.after,
                "grade": one.grade.value,
            }
            for one in tree.absent
        ],
    }


def _part_object(part: Part) -> dict[str, Any]:
    return {
        "group": part.group.value,
        "index": part.index,
        "ordinal": part.ordinal,
        "field": part.field.value,
        "role": part.role,
        "name": part.name,
        "text": part.text,
    }


def _segment_object(segment: Segment, words: Catalogue, estimate: Estimate) -> dict[str, Any]:
    text = segment.whole_text
    place = segment.place
    return {
        "key": segment.key,
        "kind": segment.kind.value,
        "title": words.text(segment.title),
        "grade": segment.grade.value,
        "role": segment.role,
        "characters": len(text),
        "tokens": segment.tokens(estimate),
        "place": {"part": place.part, "start": place.start, "end": place.end} if place else None,
        "origin": {name: value for name, value in asdict(segment.origin).items() if value},
        "volatility": segment.volatility.value if segment.volatility else None,
        "position": segment.position,
        "order": segment.order,
        "audience": segment.audience,
        "reason": words.text(segment.reason),
        "notes": [words.text(note) for note in segment.notes],
        "children": [_segment_object(child, words, estimate) for child in segment.children],
    }


def tree_lines(tree: SegmentTree, words: Catalogue, estimator: str, estimate: Estimate) -> list[str]:
    """The segments with their sizes and grades, the cache boundaries where they stand, and what was left out.

    Blanks between segments have no line of their own; the JSON form has them.
    """
    lines = [
        words.text(
            say(
                "{parts} parts, {characters} characters in all, about {tokens} tokens ({estimator})",
                parts=len(tree.request.parts),
                characters=figure(tree.request.length),
                tokens=figure(request_tokens(tree, estimate)),
                estimator=names.estimator_name(estimator),
            )
        ),
        "",
    ]
    waiting = sorted(tree.boundaries, key=lambda boundary: boundary.place)
    for depth, segment in _with_depth(tree.groups, 0):
        while waiting and _stands_before(waiting[0], segment):
            lines.append(_boundary_line(waiting.pop(0), words))
        if segment.kind is not Kind.SEPARATOR:
            lines.append(_segment_line(depth, segment, words, estimate))
    lines.extend(_boundary_line(boundary, words) for boundary in waiting)
    if tree.absent:
        lines.extend(["", words.text(say("Left out:"))])
        lines.extend(f"  {one_line(line)}" for line in _left_out_lines(tree.absent, words))
    return lines


def _left_out_lines(absent: Iterable[Absent], words: Catalogue) -> Iterator[str]:
    """One line for each thing that is not there; many that share a reason are told of together."""
    of_note: dict[str, list[str]] = {}
    for one in absent:
        of_note.setdefault(words.text(one.note), []).append(words.text(one.title))
    for note, titles in of_note.items():
        if len(titles) <= _TOLD_ALONE:
            yield from (words.text(labelled(title, note)) for title in titles)
        else:
            named = enumerated(dict.fromkeys(titles))
            yield words.text(say("{n} pieces ({titles}): {note}", n=len(titles), titles=named, note=note))


def _with_depth(segments: tuple[Segment, ...], depth: int) -> Iterator[tuple[int, Segment]]:
    for segment in segments:
        yield depth, segment
        yield from _with_depth(segment.children, depth + 1)


def _stands_before(boundary: Boundary, segment: Segment) -> bool:
    """Whether the boundary lies before the first character of the segment."""
    first = next(segment.leaves(), None)
    if first is None or first.place is None:
        return False
    return (boundary.place.part, boundary.place.end) <= (first.place.part, first.place.start)


def _segment_line(depth: int, segment: Segment, words: Catalogue, estimate: Estimate) -> str:
    indent = "  " * depth
    title = indent + clip(one_line(words.text(segment.title)), _TITLE_COLUMNS - width(indent))
    tokens = figure(segment.tokens(estimate))
    line = pad(title, _TITLE_COLUMNS) + "  " + pad(tokens, 7, right=True)
    if not segment.is_leaf:
        return line
    facts = [words.text(names.GRADE[segment.grade])]
    if segment.volatility is not None:
        facts.append(words.text(names.VOLATILITY[segment.volatility]))
    if segment.origin.file:
        facts.append(f"{segment.origin.file}:{segment.origin.line}" if segment.origin.line else segment.origin.file)
    if segment.origin.table:
        facts.append(f"{segment.origin.table} {' '.join(segment.origin.rows[:1])}".rstrip())
    return f"{line}  {one_line(' · '.join(facts))}".rstrip()


def _boundary_line(boundary: Boundary, words: Catalogue) -> str:
    head = say("boundary {n} ({setter})", n=boundary.number, setter=names.SETTER[boundary.setter])
    told = labelled(head, boundary.note) if str(boundary.note) else head
    return f"── {one_line(words.text(told))} ──"


def text_lines(tree: SegmentTree, words: Catalogue) -> list[str]:
    """The request as it reads: a heading for each message, then its parts. Dangerous characters are escaped."""
    lines: list[str] = []
    last: tuple[str, int] | None = None
    for part in tree.request.parts:
        here = (part.group.value, part.index)
        if here != last:
            if lines:
                lines.append("")
            lines.append(f"=== {one_line(_heading(part, words))} ===")
            last = here
        if part.field not in (Field.CONTENT, Field.TEXT_PART, Field.DEFINITION):
            lines.append(f"[{one_line(' '.join(filter(None, (part.field.value, part.name))))}]")
        lines.append(visible(part.text))
    return lines


def _heading(part: Part, words: Catalogue) -> str:
    group = words.text(names.GROUP[part.group])
    name = part.name if part.field is not Field.TOOL_CALL else ""
    pieces = [group, str(part.index), part.role, name]
    return " · ".join(piece for piece in pieces if piece)
