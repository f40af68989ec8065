"""The explaining half of Covel's source: finds what an explanation needs and hands it on."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from covel_inspector.domain import (
    Address,
    Call,
    Changes,
    Finding,
    LoreHistory,
    LoreState,
    PluginReport,
    Rule,
    SegmentTree,
    Sentence,
    TemplateReport,
)
from covel_inspector.engines.covel.attribution import CallMoment
from covel_inspector.engines.covel.explain.lint import RULES, engine_findings
from covel_inspector.engines.covel.explain.lint.late_system_message import SentRequest
from covel_inspector.engines.covel.explain.lore import lore_states
from covel_inspector.engines.covel.explain.lore_history import lore_history
from covel_inspector.engines.covel.explain.plugin_uses import Request, request_of
from covel_inspector.engines.covel.explain.plugins import plugin_reports
from covel_inspector.engines.covel.explain.sight import Sight, sight_of
from covel_inspector.engines.covel.explain.template import template_report
from covel_inspector.engines.covel.explain.unmatched import unmatched
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.rows import TraceRow


@dataclass(frozen=True, slots=True)
class _SessionCalls:
    """The calls of a session: as they were listed, by address, and the first of each turn by runtime."""

    calls: Sequence[Call]
    by_address: dict[Address, Call]
    first: dict[str, list[Address]]

    @classmethod
    def of(cls, calls: Sequence[Call], unsent: Iterable[Call]) -> "_SessionCalls":
        """Index the calls that were recorded, and those that were never sent."""
        first: dict[str, list[Address]] = {}
        for call in calls:
            if call.address.call == 0:
                first.setdefault(call.address.runtime, []).append(call.address)
        return cls(calls, {call.address: call for call in (*unsent, *calls)}, first)


class Explaining(ABC):
    """What is explained of a session. The other half of the source provides listings, records and trees."""

    @abstractmethod
    def calls(self, session: str, turn: str | None = None) -> Sequence[Call]:
        """The recorded calls of a session, or of one of its turns."""

    @abstractmethod
    def unsent(self, session: str, turn: str | None = None) -> Sequence[Call]:
        """Calls that failed before they were sent."""

    @abstractmethod
    def recorded(self, address: Address) -> SegmentTree | None:
        """The recorded request as a tree."""

    @abstractmethod
    def rebuilt(self, address: Address, changes: Changes | None = None) -> SegmentTree | None:
        """The request as the assembler builds it."""

    @abstractmethod
    def _record(self, session: str) -> SessionRecord | None: ...

    @abstractmethod
    def _call_moment(self, address: Address) -> CallMoment: ...

    @abstractmethod
    def _loop_traces(self, address: Address) -> tuple[TraceRow, ...]: ...

    def lorebook(self, address: Address) -> Sequence[LoreState]:
        """Every lorebook entry as a call found it."""
        sight = self._sight(address)
        return lore_states(sight) if sight is not None else ()

    def try_line(self, address: Address, text: str) -> Sequence[LoreState]:
        """The same, had the player written another line."""
        sight = self._sight(address)
        return lore_states(sight, text) if sight is not None else ()

    def lorebook_history(self, session: str, runtime: str) -> LoreHistory:
        """When each entry was in, over the turns of a runtime."""
        first = self._calls_of(session).first.get(runtime, ())
        return lore_history(session, runtime, self._sights(first))

    def plugins(self, session: str, turn: str) -> Sequence[PluginReport]:
        """What each plugin declares, and what of it was sent in a turn."""
        record = self._record(session)
        calls = self.calls(session, turn)
        requests = self._requests((*calls, *self.unsent(session, turn)))
        return plugin_reports(record, calls, requests) if record is not None else ()

    def template(self, address: Address) -> TemplateReport | None:
        """The body of a call with the values of its variables."""
        sight = self._sight(address)
        return template_report(sight, self._in_turn_before(address)) if sight is not None else None

    def unmatched(self, address: Address, changes: Changes) -> Sequence[Sentence]:
        """What of some changes names nothing that this call has."""
        sight = self._sight(address)
        models = {call.model for call in self.calls(address.session) if call.model}
        return tuple(unmatched(changes, sight, models)) if sight is not None else ()

    def finding_rules(self) -> Sequence[Rule]:
        """The rules that only this engine can check."""
        return RULES

    def findings(self, session: str) -> Sequence[Finding]:
        """What those rules find."""
        record = self._record(session)
        if record is None:
            return ()
        calls = self.calls(session)
        addresses: dict[str, Address] = {}
        for call in calls:
            addresses.setdefault(call.turn_id, call.address)
        return tuple(engine_findings(record, self._sent(calls), addresses))

    def _sent(self, calls: Iterable[Call]) -> Iterator[SentRequest]:
        for call in calls:
            tree = self.recorded(call.address)
            if tree is not None:
                yield SentRequest(call.address, call.slot, tree)

    def _in_turn_before(self, address: Address) -> Sight | None:
        """The first call of the same runtime in the newest turn before, whether this one was sent or not."""
        session = self._calls_of(address.session)
        call = session.by_address.get(address)
        earlier: Address | None = None
        for first in session.first.get(address.runtime, ()):
            if first.turn == address.turn or (call and session.by_address[first].started_at > call.started_at):
                break
            earlier = first
        return self._sight(earlier) if earlier is not None else None

    @cached_property
    def _known(self) -> dict[str, "_SessionCalls"]:
        return {}

    def _calls_of(self, session: str) -> "_SessionCalls":
        """The session's calls by address, made again when the session was read again."""
        calls = self.calls(session)
        known = self._known.get(session)
        if known is None or known.calls is not calls:
            known = self._known[session] = _SessionCalls.of(calls, self.unsent(session))
        return known

    def _requests(self, calls: Iterable[Call]) -> Iterator[Request]:
        """The requests of the calls that can be read."""
        for sight in self._sights(call.address for call in calls):
            request = request_of(sight)
            if request is not None:
                yield request

    def _sights(self, addresses: Iterable[Address]) -> Iterator[Sight]:
        for address in addresses:
            sight = self._sight(address)
            if sight is not None:
                yield sight

    def _sight(self, address: Address) -> Sight | None:
        """A call with what explains it; None for one that is not there or concealed."""
        call = self._calls_of(address.session).by_address.get(address)
        record = self._record(address.session) if call is not None else None
        if call is None or record is None or call.concealed:
            return None
        return sight_of(
            call,
            record,
            self._call_moment(address),
            self._loop_traces(address),
            self.recorded(address),
            lambda changes: self.rebuilt(address, changes),
        )
