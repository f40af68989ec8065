"""What a recorded tool loop no longer holds: middles of results, data of results, and calls folded into a list.

Derived by holding the recorded results against the stored ones. Follows the reference on the runtime, section 6.
"""

import json
from collections.abc import Iterator

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, Origin, Segment, SegmentTree, say
from covel_inspector.engines.covel.attribution import SessionIndex
from covel_inspector.engines.covel.attribution.cuts import cut_marker
from covel_inspector.engines.covel.attribution.stored_calls import stored_text
from covel_inspector.engines.covel.rebuild.leavings import cut_middle
from covel_inspector.engines.covel.rebuild.moment import Moment
from covel_inspector.engines.covel.records.naming import tool_call_title
from covel_inspector.engines.covel.records.rows import ToolCallRow

_FOLDED_LINE = "- {name}"


def loop_absences(tree: SegmentTree, moment: Moment, index: SessionIndex) -> Iterator[Absent]:
    """What budget steps took out of the tool loop of a recorded request."""
    stored = {
        row.id: row
        for (turn, runtime, _), rows in index.tool_rows.items()
        if turn == moment.turn_id and runtime == moment.runtime_id
        for row in rows
    }
    if not stored:
        return
    shown: set[str] = set()
    lists: list[Segment] = []
    for leaf in tree.leaves():
        if leaf.kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT) and leaf.origin.table == "tool_calls":
            shown.update(leaf.origin.rows)
            if leaf.kind is Kind.TOOL_RESULT:
                yield from _shortened(leaf, stored)
        elif leaf.kind in (Kind.LOOP_NOTE, Kind.UNKNOWN) and leaf.role == "system":
            lists.append(leaf)
    for row in stored.values():
        if row.id not in shown and row.created_at < moment.started_at:
            yield from _folded(row, lists)


def _shortened(leaf: Segment, stored: dict[str, ToolCallRow]) -> Iterator[Absent]:
    row = stored.get(leaf.origin.rows[0]) if leaf.origin.rows else None
    if row is None:
        return
    whole = stored_text(row.output)
    if leaf.text == whole:
        return
    if cut_marker(leaf.text, whole):
        middle = cut_middle(whole, leaf.text)
        note = say("the middle of this text, {n} characters, was cut out to fit the limit", n=len(middle))
        yield Absent(
            leaf.key, leaf.kind, leaf.title, AbsenceReason.CUT, note, middle, leaf.origin, leaf.key, Grade.STRUCTURAL
        )
    elif _lost_data(leaf.text, whole):
        note = say("the data of this tool result was left out to fit the limit")
        yield Absent(
            leaf.key, leaf.kind, leaf.title, AbsenceReason.OMITTED, note, whole, leaf.origin, leaf.key, Grade.STRUCTURAL
        )


def _lost_data(sent: str, whole: str) -> bool:
    """True when two results are the same but for the data of the first."""
    one, two = _object(sent), _object(whole)
    if "data" not in one or "data" not in two or one["data"] == two["data"]:
        return False
    return {**one, "data": None} == {**two, "data": None}


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _folded(row: ToolCallRow, lists: list[Segment]) -> Iterator[Absent]:
    """A call of this run that is not there itself, when a list in the loop has a line for it."""
    start = _FOLDED_LINE.format(name=row.tool_name)
    found = next((leaf for leaf in lists if any(line.startswith(start) for line in leaf.text.split("\n"))), None)
    if found is None:
        return
    note = say("this group of tool calls became a line of a short list to fit the limit")
    origin = Origin(plugin=row.plugin_id, runtime=row.runtime_id, table="tool_calls", rows=(row.id,))
    title = tool_call_title(row.tool_name)
    key = f"tool-row:{row.id}"
    text = stored_text(row.output)
    yield Absent(key, Kind.TOOL_RESULT, title, AbsenceReason.FOLDED, note, text, origin, found.key, Grade.STRUCTURAL)
