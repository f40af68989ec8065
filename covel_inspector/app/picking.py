"""Which call is meant: plain functions over the lists of a session. No Qt, no source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from covel_inspector.domain import Address, Call, Session, Turn


@dataclass(frozen=True, slots=True)
class Lists:
    """The turns of one session in story order and its calls in the order they were made.

    ``unsent`` are calls that failed before they were sent; they are not among ``calls`` and ``by_turn``.
    """

    session: Session
    turns: tuple[Turn, ...]
    calls: tuple[Call, ...]
    by_turn: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)
    unsent: tuple[Call, ...] = ()

    @classmethod
    def of(cls, session: Session, turns: Sequence[Turn], calls: Sequence[Call], unsent: Sequence[Call] = ()) -> "Lists":
        """The lists with their index."""
        by_turn: dict[str, list[Call]] = {}
        for call in calls:
            by_turn.setdefault(call.address.turn, []).append(call)
        indexed = {turn: tuple(made) for turn, made in by_turn.items()}
        return cls(session, tuple(turns), tuple(calls), indexed, tuple(unsent))

    def turn(self, number: str) -> Turn | None:
        """The turn people call by this number."""
        return next((turn for turn in self.turns if turn.number == number), None)

    def call(self, address: Address) -> Call | None:
        """The call at an address, sent or not."""
        return next((call for call in self.requests(address.turn) if call.address == address), None)

    def requests(self, turn: str) -> tuple[Call, ...]:
        """The calls of a turn, and behind them those that were never sent."""
        return (*self.by_turn.get(turn, ()), *(call for call in self.unsent if call.address.turn == turn))

    def position(self, number: str) -> int:
        """Where a turn stands in the story, from 0; -1 when it is not there."""
        return next((place for place, turn in enumerate(self.turns) if turn.number == number), -1)


def main_runtime(lists: Lists) -> str:
    """The runtime a reader most likely wants: among those that ran in many turns, the one that sent most.

    The runtime that tells the story has the longest history, and runs nearly always.
    """
    turns: dict[str, set[str]] = {}
    sent: dict[str, int] = {}
    for call in lists.calls:
        runtime = call.address.runtime
        turns.setdefault(runtime, set()).add(call.address.turn)
        sent[runtime] = sent.get(runtime, 0) + call.payload_bytes
    most = max(map(len, turns.values()), default=0)
    often = [runtime for runtime, ran in turns.items() if len(ran) * 2 >= most]
    return max(often, key=lambda runtime: sent[runtime], default="")


def runtimes(lists: Lists, turn: str) -> tuple[str, ...]:
    """The runtimes that made calls in a turn, or failed before, in the order of their first call."""
    return tuple(dict.fromkeys(call.address.runtime for call in lists.requests(turn)))


def calls_of(lists: Lists, turn: str, runtime: str) -> tuple[Call, ...]:
    """The calls of a runtime in a turn that were sent."""
    return tuple(call for call in lists.by_turn.get(turn, ()) if call.address.runtime == runtime)


def requests_of(lists: Lists, turn: str, runtime: str) -> tuple[Call, ...]:
    """The calls of a runtime in a turn, and behind them those that were never sent."""
    return tuple(call for call in lists.requests(turn) if call.address.runtime == runtime)


def first_call(lists: Lists, turn: str, preferred: str) -> Call | None:
    """Where to land in a turn: at the preferred runtime, else at the first call, sent or not; None without any."""
    made = lists.requests(turn)
    return next((call for call in made if call.address.runtime == preferred), made[0] if made else None)


def last_turn(lists: Lists, preferred: str) -> Turn | None:
    """Where to land in a session: its last turn with a call of the preferred runtime, else its last turn."""
    with_calls = [turn for turn in lists.turns if calls_of(lists, turn.number, preferred)]
    if with_calls:
        return with_calls[-1]
    return lists.turns[-1] if lists.turns else None


def call_a_turn_before(lists: Lists, address: Address) -> Call | None:
    """The same call one turn earlier: the latest earlier turn in which the runtime ran, and there the call with
    the same number, or the last one when there were fewer."""
    for turn in reversed(lists.turns[: max(lists.position(address.turn), 0)]):
        made = calls_of(lists, turn.number, address.runtime)
        if made:
            return made[min(address.call, len(made) - 1)]
    return None


def call_before(lists: Lists, address: Address) -> Call | None:
    """The call this runtime made just before, in this turn or in an earlier one."""
    earlier = [call for call in calls_of(lists, address.turn, address.runtime) if call.address.call < address.call]
    if earlier:
        return earlier[-1]
    for turn in reversed(lists.turns[: max(lists.position(address.turn), 0)]):
        made = calls_of(lists, turn.number, address.runtime)
        if made:
            return made[-1]
    return None


def cached_share(calls: Sequence[Call]) -> float | None:
    """Share of the input that the provider read from its cache, over calls that report it; None when none does."""
    pairs = [
        (call.usage.cached, call.usage.input)
        for call in calls
        if call.usage is not None and call.usage.cached is not None and call.usage.input
    ]
    total = sum(sent for _, sent in pairs)
    return sum(cached for cached, _ in pairs) / total if total else None
