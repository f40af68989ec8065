"""A row that cannot be read is named and shown as far as possible; its neighbours are not harmed."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.domain import Severity
from covel_inspector.engines.covel.database import CovelDatabase, open_database
from covel_inspector.engines.covel.database import traces as reading_traces
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import BadRow

Story = Callable[..., CovelDatabase]


@pytest.fixture
def with_value(story: Path) -> Story:
    """The small story with one value replaced in one table's first row."""

    def change(table: str, column: str, value: Any, cast: str = "?") -> CovelDatabase:
        connection = sqlite3.connect(story)
        statement = f'UPDATE {table} SET "{column}" = {cast} WHERE rowid = (SELECT min(rowid) FROM {table})'
        connection.execute(statement, (value,))
        connection.commit()
        connection.close()
        return open_database(story)

    return change


def as_text(raw: bytes) -> tuple[bytes, str]:
    """Bytes to be stored as TEXT, valid or not."""
    return raw, "CAST(? AS TEXT)"


@pytest.mark.parametrize(
    ("table", "column", "value", "read", "reason"),
    [
        ("sessions", "active_plugins", "[1]", "sessions", "column active_plugins.0 holds a number where a text"),
        ("sessions", "metadata", "[]", "sessions", "column metadata holds a JSON list where a JSON object"),
        ("sessions", "metadata", '{"title":', "sessions", "column metadata holds JSON that breaks at character 9"),
        ("sessions", "metadata", b"\x00\x01", "sessions", "column metadata holds binary data instead of JSON"),
        ("sessions", "completed_player_turns", "many", "sessions", "holds a text where a whole number is expected"),
        ("turn_messages", "order", "first", "turn_messages", "column order holds a text where a whole number"),
        ("turn_messages", "content", b"\xff\xfe", "turn_messages", "column content holds binary data where a text"),
        ("turn_messages", "ui", "NaN", "turn_messages", "column ui holds a number that is none in JSON"),
        ("turn_messages", "ui", "[" * 100_000, "turn_messages", "column ui holds JSON that is nested too deeply"),
        ("turn_messages", "ui", "9" * 5000, "turn_messages", "column ui holds a number that is none in JSON"),
        ("turn_results", "runtime_results", "{}", "turn_result_rows", "holds a JSON object where a JSON list"),
        ("lorebook_entries", "enabled", 7, "lorebook", "column enabled holds a number where yes or no is expected"),
        ("lorebook_entries", "keys", "灯", "lorebook", "column keys holds JSON that breaks at character 0"),
        ("plugin_data", "value", "{", "plugin_data", "column value holds JSON that breaks"),
        ("characters", "fields", "3", "characters", "column fields holds a number where a JSON object"),
    ],
)  # fmt: skip
def test_a_broken_value(table: str, column: str, value: Any, read: str, reason: str, with_value: Story) -> None:
    with with_value(table, column, value) as database:
        arguments = {"sessions": (), "turn_result_rows": ("s", "t1")}.get(read, ("s",))
        kept = getattr(database, read)(*arguments)
        # A session carries its calls: it is kept, with the broken field at its default. Other rows are left out.
        assert [row.id for row in kept] == (["s"] if table == "sessions" else [])
        assert getattr(database, read)(*arguments) == kept
        if table == "sessions":
            assert getattr(kept[0], column) == type(kept[0]).model_fields[column].default
        (bad,) = database.bad_rows
        assert bad.table == table
        assert bad.id.endswith(("s", "m1", "r1", "l", "p", "c"))
        assert reason in bad.reason
        assert bad.reason == str(bad.sentence)
        assert "\n" not in bad.reason
        (problem,) = database.problems()
        assert problem.severity is Severity.WARNING
        assert problem.where == f"{table} {bad.id}"


def test_a_bad_row_does_not_harm_the_others(story: Path) -> None:
    connection = sqlite3.connect(story)
    connection.execute("INSERT INTO sessions (id, metadata, created_at, updated_at) VALUES ('bad', '{', '', '')")
    connection.execute("INSERT INTO sessions (id, metadata, created_at, updated_at) VALUES ('good', 'null', 'z', '')")
    connection.commit()
    connection.close()
    with open_database(story) as database:
        assert [session.id for session in database.sessions()] == ["bad", "s", "good"]
        assert [row.id for row in database.bad_rows] == ["bad"]


