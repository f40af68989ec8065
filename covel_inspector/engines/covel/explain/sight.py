"""One call as everything that explains it sees it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from covel_inspector.domain import Address, Call, Changes, SegmentTree
from covel_inspector.engines.covel.attribution import CallMoment
from covel_inspector.engines.covel.rebuild.frozen import resumed_from
from covel_inspector.engines.covel.rebuild.moment import Moment, moment_of
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.rows import TraceRow

Rebuild = Callable[[Changes], SegmentTree | None]
"""The request of a call with some changes; None when it cannot be rebuilt."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A call that is not concealed. ``moment`` is when its context was made: for the first call of a resumed run that
    is when the run was suspended. ``rebuild`` is asked only where an answer depends on the whole request."""

    call: Call
    record: SessionRecord
    moment: Moment
    recorded: SegmentTree | None
    rebuild: Rebuild

    @property
    def address(self) -> Address:
        """The call's address."""
        return self.call.address


def sight_of(
    call: Call,
    record: SessionRecord,
    seen: CallMoment,
    traces: tuple[TraceRow, ...],
    recorded: SegmentTree | None,
    rebuild: Rebuild,
) -> Sight:
    """Put together what is known of a call. ``traces`` are the answers of its execution."""
    moment = moment_of(seen.turn_id, seen.runtime_id, seen.plugin_id, seen.started_at, record.executions)
    suspension = resumed_from(record, moment, traces)
    if suspension is not None:
        moment = replace(moment, started_at=suspension.created_at)
    return Sight(call, record, moment, recorded, rebuild)
