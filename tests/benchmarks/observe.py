"""What it costs to observe a whole session, against ``json.loads`` of the payloads of its calls in the same run.

Run by hand::

    .venv/bin/python -m tests.benchmarks.observe

Observing reads every call of the session from the database, attributes it, and looks at its segments; asking again
costs nothing. It is done on request only, behind the window, a slice at a time.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from covel_inspector.engines.covel.database import open_database
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parent.parent / "data"
ROUNDS = 7


def middle(work: Callable[[], object]) -> float:
    """Median CPU time of a piece of work in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def main() -> None:
    """Print the ratio for the longer sample."""
    path = str(DATA / "emberwatch.db")
    with closing(open_database(path)) as database:
        session = next(iter(database.sessions())).id
        payloads = [database.call_payload_text(row.id) for row in database.call_rows(session)]
    peer = middle(lambda: [json.loads(payload) for payload in payloads])
    times = []
    for _ in range(ROUNDS):
        with closing(open_covel(path, str(DATA / "sample-root"))) as source:
            source.recorded(source.calls(session)[0].address)  # What every open file knows: its rows and their index.
            start = time.process_time()
            observed = source.observed(session)
            times.append((time.process_time() - start) * 1000)
            again = middle(lambda source=source: source.observed(session))
    ours = statistics.median(times)
    sys.stdout.write(
        f"{len(payloads)} calls, {len(observed or ())} segments: json.loads {peer:.1f} ms, observed {ours:.1f} ms, "
        f"ratio {ours / peer:.2f}; asked again {again:.2f} ms\n"
    )


if __name__ == "__main__":
    main()
