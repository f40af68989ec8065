"""How numbers are written in the window."""

from covel_inspector.text.figures import bounded_percent, grouped

_THIN_GAP = "\u202f"
_MINUS = "\u2212"


def figure(number: int) -> str:
    """A count with its thousands set apart by narrow blanks: 8 214."""
    return grouped(number, _THIN_GAP).replace("-", _MINUS)


def percent(share: float) -> str:
    """A share of 0.0 to 1.0 as whole percent. Never rounds up to all, nor down to nothing."""
    return f"{bounded_percent(share, 0)}{_THIN_GAP}%"
