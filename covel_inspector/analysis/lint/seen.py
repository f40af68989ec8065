"""What a rule is shown: one call, or one session."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from covel_inspector.domain import (
    Absent,
    Address,
    Call,
    Group,
    Kind,
    LoreHistory,
    LoreState,
    Segment,
    SegmentTree,
    Session,
    Source,
    TemplateReport,
)

_OF_OTHERS = frozenset(
    {
        Kind.HISTORY,
        Kind.NOTE,
        Kind.SUMMARY,
        Kind.PLAYER_LINE,
        Kind.STORY,
        Kind.CUE,
        Kind.TOOL_CALL,
        Kind.TOOL_RESULT,
        Kind.REASONING,
        Kind.LOOP_NOTE,
        Kind.RETRY_HINT,
        Kind.PICTURES,
        Kind.UNKNOWN,
    }
)
"""Kinds that nobody declared: what players and models wrote, what the engine noted, and what nobody claims."""

_WHOLE = frozenset({Kind.BODY, Kind.INPUTS, Kind.EXPORTS})
"""Kinds whose branches are judged as one text."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A recorded call. ``before`` is the same runtime's request before this one, in this turn or an earlier one.

    ``template`` and ``left_out`` are there for the first call of a runtime in a turn.
    """

    call: Call
    tree: SegmentTree
    before: SegmentTree | None = None
    template: TemplateReport | None = None
    left_out: tuple[Absent, ...] = ()

    @property
    def address(self) -> Address:
        """The call's address."""
        return self.call.address

    def written(self) -> Iterator[Segment]:
        """The segments that somebody declared: no history, no player's line, no tool loop, nothing unknown.

        A body and a block of slots stand as one segment, whatever they are made of.
        """
        for group in self.tree.groups:
            if group.key in (Group.SYSTEM.value, Group.MESSAGES.value):
                yield from _written(group)


def _written(segment: Segment) -> Iterator[Segment]:
    for child in segment.children:
        if child.is_leaf or child.kind in _WHOLE:
            if child.kind not in _OF_OTHERS:
                yield child
        else:
            yield from _written(child)


@dataclass
class SeenSession:
    """A session; lorebook and history are asked for when a rule first needs them."""

    source: Source
    session: Session
    calls: Sequence[Call] = field(default=())

    @cached_property
    def main_runtime(self) -> str:
        """The runtime that was called in the most turns, the first of several; the empty string without any."""
        turns: dict[str, set[str]] = {}
        for call in self.calls:
            if not call.concealed and call.problem is None:
                turns.setdefault(call.address.runtime, set()).add(call.address.turn)
        return max(turns, key=lambda runtime: len(turns[runtime]), default="")

    @cached_property
    def lorebook(self) -> Sequence[LoreState]:
        """The entries as the last call of the main runtime found them."""
        own = [call.address for call in self.calls if call.address.runtime == self.main_runtime]
        return self.source.lorebook(own[-1]) if own else ()

    @cached_property
    def lore_history(self) -> LoreHistory | None:
        """When each entry was in, over the turns of the main runtime."""
        return self.source.lorebook_history(self.session.id, self.main_runtime) if self.main_runtime else None
