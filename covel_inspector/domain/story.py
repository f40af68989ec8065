"""Sessions, turns and calls: what a source lists before anybody looks into a request."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.address import Address
from covel_inspector.domain.sentence import Sentence, say


class TurnKind(StrEnum):
    """What started a turn's executions."""

    PLAYER = "player"
    BACKGROUND = "background"


class Event(StrEnum):
    """Things worth a mark in the navigator."""

    COMPACTED = "compacted"
    PRUNED = "pruned"
    FAILED = "failed"
    RETRIED = "retried"
    SUSPENDED = "suspended"
    HOOK_REWROTE = "hook-rewrote"


@dataclass(frozen=True, slots=True)
class Session:
    """A story. ``title`` falls back to the world's name, then to the id."""

    id: str
    title: str
    locale: str = ""
    world: str = ""
    turn_count: int = 0
    call_count: int = 0
    created_at: str = ""
    updated_at: str = ""
    forked_from: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a session. ``number`` is what people call it: "12", or "12+1" for a background execution."""

    session: str
    number: str
    id: str
    kind: TurnKind = TurnKind.PLAYER
    line: str = ""
    """The player's line, or what is known of it."""
    started_at: str = ""
    call_count: int = 0
    runtimes: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    note: Sentence | None = None
    """Why there is nothing to see, if so: failed before a request, copied by a fork …"""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the provider reported them; None = not reported.

    ``input`` is the whole input; ``cached`` and ``cache_write`` are disjoint parts of it.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    cache_write: int | None = None


@dataclass(frozen=True, slots=True)
class TooLong:
    """Why a request did not fit, by the numbers that the engine's own error names, in its tokens.

    ``needed`` is what it weighed after everything that may be left out was left out, ``fixed`` the part of it that
    stays in every case (system prompt and tools).
    """

    needed: int
    limit: int
    fixed: int

    @property
    def over(self) -> int:
        """How much it was too long."""
        return self.needed - self.limit


@dataclass(frozen=True, slots=True)
class Call:
    """One model call, as far as a list needs it (its payload is not parsed for this): recorded, or never sent."""

    address: Address
    row: str
    """Id of the row that recorded it."""
    turn_id: str
    step: int = 0
    """Step in the tool loop, from 0."""
    attempt: int = 0
    """0 for the first attempt of this step."""
    model: str = ""
    provider: str = ""
    slot: str = ""
    plugin: str = ""
    started_at: str = ""
    payload_bytes: int = 0
    concealed: bool = False
    finish: str = ""
    usage: Usage | None = None
    problem: Sentence | None = None
    """Why the recording cannot be read, for a row that is broken."""
    error: str = ""
    """The runtime's error as the engine wrote it, for a call that was never sent."""
    failure: Sentence | None = None
    """The same in a sentence for people."""
    too_long: TooLong | None = None
    """The error's numbers, for a request that was never sent because it did not fit."""

    @property
    def is_sent(self) -> bool:
        """False for a call that failed before a request went out: nothing of it was recorded."""
        return not self.error

    @property
    def why_unsent(self) -> Sentence:
        """Why a call that failed was never sent, as a whole sentence."""
        return self.failure or self.problem or say("It failed before it was sent.")
