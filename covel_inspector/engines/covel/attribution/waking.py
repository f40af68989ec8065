"""Whether a lorebook entry could be in a request: were there words that wake it? Reference on the assembler, section 9.

Scan depths are not asked: the deepest scan there is, and the player's line, hold whatever may have woken an entry.
"""

from functools import cached_property
from itertools import islice

from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.records.rows import LorebookRow

_DEEPEST_SCAN = 20
"""Committed messages that a scan reaches back at most."""


class Waking:
    """What could wake entries when a call was made: its turn's line, and the newest messages before it."""

    def __init__(self, moment: CallMoment, index: SessionIndex) -> None:
        self._moment = moment
        self._index = index

    def could_wake(self, row: LorebookRow) -> bool:
        """True for a constant entry, and for one of whose keys there is a trace."""
        if row.strategy == "constant":
            return True
        return any(key.lower() in self._scanned for key in row.keys or () if key)

    @cached_property
    def _scanned(self) -> str:
        started = self._moment.started_at
        committed = (
            indexed.row.content
            for indexed in reversed(self._index.rows)
            if not started or (indexed.committed < started and indexed.row.created_at < started)
        )
        lines = (indexed.row.content for indexed in self._index.player_rows.get(self._moment.turn_id, ()))
        return "\n".join([*lines, *islice(committed, _DEEPEST_SCAN)]).lower()
