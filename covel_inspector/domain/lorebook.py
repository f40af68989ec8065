"""Lorebook entries seen from one call: in or out, which key, where, and how near the others came."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.address import Address
from covel_inspector.domain.sentence import Sentence, say


class LoreOutcome(StrEnum):
    """What became of an entry in one request."""

    CONSTANT = "constant"
    """In: the entry is always in."""
    KEY = "key"
    """In: a key hit."""
    NO_KEY = "no-key"
    """Out: no key hit."""
    KEYLESS = "keyless"
    """Out: not constant, and without a key that could ever hit (none, or blank ones only)."""
    DISABLED = "disabled"
    """Out: switched off."""
    PRUNED = "pruned"
    """Woken, but the request's budget left its message out."""
    LATER = "later"
    """Out: its row was written after the call."""

    @property
    def is_in(self) -> bool:
        """True when the entry stands in the request."""
        return self in (LoreOutcome.CONSTANT, LoreOutcome.KEY)


@dataclass(frozen=True, slots=True)
class LoreHit:
    """A place where a key (or nearly a key) stands.

    ``row`` is the history row whose text it is, None the player's line. ``start`` and ``end`` are code points in that
    text as it is stored; a hit across the border of two messages begins in one and has ``crosses`` set, its ``end`` is
    then that text's end. ``back`` counts messages: 0 the player's line, 1 the newest message. ``message`` is
    what people call the message, None for the player's line.
    """

    key: str
    row: str | None
    start: int
    end: int
    back: int = 0
    excerpt: str = ""
    """Some words around it, on one line."""
    crosses: bool = False
    message: Sentence | None = None

    @property
    def where(self) -> Sentence:
        """In which text it stands."""
        return scanned_place(self.back, self.message)


def scanned_place(back: int, message: Sentence | None = None) -> Sentence:
    """A text in which keys are looked for: ``back`` messages from the player's line, ``message`` is its name."""
    if back == 0:
        return say("in the player's line")
    where = say("in the message just before") if back == 1 else say("{n} messages back", n=back)
    return where if message is None else say("{where} ({message})", where=where, message=message)


@dataclass(frozen=True, slots=True)
class LoreState:
    """One entry as one request found it.

    ``entry`` is the row's id, ``key`` the key of its segment in a tree. ``position`` and ``depth`` are those that count
    (the record's coordinates applied; ``depth`` only for ``at_depth``). ``scan_depth`` is the number of messages
    scanned beside the player's line. ``hits`` has the hit that woke the entry first, then all others (at most fifty).
    """

    entry: str
    key: str
    label: str
    owner: str
    """``world``, ``player``, or ``plugin:`` and the plugin's id."""
    content: str
    strategy: str
    keys: tuple[str, ...]
    position: str
    depth: float | None
    order: float
    scan_depth: int
    outcome: LoreOutcome
    why: Sentence
    hits: tuple[LoreHit, ...] = ()
    nearest_miss: Sentence | None = None
    """For an entry without a hit: how near a key came, and what kept it out."""
    near: LoreHit | None = None
    """Where the nearest miss stands."""
    tokens: int = 0
    """Of the entry with its heading, by the engine's estimate, in or out."""
    sent: bool | None = None
    """Whether the recorded request holds it, as attributed; None = nothing recorded, or a line was only tried."""
    notes: tuple[Sentence, ...] = ()
    """What a reader must know: the row is newer than the call, the position is none the engine knows …"""

    @property
    def is_in(self) -> bool:
        """True when the entry stands in the request, by the rows as they are now."""
        return self.outcome.is_in

    @property
    def is_held(self) -> bool:
        """True when the recorded request holds it; where nothing is recorded, what the rows say."""
        return self.is_in if self.sent is None else self.sent

    @property
    def is_contradicted(self) -> bool:
        """True when the recorded request says otherwise than the rows as they are now."""
        return self.is_held is not self.is_in


@dataclass(frozen=True, slots=True)
class LoreRow:
    """One entry over the turns; ``outcomes``, ``woken_by`` and ``sent`` have one item for each address of the history.

    ``woken_by`` is the key that woke it there, or the empty string. ``sent`` is that of a :class:`LoreState`.
    """

    entry: str
    key: str
    label: str
    owner: str
    outcomes: tuple[LoreOutcome, ...]
    woken_by: tuple[str, ...]
    sent: tuple[bool | None, ...]


@dataclass(frozen=True, slots=True)
class LoreHistory:
    """When each entry was in, for one runtime: the first call of each of its turns, in story order."""

    session: str
    runtime: str
    addresses: tuple[Address, ...]
    rows: tuple[LoreRow, ...]
