"""History messages and rows: a rising alignment, anchored at the newest end. Reference on attribution, section 5."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.attribution.claims import Label
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import IndexedRow, SessionIndex

_MOST_PAIRS = 20_000
_NO_ROWS: list[IndexedRow] = []

Message = tuple[int, str, str]
"""Number, role and text of a message."""


@dataclass(frozen=True, slots=True)
class Turnline:
    """Which rows a call could see."""

    moment: CallMoment
    index: SessionIndex

    def candidates(self, role: str, text: str, *, filtered: bool) -> list[IndexedRow]:
        """Rows with this role and text, oldest first; ``filtered``: only those that this runtime is shown."""
        rows = self.index.rows_by_text.get(text)
        if not rows:
            return _NO_ROWS
        if len(rows) == 1:
            return rows if rows[0].row.role == role and self._visible(rows[0], filtered) else _NO_ROWS
        return [row for row in rows if row.row.role == role and self._visible(row, filtered)]

    def shows(self, row: IndexedRow) -> bool:
        """True when this runtime is shown the row, as far as its filter tells."""
        return self._visible(row, filtered=True)

    def _visible(self, indexed: IndexedRow, filtered: bool) -> bool:
        moment = self.moment
        # Rows without a commit time are copies of a fork, or rows whose execution is gone: their own time counts.
        since = indexed.committed or indexed.row.created_at
        if since >= moment.started_at and moment.started_at:
            return False
        if indexed.is_player:
            return indexed.row.turn_id != moment.turn_id
        if not filtered or not indexed.is_filtered:
            return True
        row = indexed.row
        return row.source_runtime_id == moment.runtime_id and bool(row.content.strip())


def align(messages: Sequence[Message], turnline: Turnline) -> dict[int, IndexedRow]:
    """Message number -> row, for ``messages`` as (number, role, text) in order.

    As many messages as possible are matched in rising order; among equal texts the newest fitting row is taken.
    """
    of_text: dict[tuple[str, str], list[IndexedRow]] = {}
    offered: dict[int, list[IndexedRow]] = {}
    known = turnline.index.rows_by_text
    for number, role, text in messages:
        if text not in known:
            offered[number] = _NO_ROWS
            continue
        rows = of_text.get((role, text))
        if rows is None:
            rows = of_text[role, text] = turnline.candidates(role, text, filtered=True)
        offered[number] = rows
    matched = _newest_first(messages, offered)
    wanted = sum(1 for rows in offered.values() if rows)
    if len(matched) < wanted:
        matched = _longest(messages, offered)
    _add_dropped(messages, matched, turnline)
    return matched


def _newest_first(messages: Sequence[Message], offered: Mapping[int, list[IndexedRow]]) -> dict[int, IndexedRow]:
    matched: dict[int, IndexedRow] = {}
    limit = -1
    for number, _, _ in reversed(messages):
        rows = offered[number]
        if not rows:
            continue
        place = len(rows) if limit < 0 or rows[-1].number < limit else bisect_left(rows, limit, key=_number)
        if place:
            matched[number] = rows[place - 1]
            limit = rows[place - 1].number
    return matched


def _longest(messages: Sequence[Message], offered: Mapping[int, list[IndexedRow]]) -> dict[int, IndexedRow]:
    """The longest rising alignment, found from the newest end, so that ties go to newer rows."""
    ends: list[int] = []
    chains: list[tuple[int, IndexedRow, int]] = []
    tops: list[int] = []
    pairs = 0
    for number, _, _ in reversed(messages):
        rows = offered[number]
        pairs += len(rows)
        if pairs > _MOST_PAIRS:
            rows = rows[-1:]
        for row in rows:
            place = bisect_left(ends, -row.number)
            if place < len(ends) and ends[place] == -row.number:
                continue  # A newer message has this row already, with as many matches behind it.
            before = tops[place - 1] if place else -1
            chains.append((number, row, before))
            if place == len(ends):
                ends.append(-row.number)
                tops.append(len(chains) - 1)
            else:
                ends[place] = -row.number
                tops[place] = len(chains) - 1
    matched: dict[int, IndexedRow] = {}
    link = tops[-1] if tops else -1
    while link >= 0:
        number, row, link = chains[link]
        matched[number] = row
    return matched


def _add_dropped(messages: Sequence[Message], matched: dict[int, IndexedRow], turnline: Turnline) -> None:
    """Rows that the runtime's filter would drop but that stand between their neighbours all the same."""
    known = turnline.index.rows_by_text
    if not any(text in known for number, _, text in messages if number not in matched):
        return
    newer_than: list[int] = []
    newer = len(turnline.index.rows)
    for number, _, _ in reversed(messages):
        newer_than.append(newer)
        newer = matched[number].number if number in matched else newer
    of_text: dict[tuple[str, str], list[IndexedRow]] = {}
    older = -1
    for (number, role, text), newer in zip(messages, reversed(newer_than), strict=True):
        if number not in matched:
            if (role, text) not in of_text:
                of_text[role, text] = turnline.candidates(role, text, filtered=False)
            rows = of_text[role, text]
            place = bisect_left(rows, newer, key=_number)
            if not place or rows[place - 1].number <= older:
                continue
            matched[number] = rows[place - 1]
        older = matched[number].number


def row_label(indexed: IndexedRow, turnline: Turnline) -> Label:
    """The label of a message that is a row."""
    notes: list[Sentence] = []
    moment = turnline.moment
    if indexed.folded and moment.started_at and indexed.folded <= moment.started_at:
        notes.append(say("By its mark a summary stood for this row already; summaries merged later hide when."))
    if indexed.structured and indexed.row.source_runtime_id != moment.runtime_id:
        notes.append(say("Structured output of another runtime: the engine's filter would drop it."))
    return replace(indexed.label, notes=tuple(notes)) if notes else indexed.label


def _number(row: IndexedRow) -> int:
    return row.number
