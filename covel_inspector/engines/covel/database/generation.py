"""Which schema a file has: its tables and columns, and the generation they belong to.

There is no version number in a Covel database. Follows the reference on the database, section 3.
"""

import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

_WITHOUT_ROW_ID = re.compile(r"WITHOUT\s+ROWID\s*(,\s*STRICT\s*)?$", re.IGNORECASE)
_VIRTUAL = "CREATE VIRTUAL TABLE"


class Generation(StrEnum):
    """Names of the schema generations, as facts and reports show them."""

    CURRENT = "current"
    LATE_SUMMER_2026 = "late summer 2026"
    SPRING_2026 = "spring 2026"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Layout:
    """Tables and their columns. Virtual tables are left out: without their extension they cannot be touched."""

    columns: Mapping[str, frozenset[str]]
    with_row_ids: frozenset[str]
    """Tables whose row ids tell the order of writing."""

    def has(self, table: str, *columns: str) -> bool:
        """Whether the table exists and has all these columns."""
        return table in self.columns and self.columns[table].issuperset(columns)

    @property
    def is_covel(self) -> bool:
        """Whether this looks like a Covel database at all."""
        return self.has("sessions", "id") or self.has("trace_events", "session_id", "type", "payload")

    @property
    def generation(self) -> Generation:
        """The generation, UNKNOWN when the signs contradict each other."""
        if (
            self.has("turn_results", "seq")
            and self.has("lorebook_entries", "owner")
            and self.has("trace_events", "seq")
        ):
            return Generation.CURRENT
        if not self.has("lorebook_entries", "plugin_id"):
            return Generation.UNKNOWN
        if self.has("turn_results", "origin") and self.has("runtime_exports"):
            return Generation.LATE_SUMMER_2026
        if self.has("approvals") and not self.has("turn_results", "origin"):
            return Generation.SPRING_2026
        return Generation.UNKNOWN


_YOUNGER = {
    Generation.CURRENT: frozenset[str](),
    Generation.LATE_SUMMER_2026: frozenset({"character_schemas"}),
    Generation.SPRING_2026: frozenset({"character_schemas", "runtime_exports"}),
    Generation.UNKNOWN: frozenset[str](),
}


def is_younger(table: str, generation: Generation) -> bool:
    """Whether a table came after this generation, so that nothing is wrong when it is missing."""
    return table in _YOUNGER[generation]


def read_layout(connection: sqlite3.Connection) -> Layout:
    """Tables and columns of an open file. Raises sqlite3.Error."""
    tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    columns: dict[str, frozenset[str]] = {}
    with_row_ids: set[str] = set()
    for name, sql in tables:
        if str(sql or "").lstrip().upper().startswith(_VIRTUAL):
            continue
        rows = connection.execute("SELECT name FROM pragma_table_info(?)", (name,)).fetchall()
        columns[name] = frozenset(row[0] for row in rows)
        if not _WITHOUT_ROW_ID.search(str(sql or "")):
            with_row_ids.add(name)
    return Layout(columns, frozenset(with_row_ids))
