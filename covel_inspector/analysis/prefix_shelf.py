"""Keeps the texts of earlier requests in little memory: those used last as they are, the others packed."""

import zlib
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

_LOOSE = 12_000_000
"""Code points that are kept unpacked; a story has few runtimes, so packing is rare."""


@dataclass(frozen=True, slots=True)
class _Packed:
    lengths: tuple[int, ...]
    data: bytes


class Shelf:
    """A place for rows of texts under keys. What was put comes back as it was, lone surrogates too."""

    def __init__(self, loose: int = _LOOSE) -> None:
        self._limit = loose
        self._loose: OrderedDict[Hashable, tuple[str, ...]] = OrderedDict()
        self._lengths: dict[Hashable, int] = {}
        self._packed: dict[Hashable, _Packed] = {}
        self._size = 0

    def put(self, key: Hashable, texts: tuple[str, ...], length: int) -> None:
        """Keep texts under a key, instead of what was there; ``length`` is about how much they are together."""
        self._size += length - self._lengths.get(key, 0)
        self._lengths[key] = length
        self._packed.pop(key, None)
        self._loose[key] = texts
        self._loose.move_to_end(key)
        while self._size > self._limit and len(self._loose) > 1:
            oldest, row = self._loose.popitem(last=False)
            self._size -= self._lengths.pop(oldest)
            self._packed[oldest] = _pack(row)

    def get(self, key: Hashable) -> tuple[str, ...]:
        """What was put under the key; nothing for a key that is not there."""
        found = self._loose.get(key)
        if found is not None:
            return found
        packed = self._packed.get(key)
        return () if packed is None else _unpack(packed)


def _pack(texts: Sequence[str]) -> _Packed:
    joined = "".join(texts).encode("utf-8", "surrogatepass")
    return _Packed(tuple(map(len, texts)), zlib.compress(joined, 1))


def _unpack(packed: _Packed) -> tuple[str, ...]:
    joined = zlib.decompress(packed.data).decode("utf-8", "surrogatepass")
    texts = []
    start = 0
    for length in packed.lengths:
        texts.append(joined[start : start + length])
        start += length
    return tuple(texts)
