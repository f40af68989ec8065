"""JSON of reports: stable for programs, safe for terminals, honest about broken characters."""

import json
import re

_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ue000-\uf8ff\ufeff]")


def json_text(value: object, ascii_only: bool = False, indent: int | None = 1) -> str:
    """The JSON text of plain values (dicts, lists, texts, numbers).

    Letters of all scripts stay readable; control characters, direction marks, private-use characters and halves of
    surrogate pairs are ``\\u`` escapes, so that every JSON reader gets the exact text back. ``ascii_only`` escapes all
    that is not ASCII, for outputs that cannot carry it. ``indent`` None gives one line.
    """
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, separators=separators, allow_nan=False)
    return text if ascii_only else _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
