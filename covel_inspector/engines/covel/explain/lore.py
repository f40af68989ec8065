"""Every lorebook entry as one call found it. What is active is the assembler's own answer; this says why.

Follows the reference on the assembler, section 10.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from covel_inspector.domain import (
    AbsenceReason,
    Changes,
    Kind,
    LoreHit,
    LoreOutcome,
    LoreState,
    SegmentTree,
    Sentence,
    say,
)
from covel_inspector.engines.covel.assembler.lorebook import (
    DEEPEST_SCAN,
    activate,
    label_of,
    landing_of,
    scan_depth,
    told_crossing,
    told_hit,
)
from covel_inspector.engines.covel.assembler.params import LoreContribution
from covel_inspector.engines.covel.assembler.session_state import LoreEntry, SessionState
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.explain.near_misses import FARTHEST, nearest_miss
from covel_inspector.engines.covel.explain.scanning import Scan, ScannedText, scan_of
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.javascript import is_blank, trim
from covel_inspector.engines.covel.rebuild.row_names import row_name
from covel_inspector.engines.covel.rebuild.snapshot import committed_rows, lore_entry, scan_tail, stored_lore
from covel_inspector.engines.covel.records.naming import lore_key

MOST_HITS = 50

_RANKS = ("before_plugin", "after_plugin", "at_depth")
_NO_CHANGES = Changes()


class _Log:
    """The texts that keys are looked for in: the player's line, and the committed messages, newest first."""

    def __init__(self, line: str, messages: tuple[ScannedText, ...]) -> None:
        self.line = line
        self.messages = messages
        self._scans: dict[int, Scan] = {}

    def scan(self, depth: int) -> Scan:
        """What an entry of this scan depth searches."""
        if depth not in self._scans:
            self._scans[depth] = scan_of(self.line, self.messages, depth)
        return self._scans[depth]

    def beyond(self, depth: int) -> Iterator[ScannedText]:
        """The messages that it does not reach, newest first."""
        yield from islice(self.messages, depth, None)


@dataclass(frozen=True, slots=True)
class Woken:
    """What the assembler made of the lorebook at one moment."""

    state: SessionState
    log: _Log
    wording: Wording
    active: Mapping[str, LoreContribution]
    """By key."""
    later: tuple[LoreEntry, ...]
    """Entries whose rows were written after the call."""
    knows_line: bool = True
    """False when the player's text is stored nowhere, so that no key can be looked for in it."""


def wake(sight: Sight, line: str | None = None) -> Woken:
    """Run the lorebook for a call, with another player's line if one is given."""
    record, moment = sight.record, sight.moment
    # The lorebook needs no more of the session than this; counting turns would take all its rows.
    state = SessionState(
        locale=record.evidence.session.locale or None,
        player_message=player_line_of(sight) if line is None else line,
        lorebook=stored_lore(record, moment),
        recent_messages=scan_tail(record, moment),
    )
    wording = Wording.of(record.pack, state.locale, state.instruction_override)
    activated = activate(state, wording)
    newest = islice(committed_rows(record, moment), DEEPEST_SCAN + FARTHEST)
    rows = tuple(
        ScannedText(row.content, row.id, back, row_name(row, record.turn_numbers)) for back, row in enumerate(newest, 1)
    )
    known = {entry.id for entry in state.lorebook}
    later = tuple(lore_entry(row, moment) for row in record.evidence.lorebook if row.id not in known)
    return Woken(
        state,
        _Log(state.player_message, rows),
        wording,
        {lore_key(entry.id, entry.owner): entry for entry in activated.contributions},
        later,
        line is not None or sight.call.is_sent or bool(sight.record.index.player_rows.get(moment.turn_id)),
    )


def player_line_of(sight: Sight) -> str:
    """The player's line of the turn: its row, else as the recorded request shows it."""
    rows = sight.record.index.player_rows.get(sight.moment.turn_id)
    if rows:
        return rows[0].row.content
    leaves = sight.recorded.leaves() if sight.recorded is not None else ()
    return "".join([leaf.text for leaf in leaves if leaf.kind is Kind.PLAYER_LINE])


def outcomes(woken: Woken, pruned: Iterable[str] = ()) -> dict[str, LoreOutcome]:
    """What became of each entry, by key. ``pruned`` are keys of entries that the budget left out."""
    left_out = set(pruned)
    found: dict[str, LoreOutcome] = {}
    for entry in woken.state.lorebook:
        key = lore_key(entry.id, entry.owner)
        found[key] = LoreOutcome.PRUNED if key in left_out and key in woken.active else _outcome(entry, key, woken)
    found.update({lore_key(entry.id, entry.owner): LoreOutcome.LATER for entry in woken.later})
    return found


def needs_request(woken: Woken) -> bool:
    """True when an active entry is a message of its own, which a budget may leave out."""
    return any(entry.position == "at_depth" for entry in woken.active.values())


def pruned_lore(rebuilt: SegmentTree | None) -> set[str]:
    """Keys of lorebook entries that the budget left out of a rebuilt request."""
    if rebuilt is None:
        return set()
    return {one.key for one in rebuilt.absent if one.kind is Kind.LORE and one.reason is AbsenceReason.PRUNED}


def lore_states(sight: Sight, line: str | None = None) -> tuple[LoreState, ...]:
    """All entries: those that are in first, in prompt order. ``line`` is a line that is only tried."""
    woken = wake(sight, line)
    changes = _NO_CHANGES if line is None else Changes(player_line=line)
    pruned = pruned_lore(sight.rebuild(changes)) if needs_request(woken) else set()
    became = outcomes(woken, pruned)
    sent = sent_lore(sight.recorded) if line is None else None
    states = [
        _state(entry, became[lore_key(entry.id, entry.owner)], woken, sent)
        for entry in (*woken.state.lorebook, *woken.later)
    ]
    order = {key: number for number, key in enumerate(woken.active)}
    return tuple(sorted(states, key=lambda state: _rank(state, order)))


