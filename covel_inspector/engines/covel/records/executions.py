"""When rows became visible to others: the executions of a session. Follows the reference on the database, section 7.

A row belongs to the history of a call when its execution was committed before the call began; rows of a turn
without executions are copies made by a fork and count as committed. All times are the engine's ISO texts, which
sort as text.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence

from covel_inspector.engines.covel.records.rows import TurnMessageRow, TurnResultRow


class Executions:
    """The executions of a session, to find the one that a row or a call belongs to. A turn may have several."""

    def __init__(self, results: Iterable[TurnResultRow]) -> None:
        self._by_turn: dict[str, list[TurnResultRow]] = defaultdict(list)
        self._settled: dict[str, list[str]] = defaultdict(list)
        for result in sorted(results, key=lambda row: (row.created_at, row.seq)):
            self._by_turn[result.turn_id].append(result)
            self._settled[result.turn_id].append(result.created_at)

    def number(self, turn_id: str, moment: str) -> int:
        """Which execution of a turn was running at a moment, counted from 0: the first one settled at or after it."""
        return bisect_left(self._settled.get(turn_id, ()), moment)

    def of(self, turn_id: str, moment: str) -> TurnResultRow | None:
        """The execution of a turn that was running at a moment; None when it left no row."""
        results = self._by_turn.get(turn_id, ())
        number = self.number(turn_id, moment)
        return results[number] if number < len(results) else None

    def commit_time(self, row: TurnMessageRow) -> str | None:
        """When a history row became visible to others; None = it was copied by a fork, so from the start."""
        times = self._settled.get(row.turn_id)
        if not times:
            return None
        number = bisect_left(times, row.created_at)
        return times[number] if number < len(times) else row.created_at

    def of_turn(self, turn_id: str) -> Sequence[TurnResultRow]:
        """All executions of a turn, in order."""
        return self._by_turn.get(turn_id, ())
