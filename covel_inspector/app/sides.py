"""What the shell hands to the compare view: two sides, made ready in a worker.

Nothing here is computed in the window: a side carries its tree and figures, a prepared comparison carries its pairs.
Everything is immutable and may cross threads.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from covel_inspector.analysis.pairs import Comparison
from covel_inspector.domain import BudgetRun, Call, Changes, Segment, SegmentTree, Sentence, Verdict


@dataclass(frozen=True, slots=True)
class Figures:
    """Token counts of one tree, all by the engine's own estimate, whose name is ``estimator``.

    A branch counts as much as its leaves together; the whole is the sum of all leaves.
    """

    estimator: str
    total: int
    before: tuple[int, ...] = ()
    """Tokens that stand before each boundary, in the order of ``tree.boundaries``."""
    by_identity: Mapping[int, int] = field(default_factory=dict)
    """From ``id(segment)`` of the side's tree; the side keeps the tree alive."""

    def of(self, segment: Segment) -> int | None:
        """Tokens of a segment of the tree these figures belong to; None for a segment of another tree."""
        return self.by_identity.get(id(segment))


@dataclass(frozen=True, slots=True)
class Side:
    """One half of the comparison: a request, or a sentence that says why there is none."""

    address_text: str
    """Text form of the call's address; empty when there is no call."""
    title: Sentence
    """Turn and runtime, for the heading: "turn 12 · narrator"."""
    tree: SegmentTree | None = None
    call: Call | None = None
    verdict: Verdict | None = None
    message: Sentence | None = None
    """Why there is no tree; or a remark about the tree that must be read with it."""
    figures: Figures | None = None
    """None exactly when ``tree`` is None."""
    rebuilt: bool = False
    """True when the tree was rebuilt, False when it was recorded."""
    changes: Changes | None = None
    """The reader's changes, for a request that never was ("what if"); None for one as it was."""
    budget: BudgetRun | None = None
    """What its token budget did, where the engine can tell."""
    kept: int | None = None
    """In "what if": tokens from the front that the runtime's call in the turn before, with the same changes, has too:
    as much as a cache could keep from turn to turn. None where there is no such call."""
    details: str = ""
    """What the engine itself said, word for word, where ``message`` is our telling of it."""
    gone: bool = False
    """True when the file does not hold the request any more: reading it again would help."""

    @property
    def is_sent(self) -> bool:
        """False for a call that failed before a request went out; what is shown of it is rebuilt."""
        return self.call is None or self.call.is_sent

    @property
    def changed(self) -> bool:
        """True for a request that never was: rebuilt with the reader's changes."""
        return self.changes is not None

    @property
    def limit(self) -> int | None:
        """The input limit in the engine's tokens; None when nobody knows it."""
        return self.budget.limit if self.budget is not None else None


@dataclass(frozen=True, slots=True)
class Prepared:
    """Two sides and their comparison. ``b`` is the call the reader is at; ``a`` is what it is compared with."""

    a: Side | None
    b: Side | None
    comparison: Comparison | None = None
    """None unless both sides have a tree."""
