"""Rows of any table by its shape: lenient, by column name, with a list of what could not be read."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from covel_inspector.domain import Problem, Sentence, Severity, plain, say
from covel_inspector.engines.covel.database.connecting import (
    FAULTS,
    Fault,
    is_busy,
    is_cancelled,
    one_line,
    source_error,
)
from covel_inspector.engines.covel.database.decoding import UndecodableError, build, build_what_can_be
from covel_inspector.engines.covel.database.generation import Generation, Layout, is_younger, read_layout
from covel_inspector.engines.covel.database.opening import OpenedFile
from covel_inspector.engines.covel.database.queries import Parameters, Query, Where, quoted
from covel_inspector.engines.covel.database.salvage import Salvage
from covel_inspector.engines.covel.database.shapes import R, Shape
from covel_inspector.engines.covel.records.rows import BadRow


class TableReader:
    """Reads tables of one opened file. What cannot be read is remembered in :attr:`bad_rows` and skipped."""

    def __init__(self, file: OpenedFile) -> None:
        self.file = file
        self._layout: Layout | None = None
        self._opening = -1
        self._bad: dict[tuple[str, str], BadRow] = {}
        self._missing: dict[str, Problem] = {}
        self.torn: set[str] = set()
        """Tables of which rows are lost, as far as somebody read them."""

    @property
    def bad_rows(self) -> list[BadRow]:
        """Rows noticed so far that are broken, or shown with replaced characters; each once."""
        return list(self._bad.values())

    @property
    def missing(self) -> list[Problem]:
        """Tables and columns that should be there and are not, as far as somebody asked for them."""
        return list(self._missing.values())

    @property
    def layout(self) -> Layout:
        """The schema of the file as it is open now. Raises SourceError."""
        connection = self.file.connection()
        if self._layout is None or self._opening != self.file.openings:
            try:
                self._layout = read_layout(connection)
            except FAULTS as error:
                raise source_error(error, one_line(self.file.path)) from None
            self._note_schema()
            self._opening = self.file.openings
        return self._layout

    @property
    def generation(self) -> Generation:
        """The schema generation."""
        return self.layout.generation

    def select(self, shape: Shape[R], where: Where | None = None) -> list[R]:
        """The rows of a table that meet the conditions, in the order of the shape.

        A missing table or a missing column that a row cannot do without gives an empty list and a problem.
        Raises SourceError when nothing can be read at all, ReadCancelledError after an interrupt.
        """
        if not self.usable(shape.table, [shape.column(n) for n in shape.fields if n not in shape.optional]):
            return []
        columns = self.layout.columns[shape.table]
        names = tuple(name for name in shape.fields if shape.column(name) in columns or self._stand_in(shape, name))
        expressions = tuple(self._expression(shape, name) for name in names)
        found: list[R] = []
        for values in self.read(shape.table, expressions, where or Where(), shape.order):
            try:
                row, note = build(shape, names, values)
            except UndecodableError as error:
                self.report(shape.table, _identity(shape, names, values), error.sentence)
                partial = build_what_can_be(shape, names, values) if shape.patient else None
                if partial is not None:
                    found.append(partial)
                continue
            if note is not None:
                self.report(shape.table, _identity(shape, names, values), note)
            found.append(row)
        return found

    def read(
        self, table: str, expressions: Sequence[str], where: Where, order: Sequence[str] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Raw values, sorted by those columns of ``order`` that exist. A damaged table gives what is left of it.

        To be used up at once: an unfinished read keeps a transaction open. Raises SourceError, ReadCancelledError.
        """
        layout = self.layout
        query = Query(table, tuple(expressions), where, tuple(name for name in order if layout.has(table, name)))
        row_ids = table in layout.with_row_ids
        known: set[int] = set()
        count = 0
        try:
            for row in self.file.connection().execute(query.sorted(row_ids=row_ids), where.parameters):
                count += 1
                if row_ids:
                    known.add(row[0])
                    yield row[1:]
                else:
                    yield row
        except FAULTS as error:
            self._raise_unless_damaged(error)
            salvage = Salvage(self.file.connection(), query, lost=not row_ids)
            rest = self._salvaged(salvage, known) if row_ids else []
            count += len(rest)
            if salvage.lost:
                self.torn.add(table)
            self.report(table, "", _lost(count) if salvage.lost else _index_damaged())
        else:
            return
        yield from rest

    def number(self, table: str, statement: str, parameters: Parameters = ()) -> int:
        """The only value of a statement that counts; 0 and a bad row when the table is damaged."""
        try:
            return int(self.file.connection().execute(statement, parameters).fetchone()[0])
        except FAULTS as error:
            self._raise_unless_damaged(error)
            self.report(table, "", say("the table is damaged, its rows could not be counted"))
            return 0

    def _salvaged(self, salvage: Salvage, known: set[int]) -> list[tuple[Any, ...]]:
        try:
            return salvage.rows(known)
        except sqlite3.Error as error:
            raise source_error(error, one_line(self.file.path)) from None

    def _raise_unless_damaged(self, error: Fault) -> None:
        if isinstance(error, sqlite3.ProgrammingError):
            raise error
        if is_cancelled(error) or is_busy(error):
            raise source_error(error, one_line(self.file.path)) from None

    def usable(self, table: str, columns: Sequence[str]) -> bool:
        """Whether a table is there with these columns; a problem is noted when it should be."""
        layout = self.layout
        if not layout.has(table):
            if not is_younger(table, layout.generation):
                self._note_missing(table, say("the table {table} is missing in this file", table=table))
            return False
        for column in columns:
            if not layout.has(table, column):
                self._note_missing(
                    f"{table}.{column}",
                    say(
                        "the table {table} has no column {column}, so its rows are not shown",
                        table=table,
                        column=column,
                    ),
                )
                return False
        return True

    def report(self, table: str, row: str, sentence: Sentence) -> BadRow:
        """Remember a bad row; the first thing said about it stays."""
        return self._bad.setdefault((table, row), BadRow(table=table, id=row, reason=str(sentence), sentence=sentence))

    def _note_schema(self) -> None:
        if self.file.schema_damaged:
            self._note_missing("sqlite_master", say("definitions of tables or indexes are damaged and left out"))

    def _note_missing(self, where: str, sentence: Sentence) -> None:
        self._missing.setdefault(where, Problem(Severity.WARNING, where, sentence))

    def _stand_in(self, shape: Shape[R], name: str) -> bool:
        """Older lorebooks name the plugin where newer ones name an owner."""
        return shape.table == "lorebook_entries" and name == "owner" and self.layout.has(shape.table, "plugin_id")

    def _expression(self, shape: Shape[R], name: str) -> str:
        column = shape.column(name)
        if not self.layout.has(shape.table, column):
            return "'plugin:' || plugin_id"
        return quoted(column)


def problem_of(row: BadRow) -> Problem:
    """A bad row as a problem for people."""
    where = f"{row.table} {row.id}" if row.id else row.table
    return Problem(Severity.WARNING, where, row.sentence or plain(row.reason))


def _lost(count: int) -> Sentence:
    return say("the table is damaged: {count} rows could be read, the others are lost", count=count)


def _index_damaged() -> Sentence:
    return say("an index of the table is damaged; the rows were read without it")


def _identity(shape: Shape[Any], names: tuple[str, ...], values: tuple[Any, ...]) -> str:
    found = dict(zip(names, values, strict=True))
    return "/".join(_name(found.get(name)) for name in shape.identity)


def _name(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return "?" if value is None else one_line(value)
