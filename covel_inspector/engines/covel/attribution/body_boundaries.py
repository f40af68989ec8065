"""All literals of a body found in order, and which of their places are certain. Reference on attribution, 4 and 5."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

Expect = Callable[[str], str | None]
"""The value that rows suggest for a variable's path; None when they do not tell."""


class StretchKind(Enum):
    """What stands in a stretch of a recorded body."""

    LITERAL = auto()
    VALUES = auto()
    CHANGED = auto()
    """Neither: the file reads otherwise here."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The code points ``start`` to ``end`` of the text that was sent.

    ``first`` is the number of the literal, or of the first variable that has its value here, ``last`` the number behind
    the last of them (variable n stands between the literals n and n + 1). ``at`` counts code points inside the literal
    at which a literal stretch begins. ``filed`` is what the file has instead of a changed stretch.
    """

    kind: StretchKind
    start: int
    end: int
    first: int
    last: int
    at: int = 0
    filed: str = ""


def find_completely(
    literals: Sequence[str], paths: Sequence[str], text: str, start: int, end: int, bounded: bool, expect: Expect
) -> tuple[Stretch, ...] | None:
    """Literals and values in turn, None when a literal is missing.

    Values may hold a literal's text themselves. A literal whose place is not certain gives no boundary: the values on
    both sides of it are one stretch.
    """
    last = len(literals) - 1
    if not text.startswith(literals[0], start, end):
        return None
    closing = _closing(literals, paths, text, start, end, bounded, expect)
    if closing < 0:
        return None
    places = _certain_places(literals, paths, text, {0: start, last: closing}, expect)
    return tuple(_stretches(literals, places)) if places is not None else None


def _closing(
    literals: Sequence[str], paths: Sequence[str], text: str, start: int, end: int, bounded: bool, expect: Expect
) -> int:
    """Where the last literal begins; -1 when it is not there. Behind an open stretch only the leftmost place counts."""
    position = start + len(literals[0])
    at = start
    if bounded:
        at = end - len(literals[-1]) if paths else start
        fits = at + len(literals[-1]) == end and text.startswith(literals[-1], at, end)
        return at if fits and (not paths or at >= position) else -1
    for literal, path in zip(literals[1:], paths, strict=True):
        at = _value_end(text, position, end, literal, path, expect)
        if at < 0:
            return -1
        position = at + len(literal)
    return at if position == end or text.startswith("\n\n", position, end) else -1


def _value_end(text: str, position: int, end: int, literal: str, path: str, expect: Expect) -> int:
    """Where the value that begins at ``position`` ends: where ``literal`` follows it; -1 when it does not."""
    expected = expect(path)
    if expected is not None and text.startswith(expected + literal, position, end):
        return position + len(expected)
    return text.find(literal, position, end)


def _certain_places(
    literals: Sequence[str], paths: Sequence[str], text: str, ends: Mapping[int, int], expect: Expect
) -> dict[int, int] | None:
    """Where literals begin, of those that can stand at one place only or that an expected value leads to."""
    known = dict(ends)
    while True:
        leftmost = _leftmost(literals, text, known)
        if leftmost is None:
            return None
        rightmost = _rightmost(literals, text, known)
        before = len(known)
        known.update({number: at for number, at in leftmost.items() if rightmost[number] == at})
        for number, path in enumerate(paths):
            expected = expect(path)
            if expected is None or (number in known) == (number + 1 in known):
                continue
            if number in known:
                to_pin, at = number + 1, known[number] + len(literals[number]) + len(expected)
                fits = text.startswith(expected, at - len(expected))
            else:
                to_pin, at = number, known[number + 1] - len(expected) - len(literals[number])
                fits = text.startswith(expected, at + len(literals[number]))
            if fits and leftmost[to_pin] <= at <= rightmost[to_pin] and text.startswith(literals[to_pin], at):
                known[to_pin] = at
                break  # What is certain now may make others certain.
        if len(known) == before:
            return known


def _leftmost(literals: Sequence[str], text: str, known: Mapping[int, int]) -> dict[int, int] | None:
    limit = known[len(literals) - 1]
    found: dict[int, int] = {}
    position = known[0]
    for number, literal in enumerate(literals):
        at = known[number] if number in known else text.find(literal, position, limit)
        if at < position:
            return None
        found[number] = at
        position = at + len(literal)
    return found


def _rightmost(literals: Sequence[str], text: str, known: Mapping[int, int]) -> dict[int, int]:
    """The last places; they are there where the first ones are."""
    found: dict[int, int] = {}
    limit = len(text)
    for number in range(len(literals) - 1, -1, -1):
        at = known[number] if number in known else text.rfind(literals[number], known[0], limit)
        found[number] = limit = at
    return found


def _stretches(literals: Sequence[str], places: Mapping[int, int]) -> list[Stretch]:
    found: list[Stretch] = []
    before = -1
    position = 0
    for number in sorted(places):
        at, end = places[number], places[number] + len(literals[number])
        if before >= 0:
            found.append(Stretch(StretchKind.VALUES, position, at, before, number))
        if at < end:
            found.append(Stretch(StretchKind.LITERAL, at, end, number, number))
        before, position = number, end
    return found
