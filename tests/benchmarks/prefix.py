"""How long the prefix measurement takes, against reading the same payloads and parsing them. Run by hand::

    python -m tests.benchmarks.prefix [MEGABYTES]

Generates a database of about this size (300 by default), measures it and the peer in processes of their own, in turns,
and prints the ratio of the medians (up to 1.5 is what we allow ourselves) and how much memory the measurement took
over what the program needs to start (up to 150 MB).
"""

import json
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlite_utils

ROUNDS = 5
RUNTIMES = 5
LINE = "她把灯举高，雾里的船影慢慢靠近码头。“The lamp” swings once, and the water answers.\n"
MARK = {"type": "ephemeral"}


def block(text: str, marked: bool = False) -> dict[str, Any]:
    """A text block, with a cache mark or without."""
    return {"type": "text", "text": text, **({"cache_control": MARK} if marked else {})}


def payload(runtime: int, turn: int, step: int) -> str:
    """A call with a system prompt of about 8 kB and a history that has grown by a kilobyte in each turn."""
    history = [(("user", "assistant")[number % 2], f"{number}: {LINE * 5}") for number in range(2 * (turn % 80))]
    system = f"[{runtime}] " + LINE * 70
    context = f"<system-instruction>\n{turn} {LINE * 3}\n</system-instruction>"
    loop = [("assistant", f"step {number}") for number in range(step)]
    messages = [*history, ("user", context), ("user", f"turn {turn}"), *loop]
    marked = {len(history) - 1, len(messages) - 1}
    body = {
        "model": "claude-sonnet-4-6",
        "max_tokens": 4096,
        "system": [block(system[:300], True), block(system[300:], True)],
        "messages": [
            {"role": role, "content": [block(text, number in marked)]} for number, (role, text) in enumerate(messages)
        ],
        "tools": [{"name": "emit-event", "description": LINE, "input_schema": {"type": "object"}}],
    }
    kernel = [{"role": "system", "content": system}, *({"role": role, "content": text} for role, text in messages)]
    return json.dumps(
        {
            "flowId": f"flow-{runtime}-{turn}",
            "providerRequests": [{"provider": "anthropic", "protocol": "anthropic-messages-v1", "body": body}],
            "runtimeId": f"runtime-{runtime}",
            "model": "claude-sonnet-4-6",
            "messages": kernel,
            "tools": [],
            "attempt": 0,
            "startedAt": "2026-11-01T10:00:00.000Z",
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def rows(megabytes: int) -> Iterator[dict[str, Any]]:
    """Rows of trace events: calls until the size is reached, and a small event beside each."""
    written = turn = 0
    while written < megabytes * 1_000_000:
        session = f"session-{turn // 200}"
        for runtime in range(RUNTIMES):
            for step in range(2):
                number = (turn * RUNTIMES + runtime) * 2 + step
                text = payload(runtime, turn, step)
                written += len(text.encode())
                shared = {
                    "session_id": session,
                    "trace_id": f"flow-{number}",
                    "turn_id": f"turn-{turn}",
                    "created_at": f"2026-11-{1 + number // 86400:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}"
                    f":{number % 60:02}.000Z",
                }
                yield {"id": f"call-{number}", "type": "llm.calling", "payload": text, "seq": 0, **shared}
                yield {"id": f"answer-{number}", "type": "llm.responded", "payload": "{}", "seq": 1, **shared}
        turn += 1


def generate(path: Path, megabytes: int) -> None:
    """A database with the layout and the indexes of the engine."""
    database = sqlite_utils.Database(path)
    names = ("id", "session_id", "type", "trace_id", "turn_id", "payload", "created_at")
    database["sessions"].insert({"id": "session-0", "created_at": "2026-11-01T00:00:00.000Z"}, pk="id")
    traces = database["trace_events"]
    traces.create(dict.fromkeys(names, str) | {"seq": int}, pk="id")
    for indexed in (["session_id"], ["session_id", "type", "created_at"], ["session_id", "created_at", "seq"]):
        traces.create_index(indexed)
    traces.insert_all(rows(megabytes), batch_size=50)
    database.close()


def peer(path: str) -> int:
    """Reads every payload in the order of the table and parses it."""
    connection = sqlite3.connect(Path(path).as_uri() + "?mode=ro", uri=True)
    count = 0
    for (text,) in connection.execute("SELECT payload FROM trace_events WHERE type = 'llm.calling'"):
        json.loads(text)
        count += 1
    return count


def ours(path: str) -> int:
    """Measures the file."""
    from covel_inspector.analysis.prefix import measure
    from covel_inspector.engines import open_source

    source = open_source(path)
    entries = measure(source.measured())
    source.close()
    return sum(entry.calls for entry in entries)


def child(which: str, path: str) -> None:
    """One run in a process of its own: prints calls, seconds, and megabytes over the start."""
    import covel_inspector.analysis.prefix
    import covel_inspector.engines.covel.source  # noqa: F401 - what a start needs

    before = peak_memory()
    start = time.perf_counter()
    count = {"ours": ours, "peer": peer}[which](path)
    seconds = time.perf_counter() - start
    print(json.dumps([count, seconds, peak_memory() - before]))


def peak_memory() -> float:
    """Megabytes that this process has needed at most so far.

    The system's own figure for a process counts what its parent had before it started, so Linux is asked for ours.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(which: str, path: Path) -> tuple[int, float, float]:
    """Calls, seconds and megabytes of one run."""
    command = [sys.executable, "-m", "tests.benchmarks.prefix", which, str(path)]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    count, seconds, memory = json.loads(printed)
    return count, seconds, memory


def main() -> None:
    """Generate, warm up, measure in turns, print."""
    if len(sys.argv) == 3:
        child(sys.argv[1], sys.argv[2])
        return
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prefix.db"
        generate(path, megabytes)
        assert run("peer", path)[0] == run("ours", path)[0]
        measured = {which: [run(which, path) for _ in range(ROUNDS)] for which in ("peer", "ours")}
        times = {which: statistics.median(seconds for _, seconds, _ in runs) for which, runs in measured.items()}
        memory = max(megabytes_more for _, _, megabytes_more in measured["ours"])
        print(
            f"{megabytes} MB, {measured['ours'][0][0]} calls: measured {times['ours']:.2f} s, reading and parsing "
            f"{times['peer']:.2f} s, ratio {times['ours'] / times['peer']:.2f}"
        )
        print(f"memory over the start: {memory:.0f} MB")


if __name__ == "__main__":
    main()
