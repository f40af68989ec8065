"""A recorded call becomes a tree of segments."""

from collections.abc import Mapping, Sequence

from covel_inspector.domain import (
    Absent,
    Boundary,
    Field,
    Grade,
    Group,
    Kind,
    Origin,
    Part,
    Place,
    Segment,
    SegmentTree,
    Sentence,
    say,
)
from covel_inspector.engines.covel.attribution.bodies import with_messages
from covel_inspector.engines.covel.attribution.claims import Claim, Label, leaves, unknown, with_unique_keys
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.attribution.loop import LOOP, LoopReader, reasoning
from covel_inspector.engines.covel.attribution.messages import Layout, lay_out
from covel_inspector.engines.covel.attribution.pictures import pictures_branch
from covel_inspector.engines.covel.attribution.summaries import read_envelope
from covel_inspector.engines.covel.attribution.system_prompt import read_system_prompt
from covel_inspector.engines.covel.attribution.tags import with_doubted_tags
from covel_inspector.engines.covel.attribution.turn_context import CONTEXT
from covel_inspector.engines.covel.records.calls import KernelMessage, RecordedCall
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.records.naming import GROUP_TITLES, TITLES, history_title, tool_title

_CONTENT = frozenset({Field.CONTENT, Field.TEXT_PART, Field.MEDIA_PART})

Numbered = tuple[int, Part]

_READ_BACK = say("Read back from the provider's body, because the trace holds no kernel messages.")
_TOOL_REASON = say("a tool definition of the request")
_FORMAT_REASON = say("the response format of the request")
_HISTORY_REASON = say("from the first to the last message that is a row")


def attribute(call: RecordedCall, moment: CallMoment, index: SessionIndex) -> SegmentTree:
    """The segments of a recorded call, as far as rows, files and the engine's own marks tell.

    Follows the reference on attribution. Every code point belongs to exactly one leaf; what nobody claims is
    an unknown leaf. A recording without kernel messages is read from its last provider body instead. Never raises
    for odd recordings; a call without messages gives a tree of what is there.
    """
    recorded = call
    call = with_messages(call, index.rows_by_text)
    notes = () if call is recorded else (_READ_BACK,)
    request = request_of(call.messages, call.tools, call.response_format)
    parts = list(enumerate(request.parts))
    by_group = {group: [numbered for numbered in parts if numbered[1].group is group] for group in Group}
    boundaries: list[Boundary] = []
    absent: list[Absent] = []
    children = {
        Group.TOOLS: [_tool(number, part, moment) for number, part in by_group[Group.TOOLS]],
        Group.SYSTEM: _system(by_group[Group.SYSTEM], moment, index, boundaries, absent),
        Group.MESSAGES: _messages(call, moment, index, by_group),
        Group.RESPONSE_FORMAT: [
            _response_format(number, part, call, moment, index) for number, part in by_group[Group.RESPONSE_FORMAT]
        ],
    }
    groups = tuple(
        Segment(group.value, Kind.GROUP, GROUP_TITLES[group], children=with_unique_keys(segments), notes=notes)
        for group, segments in children.items()
        if segments
    )
    return SegmentTree(request, with_doubted_tags(groups), tuple(boundaries), tuple(absent))


def _tool(number: int, part: Part, moment: CallMoment) -> Segment:
    label = Label(
        f"tool:{part.name or part.index}",
        Kind.TOOL,
        tool_title(part.name or str(part.index)),
        Grade.STRUCTURAL,
        _TOOL_REASON,
        Origin(runtime=moment.runtime_id),
    )
    return label.leaf(part.text, Place(number, 0, len(part.text)))


def _response_format(number: int, part: Part, call: RecordedCall, moment: CallMoment, index: SessionIndex) -> Segment:
    manifest = index.runtime(moment.runtime_id)
    recorded = call.response_format
    schema = recorded.get("schema", recorded) if isinstance(recorded, Mapping) else recorded
    equal = manifest is not None and manifest.output_schema is not None and manifest.output_schema == schema
    label = Label(
        "response-format",
        Kind.RESPONSE_FORMAT,
        TITLES[Kind.RESPONSE_FORMAT],
        Grade.EXACT if equal else Grade.STRUCTURAL,
        say("equal to the output schema that the runtime declares") if equal else _FORMAT_REASON,
        Origin(plugin=moment.plugin_id, runtime=moment.runtime_id),
    )
    return label.leaf(part.text, Place(number, 0, len(part.text)))


