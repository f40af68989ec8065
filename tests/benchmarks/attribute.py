"""How long a recorded call takes to become a tree, against ``json.loads`` of the same payload in the same run.

Run by hand::

    PYTHONPATH=.:tests/support python tests/benchmarks/attribute.py

A call of about 200 kB is made from a sample by giving the session a long history; aim: at most 10 times the peer.
Then the index of a session with 5,000 rows, against reading those rows; aim: at most 20 times.
"""

import json
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sample_calls import DATA, SampleCall, read_sample, sample_root

from covel_inspector.engines.covel.attribution import SessionEvidence, attribute, index_session
from covel_inspector.engines.covel.database import open_database
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import TurnMessageRow

PAYLOAD = 200_000
ROUNDS = 30
ROWS = 5_000


def long_call(
    sample: SampleCall, evidence: SessionEvidence, paragraphs: int
) -> tuple[str, RecordedCall, SessionEvidence]:
    """The call with a longer history, in the kernel's messages and in the recorded body, and rows to match.

    A reply holds the sample's reply ``paragraphs`` times: real ones are longer than the sample's.
    """
    payload = json.loads(sample.payload)
    body = payload["providerRequests"][-1]["body"]
    rows: list[TurnMessageRow] = []
    told = [row for row in evidence.rows[:12] if row.source_type == "player" or row.source_runtime_id == "narrator"]
    added: list[dict[str, str]] = []
    while len(json.dumps(payload, ensure_ascii=False).encode()) + 2 * _bytes(added) < PAYLOAD:
        for row in told:
            number = len(rows)
            content = "\n\n".join([f"({number})", *[row.content] * (1 if row.role == "user" else paragraphs)])
            rows.append(
                row.model_copy(
                    update={"id": f"row-{number}", "content": content, "created_at": f"2000-01-01T00:00:{number:09}"}
                )
            )
            added.append({"role": row.role, "content": content})
    payload["messages"][1:1] = added
    body["messages"][0:0] = added
    text = json.dumps(payload, ensure_ascii=False)
    return text, RecordedCall.model_validate(payload), replace(evidence, rows=(*rows, *evidence.rows))


def _bytes(messages: list[dict[str, str]]) -> int:
    return len(json.dumps(messages, ensure_ascii=False).encode())


def best(work: Callable[[], object]) -> float:
    """Median CPU time of a piece of work in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def main() -> None:
    """Print the ratio for one long call with files, and for all calls of the samples."""
    sample = read_sample("emberwatch")
    chosen = max(sample.calls, key=lambda call: len(call.call.messages))
    for paragraphs in (1, 3):
        text, call, evidence = long_call(chosen, sample.evidence[chosen.session], paragraphs)
        index = index_session(replace(evidence, checkout=sample_root()))
        tree = attribute(call, chosen.moment, index)
        peer = best(lambda text=text: json.loads(text))
        ours = best(lambda call=call, index=index: attribute(call, chosen.moment, index))
        sys.stdout.write(
            f"{len(text.encode()) // 1000} kB, {len(call.messages)} messages, {sum(1 for _ in tree.leaves())} leaves: "
            f"json.loads {peer:.2f} ms, attribute {ours:.2f} ms, ratio {ours / peer:.2f}\n"
        )
    indexes = sample.indexes(sample_root())
    peer = best(lambda: [json.loads(call.payload) for call in sample.calls])
    ours = best(lambda: [attribute(call.call, call.moment, indexes[call.session]) for call in sample.calls])
    size = sum(len(call.payload.encode()) for call in sample.calls) // 1000
    sys.stdout.write(
        f"{len(sample.calls)} calls, {size} kB: json.loads {peer:.1f} ms, attribute {ours:.1f} ms, "
        f"ratio {ours / peer:.2f}\n"
    )
    _indexing(sample.evidence[chosen.session])


def _indexing(evidence: SessionEvidence) -> None:
    """Making a session with 5,000 rows ready, against reading those rows from a database. Aim: at most 20 times."""
    told = [row for row in evidence.rows if row.content.strip()]
    rows = [told[number % len(told)].model_copy(update={"id": f"row-{number}"}) for number in range(ROWS)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.db"
        shutil.copyfile(DATA / "emberwatch.db", path)
        with closing(sqlite3.connect(path)) as connection:
            _write_rows(connection, rows)
        with closing(open_database(path)) as database:
            peer = best(lambda: database.turn_messages(evidence.session.id))
            read = tuple(database.turn_messages(evidence.session.id))
        long = replace(evidence, rows=read, checkout=sample_root())
        ours = best(lambda: index_session(long))
    sys.stdout.write(f"{len(read)} rows: reading {peer:.1f} ms, index {ours:.1f} ms, ratio {ours / peer:.2f}\n")


def _write_rows(connection: sqlite3.Connection, rows: list[TurnMessageRow]) -> None:
    columns = [column[1] for column in connection.execute("pragma table_info(turn_messages)")]
    with connection:
        for row in rows:
            old = connection.execute("select * from turn_messages where content = ? limit 1", (row.content,)).fetchone()
            values = dict(zip(columns, old, strict=True)) | {"id": row.id}
            marks = ", ".join("?" * len(columns))
            connection.execute(f"insert into turn_messages values ({marks})", tuple(values.values()))


if __name__ == "__main__":
    main()
