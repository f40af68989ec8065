"""Which lorebook entries are active, and why. Follows the reference on the assembler, section 10."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import AbsenceReason, Absent, Kind, Origin, Sentence, say
from covel_inspector.domain.listing import enumerated
from covel_inspector.domain.lorebook import scanned_place
from covel_inspector.engines.covel.assembler.lore_keys import find_key
from covel_inspector.engines.covel.assembler.params import LoreContribution
from covel_inspector.engines.covel.assembler.session_state import LoreEntry, ScannedMessage, SessionState
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.javascript import collation_key, is_blank
from covel_inspector.engines.covel.records.naming import lore_key, lore_title

DEEPEST_SCAN = 20
POSITIONS = ("before_plugin", "after_plugin", "at_depth")


@dataclass(frozen=True, slots=True)
class KeyHit:
    """The key that woke an entry. ``places`` are the messages it stands in, oldest first: how many messages back each
    is (0 = the player's line), and what people call it."""

    key: str
    places: tuple[tuple[int, Sentence | None], ...]


@dataclass(frozen=True, slots=True)
class Activated:
    """Active entries in prompt order, and the others with the reason why they are not."""

    contributions: tuple[LoreContribution, ...]
    left_out: tuple[Absent, ...]


class ScanText:
    """The text that wakes entries: the last messages and the player's line, lower-cased, for each depth once."""

    def __init__(self, recent: Sequence[ScannedMessage], player_message: str) -> None:
        self._player_line = ScannedMessage(player_message)
        self._messages = [*recent[-DEEPEST_SCAN:], self._player_line]
        self._lowered: dict[int, str] = {}

    def find(self, key: str, depth: int) -> KeyHit | None:
        """The first place where a key hits, None when it does not."""
        text = self._text(depth)
        place = find_key(key, text)
        return None if place is None else KeyHit(key, self._places_at(place, place + len(key.lower()), depth))

    def _scanned(self, depth: int) -> Sequence[ScannedMessage]:
        return self._messages[-1 - depth :]

    def _text(self, depth: int) -> str:
        text = self._lowered.get(depth)
        if text is None:
            text = "\n".join(message.content for message in self._scanned(depth)).lower()
            self._lowered[depth] = text
        return text

    def _places_at(self, start: int, end: int, depth: int) -> tuple[tuple[int, Sentence | None], ...]:
        places: list[tuple[int, Sentence | None]] = []
        scanned = self._scanned(depth)
        position = 0
        for back, message in zip(range(len(scanned) - 1, -1, -1), scanned, strict=True):
            last = position + len(message.content.lower())
            if start < last and end > position:
                places.append((back, message.told))
            position = last + 1
        return tuple(places)


def activate(state: SessionState, wording: Wording) -> Activated:
    """Active entries sorted by order and id, with notes that say why; the others with the reason they are not."""
    scan = ScanText(state.recent_messages, state.player_message)
    active: list[LoreContribution] = []
    left_out: list[Absent] = []
    for entry in state.lorebook:
        depth = scan_depth(entry)
        if not entry.enabled:
            left_out.append(_absent(entry, AbsenceReason.DISABLED, say("the entry is switched off")))
        elif entry.strategy == "constant":
            active.append(_contribution(entry, wording, say("A constant entry: it is always in.")))
        elif hit := _first_hit(entry, scan, depth):
            active.append(_contribution(entry, wording, _why_hit(hit)))
        else:
            left_out.append(_absent(entry, AbsenceReason.NO_KEY, _why_no_hit(entry, depth)))
    active.sort(key=lambda entry: (entry.order, collation_key(entry.id)))
    return Activated(tuple(active), tuple(left_out))


def scan_depth(entry: LoreEntry) -> int:
    """How many committed messages are scanned beside the player's line: 0 to 20, 0 for anything but an integer."""
    depth = entry.inner_extra.get("scanDepth")
    if isinstance(depth, bool) or not isinstance(depth, int | float) or not math.isfinite(depth) or depth != int(depth):
        return 0
    return min(max(int(depth), 0), DEEPEST_SCAN)


def label_of(entry: LoreEntry) -> str:
    """Title, else first key, else id."""
    title = entry.inner_extra.get("title")
    if isinstance(title, str) and title:
        return title
    return entry.keys[0] if entry.keys else entry.id


def landing_of(entry: LoreEntry) -> tuple[str, float | None, bool]:
    """Position, depth (None = the default) and whether the position as given is a known one."""
    coordinate = entry.inner_extra.get("coordinate")
    coordinate = coordinate if isinstance(coordinate, Mapping) else {}
    given = coordinate.get("position")
    position = given if isinstance(given, str) else entry.position
    if position not in POSITIONS:
        return "after_plugin", None, False
    depth = coordinate.get("depth")
    if position != "at_depth" or isinstance(depth, bool) or not isinstance(depth, int | float):
        return position, None, True
    return position, max(0, math.floor(depth + 0.5)) if math.isfinite(depth) else None, True


def _first_hit(entry: LoreEntry, scan: ScanText, depth: int) -> KeyHit | None:
    for key in entry.keys or ():
        hit = scan.find(key, depth)
        if hit is not None:
            return hit
    return None


def _contribution(entry: LoreEntry, wording: Wording, why: Sentence) -> LoreContribution:
    position, depth, known = landing_of(entry)
    notes = [why]
    if not known:
        notes.append(
            say(
                "Its position '{position}' is none that the engine knows, so it stands where after_plugin does.",
                position=entry.position,
            )
        )
    label = label_of(entry)
    return LoreContribution(
        id=entry.id,
        content=f"{wording.text('lore.heading', label=label)}\n{entry.content}",
        position=position,
        order=entry.insertion_order,
        depth=depth,
        label=label,
        owner=entry.owner,
        notes=tuple(notes),
        provenance=entry.provenance,
        entry=entry,
    )


def _absent(entry: LoreEntry, reason: AbsenceReason, note: Sentence) -> Absent:
    return Absent(
        key=lore_key(entry.id, entry.owner),
        kind=Kind.LORE,
        title=lore_title(label_of(entry)),
        reason=reason,
        note=note,
        text=entry.content,
        origin=_origin(entry),
    )


def _origin(entry: LoreEntry) -> Origin:
    origin = entry.provenance.origin
    return replace(origin, plugin=entry.owner_id) if entry.owner_kind == "plugin" and not origin.plugin else origin


def _why_hit(hit: KeyHit) -> Sentence:
    return told_hit(hit.key, *hit.places[0]) if len(hit.places) == 1 else told_crossing(hit.key)


def told_hit(key: str, back: int, message: Sentence | None) -> Sentence:
    """Where a key stands, ``back`` messages from the player's line; ``message`` is what people call that message."""
    return say("The key '{key}' stands {where}.", key=key, where=scanned_place(back, message))


def told_crossing(key: str) -> Sentence:
    """The same for a key that begins in one message and ends in the next."""
    return say("The key '{key}' is found across the border of two messages.", key=key)


def _why_no_hit(entry: LoreEntry, depth: int) -> Sentence:
    keys = [key for key in entry.keys or () if not is_blank(key)]
    if not keys:
        return say("the entry is not constant and has no key")
    listed = enumerated(say("'{key}'", key=key) for key in keys)
    if depth == 0:
        return say("no key stands in the player's line; keys: {keys}", keys=listed)
    if depth == 1:
        return say("no key stands in the player's line or the last message; keys: {keys}", keys=listed)
    return say("no key stands in the player's line or the last {n} messages; keys: {keys}", n=depth, keys=listed)
