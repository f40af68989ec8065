"""Messages that are no row but much like the one their place asks for: a changed row, a branch, a history transform."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from covel_inspector.domain import Grade, say
from covel_inspector.engines.covel.attribution.claims import Label
from covel_inspector.engines.covel.attribution.history import Message, Turnline
from covel_inspector.engines.covel.attribution.index import IndexedRow
from covel_inspector.text.similarity import similarity

_ALIKE = 0.8
_MOST = 8
"""Rows looked at between two neighbours; in a wider gap place says too little."""
_MOST_LOOKS = 100
"""Comparisons made for one call at most."""

_REASON = say("much like the row that its neighbours leave room for")
_NOTE = say("It reads differently from the row: a hook, a chosen branch or an edit changed it.")


def near_rows(
    messages: Sequence[Message], matched: Mapping[int, IndexedRow], turnline: Turnline
) -> dict[int, IndexedRow]:
    """Message number -> row, for messages behind a matched one that are alike to an unmatched row at their place."""
    found: dict[int, IndexedRow] = {}
    rows = turnline.index.rows
    limits = _newer(messages, matched, len(rows))
    older = -1
    looks = _MOST_LOOKS
    for (number, role, text), newer in zip(messages, limits, strict=True):
        if number in matched:
            older = matched[number].number
            continue
        if older < 0 or role == "system" or not text or newer - older - 1 > _MOST or looks <= 0:
            continue
        candidates = [row for row in rows[older + 1 : newer] if row.row.role == role and turnline.shows(row)]
        looks -= len(candidates)
        best = _most_alike(candidates, text)
        if best is not None:
            found[number] = best
            older = best.number
    return found


def _most_alike(candidates: Sequence[IndexedRow], text: str) -> IndexedRow | None:
    """The row most like the text, None when none is like it enough."""
    likeness, best = 0.0, None
    for row in candidates:
        found = similarity(row.row.content, text)
        if found > likeness:
            likeness, best = found, row
    return best if likeness >= _ALIKE else None


def near_label(row: IndexedRow) -> Label:
    """The label of a message that is only like a row."""
    return replace(row.label, grade=Grade.GUESS, reason=_REASON, notes=(_NOTE,))


def _newer(messages: Sequence[Message], matched: Mapping[int, IndexedRow], end: int) -> list[int]:
    """For each message the number of the next matched row behind it."""
    limits: list[int] = []
    for number, _, _ in reversed(messages):
        limits.append(end)
        end = matched[number].number if number in matched else end
    return limits[::-1]
