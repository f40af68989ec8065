"""Payloads of recorded calls a few at a time, so that a file of any size takes little more than its largest call.

The order comes first, from small columns alone: sorting the payloads themselves would hold all of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import say
from covel_inspector.engines.covel.database.connecting import one_line
from covel_inspector.engines.covel.database.queries import Where, quoted
from covel_inspector.engines.covel.database.tables import TableReader
from covel_inspector.engines.covel.database.traces import CALLING, LARGEST_PAYLOAD, NEEDED, TABLE

_ORDER = ("created_at", "seq")
_NAMED = ("session_id", "turn_id", "trace_id")
_MOST_AT_ONCE = 16
_CHARACTERS_AT_ONCE = 2_000_000
_COLUMNS = ("id", *_NAMED, "payload")


@dataclass(frozen=True, slots=True)
class CallText:
    """A recorded call as it is stored: the payload is JSON text, not parsed."""

    id: str
    session_id: str
    turn_id: str
    trace_id: str
    payload: str


def stream_calls(tables: TableReader, session: str | None) -> Iterator[CallText]:
    """The calls of a session (or of all) by ``created_at`` and ``seq``; few payloads in memory at a time.

    A payload that is no text, is empty or too large is skipped and noted as a bad row. Every step is a read of its
    own, so an iterator that is left half used keeps no transaction open.
    """
    if not tables.usable(TABLE, NEEDED):
        return
    key = "rowid" if TABLE in tables.layout.with_row_ids else quoted("id")
    order = _in_order(tables, session, key)
    start, count = 0, 1
    while start < len(order):
        largest = 1
        for call in _batch(tables, key, order[start : start + count]):
            largest = max(largest, len(call.payload))
            yield call
        start += count
        count = max(1, min(_MOST_AT_ONCE, _CHARACTERS_AT_ONCE // largest))


def _batch(tables: TableReader, key: str, rows: list[str | int]) -> Iterator[CallText]:
    """The calls of some rows in the given order. Several at once take less time, so small ones come together."""
    names = [name for name in _COLUMNS if tables.layout.has(TABLE, name)]
    marks = ", ".join("?" * len(rows))
    expressions = [key, *(quoted(name) for name in names)]
    found = {row: values for row, *values in tables.read(TABLE, expressions, Where().add(f"{key} IN ({marks})", *rows))}
    for row in rows:
        values = found.pop(row, None)
        call = None if values is None else _call(tables, row, dict(zip(names, values, strict=True)))
        if call is not None:
            yield call


def _call(tables: TableReader, row: str | int, found: dict[str, Any]) -> CallText | None:
    row_id = one_line(found.get("id", f"rowid {row}"))
    payload = found["payload"]
    if not isinstance(payload, str) or not payload:
        tables.report(TABLE, row_id, say("column {column} holds no readable JSON object", column="payload"))
        return None
    if len(payload) > LARGEST_PAYLOAD:
        size = len(payload)
        tables.report(TABLE, row_id, say("the payload is too large to be taken apart ({size} bytes)", size=size))
        return None
    session_id, turn_id, trace_id = (_text(found.get(name)) for name in _NAMED)
    return CallText(row_id, session_id, turn_id, trace_id, payload)


def _in_order(tables: TableReader, session: str | None, key: str) -> list[str | int]:
    """Keys of the rows, sorted. Two reads, each of columns that an index of the engine holds: no payload is passed."""
    calls = Where().equal("type", CALLING).equal("session_id", session)
    wanted = {row for (row,) in tables.read(TABLE, (key,), calls)}
    everything = tables.read(TABLE, (key,), Where().equal("session_id", session), _ORDER)
    return [row for (row,) in everything if row in wanted]


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
