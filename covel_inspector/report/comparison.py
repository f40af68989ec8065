"""Two requests side by side: segments, then the words inside segments that changed.

JSON, an object:

- ``a`` and ``b``: ``address, source, location, characters, tokens``; a side that is not there is null
- ``equal`` (true or false), ``shared`` (code points that both share from the front), ``counts`` (state to rows)
- ``rows``: a tree of ``key, kind, title, state, a, b, movedFrom, notes, changes, rows``; ``a`` and ``b`` are null or
  ``characters, tokens, place``; ``state`` is ``equal, changed, added, removed, moved`` or ``moved-changed``;
  ``changes`` of a changed leaf are ``kind, aStart, aEnd, bStart, bEnd`` in code points of the two segments' texts
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from covel_inspector.analysis.pairs import Comparison, Pair, PairState
from covel_inspector.analysis.token_table import request_tokens
from covel_inspector.domain import Segment, SegmentTree, Sentence, say
from covel_inspector.domain.listing import labelled
from covel_inspector.report.figures import figure
from covel_inspector.report.request import Estimate
from covel_inspector.report.side_by_side import UNICODE, Signs, changed_hunks, side_by_side
from covel_inspector.report.terminal import clip, one_line, pad, visible, width
from covel_inspector.report.verdict import place_object
from covel_inspector.report.wording import Catalogue

_TOKENS = 8
"""Columns of a figure in the table of segments."""

STATES: dict[PairState, Sentence] = {
    PairState.EQUAL: say("equal"),
    PairState.CHANGED: say("changed"),
    PairState.ADDED: say("added"),
    PairState.REMOVED: say("removed"),
    PairState.MOVED: say("moved"),
    PairState.MOVED_CHANGED: say("moved and changed"),
}


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two requests: whose it is, and how its tokens are estimated."""

    address: str
    source: str
    location: str
    estimate: Estimate

    def tokens(self, segment: Segment | None) -> str:
        """The estimate of a segment's text as a figure, empty when it is not there."""
        return "" if segment is None else figure(segment.tokens(self.estimate))


def comparison_object(found: Comparison, a: Side, b: Side, words: Catalogue) -> dict[str, Any]:
    """The JSON form (see the module's text)."""
    return {
        "a": _side_object(a, found.a),
        "b": _side_object(b, found.b),
        "equal": found.is_equal,
        "shared": found.shared,
        "counts": {state.value: found.counts.get(state, 0) for state in PairState},
        "rows": [_pair_object(pair, a, b, words) for pair in found.pairs],
    }


def _side_object(side: Side, tree: SegmentTree | None) -> dict[str, Any] | None:
    if tree is None:
        return None
    return {
        "address": side.address,
        "source": side.source,
        "location": side.location,
        "characters": tree.request.length,
        "tokens": request_tokens(tree, side.estimate),
    }


def _pair_object(pair: Pair, a: Side, b: Side, words: Catalogue) -> dict[str, Any]:
    return {
        "key": pair.key,
        "kind": pair.kind.value,
        "title": words.text(pair.shown.title),
        "state": pair.state.value,
        "a": _segment_object(pair.a, a),
        "b": _segment_object(pair.b, b),
        "movedFrom": words.text(pair.moved_from) if pair.moved_from else None,
        "notes": [words.text(note) for note in pair.notes],
        "changes": [
            {"kind": one.kind.value, "aStart": one.a_start, "aEnd": one.a_end, "bStart": one.b_start, "bEnd": one.b_end}
            for one in (changed_hunks(*_texts(pair)) if _has_words(pair) else ())
        ],
        "rows": [_pair_object(child, a, b, words) for child in pair.children],
    }


def _segment_object(segment: Segment | None, side: Side) -> dict[str, Any] | None:
    if segment is None:
        return None
    text = segment.whole_text
    return {"characters": len(text), "tokens": segment.tokens(side.estimate), "place": place_object(segment.place)}


