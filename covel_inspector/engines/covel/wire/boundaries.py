"""What a provider can keep of a request: its boundaries, beside those that the engine draws.

Follows the reference on the wire, sections 1, 2 and 10.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from covel_inspector.domain import (
    Boundary,
    Group,
    Place,
    Protocol,
    Reader,
    Request,
    Sentence,
    Setter,
    WireMark,
    say,
)
from covel_inspector.domain.listing import joined
from covel_inspector.engines.covel.javascript import WHITESPACE
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.wire.messages import SYSTEM_ROLES

_IN_SYSTEM = say(
    "The provider keeps everything up to here. The next step of this turn and the next turn's request can read it."
)
_HISTORY_END = say(
    "The provider keeps everything up to here, in front of the first system message between the others: mostly the end "
    "of the history. The next turn's request can read it."
)
_LAST = say(
    "The provider keeps everything up to the end of the request. Only the next step of this turn can read it: the "
    "next turn's request has no such turn context in front of it."
)
_LAST_OF_ALL = say(
    "The provider keeps everything up to the end of the request. The next step of this turn can read it, and the next "
    "turn's request as well if it repeats these messages."
)
_IMPLICIT_HISTORY = say(
    "No mark: the provider finds repeated beginnings by itself. The next turn's request can repeat everything up to "
    "here."
)
_IMPLICIT_END = say(
    "No mark: the provider finds repeated beginnings by itself. The next step of this turn repeats everything up to "
    "here."
)

_IMPLICIT_END_OF_ALL = say(
    "No mark: the provider finds repeated beginnings by itself. The next step of this turn repeats everything up to "
    "here, and the next turn's request as well if it repeats these messages."
)

_READERS: Mapping[Sentence, tuple[Reader, ...]] = {
    _IN_SYSTEM: (Reader.NEXT_STEP, Reader.NEXT_TURN),
    _HISTORY_END: (Reader.NEXT_TURN,),
    _LAST: (Reader.NEXT_STEP,),
    _LAST_OF_ALL: (Reader.NEXT_STEP, Reader.NEXT_TURN),
    _IMPLICIT_HISTORY: (Reader.NEXT_TURN,),
    _IMPLICIT_END: (Reader.NEXT_STEP,),
    _IMPLICIT_END_OF_ALL: (Reader.NEXT_STEP, Reader.NEXT_TURN),
}
"""The same as the sentences say, as data."""


def provider_boundaries(protocol: Protocol, marks: Sequence[WireMark], request: Request) -> tuple[Boundary, ...]:
    """The boundaries that a provider can keep, numbered in the order of the request.

    Anthropic's are the marks of its body (setter PROVIDER). Other protocols carry no marks: theirs are where a later
    request can stop being the same (setter PREFIX); how much of it is really kept depends on the provider's steps.
    """
    found = list(_marked(marks, request) if protocol is Protocol.ANTHROPIC else _implicit(request))
    return _numbered(found)


def all_boundaries(engine: Sequence[Boundary], provider: Iterable[Boundary]) -> tuple[Boundary, ...]:
    """Both kinds in the order of the request; where both mark the same place, one that says both."""
    merged = {boundary.place: boundary for boundary in engine}
    for boundary in provider:
        own = merged.get(boundary.place)
        note = boundary.note if own is None else joined(own.note, boundary.note)
        merged[boundary.place] = replace(boundary, note=note)
    return _numbered(merged.values())


def _numbered(boundaries: Iterable[Boundary]) -> tuple[Boundary, ...]:
    ordered = sorted(boundaries, key=lambda boundary: boundary.place)
    return tuple(replace(boundary, number=number) for number, boundary in enumerate(ordered, start=1))


def _marked(marks: Sequence[WireMark], request: Request) -> Iterator[Boundary]:
    late = first_late_part(request)
    placed = [(mark, mark.place) for mark in marks if mark.place is not None]
    for mark, place in placed:
        note = _note(mark, place, late)
        yield Boundary(0, _behind(place, request), Setter.PROVIDER, note, _READERS[note])


def _note(mark: WireMark, place: Place, late: int | None) -> Sentence:
    if mark.path[0] != "messages":
        return _IN_SYSTEM
    if late is None:
        return _LAST_OF_ALL
    return _HISTORY_END if place.part < late else _LAST


def _behind(place: Place, request: Request) -> Place:
    """Behind a text, and behind the engine's own mark when it follows, so that both are one place."""
    text = request.parts[place.part].text
    end = place.end
    blanks = len(text) - len(text[end:].lstrip(WHITESPACE))
    if text.startswith(SENTINEL, blanks):
        end = blanks + len(SENTINEL)
    return Place(place.part, end, end)


def _implicit(request: Request) -> Iterator[Boundary]:
    spoken = [number for number, part in enumerate(request.parts) if part.group in (Group.SYSTEM, Group.MESSAGES)]
    late = first_late_part(request)
    if late is not None and late - 1 in spoken:
        end = len(request.parts[late - 1].text)
        yield Boundary(0, Place(late - 1, end, end), Setter.PREFIX, _IMPLICIT_HISTORY, _READERS[_IMPLICIT_HISTORY])
    if spoken:
        end = len(request.parts[spoken[-1]].text)
        note = _IMPLICIT_END if late is not None else _IMPLICIT_END_OF_ALL
        yield Boundary(0, Place(spoken[-1], end, end), Setter.PREFIX, note, _READERS[note])


def first_late_part(request: Request) -> int | None:
    """The first part of the first system message behind another role; None when there is none."""
    heard_others = False
    for number, part in enumerate(request.parts):
        if part.group not in (Group.SYSTEM, Group.MESSAGES):
            continue
        if part.role not in SYSTEM_ROLES:
            heard_others = True
        elif heard_others:
            return number
    return None
