"""A recorded call becomes a tree of segments."""

from covel_inspector.domain import Group, Kind, Segment, SegmentTree
from covel_inspector.domain.building import branch, tile
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.records.naming import GROUP_TITLES


def attribute(call: RecordedCall, moment: CallMoment, index: SessionIndex) -> SegmentTree:  # noqa: ARG001 - being built
    """The segments of a recorded call, as far as rows, files and the engine's own marks tell.

    Follows the reference on attribution. Every code point belongs to exactly one leaf; what nobody claims is
    an unknown leaf. Never raises for odd recordings; a call without messages gives a tree of what is there.
    """
    request = request_of(call.messages, call.tools, call.response_format)
    groups = []
    for group in Group:
        leaves: list[Segment] = []
        for number, part in enumerate(request.parts):
            if part.group is group:
                leaves.extend(tile(request.parts, number, ()))
        if leaves:
            groups.append(branch(Segment(group.value, Kind.GROUP, GROUP_TITLES[group]), leaves))
    return SegmentTree(request, tuple(groups))