def _has_words(pair: Pair) -> bool:
    """Whether both sides have a text to compare word by word."""
    return not pair.children and pair.a is not None and pair.b is not None and pair.is_different


def _texts(pair: Pair) -> tuple[str, str]:
    return (pair.a.whole_text if pair.a else "", pair.b.whole_text if pair.b else "")


def comparison_lines(
    found: Comparison, a: Side, b: Side, words: Catalogue, columns: int = 120, signs: Signs = UNICODE
) -> list[str]:
    """The comparison as text of at most ``columns`` columns (segment titles are cut to fit)."""
    lines = [
        one_line(f"A  {a.address} · {a.source} · {a.location}"),
        one_line(f"B  {b.address} · {b.source} · {b.location}"),
        "",
        words.text(_summary(found)),
        "",
    ]
    lines.extend(_segment_lines(found, a, b, words, columns, signs))
    for pair in found.differences:
        if _has_words(pair) or pair.a is None or pair.b is None:
            lines.extend(["", *_word_lines(pair, words, columns, signs)])
    return lines


def _summary(found: Comparison) -> Sentence:
    if found.is_equal:
        return say("The two requests are equal.")
    longest = max(tree.request.length for tree in (found.a, found.b) if tree is not None)
    counts = {state: found.counts.get(state, 0) for state in PairState}
    return say(
        "{changed} changed, {added} added, {removed} removed, {moved} moved, {equal} equal; "
        "the first {shared} of {all} characters are the same.",
        changed=counts[PairState.CHANGED],
        added=counts[PairState.ADDED],
        removed=counts[PairState.REMOVED],
        moved=counts[PairState.MOVED] + counts[PairState.MOVED_CHANGED],
        equal=counts[PairState.EQUAL],
        shared=figure(found.shared),
        all=figure(longest),
    )


def _segment_lines(found: Comparison, a: Side, b: Side, words: Catalogue, columns: int, signs: Signs) -> Iterator[str]:
    half = (columns - 5) // 2
    telling = {id(pair) for pair in found.differences}
    for depth, pair in _with_depth(found.pairs, 0):
        if pair.is_quiet and id(pair) not in telling:
            continue
        left = _half(depth, pair.a, a, words, half)
        right = _half(depth, pair.b, b, words, half)
        line = f"{left}  {_sign(pair.state, signs)}  {right}".rstrip()
        yield f"{line}  {one_line(words.text(pair.moved_from))}" if pair.moved_from else line


def _with_depth(pairs: tuple[Pair, ...], depth: int) -> Iterator[tuple[int, Pair]]:
    for pair in pairs:
        yield depth, pair
        yield from _with_depth(pair.children, depth + 1)


def _half(depth: int, segment: Segment | None, side: Side, words: Catalogue, columns: int) -> str:
    if segment is None:
        return " " * columns
    room = columns - _TOKENS
    indent = "  " * depth
    title = indent + clip(one_line(words.text(segment.title)), max(4, room - width(indent)))
    return pad(title, room) + pad(side.tokens(segment), _TOKENS, right=True)


def _sign(state: PairState, signs: Signs) -> str:
    return {
        PairState.EQUAL: signs.equal,
        PairState.CHANGED: signs.changed,
        PairState.ADDED: signs.added,
        PairState.REMOVED: signs.removed,
        PairState.MOVED: signs.moved,
        PairState.MOVED_CHANGED: signs.moved,
    }[state]


def _word_lines(pair: Pair, words: Catalogue, columns: int, signs: Signs) -> Iterator[str]:
    head = words.text(labelled(pair.shown.title, STATES[pair.state]))
    yield one_line(f"{signs.rule * 2} {head} {signs.rule * 2}")
    for note in pair.notes:
        yield f"  {one_line(words.text(note))}"
    a, b = _texts(pair)
    if pair.a is None or pair.b is None:
        sign = _sign(pair.state, signs)
        yield from (f"{sign} {line}".rstrip() for line in visible(a or b).split("\n"))
    else:
        yield from side_by_side(a, b, columns, signs)
