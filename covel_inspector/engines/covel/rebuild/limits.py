"""Token limits of a call: from the slot file, from an overflow's error text, or from what a recorded prune implies.

The database records the reserve of a call but not its window. Follows the reference on the database, section 5.6:
the numbers of an error text are read, never its words.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.records.manifests import SlotLimits
from covel_inspector.engines.covel.records.rows import TurnResultRow

_TARGET = re.compile(r"\[provider: (?P<provider>[^,\]]*), model: (?P<model>[^,\]]*), slot: (?P<slot>[^\]]*)\]")
_FIGURE = re.compile(r"(?P<name>[A-Za-z]+)=(?P<value>\d+)")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w.-])")


@dataclass(frozen=True, slots=True)
class Limit:
    """The input limit of a call in the engine's tokens (window less reserve), and how it is known."""

    input_limit: int
    reserve: int
    source: Sentence
    taken: bool = False
    """True when it had to be read off the recorded request itself."""


@dataclass(frozen=True, slots=True)
class Overflow:
    """The figures of an overflow's error text, in the engine's tokens."""

    provider: str
    model: str
    slot: str
    estimated: int
    limit: int
    parts: Mapping[str, int]


def parse_overflow(text: str) -> Overflow | None:
    """The figures of an error text; None when it is no overflow or its numbers do not add up."""
    target = _TARGET.search(text)
    if target is None:
        return None
    behind = text[target.end() :]
    parts = {match["name"]: int(match["value"]) for match in _FIGURE.finditer(behind)}
    if "fixed" not in parts or "messages" not in parts:
        return None
    numbers = [int(match.group()) for match in _NUMBER.finditer(behind.partition("(")[0])]
    estimated = parts["fixed"] + parts["messages"]
    limits = [number for number in numbers if number != estimated]
    if estimated not in numbers or len(limits) != 1 or limits[0] >= estimated:
        return None
    return Overflow(target["provider"], target["model"], target["slot"], estimated, limits[0], parts)


def overflows(results: Iterable[TurnResultRow]) -> list[Overflow]:
    """All overflows among the runtime results of a session."""
    texts = (
        result.get("error") for row in results for result in row.runtime_results if isinstance(result.get("error"), str)
    )
    return [overflow for text in texts if isinstance(text, str) and (overflow := parse_overflow(text))]


def known_limit(
    slot: str,
    model: str,
    reserve: int | None,
    slots: Mapping[str, SlotLimits],
    seen: Iterable[Overflow],
) -> Limit | None:
    """The limit of a call from files first, then from an overflow of the same slot and model; None = not known."""
    declared = slots.get(slot)
    spare = reserve if reserve is not None else (declared.reserve if declared else None)
    if declared is not None and declared.window is not None and spare is not None:
        return Limit(declared.window - spare, spare, say("window of slot {slot} in llm.toml", slot=slot))
    for overflow in seen:
        if overflow.slot == slot and overflow.model == model:
            return Limit(
                overflow.limit,
                spare or 0,
                say("limit named by an overflow of slot {slot} in this database", slot=slot),
            )
    return None
