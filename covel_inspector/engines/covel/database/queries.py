"""The one form of SELECT that is used: expressions of one table, conditions joined by AND, a fixed order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

Parameters = Sequence[str | int]


def quoted(name: str) -> str:
    """A name that may be a word of SQL."""
    return '"' + name.replace('"', '""') + '"'


class Where:
    """Conditions joined by AND, with their parameters. No condition is true for every row."""

    def __init__(self) -> None:
        self._conditions: list[str] = []
        self.parameters: list[str | int] = []

    def add(self, condition: str, *parameters: str | int) -> Self:
        """One more condition."""
        self._conditions.append(condition)
        self.parameters += parameters
        return self

    def equal(self, column: str, value: str | None) -> Self:
        """``column = value``, unless the value is None."""
        return self if value is None else self.add(f"{quoted(column)} = ?", value)

    def among(self, column: str, values: Sequence[str]) -> Self:
        """The column has one of these values."""
        marks = ", ".join("?" * len(values))
        return self.add(f"{quoted(column)} IN ({marks})", *values)

    def after(self, row: int | None) -> Self:
        """Written after the row of this row id, unless it is None."""
        return self if row is None else self.add("rowid > ?", row)

    def __str__(self) -> str:
        return " AND ".join(self._conditions) or "1"


@dataclass(frozen=True, slots=True)
class Query:
    """What to read. ``order`` are columns that exist; rows come in the order of writing where those are equal."""

    table: str
    expressions: tuple[str, ...]
    where: Where = field(default_factory=Where)
    order: tuple[str, ...] = ()

    def sorted(self, *, row_ids: bool) -> str:
        """The statement, sorted; with ``row_ids`` the row id stands before the expressions."""
        first = ("rowid",) if row_ids else ()
        keys = [*map(quoted, self.order), *first]
        order = f" ORDER BY {', '.join(keys)}" if keys else ""
        return f"{self._select((*first, *self.expressions))} WHERE {self.where}{order}"

    def scan(self) -> str:
        """The statement through the table itself, no index used, from a row id (the last parameter) on.

        Row id, expressions, then the columns of the order.
        """
        columns = ("rowid", *self.expressions, *map(quoted, self.order))
        return f"{self._select(columns)} NOT INDEXED WHERE {self.where} AND rowid >= ? ORDER BY rowid"

    def _select(self, columns: Sequence[str]) -> str:
        return f"SELECT {', '.join(columns)} FROM {quoted(self.table)}"  # noqa: S608 - names and expressions are ours
