"""Cuts a block of slots into its slots and the text between them. Follows the reference on the assembler, section 8.

Both trees of a call are cut by this one rule, so that their pieces pair. Escaping changes no quote, brace or
backslash, so the escaped JSON is read where it stands.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn

from covel_inspector.engines.covel.assembler.escaping import unescape

LONGEST = 1_000_000
"""Code points of a block up to which it is cut."""

MOST = 256
"""Slots of a block up to which it is cut."""

OPEN, NEXT, CLOSE = "open", "next", "close"
"""The frame of a block: what stands before the first slot, between two, and behind the last."""

Slot = Mapping[str, Any]

_NO_SLOT: Slot = {}
_BLANK = re.compile(r"[ \t\r\n]*")
_NAME = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@dataclass(frozen=True, slots=True)
class SlotPiece:
    """A stretch of a block in code points: a slot from the quote of its name on, or a part of the frame.

    ``frame`` is empty for a slot; ``slot`` is its decoded value, entities undone.
    """

    start: int
    end: int
    frame: str = ""
    name: str = ""
    slot: Slot = field(default_factory=lambda: _NO_SLOT)


@lru_cache(maxsize=16)
def cut_slots(block: str) -> tuple[SlotPiece, ...]:
    """The pieces of ``<tag>``, LF, escaped JSON of name → slot, LF, ``</tag>``, in order and without a gap.

    Empty for everything that is not of this form: other JSON, slots that are none, a name that comes twice, blocks
    that are too large. Pretty-printed JSON is cut as well; its blanks belong to the frame. Remembered for a while:
    the two trees of a call, and those of neighbouring turns, often hold the same block.
    """
    if len(block) > LONGEST:
        return ()
    try:
        slots = _slots(block, block.index("\n") + 1, block.rindex("\n"))
    except (ValueError, RecursionError):
        return ()
    names = {slot.name for slot in slots}
    if not slots or len(names) < len(slots) or not all(is_slot(slot.slot) for slot in slots):
        return ()
    return _tiled(slots, len(block))


def is_slot(value: object) -> bool:
    """True for a slot: one value or a list of items, each with its source."""
    if not isinstance(value, Mapping):
        return False
    if value.get("cardinality") == "one":
        return isinstance(value.get("source"), Mapping)
    items = value.get("items")
    return (
        value.get("cardinality") == "many"
        and isinstance(items, list)
        and all(isinstance(item, Mapping) and isinstance(item.get("source"), Mapping) for item in items)
    )


def fillings(slot: Slot) -> tuple[Slot, ...]:
    """The parts of a slot that have a value and a source: itself, or its items."""
    return tuple(slot["items"]) if slot["cardinality"] == "many" else (slot,)


def filled_by(filling: Slot) -> tuple[str, str]:
    """Plugin and runtime that a slot or an item names as its source; empty where it names none."""
    source = filling["source"]
    plugin, runtime = source.get("pluginId"), source.get("runtimeId")
    return plugin if isinstance(plugin, str) else "", runtime if isinstance(runtime, str) else ""


def same_source(slot: Slot) -> tuple[str, str]:
    """Plugin and runtime that filled a slot; empty where several did."""
    sources = [filled_by(filling) for filling in fillings(slot)]
    return common([plugin for plugin, _ in sources]), common([runtime for _, runtime in sources])


def common(names: Sequence[str]) -> str:
    """The one name that all are; empty when they differ, or there are none."""
    return names[0] if len(set(names)) == 1 else ""


def _slots(block: str, start: int, end: int) -> list[SlotPiece]:
    """The members of the object between ``start`` and ``end``. Raises ValueError when there is none."""
    found: list[SlotPiece] = []
    position = _behind(block, start, "{")
    while True:
        first = position
        named = _NAME.match(block, first)
        if named is None or len(found) == MOST:
            raise ValueError
        value_start = _behind(block, _skip(block, named.end()), ":")
        value, value_end = _DECODER.raw_decode(block, value_start)
        written = block[value_start:value_end]
        if "&" in written:
            value = json.loads(unescape(written))
        found.append(SlotPiece(first, value_end, "", json.loads(unescape(named[0])), value))
        position = _skip(block, value_end)
        if block[position : position + 1] == "}" and position + 1 == end:
            return found
        position = _behind(block, position, ",")


def _behind(block: str, position: int, sign: str) -> int:
    """Behind a sign and the blanks that follow it. Raises ValueError when another one stands there."""
    if block[position : position + 1] != sign:
        raise ValueError
    return _skip(block, position + 1)


def _skip(block: str, position: int) -> int:
    blank = _BLANK.match(block, position)
    return blank.end() if blank is not None else position


def _tiled(slots: list[SlotPiece], length: int) -> tuple[SlotPiece, ...]:
    pieces = [SlotPiece(0, slots[0].start, OPEN)]
    for before, slot in zip([None, *slots], slots, strict=False):
        if before is not None:
            pieces.append(SlotPiece(before.end, slot.start, NEXT))
        pieces.append(slot)
    return (*pieces, SlotPiece(slots[-1].end, length, CLOSE))


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse)
