"""How long listing all calls takes, against the bare query, in the same run. Run by hand::

    python -m tests.benchmarks.listing [CALLS] [KILOBYTES]

Prints the ratio of the medians; up to 3 is what we allow ourselves.
"""

import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import sqlite_utils

from covel_inspector.engines.covel.database import open_database

BARE = (
    "SELECT rowid, id, turn_id, created_at, seq, length(payload), json_extract(payload,'$.runtimeId'),"
    " json_extract(payload,'$.model'), json_extract(payload,'$.attempt') FROM trace_events"
    " WHERE session_id=? AND type='llm.calling' ORDER BY created_at, seq"
)
ROUNDS = 7
LINE = "她把灯举高，雾里的船影慢慢靠近码头。The lamp swings once, and the water answers.\n"


def payload(number: int, kilobytes: int) -> str:
    """An ``llm.calling`` payload of about this size, half Chinese: kernel messages and the body they became."""
    text = LINE * (kilobytes * 1024 // (2 * len(LINE.encode())))
    return json.dumps(
        {
            "flowId": f"flow-{number}",
            "providerRequests": [{"schemaVersion": 1, "body": {"system": text, "messages": []}, "statusCode": 200}],
            "runtimeId": "narrator",
            "pluginId": "narrator",
            "slot": "story",
            "model": "claude-sonnet-4-6",
            "provider": "anthropic",
            "messages": [{"role": "system", "content": text}],
            "tools": [],
            "attempt": 0,
            "startedAt": "2026-11-01T10:00:00.000Z",
            "seq": number,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def generate(path: Path, calls: int, kilobytes: int) -> None:
    """A database with one session and this many calls, with the indexes of the engine."""
    database = sqlite_utils.Database(path)
    columns = dict.fromkeys(("id", "session_id", "type", "trace_id", "turn_id", "payload", "created_at"), str)
    database["sessions"].insert({"id": "s", "created_at": "2026-11-01T00:00:00.000Z"}, pk="id")
    traces = database["trace_events"]
    traces.create(columns | {"seq": int}, pk="id")
    for indexed in (["session_id"], ["session_id", "type", "created_at"], ["session_id", "created_at", "seq"]):
        traces.create_index(indexed)
    traces.insert_all(
        {
            "id": f"call-{number}",
            "session_id": "s",
            "type": "llm.calling",
            "trace_id": f"flow-{number}",
            "turn_id": f"turn-{number // 8}",
            "payload": payload(number, kilobytes),
            "created_at": f"2026-11-01T10:{number // 60 % 60:02}:{number % 60:02}.{number // 3600:03}Z",
            "seq": 0,
        }
        for number in range(calls)
    )
    database.close()


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Generate, warm up, measure in turns, print."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    kilobytes = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "listing.db"
        generate(path, calls, kilobytes)
        bare = sqlite3.connect(path.as_uri() + "?mode=ro", uri=True)
        database = open_database(path)
        assert len(database.call_rows("s")) == len(bare.execute(BARE, ("s",)).fetchall()) == calls
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(seconds(lambda: bare.execute(BARE, ("s",)).fetchall()))
            ours.append(seconds(lambda: database.call_rows("s")))
        mine, peer = statistics.median(ours), statistics.median(theirs)
        print(
            f"{calls} calls of {kilobytes} kB: listing {mine:.3f} s, bare query {peer:.3f} s, ratio {mine / peer:.2f}"
        )
        print(f"opening and counting: {seconds(lambda: open_database(path).counts()):.3f} s")
        database.close()
        bare.close()


if __name__ == "__main__":
    main()
