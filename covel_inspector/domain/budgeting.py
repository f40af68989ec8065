"""What a token budget did to a request, step by step, as a view or a report shows it."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.segment import Kind
from covel_inspector.domain.sentence import Sentence


class BudgetOutcome(StrEnum):
    """How a budget run ended."""

    FITS = "fits"
    TRIMMED = "trimmed"
    OVERFLOW = "overflow"
    UNKNOWN_LIMIT = "unknown-limit"


@dataclass(frozen=True, slots=True)
class BudgetShare:
    """One block of the bar: a kind of content and its tokens by the engine's estimate."""

    name: str
    title: Sentence
    kind: Kind
    tokens: int


@dataclass(frozen=True, slots=True)
class BudgetItem:
    """A message (or tool group) that a step touched or had to leave. ``key`` is that of its segment in the tree."""

    key: str
    title: Sentence
    tokens_before: int
    tokens_after: int
    note: Sentence
    share: str = ""
    """Name of the block of the bar that it belongs to."""


@dataclass(frozen=True, slots=True)
class BudgetStep:
    """One step: what was over, what it wanted, what it touched, what it had to spare, and why it ended."""

    name: str
    title: Sentence
    over: int
    goal: int | None
    saved: int
    touched: tuple[BudgetItem, ...]
    protected: tuple[BudgetItem, ...]
    told: Sentence
    """The whole step in one sentence that needs no manual."""


@dataclass(frozen=True, slots=True)
class BudgetExtra:
    """Something that a budget counts otherwise than its text: a frame, a fixed price, room that is kept free.

    ``tokens`` is the difference: what the budget counts less the estimate of the segments' own texts.
    """

    title: Sentence
    tokens: int


@dataclass(frozen=True, slots=True)
class BudgetRun:
    """A budget applied to a request. All tokens by the engine's estimate.

    ``limit`` is the input limit (window less reserve), None when nobody knows it; ``limit_source`` says how it is
    known. ``shares`` tell the request before trimming, ``distance`` how many tokens are left until the next step
    (negative: over by so many).
    """

    outcome: BudgetOutcome
    window: int | None
    reserve: int | None
    limit: int | None
    limit_source: Sentence
    before: int
    after: int
    shares: tuple[BudgetShare, ...]
    steps: tuple[BudgetStep, ...] = ()
    figures: tuple[tuple[str, int], ...] = ()
    """The nine numbers of an overflow, by the engine's names; empty unless it overflowed."""
    notes: tuple[Sentence, ...] = ()
    """What else bears on the run: whether trace events say the same, and what is not known."""
    extras: tuple[BudgetExtra, ...] = ()
    """Why ``after`` is not the sum of the estimates of all segments; rounding is not among them."""

    @property
    def distance(self) -> int | None:
        """Tokens left under the limit before any trimming; None without a limit."""
        return None if self.limit is None else self.limit - self.before
