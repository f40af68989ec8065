"""Code points and UTF-16 units: two ways to count the same text.

Python counts code points, Qt and JavaScript count UTF-16 units. A code point above U+FFFF takes two units, everything
else (a lone surrogate too) takes one. A text is mapped once, where it enters a widget or leaves one, by a
:class:`Utf16Map`.
"""

import re
from bisect import bisect_left

from covel_inspector.text.prefix import common_prefix

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_LAST_OF_PLANE_0 = "\uffff"


def utf16_length(text: str) -> int:
    """UTF-16 units of ``text``."""
    # Encoding is many times as fast as looking for wide characters.
    return len(text) if text.isascii() else len(encoded_utf16(text)) // 2


def encoded_utf16(text: str) -> bytes:
    """The units of ``text``, two bytes each, the high byte first; lone surrogates stand as they are."""
    return text.encode("utf-16-be", "surrogatepass")


def cut_utf16(text: str, start: int, end: int) -> str:
    """Units ``start`` to ``end`` of ``text``; half of a pair at a cut stands as a lone surrogate."""
    if text.isascii():
        return text[start:end]
    return encoded_utf16(text)[2 * start : 2 * end].decode("utf-16-be", "surrogatepass")


def shared_utf16(a: str, b: str) -> int:
    """Units that ``a`` and ``b`` share at the front; the first halves of two different pairs may be the same unit."""
    same = common_prefix(a, b)
    units = utf16_length(a[:same]) if same else 0
    first, second = encoded_utf16(a[same : same + 1])[:2], encoded_utf16(b[same : same + 1])[:2]
    return units + (1 if first and first == second else 0)


class Utf16Map:
    """Indexes into one text, from code points to UTF-16 units and back.

    Built in one pass; a look-up is O(1) for texts inside plane 0, else O(log n) in the number of wide characters.
    """

    __slots__ = ("_wide", "_wide_utf16", "length", "length_utf16")

    def __init__(self, text: str) -> None:
        self._wide: list[int] = []
        if text and not text.isascii() and max(text) > _LAST_OF_PLANE_0:
            self._wide = [match.start() for match in _ASTRAL.finditer(text)]
        self._wide_utf16 = [index + number for number, index in enumerate(self._wide)]
        self.length = len(text)
        self.length_utf16 = len(text) + len(self._wide)

    def to_utf16(self, index: int) -> int:
        """The UTF-16 index of the code point ``index`` (0 to length, the end included)."""
        if not self._wide:
            return index
        return index + bisect_left(self._wide, index)

    def from_utf16(self, index_utf16: int) -> int:
        """The code point at a UTF-16 index; between the two units of one code point: that code point."""
        if not self._wide:
            return index_utf16
        return index_utf16 - bisect_left(self._wide_utf16, index_utf16)


def to_utf16(text: str, index: int) -> int:
    """The UTF-16 index of one code point. For more than a few, build a :class:`Utf16Map`."""
    return index + utf16_length(text[:index]) - len(text[:index])


def from_utf16(text: str, index_utf16: int) -> int:
    """The code point at one UTF-16 index. For more than a few, build a :class:`Utf16Map`."""
    return Utf16Map(text).from_utf16(index_utf16)
