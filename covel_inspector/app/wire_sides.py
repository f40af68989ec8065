"""The bodies of both sides, made ready in the source's thread: read or built, as text, matched with segments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from covel_inspector.analysis.wire_lines import WireLines, first_folding
from covel_inspector.analysis.wire_segments import WireSegments
from covel_inspector.analysis.wire_text import WireText, wire_text
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.work import Ticket
from covel_inspector.domain import AddressError, Boundary, Segment, Sentence, Setter, Source, SourceError, say
from covel_inspector.domain.wire import BodySource, Protocol, WireBody

_NEXT = {BodySource.RECORDED: BodySource.BUILT_FROM_RECORDED, BodySource.BUILT_FROM_RECORDED: None}
"""What is tried when there is no such body."""


@dataclass(frozen=True, slots=True)
class WireChoice:
    """What the reader wants to see: where bodies are from, and the protocol; None: the one of the call."""

    source: BodySource = BodySource.RECORDED
    protocol: Protocol | None = None


@dataclass(frozen=True, slots=True)
class KnownBoundary:
    """A boundary of the request, and the engine's tokens before it where they are counted."""

    boundary: Boundary
    before: int | None = None


@dataclass(frozen=True, slots=True)
class WireSide:
    """One body with the segments of its side; or a sentence that says why there is none."""

    title: Sentence
    segments: WireSegments | None = None
    note: Sentence | None = None
    """Why there is no body, or what must be known of the one that is shown."""
    lines: WireLines | None = None
    """The body in lines, as it is folded at first."""
    boundaries: Mapping[int, KnownBoundary] = field(default_factory=dict)
    """The request's boundary that each cache mark of the body draws, by the mark's number."""


@dataclass(frozen=True, slots=True)
class WireSides:
    """The bodies of a prepared comparison."""

    prepared: Prepared
    choice: WireChoice
    a: WireSide | None
    b: WireSide | None


def wire_sides(source: Source, ticket: Ticket, *, prepared: Prepared, choice: WireChoice) -> WireSides:
    """Both bodies. Trouble with one of them becomes its sentence."""
    sides = []
    for side in (prepared.a, prepared.b):
        ticket.check()
        sides.append(_wire_side(source, side, choice) if side is not None else None)
    return WireSides(prepared, choice, sides[0], sides[1])


def _wire_side(source: Source, side: Side, choice: WireChoice) -> WireSide:
    if not side.address_text:
        return WireSide(side.title, note=side.message)
    wanted = BodySource.BUILT_FROM_REBUILT if side.rebuilt else choice.source
    try:
        body = _body(source, side, wanted, choice.protocol)
        if body is None:
            return WireSide(side.title, note=_why_none(side, wanted, choice.protocol))
        segments = _segments(source, side, wire_text(body))
    except (SourceError, AddressError) as error:
        return WireSide(side.title, note=error.sentence)
    note = None
    if body.source is not wanted:
        note = say("No body was recorded for this protocol: this one is built from the recorded messages.")
    lines = WireLines(segments.wire, first_folding(segments.wire))
    lines.prepare()
    return WireSide(side.title, segments, note, lines, _boundaries(side, segments.wire))


def _body(source: Source, side: Side, wanted: BodySource, protocol: Protocol | None) -> WireBody | None:
    address = source.resolve(side.address_text)
    at: BodySource | None = wanted
    while at is not None:
        body = source.wire(address, protocol, at, side.changes)
        if body is not None:
            return body
        at = _NEXT.get(at)
    return None


def _why_none(side: Side, wanted: BodySource, protocol: Protocol | None) -> Sentence:
    if not side.is_sent and side.tree is not None:
        return say(
            "This request was never sent, and no other call of its runtime is recorded: nothing tells what its body "
            "would have been."
        )
    if wanted is BodySource.BUILT_FROM_REBUILT:
        return say("This request could not be rebuilt, so no body can be built from it.")
    if protocol is None:
        return say("No body was recorded with this call, and its protocol is not known. Choose a protocol above.")
    return say("No body for {protocol} was recorded with this call, and none can be built.", protocol=protocol.value)


def _segments(source: Source, side: Side, wire: WireText) -> WireSegments:
    """The segments of the side's own tree, wherever the body was built from the other tree of the call."""
    is_rebuilt = wire.body.source is BodySource.BUILT_FROM_REBUILT
    if side.tree is None:
        return WireSegments(wire, ())
    if is_rebuilt is side.rebuilt:
        return WireSegments.of(wire, side.tree)
    address = source.resolve(side.address_text)
    tree = source.rebuilt(address, side.changes) if is_rebuilt else source.recorded(address)
    if tree is None:
        return WireSegments(wire, ())
    shown = dict(_leaves(side.tree.groups, ()))
    return WireSegments.of(
        wire, tree, {id(leaf): shown[path] for path, leaf in _leaves(tree.groups, ()) if path in shown}
    )


def _boundaries(side: Side, wire: WireText) -> Mapping[int, KnownBoundary]:
    """Marks and the boundaries that the provider can keep, in the same order; nothing when they do not fit together."""
    if side.tree is None:
        return {}
    before: tuple[int, ...] = side.figures.before if side.figures is not None else ()
    found = [
        KnownBoundary(boundary, before[number] if number < len(before) else None)
        for number, boundary in enumerate(side.tree.boundaries)
        if boundary.setter is Setter.PROVIDER
    ]
    marks = sorted(marked.mark.number for marked in wire.marks)
    return dict(zip(marks, found, strict=True)) if len(marks) == len(found) else {}


def _leaves(segments: Sequence[Segment], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Segment]]:
    """All leaves with their paths of keys, which are the same in both trees of a call."""
    for segment in segments:
        here = (*path, segment.key)
        if segment.is_leaf:
            yield here, segment
        yield from _leaves(segment.children, here)
