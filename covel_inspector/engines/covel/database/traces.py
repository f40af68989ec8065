"""Reading ``trace_events``: light lists by fields that the database takes out, payloads only when asked for.

Follows the reference on the database, sections 5 and 7.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.database.connecting import RepairedText, one_line
from covel_inspector.engines.covel.database.decoding import (
    UndecodableError,
    complaint,
    decode_json,
    lone_surrogates,
    repaired_text,
)
from covel_inspector.engines.covel.database.queries import Where, quoted
from covel_inspector.engines.covel.database.shapes import TRACES
from covel_inspector.engines.covel.database.tables import TableReader
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import BadRow, CallRow, EventMarkRow, ResponseRow, TraceRow

TABLE = "trace_events"
LARGEST_PAYLOAD = 1 << 28
"""Bytes of payload above which a call is not parsed: its text can still be read."""

CALLING = "llm.calling"
RESPONDED = "llm.responded"
NEEDED = ("session_id", "type", "payload")
_READABLE = "typeof(payload) = 'text' AND json_valid(payload) AND json_type(payload) = 'object'"
_ORDER = ("created_at", "seq")
_COLUMNS = ("id", "session_id", "turn_id", "trace_id", "created_at", "seq", "type")

_CALL_FIELDS = {
    "runtime_id": "$.runtimeId",
    "plugin_id": "$.pluginId",
    "slot": "$.slot",
    "model": "$.model",
    "provider": "$.provider",
    "attempt": "$.attempt",
    "started_at": "$.startedAt",
    "payload_seq": "$.seq",
    "concealed": "$.concealed",
}
_RESPONSE_FIELDS = {
    "runtime_id": "$.runtimeId",
    "attempt": "$.attempt",
    "payload_seq": "$.seq",
    "finish_reason": "$.finishReason",
    "input_tokens": "$.usage.inputTokens",
    "output_tokens": "$.usage.outputTokens",
    "cached_input_tokens": "$.usage.cachedInputTokens",
    "cache_write_input_tokens": "$.usage.cacheWriteInputTokens",
    "duration_ms": "$.durationMs",
    "error": "$.error",
}
_MARK_FIELDS = {"runtime_id": "$.runtimeId", "status": "$.status"}


def _of_types(types: Sequence[str], session: str | None, turn_id: str | None = None) -> Where:
    """Rows of these event types in a session (or all) and turn (or all)."""
    return Where().equal("session_id", session).equal("turn_id", turn_id).among("type", types)


@dataclass(frozen=True, slots=True)
class LightRow:
    """A trace event without its payload: its columns, the fields taken out of the payload, and what is wrong."""

    columns: dict[str, Any]
    fields: dict[str, Any]
    problem: Sentence | None = None


def call_rows(
    tables: TableReader, session: str | None = None, turn_id: str | None = None, after: int | None = None
) -> list[CallRow]:
    """Calls by small fields; a broken payload gives a row with ``problem``."""
    where = _of_types([CALLING], session, turn_id).after(after)
    return [_call_row(tables, light) for light in _light(tables, where, _CALL_FIELDS)]


def _call_row(tables: TableReader, light: LightRow) -> CallRow:
    # Only what says so is concealed: null and a missing field mean no.
    fields = light.fields | {"concealed": bool(light.fields.get("concealed"))}
    try:
        return CallRow(**light.columns, **fields, problem=light.problem)
    except ValidationError as error:
        problem = complaint(error, _paths(_CALL_FIELDS))
    _report(tables, light.columns["id"], problem)
    return CallRow.model_construct(**_showable(light.columns), problem=problem)


def responses(tables: TableReader, session: str | None, after: int | None = None) -> list[ResponseRow]:
    """Answers by small fields; one that does not validate is a bad row."""
    listed = []
    for light in _light(tables, _of_types([RESPONDED], session).after(after), _RESPONSE_FIELDS):
        fields = dict(light.fields)
        if not isinstance(fields.get("error", ""), str):
            fields["error"] = json.dumps(fields["error"], ensure_ascii=False)
        try:
            listed.append(ResponseRow(**light.columns, **fields))
        except ValidationError as error:
            _report(tables, light.columns["id"], complaint(error, _paths(_RESPONSE_FIELDS)))
    return listed


def event_marks(tables: TableReader, session: str, types: Sequence[str]) -> list[EventMarkRow]:
    """Events of these types with their runtime; a broken payload leaves the runtime empty."""
    listed = []
    for light in _light(tables, _of_types(types, session), _MARK_FIELDS):
        texts = {name: value for name, value in light.fields.items() if isinstance(value, str)}
        try:
            listed.append(EventMarkRow(**light.columns, **texts))
        except ValidationError as error:
            _report(tables, light.columns["id"], complaint(error, {}))
    return listed


def traces(tables: TableReader, session: str, types: Sequence[str], turn_id: str | None) -> list[TraceRow]:
    """Whole events of these types."""
    if not types or not tables.usable(TABLE, NEEDED):
        return []
    where = _of_types(types, session, turn_id)
    return tables.select(TRACES, where)


def payload_text(tables: TableReader, row_id: str) -> str | None:
    """The payload of a row as it is stored, unreadable characters replaced; None when there is no such row."""
    if not tables.usable(TABLE, ("id", "payload")):
        return None
    for (payload,) in list(tables.read(TABLE, ("payload",), Where().equal("id", row_id))):
        if isinstance(payload, bytes):
            return payload.decode("utf-8", "replace")
        if type(payload) is RepairedText:
            _report(tables, row_id, repaired_text("payload"))
        return "" if payload is None else str(payload)
    return None


def recorded_call(tables: TableReader, row_id: str) -> RecordedCall | BadRow:
    """The payload of a call, parsed; a bad row with the reason when that is not possible."""
    text = payload_text(tables, row_id)
    if text is None:
        return _report(tables, row_id, say("there is no such row"))
    if not text:
        return _report(tables, row_id, say("column {column} is empty", column="payload"))
    if len(text) > LARGEST_PAYLOAD:
        return _report(tables, row_id, say("the payload is too large to be taken apart ({size} bytes)", size=len(text)))
    try:
        decoded = decode_json(text, "payload")
    except UndecodableError as error:
        return _report(tables, row_id, error.sentence)
    if not isinstance(decoded.value, dict):
        return _report(tables, row_id, _no_object())
    if decoded.repaired:
        # The engine's own cuts leave halves of characters in texts: what was sent stays as it was sent.
        try:
            return RecordedCall.model_validate(_without_null(decoded.raw))
        except ValidationError:
            _report(tables, row_id, lone_surrogates("payload"))
    given = _without_null(decoded.value)
    try:
        return RecordedCall.model_validate(given)
    except ValidationError as error:
        return _report(tables, row_id, complaint(error, {name: f"payload.{name}" for name in given}))


def _without_null(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload without fields that hold null: they read as missing."""
    return {name: value for name, value in payload.items() if value is not None}


