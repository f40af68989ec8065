"""Payloads of recorded calls one at a time, so that a file of any size takes the memory of its largest call.

The order comes first, from small columns alone: sorting the payloads themselves would hold all of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from covel_inspector.domain import say
from covel_inspector.engines.covel.database.connecting import one_line
from covel_inspector.engines.covel.database.queries import Where, quoted
from covel_inspector.engines.covel.database.tables import TableReader
from covel_inspector.engines.covel.database.traces import CALLING, LARGEST_PAYLOAD, NEEDED, TABLE

_ORDER = ("created_at", "seq")
_NAMED = ("session_id", "turn_id", "trace_id")
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
    """The calls of a session (or of all) by ``created_at`` and ``seq``; one payload in memory at a time.

    A payload that is no text, is empty or too large is skipped and noted as a bad row. Every step is a read of its
    own, so an iterator that is left half used keeps no transaction open.
    """
    if not tables.usable(TABLE, NEEDED):
        return
    key = "rowid" if TABLE in tables.layout.with_row_ids else quoted("id")
    names = [name for name in _COLUMNS if tables.layout.has(TABLE, name)]
    for row in _in_order(tables, session, key):
        for values in list(tables.read(TABLE, [quoted(name) for name in names], Where().add(f"{key} = ?", row))):
            found = dict(zip(names, values, strict=True))
            row_id = one_line(found.get("id", f"rowid {row}"))
            payload = found["payload"]
            if not isinstance(payload, str) or not payload:
                tables.report(TABLE, row_id, say("column {column} holds no readable JSON object", column="payload"))
            elif len(payload) > LARGEST_PAYLOAD:
                size = len(payload)
                tables.report(
                    TABLE, row_id, say("the payload is too large to be taken apart ({size} bytes)", size=size)
                )
            else:
                session_id, turn_id, trace_id = (_text(found.get(name)) for name in _NAMED)
                yield CallText(row_id, session_id, turn_id, trace_id, payload)


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
