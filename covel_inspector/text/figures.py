"""How numbers are written, whatever the blanks between their groups are."""


def grouped(number: int, gap: str) -> str:
    """A count with its thousands set apart: 8 214."""
    return f"{number:,}".replace(",", gap)


def bounded_percent(share: float, places: int) -> str:
    """A share of 0.0 to 1.0 in percent, without the sign. Never rounds up to all, nor down to nothing."""
    least = 10.0**-places
    rounded = round(share * 100, places)
    if rounded >= 100 and share < 1.0:
        rounded = 100 - least
    if rounded <= 0 and share > 0.0:
        rounded = least
    return f"{rounded:.{places}f}"
