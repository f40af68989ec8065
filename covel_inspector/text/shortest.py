"""The shortest way from one sequence to another, found exactly, as long as it is short."""

from collections.abc import Callable, Sequence

_COST = 3
"""A diagonal of the search costs about as much as three elements that are merely looked at."""


def shortest_edits(
    a: Sequence[int], b: Sequence[int], limit: int, spend: Callable[[int], bool]
) -> list[tuple[int, int]] | None:
    """Pairs of indexes of equal elements on the shortest edit way, in order (Myers' greedy search).

    ``limit`` is the number of edits at which the search gives up, ``spend`` is asked before each round and may refuse.
    None = given up.
    """
    reached: dict[int, int] = {1: 0}
    rounds: list[dict[int, int]] = []
    for edits in range(min(limit, len(a) + len(b)) + 1):
        if not spend(_COST * (edits + 1)):
            return None
        row: dict[int, int] = {}
        slid = 0
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (
                diagonal != edits and reached.get(diagonal - 1, -1) < reached.get(diagonal + 1, -1)
            )
            x = reached.get(diagonal + 1, 0) if down else reached.get(diagonal - 1, 0) + 1
            y = x - diagonal
            start = x
            while x < len(a) and y < len(b) and a[x] == b[y]:
                x += 1
                y += 1
            slid += x - start
            row[diagonal] = x
            if x >= len(a) and y >= len(b):
                rounds.append(row)
                return _walk_back(rounds, len(a), len(b))
        rounds.append(row)
        reached = row
        if not spend(slid):
            return None
    return None


def _walk_back(rounds: Sequence[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for edits in range(len(rounds) - 1, 0, -1):
        before = rounds[edits - 1]
        diagonal = x - y
        down = diagonal == -edits or (diagonal != edits and before.get(diagonal - 1, -1) < before.get(diagonal + 1, -1))
        came_from = diagonal + 1 if down else diagonal - 1
        x_before = before[came_from]
        y_before = x_before - came_from
        while x > x_before and y > y_before:
            x -= 1
            y -= 1
            pairs.append((x, y))
        x, y = x_before, y_before
    while x > 0 and y > 0:
        x -= 1
        y -= 1
        pairs.append((x, y))
    pairs.reverse()
    return pairs
