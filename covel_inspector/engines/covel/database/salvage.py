"""Rows of a damaged table: everything that is not on a broken page, read without any index."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from covel_inspector.engines.covel.database.connecting import FAULTS, Fault, is_busy, is_cancelled
from covel_inspector.engines.covel.database.queries import Query

FIRST_ROW = -(1 << 63)
LAST_ROW = (1 << 63) - 1
_MOST_BREAKS = 500
"""Damaged places that are stepped over before the rest of a table is given up."""


@dataclass
class Salvage:
    """Reads a query around damaged places. Afterwards ``lost`` says whether anything could not be read."""

    connection: sqlite3.Connection
    query: Query
    lost: bool = False
    _position: int = field(default=FIRST_ROW, init=False)

    def rows(self, known: set[int]) -> list[tuple[Any, ...]]:
        """The values of all readable rows whose row id is not known yet, in the order of the query.

        Raises sqlite3.Error only when somebody else holds the file or the read was interrupted.
        """
        width = len(self.query.expressions)
        found: dict[int, tuple[Any, ...]] = {}
        for row, *values in self._readable():
            if row not in known:
                found.setdefault(row, tuple(values))
        ordered = sorted(found.items(), key=lambda item: (*map(_sortable, item[1][width:]), item[0]))
        return [values[:width] for _, values in ordered]

    def _readable(self) -> Iterator[tuple[Any, ...]]:
        for _ in range(_MOST_BREAKS):
            try:
                for row in self._scan(self._position):
                    self._position = row[0] + 1
                    yield row
            except FAULTS as error:
                _pass_on(error)
                self.lost = True
                self._position = self._behind(self._position)
                if self._position > LAST_ROW:
                    return
            else:
                return
            if self._position > LAST_ROW:
                return

    def _behind(self, broken: int) -> int:
        """The first row id from which reading works again, found by doubling and halving; LAST_ROW + 1 if none."""
        step = 1
        while not self._works(broken + step):
            if broken + step >= LAST_ROW:
                return LAST_ROW + 1
            step = min(step * 2, LAST_ROW - broken)
        low, high = broken + step // 2, broken + step
        while high - low > 1:
            middle = (low + high) // 2
            if self._works(middle):
                high = middle
            else:
                low = middle
        return high

    def _works(self, start: int) -> bool:
        """Whether at least one row can be read from here, or cleanly none is left."""
        try:
            next(self._scan(start), None)
        except FAULTS as error:
            _pass_on(error)
            return False
        return True

    def _scan(self, start: int) -> Iterator[tuple[Any, ...]]:
        return self.connection.execute(self.query.scan(), (*self.query.where.parameters, min(start, LAST_ROW)))


def _pass_on(error: Fault) -> None:
    if is_cancelled(error) or is_busy(error):
        raise error


def _sortable(value: object) -> tuple[int, Any]:
    """Values in the order of SQLite: NULL, numbers, texts, binary data."""
    if value is None:
        return (0, 0)
    if isinstance(value, int | float):
        return (1, value)
    return (2, value) if isinstance(value, str) else (3, value)
