"""Which stored tool call each call of a loop is. Step n of the reference on attribution, section 3.

A turn may hold more equal calls than the request shows: those of an earlier attempt, and those of later steps.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence

from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.rows import ToolCallRow

Paired = dict[int, tuple[ToolCallRow | None, bool]]
"""Number of the call in its loop, from 1 -> its row, and whether no other row can be meant."""


def paired_calls(messages: Sequence[KernelMessage], moment: CallMoment, index: SessionIndex) -> Paired:
    """The stored calls of a loop's calls: by name and arguments, among equal ones by what they answered.

    Equal calls without a telling answer are taken in order, surely so only when there are as many rows as calls.
    """
    answers = {message.tool_call_id: message.content for message in messages if message.role == "tool"}
    alike: dict[tuple[str, str], list[tuple[int, object]]] = defaultdict(list)
    number = 0
    for message in messages:
        for call in message.tool_calls or ():
            number += 1
            given = stringify(_decoded(call.get("arguments")))
            alike[str(call.get("name", "")), given].append((number, answers.get(str(call.get("id", "")))))
    found: Paired = {}
    for (name, given), calls in alike.items():
        stored = index.tool_rows.get((moment.turn_id, moment.runtime_id, name), ())
        # Values that only Python takes for equal, as true and 1, have different texts.
        rows = [row for row in stored if stringify(row.input) == given and not row.created_at > moment.started_at > ""]
        if rows:
            found.update(_paired(calls, rows))
    return found


def _paired(calls: Sequence[tuple[int, object]], rows: Sequence[ToolCallRow]) -> Paired:
    """Equal calls, each with the text of its answer, and the rows they can be."""
    found: Paired = {}
    texts = Counter(stored_text(row.output) for row in rows)
    given = Counter(text for _, text in calls if isinstance(text, str))
    of_text = {stored_text(row.output): row for row in rows}
    for number, text in calls:
        if isinstance(text, str) and texts[text] == given[text] == 1:
            found[number] = (of_text[text], True)
    taken = {row.id for row, _ in found.values() if row is not None}
    left = [row for row in rows if row.id not in taken]
    open_calls = [number for number, _ in calls if number not in found]
    sure = len(left) == len(open_calls)
    found.update((number, (row, sure)) for number, row in zip(open_calls, left, strict=False))
    return found


def _decoded(arguments: object) -> object:
    """The arguments of a call; invalid JSON is stored as no arguments."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return {}


def stored_text(output: object) -> str:
    """A stored tool result as the text of a message."""
    return output if isinstance(output, str) else stringify(output)
