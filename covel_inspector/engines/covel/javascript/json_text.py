"""JSON as the engine writes it: compact, non-ASCII as it is, numbers and key order in the JavaScript way."""

import json


def stringify(value: object) -> str:
    """The compact JSON text of a decoded value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
