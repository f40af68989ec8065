"""How numbers are written in the window."""

_THIN_GAP = "\u202f"
_MINUS = "\u2212"


def figure(number: int) -> str:
    """A count with its thousands set apart by narrow blanks: 8 214."""
    return f"{number:,}".replace(",", _THIN_GAP).replace("-", _MINUS)


def percent(share: float) -> str:
    """A share of 0.0 to 1.0 as whole percent. Never rounds up to all, nor down to nothing."""
    rounded = round(share * 100)
    if rounded >= 100 and share < 1.0:
        rounded = 99
    if rounded <= 0 and share > 0.0:
        rounded = 1
    return f"{rounded}{_THIN_GAP}%"
