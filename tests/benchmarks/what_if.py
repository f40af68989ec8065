"""A slider is moved: how long until the changed request of 200 kB is there. Run by hand, from the project's folder.

Builds a story whose request is as large as told, and prints for a new window each time: the changed request, its
budget, and both. The peer is one whole rebuild in the same run: the ratio says what the kept request is worth.
"""

import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from covel_inspector.domain import Address, Changes
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parent.parent / "data"
ROUNDS = 15


def main(kilobytes: int = 200) -> None:
    """Print the figures for a request of about so many kilobytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.db"
        shutil.copy(DATA / "tidewater.db", path)
        _lengthen(path, kilobytes * 1000)
        source = open_covel(str(path), str(DATA / "sample-root"))
        try:
            _measure(source)
        finally:
            source.close()


def _lengthen(path: Path, size: int) -> None:
    """Make the rows of the main story long: together about ``size`` bytes."""
    with sqlite3.connect(path) as connection:
        shown = "source_type = 'player' or source_runtime_id = 'tide-narrator'"
        rows = connection.execute(f"select id, content from turn_messages where {shown}").fetchall()
        # Two sessions share the rows, and half of them lies before the last call.
        each = 2 * size // max(1, len(rows))
        for row, content in rows:
            text = (content + "\n") * (1 + each // len(content))
            connection.execute("update turn_messages set content = ? where id = ?", (text[:each], row))
    connection.close()


def _measure(source: CovelSource) -> None:
    session = max(source.sessions(), key=lambda one: one.call_count).id
    address = [call.address for call in source.calls(session) if call.address.runtime == "tide-narrator"][-1]
    tree = source.rebuilt(address)
    assert tree is not None
    run = source.budget(address)
    assert run is not None
    print(f"{address}: {tree.request.length:,} characters sent, {run.before:,} tokens before the budget")
    windows = iter(range(run.before + 20_000, run.before // 2, -max(1, run.before // (8 * ROUNDS))))
    whole = _median(lambda: source.rebuilt(address, Changes(body=f"{next(windows)}")))
    rebuilt = _median(lambda: source.rebuilt(address, Changes(window=next(windows), reserve=700)))
    budget = _median(lambda: source.budget(address, Changes(window=next(windows), reserve=700)))
    both = _median(lambda: _both(source, address, Changes(window=next(windows), reserve=700)))
    print(
        f"whole rebuild {whole:.1f} ms · another window: request {rebuilt:.1f}, budget {budget:.1f}, both {both:.1f} ms"
    )
    print(f"another window takes {both / whole:.2f} of a whole rebuild")


def _both(source: CovelSource, address: Address, changes: Changes) -> None:
    source.budget(address, changes)
    source.rebuilt(address, changes)


def _median(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
