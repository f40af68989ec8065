"""What a cache could read of each request, turn by turn: measured, reported and predicted figures side by side.

Three kinds of figures are never mixed. *Measured*: the prefix measurement's own estimate of tokens (``tokens``,
``shared``). *Reported*: what the provider counted (``usage``). *Predicted*: what its published rules would give for
our estimate (``predicted``). Tokens in front of boundaries are the engine's own estimate, segment by segment, as trees
show them.
"""

from dataclasses import dataclass, field

from covel_inspector.analysis.causes import Cause, CauseKind
from covel_inspector.analysis.prefix import PairKind
from covel_inspector.domain import Address, Kind, Sentence, Setter, Usage


@dataclass(frozen=True, slots=True)
class StripBlock:
    """One block of the heat strip: a segment (child of a group) and its tokens by the measurement's estimate."""

    key: str
    kind: Kind
    title: Sentence
    tokens: int


@dataclass(frozen=True, slots=True)
class BoundaryReading:
    """A place up to which a cache may keep a request, and who can read it again.

    ``tokens`` stand before it, by the engine's estimate, segment by segment as in the tree. ``is_read`` is predicted
    for this very call; ``readers`` are later calls of this runtime (the same turn's next step, the next turn's first
    request) that begin with everything before it, whether or not it is kept until then.
    """

    number: int
    setter: Setter
    tokens: int
    note: Sentence
    is_read: bool = False
    readers: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class Prediction:
    """Tokens by the provider's published rules; the first three add up to the whole input.

    They are in the provider's own scale when it reported the whole input, else estimates. ``steps`` says how many
    boundaries lie between the predicted and the reported end of what was read, None when nothing was reported.
    ``rule`` names the rule's source and date, ``why`` says what decided.
    """

    cached: int
    written: int
    uncached: int
    steps: int | None
    rule: Sentence
    why: Sentence


@dataclass(frozen=True, slots=True)
class Cost:
    """Money for the input of one call by the price table. A hint, never a bill.

    ``paid`` by the reported counts where there are any, else by the predicted ones (``basis`` says which);
    ``without_cache`` if nothing had ever been cached; ``lost`` = what the break of the prefix cost: the tokens that
    went uncached because of it, at the difference to the price of a cache read.
    """

    paid: float
    without_cache: float
    lost: float
    currency: str
    basis: Sentence
    price: Sentence
    """Source and date of the price."""


@dataclass(frozen=True, slots=True)
class CacheRow:
    """One request and the request it is compared with (``against``; None for the first)."""

    address: Address
    kind: PairKind
    """TURN: a turn's first request, with that of the turn before. Others: with the request before in the same turn."""
    against: Address | None
    model: str
    provider: str
    protocol: str
    started_at: str
    tokens: int
    shared: int
    cause: Cause
    usage: Usage | None = None
    predicted: Prediction | None = None
    disagreement: Sentence | None = None
    """Why reported and predicted cached tokens are more than one boundary apart; None when they are not."""
    cost: Cost | None = None
    boundaries: tuple[BoundaryReading, ...] = ()
    strip: tuple[StripBlock, ...] = ()
    """The request map in blocks from the front; empty when the request has no tree. ``strip_shared`` of their tokens
    are shared with the earlier request."""
    strip_shared: int = 0

    @property
    def is_measured(self) -> bool:
        """False for a request that is not kept, or whose text cannot be compared with that of the one before."""
        return self.tokens > 0 and self.cause.kind is not CauseKind.CONCEALED

    @property
    def share(self) -> float:
        """0.0 to 1.0: measured shared tokens of measured tokens."""
        return self.shared / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, slots=True)
class RuntimeCache:
    """All rows of one runtime, in the order of the calls."""

    runtime: str
    plugin: str
    rows: tuple[CacheRow, ...]

    @property
    def turns(self) -> tuple[CacheRow, ...]:
        """Only the rows that compare turns."""
        return tuple(row for row in self.rows if row.kind is PairKind.TURN)


@dataclass(frozen=True, slots=True)
class CacheReport:
    """The cache of one session, runtime by runtime in order of first appearance.

    ``estimator`` names the estimate behind measured figures, ``boundary_estimator`` that of the source, by which tokens
    before boundaries are counted; ``notes`` say which tables of rules and prices were used,
    of what date, and what could not be told.
    """

    session: str
    runtimes: tuple[RuntimeCache, ...]
    estimator: Sentence
    notes: tuple[Sentence, ...] = field(default=())
    boundary_estimator: str = ""
