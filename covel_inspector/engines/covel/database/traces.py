"""Reading ``trace_events``: light lists by fields that the database takes out, payloads only when asked for.

Follows the reference on the database, sections 5 and 7.
"""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.database.connecting import RepairedText, without_lone_surrogates
from covel_inspector.engines.covel.database.decoding import (
    UndecodableError,
    complaint,
    decode_json,
    lone_surrogates,
    repaired_text,
)
from covel_inspector.engines.covel.database.shapes import TRACES
from covel_inspector.engines.covel.database.tables import TableReader
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import BadRow, CallRow, Counts, EventMarkRow, ResponseRow, TraceRow

TABLE = "trace_events"
LARGEST_PAYLOAD = 1 << 28
"""Bytes of payload above which a call is not parsed: its text can still be read."""

_CALLING = "llm.calling"
_RESPONDED = "llm.responded"
_NEEDED = ("session_id", "type", "payload")
_PLAIN = ("id", "session_id", "turn_id", "trace_id", "created_at", "seq", "type")

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


class Where:
    """Conditions joined by AND, with their parameters."""

    def __init__(self) -> None:
        self._conditions: list[str] = []
        self.parameters: list[str | int] = []

    def add(self, condition: str, *parameters: str | int) -> "Where":
        """One more condition."""
        self._conditions.append(condition)
        self.parameters += parameters
        return self

    def equal(self, column: str, value: str | None) -> "Where":
        """``column = value``, unless the value is None."""
        return self if value is None else self.add(f"{column} = ?", value)

    def __str__(self) -> str:
        return " AND ".join(self._conditions) or "1"


def of_types(types: Sequence[str], session: str | None, turn_id: str | None) -> Where:
    """Rows of these event types in a session (or all) and turn (or all)."""
    where = Where().equal("session_id", session).equal("turn_id", turn_id)
    marks = ", ".join("?" * len(types))
    return where.add(f"type IN ({marks})", *types)


def call_rows(
    tables: TableReader, session: str | None = None, turn_id: str | None = None, after: int | None = None
) -> list[CallRow]:
    """Calls by small fields; a broken payload gives a row with ``problem``."""
    where = of_types([_CALLING], session, turn_id)
    if after is not None:
        where.add("rowid > ?", after)
    listed = []
    for plain, fields in _light(tables, where, _CALL_FIELDS):
        # false and null alike mean that nothing is concealed.
        fields["concealed"] = bool(fields.get("concealed"))
        listed.append(_call_row(tables, plain, fields))
    return listed


def _call_row(tables: TableReader, plain: dict[str, Any], fields: dict[str, Any]) -> CallRow:
    problem = plain.pop("problem", None)
    try:
        return CallRow(**plain, **_given(fields), problem=problem)
    except ValidationError as error:
        problem = complaint(error, {name: f"payload{path[1:]}" for name, path in _CALL_FIELDS.items()})
    tables.report(TABLE, str(plain.get("id")), problem)
    return CallRow.model_construct(**_texts(plain), problem=problem)


def responses(tables: TableReader, session: str | None, after: int | None = None) -> list[ResponseRow]:
    """Answers by small fields; broken ones are bad rows."""
    where = of_types([_RESPONDED], session, None)
    if after is not None:
        where.add("rowid > ?", after)
    listed = []
    for plain, fields in _light(tables, where, _RESPONSE_FIELDS):
        plain.pop("problem", None)
        if not isinstance(fields.get("error"), str | None):
            fields["error"] = json.dumps(fields["error"], ensure_ascii=False)
        try:
            listed.append(ResponseRow(**plain, **_given(fields)))
        except ValidationError as error:
            columns = {name: f"payload{path[1:]}" for name, path in _RESPONSE_FIELDS.items()}
            tables.report(TABLE, str(plain.get("id")), complaint(error, columns))
    return listed


def event_marks(tables: TableReader, session: str, types: Sequence[str]) -> list[EventMarkRow]:
    """Events of these types with their runtime; broken payloads keep an empty runtime."""
    listed = []
    for plain, fields in _light(tables, of_types(types, session, None), _MARK_FIELDS):
        plain.pop("problem", None)
        texts = {name: value for name, value in fields.items() if isinstance(value, str)}
        try:
            listed.append(EventMarkRow(**plain, **texts))
        except ValidationError as error:
            tables.report(TABLE, str(plain.get("id")), complaint(error, {}))
    return listed


def traces(tables: TableReader, session: str, types: Sequence[str], turn_id: str | None) -> list[TraceRow]:
    """Whole events of these types."""
    if not types or not tables.usable(TABLE, _NEEDED):
        return []
    where = of_types(types, session, turn_id)
    return tables.select(TRACES, str(where), where.parameters)


def payload_text(tables: TableReader, row_id: str) -> str | None:
    """The payload of a row as it is stored, unreadable characters replaced; None when there is no such row."""
    if not tables.usable(TABLE, ("id", "payload")):
        return None
    statement = "SELECT payload FROM trace_events WHERE id = ?"
    for (payload,) in tables.fetch(TABLE, statement, (row_id,)):
        if isinstance(payload, bytes):
            return payload.decode("utf-8", "replace")
        if type(payload) is RepairedText:
            tables.report(TABLE, row_id, repaired_text("payload"))
        return "" if payload is None else str(payload)
    return None


