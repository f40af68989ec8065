"""What the Cache panel shows, made ready to draw: columns for turns, rows for the table. Pure, without Qt."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from covel_inspector.analysis.cache_rows import CacheReport, CacheRow, RuntimeCache
from covel_inspector.analysis.prefix import PairKind
from covel_inspector.app.figures import figure, percent
from covel_inspector.app.panels.cache_words import cause_name, headline, money, where
from covel_inspector.app.picking import Lists
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Address, TurnKind, say

SameCause = tuple[str, str]
"""Class of a cause and the key of the segment: what makes two causes the same."""


@dataclass(frozen=True, slots=True)
class Column:
    """One turn of the session; ``row`` is its first request, None when the runtime made none."""

    turn: str
    row: CacheRow | None = None
    tip: str = ""
    cause: SameCause | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One request in words and figures, in the order of :func:`headings`."""

    row: CacheRow
    cells: tuple[str, ...]
    tip: str


@dataclass(frozen=True, slots=True)
class CacheContent:
    """A report for one runtime, ready to draw in the language it was made for."""

    report: CacheReport
    runtime: str
    columns: tuple[Column, ...] = ()
    table: tuple[TableRow, ...] = ()
    tallest: int = 0
    """Tokens of the largest request."""
    by_address: dict[Address, CacheRow] = field(default_factory=dict)

    def column_of(self, turn: str) -> int:
        """Number of a turn's column, -1 when it has none."""
        return next((number for number, column in enumerate(self.columns) if column.turn == turn), -1)

    def with_cause(self, cause: SameCause) -> tuple[TableRow, ...]:
        """The requests with the same cause."""
        return tuple(one for one in self.table if same_cause(one.row) == cause)


def same_cause(row: CacheRow) -> SameCause:
    """What its cause has in common with others."""
    return row.cause.kind.value, row.cause.key


def cache_content(report: CacheReport, runtime: str, lists: Lists, wording: Wording) -> CacheContent:
    """The content for a runtime; without columns when the report does not know it."""
    found = next((one for one in report.runtimes if one.runtime == runtime), None)
    if found is None:
        return CacheContent(report, runtime)
    return CacheContent(
        report=report,
        runtime=runtime,
        columns=_columns(found, lists, wording),
        table=tuple(_table_row(row, wording) for row in found.rows),
        tallest=max((row.tokens for row in found.rows), default=0),
        by_address={row.address: row for row in found.rows},
    )


def headings(wording: Wording) -> Sequence[str]:
    """The headings of the table; each figure says whose it is."""
    return tuple(
        wording.text(title)
        for title in (
            say("Request"),
            say("Shared"),
            say("Tokens"),
            say("Reported read"),
            say("Predicted read"),
            say("Lost"),
            say("Cause"),
            say("Segment"),
        )
    )


FIGURES = frozenset({1, 2, 3, 4, 5})
"""Columns of the table that hold figures."""


def _columns(found: RuntimeCache, lists: Lists, wording: Wording) -> tuple[Column, ...]:
    first = {row.address.turn: row for row in reversed(found.rows) if row.kind is PairKind.TURN}
    columns = []
    for turn in lists.turns:
        row = first.get(turn.number)
        if row is None and turn.kind is not TurnKind.PLAYER:
            continue
        if row is None:
            tip = say("Turn {turn}: {runtime} made no call", turn=turn.number, runtime=found.runtime)
            columns.append(Column(turn.number, None, wording.text(tip)))
        else:
            columns.append(Column(turn.number, row, _tip(row, wording), same_cause(row)))
    return tuple(columns)


def _tip(row: CacheRow, wording: Wording) -> str:
    return f"{wording.text(headline(row))}\n{wording.text(row.cause.sentence)}"


def _table_row(row: CacheRow, wording: Wording) -> TableRow:
    usage, text = row.usage, wording.text
    name = text(where(row))
    if row.kind is PairKind.RETRY:
        name = text(say("{where} (again)", where=where(row)))
    cells = (
        name,
        percent(row.share) if row.is_measured else "–",
        figure(row.tokens) if row.tokens else "–",
        figure(usage.cached) if usage is not None and usage.cached is not None else "–",
        figure(row.predicted.cached) if row.predicted is not None else "–",
        money(row.cost.lost, row.cost.currency) if row.cost is not None and row.cost.lost else "",
        text(cause_name(row)),
        text(row.cause.title) if row.cause.title is not None else "",
    )
    return TableRow(row, cells, _tip(row, wording))
