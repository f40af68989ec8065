"""How far two texts are the same from the front and from the back, at the speed of comparing slices."""


def common_prefix(a: str, b: str) -> int:
    """Code points that ``a`` and ``b`` share at the front."""
    limit = min(len(a), len(b))
    if a[:limit] == b[:limit]:
        return limit
    low, step = 0, 64
    while a[low : low + step] == b[low : low + step]:
        low += step
        step *= 2
    high = min(low + step, limit)
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def common_suffix(a: str, b: str, limit: int | None = None) -> int:
    """Code points that ``a`` and ``b`` share at the back, at most ``limit``."""
    most = min(len(a), len(b))
    if limit is not None:
        most = min(most, limit)
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
