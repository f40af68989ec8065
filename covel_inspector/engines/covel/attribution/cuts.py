"""Texts that the request budget shortened: head, marker line, tail. Follows the reference on attribution, section 5."""

_LEAST = 32


def cut_marker(sent: str, stored: str) -> str:
    """The marker in the middle of ``sent``, when it is ``stored`` with its middle replaced; else the empty string.

    The engine keeps equal halves (the head may be one unit longer), each at least 32 units here, and its marker
    begins and ends with a line feed.
    """
    if len(sent) >= len(stored) or len(sent) < 2 * _LEAST:
        return ""
    limit = min(_common_head(sent, stored), _common_tail(sent, stored) + 1)
    for head in range(limit, _LEAST - 1, -1):
        for tail in (head, head - 1):
            marker = sent[head : len(sent) - tail]
            if len(marker) > 1 and marker[0] == marker[-1] == "\n" and stored.endswith(sent[len(sent) - tail :]):
                return marker
        if limit - head > 4 * _LEAST:
            break
    return ""


def _common_head(left: str, right: str) -> int:
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_tail(left: str, right: str) -> int:
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[len(left) - middle :] == right[len(right) - middle :]:
            low = middle
        else:
            high = middle - 1
    return low
