"""Rebuilt requests of a source, kept as far as they can be used again.

A request is assembled once for its rows, files and changes; another window, reserve or number of protected turns
only runs its budget again, which is what makes a slider quick.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from covel_inspector.domain import Address, Changes, Sentence, SourceError, plain, say
from covel_inspector.engines.covel.budget.limits import BudgetError
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.limits import Limit, changed_limit, known_limit, with_model
from covel_inspector.engines.covel.rebuild.rebuilding import CallToRebuild, Rebuilt, assemble_call, finish
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.rebuild.trimming import read_off
from covel_inspector.engines.covel.rebuild.unsent import closest
from covel_inspector.engines.covel.records.manifests import SlotLimits

KEPT = 24
"""How many requests, limits and trees are kept each: a long walk through a story must not fill the memory."""

UNCHANGED = Changes()

Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")


class Rebuilds:
    """The last rebuilt requests. ``calls_of`` gives the call of an address with all that is known of it, in several
    versions when other calls lend what is not known."""

    def __init__(self, calls_of: Callable[[Address], Sequence[CallToRebuild]]) -> None:
        self._calls_of = calls_of
        self._requests: dict[tuple[Address, Changes], AssembledRequest | Sentence] = {}
        self._limits: dict[Address, Limit | None] = {}
        self._rebuilt: dict[Address, Rebuilt] = {}

    def clear(self) -> None:
        """Forget everything: the file has changed."""
        for kept in (self._requests, self._limits, self._rebuilt):
            kept.clear()

    def rebuilt(self, address: Address, record: SessionRecord, changes: Changes = UNCHANGED) -> Rebuilt:
        """A call's request, with changes or as it was. Raises SourceError for changes that make no sense."""
        if changes == UNCHANGED and address in self._rebuilt:
            return self._rebuilt[address]
        request = self._request(address, record, changes)
        if isinstance(request, Sentence):
            rebuilt = Rebuilt(None, request)
        else:
            rebuilt = self._finished(address, record, request, changes)
        if changes == UNCHANGED:
            keep(self._rebuilt, address, rebuilt)
        return rebuilt

    def _request(self, address: Address, record: SessionRecord, changes: Changes) -> AssembledRequest | Sentence:
        wanted = replace(changes, window=None, reserve=None, protected_turns=None, model=None)
        key = (address, wanted)
        if key not in self._requests:
            keep(self._requests, key, _assembled(record, self._calls_of(address), wanted))
        return self._requests[key]

    def _finished(
        self, address: Address, record: SessionRecord, request: AssembledRequest, changes: Changes
    ) -> Rebuilt:
        limit = self._limit(address, record, request, changes)
        _check_numbers(changes, limit)
        try:
            return finish(request, limit, changes.protected_turns)
        except BudgetError as error:
            if changes == UNCHANGED:
                return Rebuilt(None, say("the limits make no sense: {error}", error=str(error)))
            raise SourceError(_senseless(error, limit, changes)) from error

    def _limit(
        self, address: Address, record: SessionRecord, request: AssembledRequest, changes: Changes
    ) -> Limit | None:
        """The limit of the call as it was made, then with what is changed of it."""
        slots = _slots(record)
        target = request.target
        if changes.model is not None and changes.model != target.model:
            target = with_model(target, changes.model, slots)
            limit = known_limit(target, slots, record.overflows)
        else:
            limit = self._own_limit(address, record, request)
        return changed_limit(limit, target, changes.window, changes.reserve)

    def _own_limit(self, address: Address, record: SessionRecord, request: AssembledRequest) -> Limit | None:
        if address not in self._limits:
            limit = known_limit(request.target, _slots(record), record.overflows)
            if limit is None:
                unchanged = self._request(address, record, UNCHANGED)
                if isinstance(unchanged, AssembledRequest):
                    limit = read_off(unchanged, self._calls_of(address)[0].recorded)
            keep(self._limits, address, limit)
        return self._limits[address]


def keep(kept: dict[Key, Kept], key: Key, value: Kept, most: int = KEPT) -> None:
    """Keep a value, and forget the oldest ones."""
    while len(kept) >= most:
        del kept[next(iter(kept))]
    kept[key] = value


def _assembled(record: SessionRecord, calls: Sequence[CallToRebuild], changes: Changes) -> AssembledRequest | Sentence:
    """The request of a call; of several versions the one that the error's numbers speak for."""
    made = [(call, assemble_call(record, call, changes)) for call in calls]
    requests = [request for _, request in made if isinstance(request, AssembledRequest)]
    if len(made) == 1 or not requests:
        return made[0][1]
    overflow = next((call.unsent.overflow for call in calls if call.unsent is not None), None)
    return closest(requests, overflow)


def _slots(record: SessionRecord) -> Mapping[str, SlotLimits]:
    checkout = record.evidence.checkout
    return checkout.slots if checkout is not None else {}


def _check_numbers(changes: Changes, limit: Limit | None) -> None:
    """Raise SourceError for numbers that no request could have, which the budget itself does not look at."""
    if limit is None and changes.reserve is not None and changes.reserve < 0:
        raise SourceError(
            say("A reserve of {reserve} tokens makes no sense: it must be 0 or more.", reserve=changes.reserve)
        )
    if changes.protected_turns is not None and changes.protected_turns < 0:
        raise SourceError(say("{n} protected turns make no sense: it must be 0 or more.", n=changes.protected_turns))


def _senseless(error: BudgetError, limit: Limit | None, changes: Changes) -> Sentence:
    window = changes.window if changes.window is not None else (limit.window if limit is not None else None)
    reserve = changes.reserve if changes.reserve is not None else (limit.reserve if limit is not None else None)
    if error.field == "maxInputTokens":
        return say("A window of {window} tokens makes no sense: it must be above 0.", window=window or 0)
    if error.field == "reservedForResponse":
        return say(
            "A reserve of {reserve} tokens makes no sense for a window of {window}: it must be 0 or more and leave "
            "something of the window.",
            reserve=reserve or 0,
            window=window or 0,
        )
    return plain(str(error))