def _system(
    numbered: Sequence[Numbered],
    moment: CallMoment,
    index: SessionIndex,
    boundaries: list[Boundary],
    absent: list[Absent],
) -> list[Segment]:
    segments: list[Segment] = []
    for number, part in numbered:
        claims: list[Claim] = []
        if len(numbered) == 1:
            prompt = read_system_prompt(part.text, number, moment, index)
            claims = prompt.claims
            boundaries.extend(prompt.boundaries)
            absent.extend(prompt.absent)
        segments.extend(leaves(part, number, claims) or [unknown(0).leaf("", Place(number, 0, 0), part.role)])
    return segments


def _messages(
    call: RecordedCall, moment: CallMoment, index: SessionIndex, by_group: Mapping[Group, list[Numbered]]
) -> list[Segment]:
    """The message group: rows, blocks and calls in order, history and tool loop as branches."""
    parts: dict[int, list[Numbered]] = {}
    for number, part in by_group[Group.MESSAGES]:
        parts.setdefault(part.index, []).append((number, part))
    layout = lay_out(call.messages, moment, max(call.attempt, moment.attempt), index)
    writer = _Writer(call.messages, layout, parts, moment, index)
    segments = writer.stretch(layout.first, layout.history[0] or layout.first)
    if layout.history[1]:
        inside = writer.stretch(*layout.history)
        rows = sum(1 for segment in inside if segment.kind in (Kind.HISTORY, Kind.NOTE))
        label = Label("history", Kind.HISTORY, history_title(rows), Grade.STRUCTURAL, _HISTORY_REASON)
        segments.append(label.branch(inside))
    segments.extend(writer.stretch(layout.history[1] or layout.first, layout.loop))
    if layout.loop < layout.end:
        segments.append(LOOP.branch(writer.loop(layout.loop, layout.end)))
    segments.extend(writer.stretch(layout.end, len(call.messages)))
    return segments


class _Writer:
    """Makes the segments of messages from their layout."""

    def __init__(
        self,
        messages: Sequence[KernelMessage],
        layout: Layout,
        parts: Mapping[int, list[Numbered]],
        moment: CallMoment,
        index: SessionIndex,
    ) -> None:
        self._messages = messages
        self._layout = layout
        self._parts = parts
        self._moment = moment
        self._index = index
        self._unknown = 0

    def stretch(self, start: int, end: int) -> list[Segment]:
        """The segments of the messages ``start`` up to ``end``."""
        segments: list[Segment] = []
        labels, of_message = self._layout.labels, self._parts
        for number in range(start, end):
            parts = of_message[number]
            label = labels.get(number)
            if label is not None and len(parts) == 1 and parts[0][1].field is Field.CONTENT:
                at, part = parts[0]
                segments.append(label.leaf(part.text, Place(at, 0, len(part.text)), part.role))
            else:
                segments.extend(self._message(number))
        return segments

    def loop(self, start: int, end: int) -> list[Segment]:
        """The segments of the tool loop."""
        current = self._layout.labels.get(self._layout.current)
        row = "".join(current.origin.rows) if current is not None else ""
        reader = LoopReader(self._moment, self._index, self._messages[start:end], row)
        segments: list[Segment] = []
        for number in range(start, end):
            segments.extend(reader.read(self._messages[number], self._parts[number]))
        return segments

    def _message(self, number: int) -> list[Segment]:
        parts = self._parts[number]
        content = [numbered for numbered in parts if numbered[1].field in _CONTENT]
        segments = self._content(number, content) if content else []
        if len(content) < len(parts):
            segments.extend(
                reasoning(part, number).leaf(part.text, Place(at, 0, len(part.text)), part.role)
                for at, part in parts
                if part.field not in _CONTENT
            )
        return segments

    def _content(self, number: int, parts: list[Numbered]) -> list[Segment]:
        layout = self._layout
        label = layout.labels.get(number)
        if label is not None:
            return [label.leaf(part.text, Place(at, 0, len(part.text)), part.role) for at, part in parts]
        if number == layout.pictures:
            return [pictures_branch(parts, self._index, self._moment.started_at)]
        at, part = parts[0]
        if number == layout.context:
            return [CONTEXT.branch(leaves(part, at, layout.context_claims), part.role)]
        if number in layout.envelopes:
            envelope = layout.envelopes.index(number) + 1
            is_copy = number in layout.copies
            claim = read_envelope(part.text, self._index, envelope, self._moment.started_at, is_copy=is_copy)
            return leaves(part, at, [claim])
        return [self._unread(at, part) for at, part in parts]

    def _unread(self, at: int, part: Part) -> Segment:
        label = unknown(self._unknown, self._why(part))
        self._unknown += 1
        return label.leaf(part.text, Place(at, 0, len(part.text)), part.role)

    def _why(self, part: Part) -> tuple[Sentence, ...]:
        if part.role == "system":
            return (say("A segment added by code, a lorebook entry edited since, or a hook's text."),)
        return (say("No history row with this text was committed before the call."),)
