"""The list of the Lorebook panel: which entries are in a call and why, which are out and why, and in which turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from covel_inspector.app.figures import figure
from covel_inspector.app.panels.listed_rows import Cell, Column, Row, spoken_cells
from covel_inspector.app.panels.turn_strip import Tick, TurnStrip
from covel_inspector.app.wording import Wording
from covel_inspector.domain import (
    Address,
    Kind,
    LoreHistory,
    LoreOutcome,
    LoreRow,
    LoreState,
    Sentence,
    plain,
    say,
)
from covel_inspector.report.terminal import one_line
from covel_inspector.text.folding import Folded

COLUMNS = (
    Column(say("Entry"), stretch=6),
    Column(say("In or out, and why"), stretch=9),
    Column(say("Position"), most=26),
    Column(say("Tokens"), right=True, most=8),
    Column(
        say("Turns"),
        stretch=5,
        help=say(
            "A full block: it was in. A frame: it was trimmed. A crossed frame: by the rows of now it should be in, "
            "but the recorded request does not hold it. A block with a bar above: the other way round. A click goes to "
            "the turn; Ctrl with left or right goes to the nearest turn in which it was in."
        ),
    ),
)
TURNS = 4
"""Number of the column with the strip."""

OUTCOME: dict[LoreOutcome, Sentence] = {
    LoreOutcome.CONSTANT: say("always in"),
    LoreOutcome.KEY: say("in by a key"),
    LoreOutcome.NO_KEY: say("no key matched"),
    LoreOutcome.KEYLESS: say("no key that could match"),
    LoreOutcome.DISABLED: say("switched off"),
    LoreOutcome.PRUNED: say("trimmed"),
    LoreOutcome.LATER: say("written later"),
}

_TICKS = {
    LoreOutcome.CONSTANT: Tick.IN,
    LoreOutcome.KEY: Tick.IN,
    LoreOutcome.NO_KEY: Tick.OUT,
    LoreOutcome.KEYLESS: Tick.NEVER,
    LoreOutcome.DISABLED: Tick.NEVER,
    LoreOutcome.PRUNED: Tick.CUT,
    LoreOutcome.LATER: Tick.NEVER,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What a row is about: the entry as the call found it, as a tried line would have it, and its turns."""

    state: LoreState
    before: LoreState | None = None
    """The entry as the call found it, when ``state`` is that of a tried line."""
    strip: TurnStrip | None = None

    @property
    def comes_in(self) -> bool:
        """True when the tried line would bring it in."""
        return self.before is not None and self.state.is_in and not self.before.is_in

    @property
    def drops_out(self) -> bool:
        """True when it is in, and would not be with the tried line."""
        return self.before is not None and self.before.is_in and not self.state.is_in


def lorebook_rows(
    states: Sequence[LoreState],
    tried: Sequence[LoreState] | None,
    history: LoreHistory,
    here: Address,
    wording: Wording,
    wanted: str = "",
) -> list[Row]:
    """One row an entry; with a tried line those that it would change come first. ``wanted`` filters by words."""
    known = {state.key: state for state in states}
    strips = strips_of(history, here, wording)
    entries = [
        Entry(state, known.get(state.key) if tried is not None else None, strips.get(state.key))
        for state in (states if tried is None else tried)
    ]
    entries.sort(key=lambda entry: not (entry.comes_in or entry.drops_out))
    return [_row(entry, wording) for entry in entries if _fits(entry.state, wanted)]


def strips_of(history: LoreHistory, here: Address, wording: Wording) -> Mapping[str, TurnStrip]:
    """The strip of each entry, by the entry's key."""
    turns = [address.turn for address in history.addresses]
    current = turns.index(here.turn) if here.turn in turns and here.session == history.session else None
    return {
        row.key: TurnStrip(
            tuple(map(_tick, row.outcomes, row.sent)),
            partial(_tip, row=row, turns=turns, wording=wording),
            current,
            names=tuple(turns),
        )
        for row in history.rows
    }


