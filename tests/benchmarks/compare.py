"""How long two large trees take side by side, against merely walking and joining their texts. By hand:

python -m tests.benchmarks.compare
"""

import random
import time

from covel_inspector.analysis.compare import compare
from covel_inspector.domain import Field, Group, Kind, Part, Place, Request, Segment, SegmentTree, plain

LEAVES = 5000


def tree(pieces: list[tuple[str, Kind, str]]) -> SegmentTree:
    """A tree of messages, one leaf each."""
    parts = tuple(
        Part(Group.MESSAGES, number, 0, Field.CONTENT, text, "user") for number, (_, _, text) in enumerate(pieces)
    )
    leaves = tuple(
        Segment(key, kind, plain(key), text, Place(number, 0, len(text)))
        for number, (key, kind, text) in enumerate(pieces)
    )
    group = Segment(
        "messages",
        Kind.GROUP,
        plain("Messages"),
        children=(Segment("history", Kind.HISTORY, plain("History"), children=leaves),),
    )
    return SegmentTree(Request(parts), (group,))


def main() -> None:
    dice = random.Random(3)
    texts = [" ".join(f"word{dice.randrange(900)}" for _ in range(60)) for _ in range(LEAVES + 50)]
    history = [(f"history:{n}", Kind.HISTORY, text) for n, text in enumerate(texts)]
    unknown = [(f"unknown:{n}", Kind.UNKNOWN, text) for n, text in enumerate(texts)]
    shuffled = history[:LEAVES]
    dice.shuffle(shuffled)
    cases = {
        "the same": (history[:LEAVES], history[:LEAVES]),
        "slid by 50": (history[:LEAVES], history[50:]),
        "in another order": (history[:LEAVES], shuffled),
        "backwards": (history[:LEAVES], history[:LEAVES][::-1]),
        "unknown, slid by 50": (unknown[:LEAVES], [(f"unknown:{n}", k, t) for n, (_, k, t) in enumerate(unknown[50:])]),
        "unknown, everything different": (
            unknown[:LEAVES],
            [(f"unknown:{n}", Kind.UNKNOWN, text.replace("word", "other")) for n, text in enumerate(texts[:LEAVES])],
        ),
    }
    for name, (a, b) in cases.items():
        tree_a, tree_b = tree(a), tree(b)
        start = time.perf_counter()
        walked = sum(len(segment.whole_text) for side in (tree_a, tree_b) for segment in side.walk())
        middle = time.perf_counter()
        comparison = compare(tree_a, tree_b)
        end = time.perf_counter()
        counts = {state.value: count for state, count in comparison.counts.items()}
        print(f"{name:32} {end - middle:6.3f} s, walking {walked:,} characters {middle - start:6.3f} s  {counts}")


if __name__ == "__main__":
    main()
