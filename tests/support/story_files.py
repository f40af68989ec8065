"""Small story databases, a second process that writes into them, and every read there is."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlite_utils

from covel_inspector.engines.covel.database import CovelDatabase, open_database

DATA = Path(__file__).parent.parent / "data"

Contents = Callable[[Path], dict[str, bytes]]
Writers = Callable[..., Any]

WRITER = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA wal_autocheckpoint=0")
print(connection.execute("PRAGMA journal_mode=" + sys.argv[2]).fetchone()[0], flush=True)
connection.execute("SELECT count(*) FROM sessions").fetchone()
number = 0
for order in sys.stdin:
    order = order.strip()
    if order == "write":
        number += 1
        connection.execute("INSERT INTO events (id, session_id, type, topic, created_at) VALUES (?, 's', 'd', 't', ?)",
                           (f"new-{os.getpid()}-{number}", "2026-12-01T00:00:00.000Z"))
    elif order == "checkpoint":
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    elif order == "upgrade":
        connection.execute("ALTER TABLE lorebook_entries RENAME COLUMN owner TO plugin_id")
    elif order == "half":
        # Pages go to the file before the commit: the journal is hot when we die now.
        connection.execute("PRAGMA cache_size=1")
        connection.execute("PRAGMA cache_spill=1")
        connection.execute("BEGIN IMMEDIATE")
        for extra in range(200):
            connection.execute("INSERT INTO events (id, session_id, type, topic, payload, created_at)"
                               " VALUES (?, 's', 'domain', 't', ?, '')", (f"half-{extra}", "x" * 900))
    elif order == "die":
        os.kill(os.getpid(), 9)
    elif order == "quit":
        connection.close()
    print(order, flush=True)
    if order == "quit":
        break
"""


TIME = "2026-11-01T10:00:00.000Z"
CALLING = '{"runtimeId":"narrator","model":"m","messages":[{"role":"user","content":"灯 lamp"}],"attempt":0,"seq":%d}'
PAYLOADS = (
    ("llm.calling", CALLING % 0),
    (
        "llm.responded",
        '{"runtimeId":"narrator","finishReason":"stop","usage":{"inputTokens":5},"attempt":0,"seq":1}',
    ),
    ("llm.calling", CALLING % 2),
    ("runtime.failed", '{"runtimeId":"narrator","error":"no"}'),
)


class Writer:
    """Another process that has the database open, as a running game has."""

    def __init__(self, path: Path, mode: str = "wal") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert self._answer() == mode

    def do(self, order: str) -> None:
        """Carry out one order, and wait until it is done."""
        assert self._process.stdin is not None
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        assert self._answer() == ("" if order == "die" else order)
        if order in ("die", "quit"):
            self.end()

    def end(self) -> None:
        """Make sure that the process is gone."""
        if self._process.poll() is None:
            with contextlib.suppress(OSError):
                self._process.stdin and self._process.stdin.close()
            self._process.wait(timeout=20)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe and pipe.close()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def fill(story: sqlite3.Connection) -> None:
    """A row of every kind that is read."""
    database = sqlite_utils.Database(story)
    made = {"created_at": TIME}
    changed = made | {"updated_at": TIME}
    of_session = {"session_id": "s"}
    rows: dict[str, dict[str, object]] = {
        "worlds": {"id": "w", "name": "港", "description": ""} | made,
        "sessions": {"id": "s", "world_id": "w"} | changed,
        "turn_messages": {
            "id": "m1",
            "turn_id": "t1",
            "source_type": "player",
            "role": "user",
            "content": "我点灯",
            "order": 0,
        }
        | made,
        "turn_results": {
            "id": "r1",
            "turn_id": "t1",
            "runtime_results": '[{"runtimeId":"narrator"}]',
            "origin": "player",
            "commit_status": "committed",
            "duration_ms": 1,
            "seq": 0,
        }
        | made,
        "session_summaries": {"id": "sum", "turn_range_start": "t1", "turn_range_end": "t1", "content": "Lamp."} | made,
        "characters": {"id": "c", "name": "Ines", "type": "player", "fields": '{"purse":1}'} | changed,
        "lorebook_entries": {
            "id": "l",
            "owner": "world",
            "keys": '["灯"]',
            "content": "Lamps.",
            "strategy": "selective",
            "position": "before_plugin",
        }
        | changed,
        "plugin_data": {"id": "p", "plugin_id": "codex", "namespace": "blocks", "key": "k", "value": "[1]"} | changed,
        "events": {"id": "e", "type": "domain", "topic": "storm"} | made,
    }
    for table, row in rows.items():
        database[table].insert(row if table in ("worlds", "sessions") else row | of_session)
    for number, (kind, payload) in enumerate(PAYLOADS):
        trace = {"id": f"trace-{number}", "type": kind, "trace_id": "x", "turn_id": "t1", "payload": payload}
        database["trace_events"].insert(trace | of_session | made | {"seq": number})


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, when we are root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def contents(folder: Path) -> dict[str, bytes]:
    """Names and bytes of all files of a folder. Only while this process has none of them open: see FileHandle."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def topics(path: Path) -> int:
    with open_database(path) as database:
        return len(database.events("s"))


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def temporary_copies() -> list[str]:
    return names(Path(tempfile.gettempdir()))


READS: dict[str, Callable[[CovelDatabase], Any]] = {
    "sessions": lambda database: database.sessions(),
    "worlds": lambda database: database.worlds(),
    "world": lambda database: database.world("w"),
    "turn_results": lambda database: database.turn_results("s"),
    "turn_results with results": lambda database: database.turn_results("s", with_results=True),
    "turn_result_rows": lambda database: database.turn_result_rows("s", "t1"),
    "turn_messages": lambda database: database.turn_messages("s"),
    "player_lines": lambda database: database.player_lines("s"),
    "summaries": lambda database: database.summaries("s"),
    "call_rows": lambda database: database.call_rows("s"),
    "all call_rows": lambda database: database.call_rows(),
    "call_payload": lambda database: database.call_payload("trace-0"),
    "call_payload_text": lambda database: database.call_payload_text("trace-0"),
    "responses": lambda database: database.responses("s"),
    "traces": lambda database: database.traces("s", ["llm.calling", "runtime.failed"]),
    "event_marks": lambda database: database.event_marks("s"),
    "tool_calls": lambda database: database.tool_calls("s"),
    "characters": lambda database: database.characters("s"),
    "character_schema": lambda database: database.character_schema("s"),
    "lorebook": lambda database: database.lorebook("s"),
    "plugin_data": lambda database: database.plugin_data("s"),
    "player_inputs": lambda database: database.player_inputs("s"),
    "suspensions": lambda database: database.suspensions("s"),
    "snapshots": lambda database: database.snapshots("s"),
    "snapshot": lambda database: database.snapshot("n"),
    "runtime_exports": lambda database: database.runtime_exports("s"),
    "events": lambda database: database.events("s"),
    "media": lambda database: database.media("s"),
    "counts": lambda database: database.counts(),
    "session_counts": lambda database: database.session_counts("s"),
}
"""Every read, on the small story."""
