"""How much of two requests is the same from the first character on: what a cache could keep."""

from collections.abc import Sequence
from dataclasses import dataclass

from covel_inspector.domain import Group, Part, Place, Request
from covel_inspector.text.prefix import common_prefix

_CACHED_GROUPS = (Group.TOOLS, Group.SYSTEM, Group.MESSAGES)


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """``length`` code points from the front are the same in both requests.

    ``a`` and ``b`` are the (empty) places in the two requests where sharing ends; None when one of them has nothing
    more there. The response format is no part of it: it stands outside the text that providers hash.
    """

    length: int
    a: Place | None
    b: Place | None


def shared_prefix(a: Request, b: Request) -> SharedPrefix:
    """Walks the parts of both in wire order. A part of another group or role shares nothing, however equal its text."""
    parts_a = [(number, part) for number, part in enumerate(a.parts) if part.group in _CACHED_GROUPS]
    parts_b = [(number, part) for number, part in enumerate(b.parts) if part.group in _CACHED_GROUPS]
    length = 0
    for (number_a, part_a), (number_b, part_b) in zip(parts_a, parts_b, strict=False):
        if (part_a.group, part_a.role, part_a.field) != (part_b.group, part_b.role, part_b.field):
            return SharedPrefix(length, Place(number_a, 0, 0), Place(number_b, 0, 0))
        if part_a.text != part_b.text:
            same = common_prefix(part_a.text, part_b.text)
            return SharedPrefix(length + same, Place(number_a, same, same), Place(number_b, same, same))
        length += len(part_a.text)
    count = min(len(parts_a), len(parts_b))
    return SharedPrefix(length, _start_of(parts_a, count), _start_of(parts_b, count))


def _start_of(parts: Sequence[tuple[int, Part]], index: int) -> Place | None:
    return Place(parts[index][0], 0, 0) if index < len(parts) else None
