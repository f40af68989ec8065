"""The rows of the side-by-side tree, ready to draw: every text and figure is made here, once.

A row owns its children; the model owns the rows. What a cell says is a plain string, so that a look-up never computes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum

from covel_inspector.analysis.compare import Pair, PairState
from covel_inspector.app.compare.moves import SOMEWHERE
from covel_inspector.domain import Absent, Boundary, Kind, Segment


class Column(IntEnum):
    """The columns of the tree."""

    A_TITLE = 0
    A_TOKENS = 1
    SIGN = 2
    B_TITLE = 3
    B_HINT = 4
    B_TOKENS = 5


class RowKind(Enum):
    """What a row stands for."""

    PAIR = "pair"
    BOUNDARY = "boundary"
    ABSENT = "absent"
    ABSENTS = "absents"
    """A branch that holds several absent things of one place."""


class Look(Enum):
    """How a row is tinted and which sign it has. The value is the sign; a row that moved has an arrow of its own."""

    PLAIN = ""
    EQUAL = "="
    CHANGED = "≠"
    ADDED = "+"
    REMOVED = "−"
    MOVED = "↕"
    MOVED_CHANGED = "↕≠"


LOOK_OF_STATE = {
    PairState.EQUAL: Look.EQUAL,
    PairState.CHANGED: Look.CHANGED,
    PairState.ADDED: Look.ADDED,
    PairState.REMOVED: Look.REMOVED,
    PairState.MOVED: Look.MOVED,
    PairState.MOVED_CHANGED: Look.MOVED_CHANGED,
}


@dataclass(slots=True)
class Half:
    """One side of a row. ``kind`` is None where no dot is drawn; ``there`` is False where the side has nothing."""

    title: str = ""
    tokens: str = ""
    remark: str = ""
    """Small and grey, behind the title."""
    kind: Kind | None = None
    there: bool = False


@dataclass(slots=True)
class PairRow:
    """One row: its two halves, its sign, and where it hangs. ``number`` counts the rows of its parent."""

    kind: RowKind
    key: str
    parent: "PairRow | None" = None
    number: int = 0
    level: int = 0
    a: Half = field(default_factory=Half)
    b: Half = field(default_factory=Half)
    hint: str = ""
    """Small and grey, at the right edge of B's title."""
    hint_a: str = ""
    """The same at A's, for what only A has, and for where A has what moved."""
    look: Look = Look.PLAIN
    arrow: str = SOMEWHERE
    """Which way a moved row went."""
    is_away: bool = False
    """A has it at another place than here: its half is only quoted."""
    branch_a: str = ""
    """Title of the branch that holds it in A, when that is another one than the row's own."""
    is_group: bool = False
    tip: str = ""
    spoken: str = ""
    """For screen readers: what the colours and signs say, in words."""
    shared: float = 0.0
    """How much of the row lies in the prefix that both requests share: 0.0 none, 1.0 all."""
    shared_ends: tuple[int | None, int | None] = (None, None)
    """Where the shared prefix ends inside the text of A and of B, in code points; None when it does not end there."""
    opens: bool = False
    """Whether the row is open when it is shown for the first time."""
    pair: Pair | None = None
    boundaries: tuple[Boundary | None, Boundary | None] = (None, None)
    absent: Absent | None = None
    children: list["PairRow"] = field(default_factory=list)
    texts: tuple[str, ...] = ()
    """What each column says."""

    @property
    def sign(self) -> str:
        """What stands between the halves."""
        return self.look.value.replace(SOMEWHERE, self.arrow)

    @property
    def segment(self) -> Segment | None:
        """B's segment, else A's."""
        return self.pair.shown if self.pair is not None else None

    @property
    def path(self) -> tuple[str, ...]:
        """Keys from the top: the same piece has the same path in every turn."""
        return (*self.parent.path, self.key) if self.parent is not None else (self.key,)

    @property
    def is_difference(self) -> bool:
        """True for a step of "next difference": a leaf that differs, or a branch that only one side has, as a whole."""
        if self.pair is None or self.look in (Look.PLAIN, Look.EQUAL):
            return False
        is_alone = self.look in (Look.ADDED, Look.REMOVED)
        if is_alone and self.parent is not None and self.parent.look is self.look:
            return False
        return is_alone or not self.children

    def adopt(self, child: "PairRow") -> None:
        """Hang a row below this one."""
        child.parent, child.number, child.level = self, len(self.children), self.level + 1
        self.children.append(child)

    def settle(self) -> None:
        """Fix what the columns say; called once, when the halves are filled."""
        self.texts = (self.a.title, self.a.tokens, self.sign, self.b.title, self.hint, self.b.tokens)


def walk(rows: list[PairRow]) -> list[PairRow]:
    """All rows, parents first, in the order in which they stand on screen when everything is open."""
    found: list[PairRow] = []
    waiting = list(reversed(rows))
    while waiting:
        row = waiting.pop()
        found.append(row)
        waiting.extend(reversed(row.children))
    return found


def row_over(rows: Iterable[PairRow], leaves: Sequence[Segment]) -> PairRow | None:
    """The row of a leaf; for several the lowest one that holds them all. Leaves without a row are left aside."""
    wanted = {id(leaf) for leaf in leaves}
    paths = [_above(row) for row in rows if row.pair is not None and {id(row.pair.a), id(row.pair.b)} & wanted]
    common = [step[0] for step in zip(*paths, strict=False) if all(one is step[0] for one in step)]
    return common[-1] if common else None


def _above(row: PairRow) -> list[PairRow]:
    path = [row]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    return path[::-1]
