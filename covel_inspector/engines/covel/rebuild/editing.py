"""Changes made to the messages of an assembled request: pieces switched off, and pieces with another text.

A piece is named by the key of its segment; a branch stands for everything below it. A tool result never stays without
its call.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from covel_inspector.domain import Absent, Boundary, Changes, Field, Grade, Group, Kind, Origin, Place, Segment
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.changing import EDITED, by_hand
from covel_inspector.engines.covel.rebuild.units import PlacedLeaf, Unit
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import message_parts
from covel_inspector.engines.covel.records.naming import SLOT_BLOCKS, TITLES, is_slot_key, tool_title

_AS_JSON = (Field.TOOL_CALL, Field.MEDIA_PART, Field.CONTINUATION)


@dataclass(frozen=True, slots=True)
class _Wanted:
    without: frozenset[str]
    texts: dict[str, str]

    def touches(self, placed: PlacedLeaf) -> bool:
        keys = {placed.leaf.key, *(segment.key for segment in placed.path)}
        return bool(keys & self.without) or any(key in self.texts for key in keys)


def edited(request: AssembledRequest, changes: Changes, line_key: str | None = None) -> AssembledRequest:
    """The request with the changes that it can follow.

    ``line_key`` names the piece that holds the player's line when the assembler could not be given another one.
    """
    texts = dict(changes.texts)
    if line_key is not None and changes.player_line is not None:
        texts[line_key] = changes.player_line
    if not changes.without and not texts:
        return request
    without = _with_emptied_blocks(request.units, frozenset(changes.without))
    wanted = _Wanted(without, _of_one_message(request.units, texts))
    units: list[Unit] = []
    absent: list[Absent] = []
    kept: list[int] = []
    for number, unit in enumerate(request.units):
        made = _edited(unit, wanted, absent, is_system=number == 0)
        if made is not None:
            units.append(made)
            kept.append(number)
    orphans = _orphans([unit.message for unit in units])
    units = [unit for number, unit in enumerate(units) if number not in orphans]
    kept = [number for place, number in enumerate(kept) if place not in orphans]
    tools = _tools(request, wanted, absent)
    response_format = _response_format(request, wanted, absent)
    return replace(
        request,
        units=tuple(units),
        earlier=tuple(sum(number < count for number in kept) for count in request.earlier),
        tools=tools,
        boundaries=_moved(request.boundaries, request.units[0], units[0]),
        response_format=response_format,
        absent=(*request.absent, *absent),
    )


def _with_emptied_blocks(units: Sequence[Unit], without: frozenset[str]) -> frozenset[str]:
    """A block whose slots are all left out goes as a whole: the engine writes none without slots."""
    slots: dict[str, set[str]] = {}
    for unit in units:
        for placed in unit.leaves:
            if placed.path and is_slot_key(placed.leaf.kind, placed.leaf.key):
                slots.setdefault(placed.path[-1].key, set()).add(placed.leaf.key)
    return without | {block for block, keys in slots.items() if keys <= without}


def _of_one_message(units: Sequence[Unit], texts: dict[str, str]) -> dict[str, str]:
    """Without texts for branches over several messages: no one text can stand for them."""
    seen: dict[str, int] = {}
    for number, unit in enumerate(units):
        for placed in unit.leaves:
            for segment in placed.path:
                if segment.key in texts and seen.setdefault(segment.key, number) != number:
                    seen[segment.key] = -1
    return {key: text for key, text in texts.items() if seen.get(key) != -1}


def _moved(boundaries: Sequence[Boundary], old: Unit, new: Unit) -> tuple[Boundary, ...]:
    """The boundaries of the system prompt where their marks stand now; one whose mark is gone is gone too."""
    if old is new:
        return tuple(boundaries)
    key_of = {placed.leaf.place.end: placed.leaf.key for placed in old.leaves if placed.leaf.place is not None}
    end_of = {placed.leaf.key: placed.leaf.place.end for placed in new.leaves if placed.leaf.place is not None}
    moved: list[Boundary] = []
    for boundary in boundaries:
        end = end_of.get(key_of.get(boundary.place.end, ""))
        if end is not None:
            moved.append(replace(boundary, place=Place(boundary.place.part, end, end)))
    return tuple(moved)


def _edited(unit: Unit, wanted: _Wanted, absent: list[Absent], is_system: bool) -> Unit | None:
    """The unit with its changes; None when nothing of it is left. The system prompt always stays."""
    if not any(wanted.touches(placed) for placed in unit.leaves):
        return unit
    leaves = _leaves(unit.leaves, wanted, absent)
    message, leaves = _written(unit.message, leaves)
    is_empty = not leaves or not any(placed.leaf.text for placed in leaves)
    if is_empty and not is_system and not message.tool_calls:
        return None
    return Unit(message, tuple(leaves))


def _leaves(given: Sequence[PlacedLeaf], wanted: _Wanted, absent: list[Absent]) -> list[PlacedLeaf]:
    made: list[PlacedLeaf] = []
    written: set[str] = set()
    for placed in given:
        off = next((segment for segment in (*placed.path, placed.leaf) if segment.key in wanted.without), None)
        if off is not None:
            _leave_out(placed, off, made, absent)
            continue
        changed = next((segment for segment in (*placed.path, placed.leaf) if segment.key in wanted.texts), None)
        if changed is None:
            if not _joins_nothing(placed, made):
                made.append(placed)
        elif changed.key not in written:
            written.add(changed.key)
            made.append(_with_text(placed, changed, wanted.texts[changed.key]))
    return made


def _joins_nothing(placed: PlacedLeaf, made: Sequence[PlacedLeaf]) -> bool:
    """Whether this is the joint behind a slot that was left out, with no slot before it."""
    kinds = {segment.kind for segment in placed.path[-1:]} & SLOT_BLOCKS
    if placed.leaf.kind is not Kind.SEPARATOR or not kinds or not made:
        return False
    return not any(is_slot_key(kind, made[-1].leaf.key) for kind in kinds)


def _leave_out(placed: PlacedLeaf, off: Segment, made: list[PlacedLeaf], absent: list[Absent]) -> None:
    """Take a leaf out together with the blank before it, and remember it once for each piece."""
    before = made[-1] if made else None
    if before is not None and before.leaf.kind is Kind.SEPARATOR and before.part == placed.part:
        made.pop()
    after = made[-1].leaf.key if made else ""
    leaf = placed.leaf
    if absent and absent[-1].key == off.key:
        last = absent[-1]
        absent[-1] = replace(last, text=last.text + leaf.text)
    else:
        absent.append(by_hand(off.key, off.kind, off.title, leaf.text, off.origin, after))


def _with_text(placed: PlacedLeaf, changed: Segment, text: str) -> PlacedLeaf:
    """The leaf that stands for a changed piece; a branch becomes one leaf."""
    depth = next((n for n, segment in enumerate(placed.path) if segment.key == changed.key), len(placed.path))
    leaf = replace(
        placed.leaf,
        key=changed.key,
        kind=changed.kind,
        title=changed.title,
        text=text,
        grade=Grade.EXACT,
        reason=EDITED,
        taken=False,
        fixed_tokens=None,
    )
    return PlacedLeaf(placed.part, leaf, placed.path[:depth])


def _written(message: KernelMessage, leaves: Sequence[PlacedLeaf]) -> tuple[KernelMessage, list[PlacedLeaf]]:
    """The message with the texts of its leaves, and the leaves at their new places."""
    given = dict(enumerate(message_parts(Group.MESSAGES, 0, message)))
    of_part: dict[int, list[PlacedLeaf]] = {}
    for placed in leaves:
        of_part.setdefault(placed.part, []).append(placed)
    update: dict[str, Any] = {"content": "" if isinstance(message.content, str) else message.content}
    values: dict[Field, list[Any]] = {}
    made: list[PlacedLeaf] = []
    contents: list[Any] = []
    for part, pieces in of_part.items():
        field, own = given[part].field, pieces
        text, value = "".join(placed.leaf.text for placed in own), None
        if field in _AS_JSON:
            value = _decoded(text, json.loads(given[part].text))
            text = stringify(value)
            own = [replace(own[0], leaf=replace(own[0].leaf, text=text))]
        elif field is Field.TEXT_PART:
            value = {"type": "text", "text": text}
        elif field is Field.REASONING:
            update["reasoning_content"] = text
        elif field is Field.CONTENT:
            update["content"] = text
        values.setdefault(field, []).append(value)
        if field in (Field.TEXT_PART, Field.MEDIA_PART):
            contents.append(value)
        if text:
            made.extend(_placed(own, len({placed.part for placed in made})))
    if isinstance(message.content, list):
        update["content"] = contents
    if message.tool_calls:
        update["tool_calls"] = tuple(values.get(Field.TOOL_CALL, ())) or None
    if message.reasoning_content and Field.REASONING not in values:
        update["reasoning_content"] = None
    return message.model_copy(update=update), made or _placed(leaves[:1], 0)


def _placed(leaves: Sequence[PlacedLeaf], part: int) -> list[PlacedLeaf]:
    """Leaves of one part, one behind the other."""
    made: list[PlacedLeaf] = []
    end = 0
    for placed in leaves:
        start, end = end, end + len(placed.leaf.text)
        made.append(replace(placed, part=part, leaf=replace(placed.leaf, place=Place(part, start, end))))
    return made


def _orphans(messages: Sequence[KernelMessage]) -> set[int]:
    """Tool messages that answer no call of the assistant message before them."""
    found: set[int] = set()
    open_calls: set[object] = set()
    for number, message in enumerate(messages):
        if message.role == "tool":
            if message.tool_call_id not in open_calls:
                found.add(number)
        else:
            open_calls = {call.get("id") for call in message.tool_calls or ()}
    return found


def _tools(request: AssembledRequest, wanted: _Wanted, absent: list[Absent]) -> tuple[Any, ...]:
    kept = []
    for tool in request.tools:
        function = tool.get("function")
        name = str((function if isinstance(function, dict) else tool).get("name", "?"))
        key = f"tool:{name}"
        if key in wanted.without:
            absent.append(by_hand(key, Kind.TOOL, tool_title(name), stringify(tool), Origin(segment=name)))
        else:
            kept.append(_decoded(wanted.texts.get(key), tool))
    return tuple(kept)


def _response_format(request: AssembledRequest, wanted: _Wanted, absent: list[Absent]) -> Any:
    key, given = "response-format", request.response_format
    if given is not None and key in wanted.without:
        absent.append(by_hand(key, Kind.RESPONSE_FORMAT, TITLES[Kind.RESPONSE_FORMAT], stringify(given), Origin()))
        return None
    return _decoded(wanted.texts.get(key), given)


def _decoded(text: str | None, otherwise: Any) -> Any:
    """A changed JSON text as its value; what is no JSON changes nothing."""
    if text is None:
        return otherwise
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return otherwise
    return value if isinstance(value, dict) else otherwise
