"""Strings as JavaScript sees them, on Python texts. Follows the reference on the assembler, section 1.

Lengths and cutting positions are UTF-16 code units. A cut through a surrogate pair leaves a lone surrogate in
the Python text. Texts inside the basic plane, nearly all, take the fast way.
"""

WHITESPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What ``trim`` removes, and what ``\\s`` matches."""

WHITESPACE_CLASS = "[" + WHITESPACE + "]"
"""The same as a class of a regular expression."""

_BASIC = "\uffff"


def is_basic(text: str) -> bool:
    """True when every character is one UTF-16 code unit."""
    return text.isascii() or max(text, default="") <= _BASIC


def length(text: str) -> int:
    """UTF-16 code units of a text."""
    return len(text) if is_basic(text) else len(_units(text)) // 2


def head(text: str, count: int) -> str:
    """The first ``count`` code units."""
    return text[:count] if is_basic(text) else _text(_units(text)[: 2 * count])


def tail(text: str, count: int) -> str:
    """The last ``count`` code units; none for 0."""
    if count <= 0:
        return ""
    return text[-count:] if is_basic(text) else _text(_units(text)[-2 * count :])


def trim(text: str) -> str:
    """Without white space at both ends, by JavaScript's idea of white space."""
    return text.strip(WHITESPACE)


def trim_start(text: str) -> str:
    """Without white space at the start."""
    return text.lstrip(WHITESPACE)


def trim_end(text: str) -> str:
    """Without white space at the end."""
    return text.rstrip(WHITESPACE)


def is_blank(text: str) -> bool:
    """True when nothing is left after trimming."""
    return not text.strip(WHITESPACE)


def code_unit_key(text: str) -> bytes:
    """Sort key for JavaScript's own order of strings, by code units."""
    return text.encode("utf-16-be", "surrogatepass")


def well_formed(text: str) -> str:
    """The same units, with halves of a pair that stand next to each other joined to one character."""
    if text.isascii():
        return text
    return _text(_units(text))


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _text(units: bytes) -> str:
    return units.decode("utf-16-le", "surrogatepass")