def _report(tables: TableReader, row_id: object, sentence: Sentence) -> BadRow:
    return tables.report(TABLE, one_line(row_id), sentence)


def _light(tables: TableReader, where: Where, fields: Mapping[str, str]) -> list[LightRow]:
    """Rows without their payloads, ``payload_bytes`` and the row id ``row`` among the columns.

    One ``json_extract`` with all paths: the database parses each payload once.
    """
    if not tables.usable(TABLE, NEEDED):
        return []
    layout = tables.layout
    names = [name for name in _COLUMNS if layout.has(TABLE, name)]
    paths = ", ".join(f"'{path}'" for path in fields.values())
    expressions = [
        *(quoted(name) for name in names),
        "rowid" if TABLE in layout.with_row_ids else "0",
        "length(CAST(payload AS BLOB))",
        f"CASE WHEN {_READABLE} THEN json_extract(payload, {paths}) END",
    ]
    listed = []
    for *values, row, size, extracted in tables.read(TABLE, expressions, where, _ORDER):
        columns = {name: _exact(value) for name, value in zip(names, values, strict=True) if value is not None}
        columns |= {"row": row, "payload_bytes": size or 0}
        columns.setdefault("id", f"rowid {row}")
        listed.append(_taken_apart(tables, columns, extracted, fields))
    return listed


def _taken_apart(
    tables: TableReader, columns: dict[str, Any], extracted: str | None, fields: Mapping[str, str]
) -> LightRow:
    """``extracted`` is a JSON list in the order of the fields, None when the payload could not be read."""
    row_id = str(columns["id"])
    if extracted is None:
        empty = columns["payload_bytes"] == 0
        problem = say("column {column} is empty", column="payload") if empty else _no_object()
        _report(tables, row_id, problem)
        return LightRow(columns, {}, problem)
    try:
        values = decode_json(extracted, "payload").value
    except UndecodableError as error:
        _report(tables, row_id, error.sentence)
        return LightRow(columns, {}, error.sentence)
    if type(extracted) is RepairedText:
        _report(tables, row_id, repaired_text("payload"))
    found = {name: value for name, value in zip(fields, values, strict=True) if value is not None}
    return LightRow(columns, found)


def _no_object() -> Sentence:
    return say("column {column} holds no readable JSON object", column="payload")


def _paths(fields: Mapping[str, str]) -> dict[str, str]:
    """Names of fields as people find them in the payload."""
    return {name: f"payload{path.removeprefix('$')}" for name, path in fields.items()}


def _exact(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value


def _showable(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns of a row that did not validate, with the right types."""
    numbers = {name: columns.get(name) for name in ("row", "payload_bytes", "seq")}
    texts = {name: _text(columns.get(name)) for name in ("id", "session_id", "turn_id", "trace_id", "created_at")}
    return texts | {name: value if isinstance(value, int) else 0 for name, value in numbers.items()}


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
