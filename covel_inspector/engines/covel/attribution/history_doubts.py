"""History messages that equal a row and may yet be another text: twins, and rows torn from their neighbours.

The reference on attribution, section 5, asks for an alignment without gaps: the engine sends history as one stretch,
so a match with left out rows on both of its sides may just as well be a message of other origin.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.attribution.history import Message, Turnline
from covel_inspector.engines.covel.attribution.index import IndexedRow

_TWIN = say("The same text stands beside it: which of the two is the row cannot be told.")
_TWIN_ROW = say("A row beside it has the same text: which one this is cannot be told.")
_TORN = say("The rows beside it are not here: this may be another text with the same words.")


def doubtful(messages: Sequence[Message], matched: Mapping[int, IndexedRow], turnline: Turnline) -> dict[int, Sentence]:
    """Message number -> what speaks against being sure that the message is the row it equals."""
    found = _torn(messages, matched, turnline)
    found.update(dict.fromkeys(_with_twin_row(messages, matched, turnline), _TWIN_ROW))
    if len(matched) < len(messages):
        found.update(dict.fromkeys(_twins(messages, matched), _TWIN))
    return found


def begins_history(row: IndexedRow, turnline: Turnline) -> bool:
    """True when no older row could have been sent: nothing was left out before this one."""
    return not any(_is_live(older, turnline) for older in turnline.index.rows[: row.number])


def _torn(messages: Sequence[Message], matched: Mapping[int, IndexedRow], turnline: Turnline) -> dict[int, Sentence]:
    """Matches between two holes, and the oldest ones when rows are missing behind them and no message stands there.

    A message in the gap may be an edited row, so that only a lone match is in doubt then.
    """
    places = [place for place, (number, _, _) in enumerate(messages) if number in matched]
    numbers = [messages[place][0] for place in places]
    holes = [_has_hole(matched[older], matched[newer], turnline) for older, newer in pairwise(numbers)]
    lone = [number for at, number in enumerate(numbers[:-1]) if holes[at] and (at == 0 or holes[at - 1])]
    oldest: list[int] = []
    if True in holes:
        end = holes.index(True)
        if places[end] + 1 == places[end + 1]:
            oldest = numbers[: end + 1]
    return dict.fromkeys((*lone, *oldest), _TORN)


def _has_hole(row: IndexedRow, following: IndexedRow, turnline: Turnline) -> bool:
    """True when rows between two were shown and are not here; twins of the two are in doubt by themselves."""
    if following.number == row.number + 1:
        return False
    ends = {(row.row.role, row.row.content), (following.row.role, following.row.content)}
    between = turnline.index.rows[row.number + 1 : following.number]
    return any((one.row.role, one.row.content) not in ends and _is_live(one, turnline) for one in between)


def _is_live(row: IndexedRow, turnline: Turnline) -> bool:
    """True when the row was shown to this runtime and, by its mark, no summary stood for it yet."""
    return turnline.shows(row) and not (row.folded and row.folded <= turnline.moment.started_at)


def _with_twin_row(messages: Sequence[Message], matched: Mapping[int, IndexedRow], turnline: Turnline) -> list[int]:
    """Matched messages whose row has an equal one next to it that no message took."""
    known = turnline.index.rows_by_text
    rows = turnline.index.rows
    numbers = [number for number, _, _ in messages if number in matched]
    found: list[int] = []
    for at, number in enumerate(numbers):
        row = matched[number]
        if len(known[row.row.content]) < 2:
            continue
        # Before the first message rows are missing anyway: of equal ones the newest leaves no hole.
        older = matched[numbers[at - 1]].number if at else row.number - 1
        newer = matched[numbers[at + 1]].number if at + 1 < len(numbers) else len(rows)
        if _next_is_equal(row, rows[older + 1 : row.number][::-1], turnline) or _next_is_equal(
            row, rows[row.number + 1 : newer], turnline
        ):
            found.append(number)
    return found


def _next_is_equal(row: IndexedRow, others: Sequence[IndexedRow], turnline: Turnline) -> bool:
    """True when the first visible one of the others has the row's role and text."""
    other = next((other for other in others if turnline.shows(other)), None)
    return other is not None and (other.row.role, other.row.content) == (row.row.role, row.row.content)


def _twins(messages: Sequence[Message], matched: Mapping[int, IndexedRow]) -> set[int]:
    """Matched messages beside which an equal one stands that is no row: either could be the row."""
    found: set[int] = set()
    loose: set[tuple[str, str]] = set()
    last: tuple[int, tuple[str, str]] | None = None
    for number, role, text in messages:
        if number in matched:
            if (role, text) in loose:
                found.add(number)
            loose = set()
            last = number, (role, text)
        else:
            loose.add((role, text))
            if last is not None and last[1] == (role, text):
                found.add(last[0])
    return found
