"""What data loses and how it is quoted before a model sees it. Follows the reference on the assembler, section 8."""

import re
from collections.abc import Mapping

from covel_inspector.engines.covel.javascript import head, length, number_text, stringify

Json = object

_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})")


def escape(text: str) -> str:
    """``&``, ``<`` and ``>`` as entities; quotes and line breaks stay."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    """What :func:`escape` was given: its three entities undone, the ampersand last. Other entities stay."""
    if "&" not in text:
        return text
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def model_facing(value: Json) -> Json:
    """A copy of a JSON value without bookkeeping properties; elements of arrays are never dropped."""
    if isinstance(value, Mapping):
        return {name: model_facing(member) for name, member in value.items() if not is_bookkeeping(name, member)}
    if isinstance(value, list | tuple):
        return [model_facing(member) for member in value]
    return value


def is_bookkeeping(name: str, value: Json) -> bool:
    """True for a property that only identifies or dates: ``sessionId``, UUIDs in ids, ISO instants in times."""
    if name.endswith("d"):
        return name == "sessionId" or ((name == "id" or name.endswith("Id")) and _is_uuids(value))
    if name.endswith("Ids"):
        return _is_uuids(value)
    if name.endswith("At") or name == "timestamp":
        return isinstance(value, str) and _INSTANT.fullmatch(value) is not None
    return False


def json_of(value: Json) -> str:
    """Compact JSON of the model-facing copy."""
    return stringify(model_facing(value))


def printed(value: Json) -> str:
    """A value as text: strings as they are, numbers and booleans in JavaScript's spelling, objects as JSON of their
    model-facing copy, nothing for null."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    return json_of(value)


def shortened(text: str, limit: int) -> str:
    """At most ``limit`` UTF-16 units of a text, with ``...`` behind when something was cut."""
    return text if length(text) <= limit else head(text, limit) + "..."


def _is_uuids(value: Json) -> bool:
    if isinstance(value, str):
        return _UUID.fullmatch(value) is not None
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(member, str) and _UUID.fullmatch(member) is not None for member in value)
    )
