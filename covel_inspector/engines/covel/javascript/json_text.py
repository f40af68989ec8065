"""JSON as the engine writes it: compact, non-ASCII as it is, numbers and key order in the JavaScript way.

Follows the reference on the assembler, section 1.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from covel_inspector.engines.covel.javascript.numbers import number_text
from covel_inspector.engines.covel.javascript.strings import well_formed

Member = TypeVar("Member")

_EXACT = 2**53
_LARGEST_INDEX = 2**32 - 2
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def stringify(value: object) -> str:
    """The compact JSON text of a decoded value. Mappings of any kind and tuples count as objects and arrays."""
    text = _encode(value) if _is_plain(value) else _written(value)
    return text if text.isascii() else _escape_lone_surrogates(text)


def ordered_keys(value: Mapping[str, object]) -> list[str]:
    """The keys of an object that was parsed from JSON: array indexes first, ascending, then the others as given."""
    keys = list(value)
    indexes = [key for key in keys if is_array_index(key)]
    if not indexes:
        return keys
    return sorted(indexes, key=int) + [key for key in keys if not is_array_index(key)]


def ordered_items(value: Mapping[str, Member]) -> list[tuple[str, Member]]:
    """The items of an object in the order of :func:`ordered_keys`."""
    return [(key, value[key]) for key in ordered_keys(value)]


def is_array_index(key: str) -> bool:
    """True for "0", "17" …, false for "01", "-1" and anything that is no index of an array."""
    return (
        key.isdigit()
        and key.isascii()
        and (key == "0" or key[0] != "0")
        and len(key) <= 10
        and int(key) <= _LARGEST_INDEX
    )


def _is_plain(value: Any) -> bool:
    """True when Python's encoder writes every part of the value as JavaScript would."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    if kind is int:
        return bool(-_EXACT <= value <= _EXACT)
    if kind is dict:
        # Most members are texts: every tool definition of every request comes through here.
        for key, member in value.items():
            if key[:1].isdigit() or not (type(member) is str or _is_plain(member)):
                return False
        return True
    if kind is list:
        return all(map(_is_plain, value))
    return False


def _written(value: object) -> str:
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return _encode(value)
    if isinstance(value, int | float):
        return number_text(value) if math.isfinite(_as_double(value)) else "null"
    if isinstance(value, Mapping):
        members = (f"{_encode(key)}:{_written(member)}" for key, member in ordered_items(value))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_written, value))}]"
    return _encode(value)


def _as_double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _escape_lone_surrogates(text: str) -> str:
    if _LONE_SURROGATE.search(text) is None:
        return text
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", well_formed(text))
