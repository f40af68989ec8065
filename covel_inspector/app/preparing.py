"""From a place and a target to two sides that are ready to draw: the work behind the compare view.

Runs in the source's thread and touches no widget.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from covel_inspector.app.picking import Lists, call_a_turn_before, call_before
from covel_inspector.app.sides import Figures, Prepared, Side
from covel_inspector.app.state import Spot
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.domain import (
    Address,
    AddressError,
    Call,
    SegmentTree,
    Sentence,
    Source,
    SourceError,
    Status,
    Verdict,
    plain,
    say,
)

Check = Callable[[], None]
"""Raises when nobody waits for the answer any more."""

_COUNTS_KEPT = 50_000


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be shown: the place, its session's lists, and what it is compared with."""

    spot: Spot
    lists: Lists
    target: Target


class Counter:
    """The engine's estimate, remembered by text: turns share most of their texts."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def count(self, source: Source, text: str) -> int:
        """Tokens of a text by the source's own estimate."""
        known = self._counts.get(text)
        if known is None:
            if len(self._counts) >= _COUNTS_KEPT:
                self._counts.clear()
            known = self._counts[text] = source.estimate(text)
        return known


def prepare(source: Source, question: Question, counter: Counter, check: Check) -> Prepared:
    """Both sides with trees, figures and verdicts, and their comparison.

    A request that is not there becomes a side with a message; only trouble with the whole file is raised.
    """
    spot, target = question.spot, question.target
    if spot.address is None:
        return Prepared(None, _empty_turn(question))
    if target.kind is TargetKind.REBUILT:
        return _recorded_against_rebuilt(source, question, spot.address, counter, check)
    b = _side(source, spot.address, question.lists.call(spot.address), counter)
    check()
    a = _other_side(source, question, spot.address, counter)
    check()
    return _compared(a, b)


def _compared(a: Side | None, b: Side) -> Prepared:
    if a is None or a.tree is None or b.tree is None:
        return Prepared(a, b)
    from covel_inspector.analysis.compare import compare

    return Prepared(a, b, compare(a.tree, b.tree))


def _empty_turn(question: Question) -> Side:
    turn = question.lists.turn(question.spot.turn)
    note = turn.note if turn is not None else None
    return Side(
        address_text="",
        title=say("turn {turn}", turn=question.spot.turn),
        message=note or say("No model was called in this turn."),
    )


def _other_side(source: Source, question: Question, address: Address, counter: Counter) -> Side | None:
    kind, lists = question.target.kind, question.lists
    if kind is TargetKind.NONE:
        return None
    if kind is TargetKind.ADDRESS:
        try:
            there = source.resolve(question.target.address)
        except AddressError as error:
            return Side(question.target.address, plain(question.target.address), message=plain(str(error)))
        other = next((call for call in source.calls(there.session, there.turn) if call.address == there), None)
        side = _side(source, there, other, counter)
        if there.session != address.session:
            session = next((one.title for one in source.sessions() if one.id == there.session), there.session)
            side = replace(side, title=say("{session} · {title}", session=session, title=side.title))
        return side
    found = (call_before if kind is TargetKind.PREVIOUS_CALL else call_a_turn_before)(lists, address)
    if found is None:
        return Side(
            address_text="",
            title=say("before turn {turn}", turn=address.turn),
            message=say(
                "This is the first call of {runtime} in this session: there is no earlier one to compare with.",
                runtime=address.runtime,
            ),
        )
    return _side(source, found.address, found, counter)


def _recorded_against_rebuilt(
    source: Source, question: Question, address: Address, counter: Counter, check: Check
) -> Prepared:
    call = question.lists.call(address)
    verdict = _verdict(source, address)
    check()
    sides = []
    for rebuilt in (False, True):
        tree, trouble = _tree(source, address, rebuilt=rebuilt)
        check()
        title = title_of(address)
        sides.append(
            Side(
                address_text=str(address),
                title=say("{title} · rebuilt", title=title) if rebuilt else say("{title} · recorded", title=title),
                tree=tree,
                call=call,
                verdict=verdict,
                message=None if tree is not None else trouble or verdict.reason,
                figures=figures(source, tree, counter) if tree is not None else None,
                rebuilt=rebuilt,
            )
        )
    return _compared(sides[0], sides[1])


def _side(source: Source, address: Address, call: Call | None, counter: Counter) -> Side:
    """The recorded request of a call; the rebuilt one, marked as such, where nothing was recorded."""
    verdict = _verdict(source, address)
    tree, trouble = _tree(source, address, rebuilt=False)
    rebuilt = False
    message: Sentence | None = None
    if tree is None:
        reason = trouble or (call.problem if call is not None and call.problem else verdict.reason)
        tree, _ = _tree(source, address, rebuilt=True)
        rebuilt = tree is not None
        message = say("Not recorded, but rebuilt: {reason}", reason=reason) if rebuilt else reason
    return Side(
        address_text=str(address),
        title=title_of(address),
        tree=tree,
        call=call,
        verdict=verdict,
        message=message,
        figures=figures(source, tree, counter) if tree is not None else None,
        rebuilt=rebuilt,
    )


def title_of(address: Address) -> Sentence:
    """Turn, runtime, and the call when it is not the first: "turn 12 · narrator · call 2"."""
    if address.call:
        return say("turn {turn} · {runtime} · call {n}", turn=address.turn, runtime=address.runtime, n=address.call + 1)
    return say("turn {turn} · {runtime}", turn=address.turn, runtime=address.runtime)


def _tree(source: Source, address: Address, *, rebuilt: bool) -> tuple[SegmentTree | None, Sentence | None]:
    try:
        return (source.rebuilt(address) if rebuilt else source.recorded(address)), None
    except (SourceError, AddressError) as error:
        return None, plain(str(error))


def _verdict(source: Source, address: Address) -> Verdict:
    try:
        return source.verdict(address)
    except (SourceError, AddressError) as error:
        return Verdict(Status.IMPOSSIBLE, plain(str(error)))


def figures(source: Source, tree: SegmentTree, counter: Counter) -> Figures:
    """Tokens of every segment, of the whole, and before each boundary, by the engine's estimate."""
    counts: dict[int, int] = {}
    for leaf in tree.leaves():
        counts[id(leaf)] = counter.count(source, leaf.text)
    total = sum(counts.values())
    for segment in tree.walk():
        if not segment.is_leaf:
            counts[id(segment)] = sum(counts[id(leaf)] for leaf in segment.leaves())
    return Figures(source.estimator_name, total, _before_boundaries(source, tree, counts), counts)


def _before_boundaries(source: Source, tree: SegmentTree, counts: dict[int, int]) -> tuple[int, ...]:
    """Tokens before each boundary: whole leaves, and the head of the leaf in which a boundary stands."""
    before = []
    for boundary in tree.boundaries:
        total = 0
        part, offset = boundary.place.part, boundary.place.end
        for leaf in tree.leaves():
            place = leaf.place
            if place is None:
                continue
            if place.part < part or (place.part == part and place.end <= offset):
                total += counts[id(leaf)]
            elif place.part == part and place.start < offset:
                total += source.estimate(leaf.text[: offset - place.start])
        before.append(total)
    return tuple(before)
