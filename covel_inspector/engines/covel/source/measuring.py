"""Streams the recorded calls of a file for the prefix measurement."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from covel_inspector.domain import MeasuredRequest, say
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.measure import PartReader


def measured_requests(
    database: CovelDatabase, session: str | None, numbers: Mapping[tuple[str, str], str]
) -> Iterator[MeasuredRequest]:
    """Each call taken apart, by ``created_at`` and ``seq``; a payload that cannot be parsed is skipped and noted.

    ``numbers`` gives the number of a turn by session and turn id, as far as it is known.
    """
    counts: Counter[tuple[str, str, str | None]] = Counter()
    reader = PartReader()
    for row in database.call_texts(session):
        taken = reader.read(row.payload)
        if taken is None:
            database.note_bad_call(row.id, say("column {column} holds no readable JSON object", column="payload"))
            continue
        runtime = taken.fields.get("runtimeId")
        name = runtime if isinstance(runtime, str) else None
        key = (row.session_id, row.turn_id, name)
        yield MeasuredRequest(
            session=row.session_id,
            runtime=name,
            turn_id=row.turn_id,
            row=row.id,
            turn=numbers.get((row.session_id, row.turn_id), ""),
            call=counts[key],
            started_at=_text(taken.fields, "startedAt"),
            model=_text(taken.fields, "model"),
            provider=_text(taken.fields, "provider"),
            protocol=taken.protocol,
            parts=taken.parts,
            attempt=_attempt(taken.fields),
            execution=_text(taken.fields, "flowId") or row.trace_id,
            parameters=taken.parameters,
        )
        counts[key] += 1


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _attempt(fields: dict[str, Any]) -> int:
    value = fields.get("attempt")
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
