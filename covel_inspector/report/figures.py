"""How numbers are written in reports."""


def figure(number: int) -> str:
    """A count with its thousands set apart: 8 214."""
    return f"{number:,}".replace(",", " ")


def percent(share: float) -> str:
    """A share of 0.0 to 1.0 in percent, one place. Never rounds up to all, nor down to nothing."""
    rounded = round(share * 100, 1)
    if rounded >= 100 and share < 1.0:
        rounded = 99.9
    if rounded <= 0 and share > 0.0:
        rounded = 0.1
    return f"{rounded:.1f} %"
