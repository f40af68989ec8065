"""JSON texts of tool calls and results, decoded as the engine's own language decodes them."""

import json
import math
from typing import Any

from covel_inspector.engines.covel.javascript import ordered_items

Json = Any

_EXACT = 2**53


def decode(text: str) -> Json:
    """The value of a JSON text; index keys come first, whole numbers lose their point, none is infinite.

    Raises ValueError for a text that is no JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_float=_number, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    return dict(ordered_items(members)) if any(key[:1].isdigit() for key in members) else members


def _number(written: str) -> float | None:
    value = float(written)
    if not math.isfinite(value):
        return None
    return int(value) if value == int(value) and abs(value) <= _EXACT else value


def _refuse(written: str) -> Json:
    raise ValueError(f"{written} is no JSON")
