"""JSON of reports: stable for programs, safe for terminals, honest about broken characters."""

import json
import math
import re

_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ue000-\uf8ff\ufeff]")


def json_text(value: object, ascii_only: bool = False, indent: int | None = 1, strict: bool = False) -> str:
    """The JSON text of plain values (dicts, lists, texts, numbers).

    Letters of all scripts stay readable; control characters, direction marks, private-use characters and halves of
    surrogate pairs are ``\\u`` escapes, so that every JSON reader gets the exact text back. ``ascii_only`` escapes all
    that is not ASCII, for outputs that cannot carry it. ``indent`` None gives one line. A number too large for a double
    is null, as an engine in JavaScript would write it; with ``strict`` it raises ValueError.
    """
    separators = (",", ":") if indent is None else None
    finite = value if strict else _finite(value)
    text = json.dumps(finite, ensure_ascii=ascii_only, indent=indent, separators=separators, allow_nan=False)
    return text if ascii_only else _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _finite(value: object) -> object:
    """The same value with null for each number that JSON cannot carry."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(member) for member in value]
    return value