@pytest.mark.parametrize("value", [None, "null"])
def test_null_reads_as_the_default(value: str | None, with_value: Story) -> None:
    with with_value("sessions", "metadata", value) as database:
        assert database.sessions()[0].metadata == {}
        assert database.bad_rows == []


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"lamp \xff\xfe", "lamp ��"),
        (b"half \xed\xa0\xbd", "half �"),
        (b"pair \xed\xa0\xbd\xed\xb5\xaf", "pair \U0001f56f"),
        ("灯".encode()[:2], "�"),
    ],
)
def test_text_that_is_no_utf8_is_shown_and_named(raw: bytes, shown: str, with_value: Story) -> None:
    with with_value("turn_messages", "content", *as_text(raw)) as database:
        (row,) = database.turn_messages("s")
        assert row.content == shown
        assert row.content.encode()
        (bad,) = database.bad_rows
        assert (bad.table, bad.id) == ("turn_messages", "m1")
        assert "column content is no valid UTF-8" in bad.reason
        assert database.player_lines("s")[0].content == shown


def test_nul_in_text_stays(with_value: Story) -> None:
    with with_value("turn_messages", "content", "a\0b") as database:
        assert database.turn_messages("s")[0].content == "a\0b"
        assert database.bad_rows == []


def test_lone_surrogates_in_json_are_replaced_one_for_one(with_value: Story) -> None:
    with with_value("plugin_data", "value", r'{"\udc00k":["a\ud83d","\ud83d\udd6f"]}') as database:
        (row,) = database.plugin_data("s")
        assert row.value == {"�k": ["a�", "\U0001f56f"]}
        (bad,) = database.bad_rows
        assert "lone surrogates" in bad.reason


def test_a_written_out_surrogate_is_no_surrogate(with_value: Story) -> None:
    with with_value("plugin_data", "value", r'["\\ud83d", "\ud83d\udd6f"]') as database:
        assert database.plugin_data("s")[0].value == [r"\ud83d", "\U0001f56f"]
        assert database.bad_rows == []


def test_an_id_that_is_no_text_is_named(with_value: Story) -> None:
    with with_value("turn_messages", "id", b"\xff\x00") as database:
        assert database.turn_messages("s") == []
        assert database.bad_rows[0].id == "ff00"


def test_an_id_that_breaks_lines_is_written_out(story: Path) -> None:
    connection = sqlite3.connect(story)
    connection.execute("UPDATE trace_events SET id = ?, payload = '{' WHERE id = 'trace-0'", ("a\nb",))
    connection.commit()
    connection.close()
    with open_database(story) as database:
        assert database.call_rows("s")[0].id == "a\nb"
        assert isinstance(database.call_payload("a\nb"), BadRow)
        assert [bad.id for bad in database.bad_rows] == [r"a\nb"]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("", "is empty"),
        ("{", "no readable JSON object"),
        ("[]", "no readable JSON object"),
        ('"text"', "no readable JSON object"),
        ("null", "no readable JSON object"),
        (b"\x00\xff", "no readable JSON object"),
        ('{"attempt":"first"}', "column payload.attempt holds a text where a whole number"),
        ('{"runtimeId":[1]}', "column payload.runtimeId holds a JSON list where a text"),
        ('{"model":{"a":1}}', "column payload.model holds a JSON object where a text"),
        ("{" + '"a":{' * 1500 + "}" * 1501, None),
        ('{"a":"x' + "\0" + 'y"}', "no readable JSON object"),
    ],
)
def test_a_call_with_a_broken_payload_is_listed(payload: Any, reason: str | None, with_value: Story) -> None:
    with with_value("trace_events", "payload", payload) as database:
        first, second = database.call_rows("s")
        assert first.id == "trace-0"
        assert first.session_id == "s"
        assert first.turn_id == "t1"
        assert (second.runtime_id, second.problem) == ("narrator", None)
        if reason is not None:
            assert reason in str(first.problem)
            assert [row.id for row in database.bad_rows] == ["trace-0"]
        assert isinstance(database.call_payload("trace-2"), RecordedCall)
        # The payload may be readable all the same: SQLite is stricter than we are.
        call = database.call_payload("trace-0")
        assert isinstance(call, RecordedCall | BadRow)
        assert isinstance(database.call_payload_text("trace-0"), str)


@pytest.mark.parametrize(
    "payload", ["", "{", "[]", "null", b"\x00\xff", '{"messages":[{"content":1}]}', '{"messages":"x"}']
)
def test_a_broken_payload_gives_a_bad_row(payload: Any, with_value: Story) -> None:
    with with_value("trace_events", "payload", payload) as database:
        call = database.call_payload("trace-0")
        assert isinstance(call, BadRow)
        assert (call.table, call.id) == ("trace_events", "trace-0")
        assert "payload" in call.reason
        assert database.bad_rows == [call]


