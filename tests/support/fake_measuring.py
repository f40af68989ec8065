"""A made-up call as the prefix measurement sees it."""

from collections import Counter

from covel_inspector.domain import Call, Group, MeasuredPart, MeasuredRequest, SegmentTree

_NAMES = {Group.TOOLS: "tool", Group.SYSTEM: "system", Group.MESSAGES: "message", Group.RESPONSE_FORMAT: "format"}


def measured_request(call: Call, tree: SegmentTree) -> MeasuredRequest:
    """A part for each part of the request."""
    counts = Counter[Group]()
    parts = []
    for part in tree.request.parts:
        counts[part.group] += 1
        label = f"{_NAMES[part.group]} {counts[part.group]} ({part.name or part.role or '?'})"
        parts.append(MeasuredPart(label, part.text, role=part.role))
    address = call.address
    return MeasuredRequest(
        session=address.session,
        runtime=address.runtime,
        turn_id=call.turn_id,
        row=call.row,
        turn=address.turn,
        call=address.call,
        started_at=call.started_at,
        model=call.model,
        provider=call.provider,
        parts=tuple(parts),
        attempt=call.attempt,
    )
