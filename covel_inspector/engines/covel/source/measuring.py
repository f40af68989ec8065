"""Streams the recorded calls of a file for the prefix measurement."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from covel_inspector.domain import MeasuredRequest, say
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.measure import body_of, measured_parts, parameters_of

_TABLE = "trace_events"


def measured_requests(
    database: CovelDatabase, session: str | None, numbers: Mapping[tuple[str, str], str]
) -> Iterator[MeasuredRequest]:
    """Each call taken apart, by ``created_at`` and ``seq``; a payload that cannot be parsed is skipped and noted.

    ``numbers`` gives the number of a turn by session and turn id, as far as it is known.
    """
    counts: Counter[tuple[str, str, str | None]] = Counter()
    for row in database.call_texts(session):
        payload = _parsed(row.payload)
        if payload is None:
            database.note_bad_call(row.id, say("column {column} holds no readable JSON object", column="payload"))
            continue
        runtime = payload.get("runtimeId")
        name = runtime if isinstance(runtime, str) else None
        key = (row.session_id, row.turn_id, name)
        body = body_of(payload)
        yield MeasuredRequest(
            session=row.session_id,
            runtime=name,
            turn_id=row.turn_id,
            row=row.id,
            turn=numbers.get((row.session_id, row.turn_id), ""),
            call=counts[key],
            started_at=_text(payload, "startedAt"),
            model=_text(payload, "model"),
            provider=_text(payload, "provider"),
            protocol=_protocol(payload),
            parts=measured_parts(payload),
            attempt=_attempt(payload),
            execution=_text(payload, "flowId") or row.trace_id,
            parameters=parameters_of(body),
        )
        counts[key] += 1


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        payload = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _text(payload: dict[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _attempt(payload: dict[str, Any]) -> int:
    value = payload.get("attempt")
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _protocol(payload: dict[str, Any]) -> str:
    requests = payload.get("providerRequests")
    for request in requests if isinstance(requests, list) else ():
        protocol = request.get("protocol") if isinstance(request, dict) else None
        if isinstance(protocol, str) and protocol:
            return protocol
    return ""