def test_a_payload_with_raw_control_characters_can_be_read(with_value: Story) -> None:
    with with_value("trace_events", "payload", '{"messages":[{"role":"user","content":"a\0\x01b"}]}') as database:
        call = database.call_payload("trace-0")
        assert isinstance(call, RecordedCall)
        assert call.messages[0].content == "a\0\x01b"


def test_a_payload_with_broken_utf8_and_lone_surrogates(with_value: Story) -> None:
    raw = rb'{"runtimeId":"nar' + b"\xff" + rb'rator","model":"\ud83d","messages":[{"role":"user","content":"\udc00"}]}'
    with with_value("trace_events", "payload", *as_text(raw)) as database:
        row = database.call_rows("s")[0]
        assert (row.runtime_id, row.model, row.problem) == ("nar�rator", "�", None)
        call = database.call_payload("trace-0")
        assert isinstance(call, RecordedCall)
        assert call.messages[0].content == "\udc00"
        assert "�" in database.call_payload_text("trace-0")


def test_halves_of_characters_in_messages_stay_as_they_were_sent(with_value: Story) -> None:
    raw = r'{"model":"m","messages":[{"role":"tool","content":"cut \ud83d","toolCallId":"c"}]}'
    with with_value("trace_events", "payload", raw) as database:
        call = database.call_payload("trace-0")
        assert isinstance(call, RecordedCall)
        assert call.messages[0].content == "cut \ud83d"
        assert database.bad_rows == []


def test_null_fields_of_a_payload_read_as_missing(with_value: Story) -> None:
    with with_value("trace_events", "payload", '{"runtimeId":null,"messages":null,"attempt":null}') as database:
        assert database.call_rows("s")[0].problem is None
        call = database.call_payload("trace-0")
        assert isinstance(call, RecordedCall)
        assert call.messages == ()
        assert database.bad_rows == []


def test_no_such_row(story: Path) -> None:
    with open_database(story) as database:
        call = database.call_payload("nowhere")
        assert isinstance(call, BadRow)
        assert "no such row" in call.reason
        assert database.call_payload_text("nowhere") == ""


def test_a_huge_payload_is_listed_and_read(with_value: Story) -> None:
    text = json.dumps({"runtimeId": "narrator", "messages": [{"role": "user", "content": "灯" * 33_000_000}]},
                      ensure_ascii=False)  # fmt: skip
    with with_value("trace_events", "payload", text) as database:
        row = database.call_rows("s")[0]
        assert row.payload_bytes > 99_000_000
        assert row.runtime_id == "narrator"
        call = database.call_payload("trace-0")
        assert isinstance(call, RecordedCall)
        assert len(call.messages[0].content) == 33_000_000


def test_a_payload_over_the_bound_is_not_taken_apart(story: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_traces, "LARGEST_PAYLOAD", 20)
    with open_database(story) as database:
        call = database.call_payload("trace-0")
        assert isinstance(call, BadRow)
        assert "too large" in call.reason
        assert len(database.call_payload_text("trace-0")) > 20


@pytest.mark.parametrize("payload", ["{", '{"usage":{"inputTokens":"many"}}', '{"durationMs":[1]}'])
def test_a_broken_answer_is_a_bad_row(payload: str, story: Path) -> None:
    connection = sqlite3.connect(story)
    connection.execute("UPDATE trace_events SET payload = ? WHERE type = 'llm.responded'", (payload,))
    connection.commit()
    connection.close()
    with open_database(story) as database:
        database.responses("s")
        (bad,) = database.bad_rows
        assert (bad.table, bad.id) == ("trace_events", "trace-1")


def test_an_error_that_is_an_object_is_kept_as_text(story: Path) -> None:
    connection = sqlite3.connect(story)
    payload = '{"error":{"code":529,"message":"忙"}}'
    connection.execute("UPDATE trace_events SET payload = ? WHERE type = 'llm.responded'", (payload,))
    connection.commit()
    connection.close()
    with open_database(story) as database:
        assert json.loads(database.responses("s")[0].error) == {"code": 529, "message": "忙"}


@pytest.mark.parametrize(
    ("column", "value"), [("turn_id", b"\xff"), ("created_at", 5), ("trace_id", 1.5), ("session_id", "s")]
)
def test_odd_columns_of_a_call(column: str, value: Any, with_value: Story) -> None:
    with with_value("trace_events", column, value) as database:
        rows = database.call_rows()
        assert {row.id for row in rows} == {"trace-0", "trace-2"}
        assert all(isinstance(row.model_dump(), dict) for row in rows)
        database.event_marks("s", ["llm.calling"])
        database.traces("s", ["llm.calling"])