def _rank(state: LoreState, order: Mapping[str, int]) -> tuple[bool, int, float, float, str]:
    position = _RANKS.index(state.position)
    return not state.is_in, position, state.depth or 0, order.get(state.key, state.order), state.entry


def _outcome(entry: LoreEntry, key: str, woken: Woken) -> LoreOutcome:
    if key in woken.active:
        return LoreOutcome.CONSTANT if entry.strategy == "constant" else LoreOutcome.KEY
    if not entry.enabled:
        return LoreOutcome.DISABLED
    return LoreOutcome.NO_KEY if _usable_keys(entry) else LoreOutcome.KEYLESS


def _usable_keys(entry: LoreEntry) -> list[str]:
    return [key for key in entry.keys or () if not is_blank(key)]


def sent_lore(recorded: SegmentTree | None) -> set[str] | None:
    """Keys of the entries that a recorded request holds, as attributed; None when nothing was recorded."""
    if recorded is None:
        return None
    return {segment.key.partition("#")[0] for segment in recorded.walk() if segment.kind is Kind.LORE}


def _state(entry: LoreEntry, outcome: LoreOutcome, woken: Woken, sent: set[str] | None) -> LoreState:
    key = lore_key(entry.id, entry.owner)
    depth = scan_depth(entry)
    scan = woken.log.scan(depth)
    hits = tuple(islice((hit for one in entry.keys or () for hit in scan.hits(one)), MOST_HITS))
    miss = None
    if not hits and outcome is LoreOutcome.NO_KEY:
        miss = nearest_miss(entry.keys or (), scan, woken.log.beyond(depth), depth)
    position, place, known = landing_of(entry)
    if position == "at_depth" and place is None:
        place = 4
    held = None if sent is None else key in sent
    heading = woken.wording.text("lore.heading", label=label_of(entry))
    return LoreState(
        entry=entry.id,
        key=key,
        label=label_of(entry),
        owner=entry.owner,
        content=entry.content,
        strategy=entry.strategy,
        keys=entry.keys or (),
        position=position,
        depth=place,
        order=entry.insertion_order,
        scan_depth=depth,
        outcome=outcome,
        why=_why(outcome, entry, hits, depth, knows_line=woken.knows_line),
        hits=hits,
        nearest_miss=miss.sentence if miss is not None else None,
        near=miss.hit if miss is not None else None,
        tokens=covel_tokens(trim(f"{heading}\n{entry.content}")),
        sent=held,
        notes=tuple(_notes(entry, outcome, known, held)),
    )


def _why(outcome: LoreOutcome, entry: LoreEntry, hits: Sequence[LoreHit], depth: int, *, knows_line: bool) -> Sentence:
    match outcome:
        case LoreOutcome.CONSTANT:
            return say("A constant entry: it is always in.")
        case LoreOutcome.KEY:
            return _where(hits[0])
        case LoreOutcome.DISABLED:
            return _if_it_were_on(entry, hits)
        case LoreOutcome.KEYLESS if entry.keys:
            return say("It is not constant and all its keys are blank, so it never comes in.")
        case LoreOutcome.KEYLESS:
            return say("It is not constant and has no key, so it never comes in.")
        case LoreOutcome.PRUNED:
            return say("It was woken, but the budget left its message out.")
        case LoreOutcome.LATER:
            return say("Its row was written after this call.")
        case LoreOutcome.NO_KEY if not knows_line and depth:
            return say(
                "No key stands in the messages that are scanned, at most {n}; whether one stood in the "
                "player's text is not known, for it is stored nowhere.",
                n=depth,
            )
        case LoreOutcome.NO_KEY if not knows_line:
            return say(
                "Its keys are looked for in the player's text alone, which is stored nowhere: whether it came in is "
                "not known."
            )
        case LoreOutcome.NO_KEY if depth == 1:
            return say("No key stands in the player's line or the last message.")
        case LoreOutcome.NO_KEY if depth:
            return say("No key stands in the player's line or the last {n} messages.", n=depth)
    return say("No key stands in the player's line; no message is scanned.")


def _where(hit: LoreHit) -> Sentence:
    return told_crossing(hit.key) if hit.crosses else told_hit(hit.key, hit.back, hit.message)


def _if_it_were_on(entry: LoreEntry, hits: Sequence[LoreHit]) -> Sentence:
    if entry.strategy == "constant":
        return say("It is switched off; switched on it would always be in.")
    if hits:
        return say("It is switched off; switched on its key '{key}' would bring it in here.", key=hits[0].key)
    return say("It is switched off; no key of it stands here either.")


def _notes(entry: LoreEntry, outcome: LoreOutcome, known: bool, held: bool | None) -> Iterator[Sentence]:
    yield from entry.provenance.notes
    if not known:
        yield say(
            "Its position '{position}' is none that the engine knows, so it stands where after_plugin does.",
            position=_given_position(entry),
        )
    if held is True and not outcome.is_in:
        yield say("The recorded request holds it all the same: its row may have changed since.")
    if held is False and outcome.is_in:
        yield say("The recorded request does not hold its text: its row may have changed since, or a hook removed it.")


def _given_position(entry: LoreEntry) -> str:
    coordinate = entry.inner_extra.get("coordinate")
    given = coordinate.get("position") if isinstance(coordinate, Mapping) else None
    return given if isinstance(given, str) else entry.position
