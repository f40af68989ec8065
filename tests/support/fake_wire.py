"""A body for the made-up requests: the Chat protocol's shape, one message a part, the last one marked."""

from covel_inspector.domain import BodySource, Group, Place, Protocol, SegmentTree, WireBody, WireMark, WireTrace, say


def chat_body(tree: SegmentTree, protocol: Protocol, source: BodySource) -> WireBody:
    """The body of a tree in the shape of the Chat protocol, whatever protocol it is called."""
    messages: list[dict[str, str]] = []
    traces: list[WireTrace] = []
    for number, part in enumerate(tree.request.parts):
        if part.group in (Group.SYSTEM, Group.MESSAGES):
            place = Place(number, 0, len(part.text))
            traces.append(WireTrace(("messages", len(messages), "content"), 0, len(part.text), place))
            messages.append({"role": part.role, "content": part.text})
    last = traces[-1]
    marks = (WireMark(1, last.path[:-1], last.place, say("the end of the request")),)
    body = {"model": "imaginary-large", "messages": messages, "stream": True, "temperature": 0.7}
    notes = (say("the trace left out fields of the body, or an address in it"),)
    return WireBody(protocol, source, body, "/v1/chat/completions", tuple(traces), marks, notes)
