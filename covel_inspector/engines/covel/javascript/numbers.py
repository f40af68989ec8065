"""Numbers in JavaScript's spelling. Follows the reference on the assembler, section 1."""

import math

_EXACT = 2**53


def number_text(number: float) -> str:
    """The spelling of a number as a double: ``1.0`` is 1, ``-0.0`` is 0, ``1e21`` is 1e+21, 1e-7 keeps its exponent.

    An integer beyond 2^53 is rounded as a double is; one beyond all doubles, and infinities, give ``Infinity``.
    """
    if isinstance(number, int):
        if -_EXACT <= number <= _EXACT:
            return str(int(number))
        try:
            number = float(number)
        except OverflowError:
            return "Infinity" if number > 0 else "-Infinity"
    if math.isfinite(number):
        return _finite(number)
    if math.isnan(number):
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"


def _finite(number: float) -> str:
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    digits, exponent = _shortest(abs(number))
    count = len(digits)
    # `exponent` is the place of the decimal point, counted from the first digit.
    if count <= exponent <= 21:
        return sign + digits + "0" * (exponent - count)
    if 0 < exponent <= 21:
        return f"{sign}{digits[:exponent]}.{digits[exponent:]}"
    if -6 < exponent <= 0:
        return f"{sign}0.{'0' * -exponent}{digits}"
    power = exponent - 1
    fraction = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if power >= 0 else '-'}{abs(power)}"


def _shortest(number: float) -> tuple[str, int]:
    """The shortest digits that give the double back, and the place of the point behind the first of them."""
    mantissa, _, power = f"{number!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = len(whole + fraction) - len(digits)
    point = len(whole) - leading + (int(power) if power else 0)
    return digits.rstrip("0"), point