def recorded_call(tables: TableReader, row_id: str) -> RecordedCall | BadRow:
    """The payload of a call, parsed; a bad row with the reason when that is not possible."""
    text = payload_text(tables, row_id)
    if text is None:
        return tables.report(TABLE, row_id, say("there is no such row"))
    if len(text) > LARGEST_PAYLOAD:
        return tables.report(
            TABLE, row_id, say("the payload is too large to be taken apart ({size} bytes)", size=len(text))
        )
    if not text:
        return tables.report(TABLE, row_id, say("column {column} is empty", column="payload"))
    try:
        decoded = decode_json(text, "payload")
        if not isinstance(decoded.value, dict):
            return tables.report(TABLE, row_id, _no_object())
        call = RecordedCall.model_validate(_given(decoded.value))
    except UndecodableError as error:
        return tables.report(TABLE, row_id, error.sentence)
    except ValidationError as error:
        return tables.report(TABLE, row_id, complaint(error, {name: f"payload.{name}" for name in decoded.value}))
    if decoded.repaired:
        tables.report(TABLE, row_id, lone_surrogates("payload"))
    return call


def counts(tables: TableReader) -> Counts:
    """Sessions, calls and runtimes. The runtimes are read from the answers when each call has one: those are small."""
    if not tables.usable(TABLE, _NEEDED):
        return Counts(sessions=_count(tables, "sessions", ""))
    calls = _count(tables, TABLE, f"type = '{_CALLING}'")
    answered = _count(tables, TABLE, f"type = '{_RESPONDED}'") == calls
    statement = (
        "SELECT count(DISTINCT CASE WHEN json_valid(payload) THEN json_extract(payload, '$.runtimeId') END)"
        " FROM trace_events WHERE type = ?"
    )
    runtimes = next(tables.fetch(TABLE, statement, (_RESPONDED if answered else _CALLING,)), (0,))[0]
    return Counts(sessions=_count(tables, "sessions", ""), calls=calls, runtimes=runtimes)


def session_counts(tables: TableReader, session: str) -> tuple[int, int]:
    """Player turns (by their rows or executions) and calls of a session."""
    turns: set[str] = set()
    for table, column, value in (("turn_messages", "source_type", "player"), ("turn_results", "origin", "player")):
        if tables.usable(table, ("session_id", "turn_id", column)):
            statement = f"SELECT DISTINCT turn_id FROM {table} WHERE session_id = ? AND {column} = ?"  # noqa: S608 - constants
            turns.update(str(row[0]) for row in tables.fetch(table, statement, (session, value)))
    calls = 0
    if tables.usable(TABLE, _NEEDED):
        statement = f"SELECT count(*) FROM {TABLE} WHERE session_id = ? AND type = ?"  # noqa: S608 - a constant
        calls = next(tables.fetch(TABLE, statement, (session, _CALLING)), (0,))[0]
    return len(turns), calls


def _count(tables: TableReader, table: str, where: str) -> int:
    if not tables.usable(table, ()):
        return 0
    statement = f"SELECT count(*) FROM {table} WHERE {where or 1}"  # noqa: S608 - names are ours
    return int(next(tables.fetch(table, statement), (0,))[0])


def _light(tables: TableReader, where: Where, fields: dict[str, str]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Rows without payload: plain columns (with ``payload_bytes`` and maybe ``problem``) and fields of the payload.

    One ``json_extract`` with all paths: the database parses each payload once.
    """
    if not tables.usable(TABLE, _NEEDED):
        return []
    layout = tables.layout
    names = [name for name in _PLAIN if layout.has(TABLE, name)]
    paths = ", ".join(f"'{path}'" for path in fields.values())
    columns = [f'"{name}"' for name in names]
    columns.append("rowid" if TABLE in layout.with_row_ids else "0")
    columns.append("length(CAST(payload AS BLOB))")
    columns.append(
        "CASE WHEN typeof(payload) = 'text' AND json_valid(payload) AND json_type(payload) = 'object'"
        f" THEN json_extract(payload, {paths}) END"
    )
    statement = f"SELECT {', '.join(columns)} FROM {TABLE} WHERE {where}{tables.order(TABLE, ('created_at', 'seq'))}"  # noqa: S608
    listed = []
    for *values, row, size, extracted in tables.fetch(TABLE, statement, where.parameters):
        plain = dict(zip(names, values, strict=True))
        plain = {name: str(value) if isinstance(value, str) else value for name, value in plain.items()}
        plain = {name: value for name, value in plain.items() if value is not None}
        plain.setdefault("id", f"rowid {row}")
        plain |= {"row": row, "payload_bytes": size or 0}
        found: dict[str, Any] = {}
        if extracted is None:
            plain["problem"] = _unreadable(size)
            tables.report(TABLE, str(plain["id"]), plain["problem"])
        else:
            found = _fields(tables, str(plain["id"]), extracted, fields)
        listed.append((plain, found))
    return listed


def _fields(tables: TableReader, row_id: str, extracted: str, fields: dict[str, str]) -> dict[str, Any]:
    values = json.loads(extracted, strict=False)
    if type(extracted) is RepairedText:
        tables.report(TABLE, row_id, repaired_text("payload"))
    if "\\u" in extracted:
        values = [without_lone_surrogates(value) if isinstance(value, str) else value for value in values]
    return dict(zip(fields, values, strict=True))


def _unreadable(size: int | None) -> Sentence:
    if not size:
        return say("column {column} is empty", column="payload")
    return say("column {column} holds no readable JSON object", column="payload")


def _no_object() -> Sentence:
    return say("column {column} holds no readable JSON object", column="payload")


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    """Without null: a missing field and an empty one are the same to a reader."""
    return {name: value for name, value in fields.items() if value is not None}


def _texts(plain: dict[str, Any]) -> dict[str, Any]:
    """Plain columns of a row that did not validate, made showable."""
    numbers = {"row", "payload_bytes", "seq"}
    return {
        name: (value if isinstance(value, int) else 0) if name in numbers else str(value)
        for name, value in plain.items()
        if name in CallRow.model_fields
    }