def counts(states: Sequence[LoreState], tried: Sequence[LoreState] | None) -> Sentence:
    """How many are in, and what a tried line would change."""
    inside = sum(state.is_in for state in states)
    if tried is None and any(state.is_contradicted for state in states):
        return say(
            "{inside} in, {outside} out by the rows of now · the recorded request holds {held}",
            inside=inside,
            outside=len(states) - inside,
            held=sum(state.is_held for state in states),
        )
    if tried is None:
        return say("{inside} in, {outside} out", inside=inside, outside=len(states) - inside)
    known = {state.key: state.is_in for state in states}
    gained = sum(state.is_in and not known.get(state.key, False) for state in tried)
    lost = sum(not state.is_in and known.get(state.key, False) for state in tried)
    if not gained and not lost:
        return say("With this line: the same entries")
    return say("With this line: {gained} more, {lost} fewer", gained=gained, lost=lost)


def place_words(state: LoreState) -> Sentence:
    """Position, depth and order in one line."""
    place = plain(state.position)
    if state.depth is not None:
        place = say("{position}, depth {depth}", position=state.position, depth=f"{state.depth:g}")
    return say("{place} · order {order}", place=place, order=f"{state.order:g}")


def _tick(outcome: LoreOutcome, sent: bool | None) -> Tick:
    if sent is None or sent is outcome.is_in:
        return _TICKS[outcome]
    return Tick.AGAINST if sent else Tick.MISSED


def _row(entry: Entry, wording: Wording) -> Row:
    text = wording.text
    state = entry.state
    title = one_line(state.label)
    why = one_line(text(_why(entry)))
    icon, tone = _sign(entry)
    cells = (
        Cell(title, bold=state.is_held),
        Cell(why, icon=icon, icon_tone=tone, bold=entry.comes_in or entry.drops_out),
        Cell(text(place_words(state)), "quiet"),
        Cell(figure(state.tokens), "quiet"),
        Cell(drawing=entry.strip),
    )
    said = text(say("in") if state.is_held else say("out"))
    tip = "\n".join(filter(None, (f"{title} · {state.owner}", why, ", ".join(state.keys))))
    spoken = spoken_cells(cells, said)
    return Row(state.key, cells, entry, Kind.LORE, tip, spoken, is_faint=not (state.is_in or state.is_held))


def _why(entry: Entry) -> Sentence:
    told = _short(entry.state)
    if entry.comes_in:
        return say("would come in: {why}", why=told)
    if entry.drops_out:
        return say("would drop out: {why}", why=told)
    if not entry.state.is_contradicted:
        return told
    if entry.state.is_held:
        return say("in the recorded request, though by the rows of now it should be out: {why}", why=told)
    return say("not in the recorded request, though by the rows of now it should be in: {why}", why=told)


def _short(state: LoreState) -> Sentence:
    if state.outcome is LoreOutcome.KEY and state.hits:
        first, more = state.hits[0], len(state.hits) - 1
        told = say("'{key}' {where}", key=one_line(first.key), where=first.where)
        return say("{hit}, and {n} more", hit=told, n=more) if more else told
    return state.why if state.is_in or state.nearest_miss is None else state.nearest_miss


def _sign(entry: Entry) -> tuple[str, str]:
    if entry.comes_in:
        return "added", "added_mark"
    if entry.drops_out:
        return "removed", "removed_mark"
    if entry.state.is_contradicted:
        return "unsure", "warning"
    if entry.state.is_in:
        return "in", "good"
    return ("pruned", "warning") if entry.state.outcome is LoreOutcome.PRUNED else ("out", "quiet")


def _tip(number: int, *, row: LoreRow, turns: Sequence[str], wording: Wording) -> str:
    key = row.woken_by[number]
    told = say("in by the key '{key}'", key=key) if key else OUTCOME[row.outcomes[number]]
    tick = _tick(row.outcomes[number], row.sent[number])
    if tick is Tick.MISSED:
        told = say("not in the recorded request, though by the rows of now it should be in: {why}", why=told)
    elif tick is Tick.AGAINST:
        told = say("in the recorded request, though by the rows of now it should be out: {why}", why=told)
    return wording.text(say("turn {turn}: {what}", turn=turns[number], what=told))


def _fits(state: LoreState, wanted: str) -> bool:
    if not wanted.strip():
        return True
    where = Folded(" ".join((state.label, state.owner, *state.keys, state.content)))
    return all(word in where for word in wanted.split())
