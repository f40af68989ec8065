"""Token limits of a call: from the slot file, from an overflow's error text, or from what a recorded prune implies.

The database records the reserve of a call but not its window. Follows the reference on the database, section 5.6:
the numbers of an error text are read, never its words.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.budget.limits import DEFAULT_RESERVE
from covel_inspector.engines.covel.records.manifests import SlotLimits
from covel_inspector.engines.covel.records.rows import TurnResultRow

_TARGET = re.compile(r"\[provider: (?P<provider>[^,\]]*), model: (?P<model>[^,\]]*), slot: (?P<slot>[^\]]*)\]")
_FIGURE = re.compile(r"(?P<name>[A-Za-z]+)=(?P<value>\d+)")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w.-])")


@dataclass(frozen=True, slots=True)
class Limit:
    """The input limit of a call in the engine's tokens (window less reserve), and how it is known.

    ``reserve`` is None when nobody says what was kept for the answer; the window is then not known either.
    """

    input_limit: int
    reserve: int | None
    source: Sentence
    taken: bool = False
    """True when it had to be read off the recorded request itself."""

    @property
    def window(self) -> int | None:
        """Input limit and reserve together; None without a reserve."""
        return None if self.reserve is None else self.input_limit + self.reserve


@dataclass(frozen=True, slots=True)
class Target:
    """The model a call goes to, as far as limits depend on it. ``reserve`` is the recorded one, None = not recorded."""

    slot: str = ""
    model: str = ""
    reserve: int | None = None


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
    # The messages are told as they were before their texts were cut.
    saved = parts.get("toolResultSaved", 0) + parts.get("summarySaved", 0)
    estimated = parts["fixed"] + parts["messages"] - saved
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


def known_limit(target: Target, slots: Mapping[str, SlotLimits], seen: Iterable[Overflow]) -> Limit | None:
    """The limit of a call from files first, then from an overflow of the same slot and model; None = not known."""
    declared = slots.get(target.slot)
    spare = target.reserve if target.reserve is not None else (declared.reserve if declared else None)
    if declared is not None and declared.window is not None and spare is not None:
        return Limit(declared.window - spare, spare, say("window of slot {slot} in llm.toml", slot=target.slot))
    for overflow in seen:
        if overflow.slot == target.slot and overflow.model == target.model:
            source = say("limit named by an overflow of slot {slot} in this database", slot=target.slot)
            return Limit(overflow.limit, spare, source)
    return None


def with_model(target: Target, model: str, slots: Mapping[str, SlotLimits]) -> Target:
    """The target with another model: in the slot that names it in the files, else in its own slot."""
    slot = next((name for name, limits in slots.items() if limits.model == model), target.slot)
    return Target(slot, model, target.reserve if slot == target.slot else None)


def changed_limit(limit: Limit | None, target: Target, window: int | None, reserve: int | None) -> Limit | None:
    """The limit with another window or reserve; None when a new reserve meets a window that nobody knows.

    A window without any known reserve keeps the engine's default for the answer.
    """
    if window is None and reserve is None:
        return limit
    spare = next(
        (
            known
            for known in (reserve, limit.reserve if limit is not None else None, target.reserve)
            if known is not None
        ),
        None,
    )
    known_window = window if window is not None else (limit.window if limit is not None else None)
    if known_window is None:
        return None
    if spare is None:
        return Limit(
            known_window - DEFAULT_RESERVE,
            DEFAULT_RESERVE,
            say("a window set by hand, with the engine's default reserve of {reserve} tokens", reserve=DEFAULT_RESERVE),
        )
    source = say("window set by hand") if reserve is None else say("reserve set by hand")
    if window is not None and reserve is not None:
        source = say("window and reserve set by hand")
    return Limit(known_window - spare, spare, source)
