"""Values of rows that changed after a call: which members the row still tells, and which only the recording does.

A character's sheet is printed as JSON. When one member of it changed since, the others are still the row's, so only the
changed ones are taken. Follows the reference on attribution, sections 1 and 6.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from covel_inspector.domain import Sentence, plain, say
from covel_inspector.engines.covel.assembler.escaping import Json, escape, json_of, model_facing, printed
from covel_inspector.engines.covel.assembler.params import ContextParams
from covel_inspector.engines.covel.assembler.variables import Variables
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.textpack import TextPack

NEWER = say("the row is newer than the call")
"""Why a value is the recorded one."""

_DEEPEST = 2
"""The object itself and the objects in it: members of a character, and its fields."""


@dataclass(frozen=True, slots=True)
class OlderValue:
    """The text that was sent for a template path whose row changed later.

    ``members`` are paths within the value that read otherwise now, empty when the whole value does; ``taken`` counts
    the code points of ``text`` that no row gives.
    """

    text: str
    members: tuple[str, ...]
    taken: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the text is the row's."""
        return not self.members

    @property
    def reason(self) -> Sentence:
        """Which members are the recorded ones."""
        return say(
            "the row is newer than the call: {members} as recorded, the rest is the row's",
            members=plain(", ".join(self.members)),
        )


def older_values(params: ContextParams, pack: TextPack, sent: Mapping[str, str]) -> dict[str, OlderValue]:
    """What of the texts that were ``sent`` for template paths the rows of now do not tell; equal ones are left out.

    ``params`` are the call's, made from the rows of now.
    """
    if not sent:
        return {}
    wording = Wording.of(pack, params.turn_input.locale, params.instruction_override)
    variables = Variables(params, wording)
    found = {path: older_value(text, variables.value(path)) for path, text in sent.items()}
    return {path: value for path, value in found.items() if value is not None}


def older_value(sent: str, now: Json) -> OlderValue | None:
    """What of a sent text the present value does not tell; None when it tells all of it."""
    whole = OlderValue(sent, (), len(sent))
    if printed(now) == sent:
        # With entities it may only seem to: nobody asked here whether the template escapes the value.
        return whole if escape(sent) != sent else None
    then = _object(sent)
    present = model_facing(now)
    if then is None or not isinstance(present, Mapping):
        return whole
    found = list(_changed(then, present, "", _DEEPEST))
    taken = sum(size for _, size in found)
    kept = bool(found) and any(name in present for name in then) and _is_same_order(then, present)
    return OlderValue(sent, tuple(name for name, _ in found), taken) if kept else whole


def _object(sent: str) -> Mapping[str, Json] | None:
    """The object that a text prints, or None: a text that would be printed otherwise has no members to tell apart."""
    try:
        value = json.loads(sent)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and json_of(value) == sent else None


def _changed(then: Mapping[str, Json], now: Mapping[str, Json], start: str, depth: int) -> list[tuple[str, int]]:
    """Members that differ, with the code points of ``then`` that this concerns; 0 for those that came later."""
    found: list[tuple[str, int]] = []
    for name, value in then.items():
        path = f"{start}.{name}" if start else name
        if name not in now:
            found.append((path, len(json_of(name)) + len(":,") + len(json_of(value))))
            continue
        present = now[name]
        if json_of(value) == json_of(present):
            continue
        if depth > 1 and isinstance(value, Mapping) and isinstance(present, Mapping):
            found.extend(_changed(value, present, path, depth - 1))
        else:
            found.append((path, len(json_of(value))))
    found.extend((f"{start}.{name}" if start else name, 0) for name in now if name not in then)
    return found


def _is_same_order(then: Mapping[str, Json], now: Mapping[str, Json]) -> bool:
    """Whether the members that both have stand in one order: otherwise the row does not tell the text's order."""
    both = [name for name in now if name in then]
    if both != [name for name in then if name in now]:
        return False
    return all(
        _is_same_order(value, present)
        for value, present in ((then[name], now[name]) for name in both)
        if isinstance(value, Mapping) and isinstance(present, Mapping)
    )
