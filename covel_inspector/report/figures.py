"""How numbers are written in reports: with plain blanks, which every terminal can show."""

from covel_inspector.text.figures import bounded_percent, grouped


def figure(number: int) -> str:
    """A count with its thousands set apart: 8 214."""
    return grouped(number, " ")


def percent(share: float) -> str:
    """A share of 0.0 to 1.0 in percent, one place. Never rounds up to all, nor down to nothing."""
    return f"{bounded_percent(share, 1)} %"
