"""How alike two texts are, cheaply: by the units they have in common, whatever their order."""

from collections import Counter
from functools import lru_cache

from covel_inspector.text.units import is_weak, split_units

_LOOKED_AT = 20_000
"""Code points of each text that are looked at."""


def similarity(a: str, b: str) -> float:
    """0.0 (nothing in common) to 1.0 (the same words and characters as often), symmetrical."""
    if a == b:
        return 1.0
    count_a, count_b = _counted(a), _counted(b)
    total = count_a.total() + count_b.total()
    return 2 * (count_a & count_b).total() / total if total else 0.0


@lru_cache(maxsize=64)
def _counted(text: str) -> Counter[str]:
    return Counter(unit for unit in split_units(text[:_LOOKED_AT]) if not is_weak(unit))
