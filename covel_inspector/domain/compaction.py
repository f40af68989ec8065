"""What became of a session's history: which summaries stand for which rows, and when the next one is due."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.segment import Kind
from covel_inspector.domain.sentence import Sentence


class HintKind(StrEnum):
    """What sort of thing a summary no longer mentions."""

    NAME = "name"
    TERM = "term"
    """A key of the lorebook."""
    NUMBER = "number"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True)
class CoveredRow:
    """A row of the history that a summary stands for. ``key`` is that of its segment in trees."""

    key: str
    row: str
    turn: str
    kind: Kind
    title: Sentence
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class MissingHint:
    """A word of the covered rows that the summary does not hold: a hint, found by its form and not by its meaning.

    ``row`` is the key of the first row that has it, ``count`` in how many of the covered rows it stands.
    """

    kind: HintKind
    text: str
    row: str
    count: int


@dataclass(frozen=True, slots=True)
class StorySummary:
    """A stored summary. Tokens by the engine's estimate.

    ``reported_saved`` is what the trace calls its savings, None when no event tells: the engine counts the covered
    rows and does not take the summary off. ``merged`` counts the older summaries that went into it, 0 when none did
    or nobody knows.
    """

    key: str
    id: str
    text: str
    tokens: int
    rows: tuple[CoveredRow, ...]
    rows_tokens: int
    first_turn: str
    last_turn: str
    created_at: str
    made_before_turn: str
    """Number of the turn before whose first call it was made; empty when no call followed."""
    focus: tuple[str, ...]
    reported_saved: int | None
    merged: int
    shortened: bool
    """True when the engine says that the model's text was cut."""
    hints: tuple[MissingHint, ...]
    told: Sentence
    """The summary in one sentence: which turns, how many rows, what it saved."""

    @property
    def saved(self) -> int:
        """Tokens of the rows less those of the summary."""
        return self.rows_tokens - self.tokens


@dataclass(frozen=True, slots=True)
class CompactionAttempt:
    """One attempt to compact, as a trace event tells it. ``summaries`` are keys of those it wrote."""

    turn: str
    at: str
    succeeded: bool
    told: Sentence
    summaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NextCompaction:
    """When the next compaction is due, by the engine's rule for its own default numbers.

    ``estimated`` is what the context weighs now, ``trigger`` the weight above which it is compacted; both in the
    engine's tokens and None when not known. ``protected_rows`` of the live rows would not be compacted yet.
    """

    estimated: int | None
    trigger: int | None
    live_rows: int
    protected_rows: int
    told: Sentence

    @property
    def distance(self) -> int | None:
        """Tokens left until the trigger; negative when it has been passed; None when one of the two is not known."""
        return None if self.estimated is None or self.trigger is None else self.trigger - self.estimated


@dataclass(frozen=True, slots=True)
class CompactionReport:
    """All of a session's compaction. Summaries are oldest first, attempts in the order they were made."""

    session: str
    summaries: tuple[StorySummary, ...]
    attempts: tuple[CompactionAttempt, ...]
    upcoming: NextCompaction
    told: Sentence
