"""Prepared comparisons of the hand-built turns, and of any two trees, for tests of the compare view."""

from hand_built_turns import TURN_11, TURN_12

from covel_inspector.analysis.compare import compare
from covel_inspector.app.sides import Figures, Prepared, Side
from covel_inspector.domain import Address, Call, SegmentTree, Sentence, Status, Usage, Verdict, plain, say

ESTIMATOR = "four letters"


def tokens_of(text: str) -> int:
    """A made-up estimate: a token for every four letters begun."""
    return -(-len(text) // 4)


def figures_of(tree: SegmentTree) -> Figures:
    """Figures by the made-up estimate."""
    counts = {id(segment): sum(tokens_of(leaf.text) for leaf in segment.leaves()) for segment in tree.walk()}
    before = []
    for boundary in tree.boundaries:
        end = (boundary.place.part, boundary.place.end)
        before.append(
            sum(counts[id(leaf)] for leaf in tree.leaves() if leaf.place and (leaf.place.part, leaf.place.end) <= end)
        )
    return Figures(ESTIMATOR, sum(counts[id(group)] for group in tree.groups), tuple(before), counts)


def side(tree: SegmentTree | None, turn: int, cached: int | None = 400, message: Sentence | None = None) -> Side:
    """A side with a call of the runtime narrator; the provider counted 1000 tokens of input."""
    address = Address("watch", str(turn), "narrator", 0)
    return Side(
        address_text=str(address),
        title=say("turn {turn} · {runtime}", turn=turn, runtime="narrator"),
        tree=tree,
        call=Call(address, f"row-{turn}", f"turn-{turn}", usage=Usage(input=1000, cached=cached)),
        verdict=Verdict(Status.IDENTICAL, plain("the same")),
        message=message,
        figures=figures_of(tree) if tree is not None else None,
    )


def prepared(a: SegmentTree | None = TURN_11, b: SegmentTree | None = TURN_12) -> Prepared:
    """Two sides and their comparison."""
    comparison = compare(a, b) if a is not None and b is not None else None
    return Prepared(side(a, 11), side(b, 12), comparison)


def first_turn() -> Prepared:
    """A call that has nothing before it."""
    nothing = Side("", plain("before turn 1"), message=plain("This is the first turn of this runtime."))
    return Prepared(nothing, side(TURN_12, 1))
