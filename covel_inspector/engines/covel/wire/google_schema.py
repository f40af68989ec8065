"""JSON schemas as Gemini takes them. Follows the reference on the wire, section 5."""

from collections.abc import Mapping
from typing import Any

Json = Any

_ONE = frozenset(
    (
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)
"""Keywords whose value is a schema (``items`` also a list of them)."""

_MANY = frozenset(("allOf", "anyOf", "items", "oneOf", "prefixItems"))
_NAMED = frozenset(("$defs", "definitions", "dependentSchemas", "patternProperties", "properties"))


def with_enums(schema: Json) -> Json:
    """The schema with ``const: x`` as ``enum: [x]``, wherever a schema can stand; all else as it is, in its order."""
    if not isinstance(schema, Mapping):
        return schema
    written: dict[str, Json] = {}
    for key, value in schema.items():
        if key == "const":
            written["enum"] = [value]
        elif key in _NAMED and isinstance(value, Mapping):
            written[key] = {name: with_enums(member) for name, member in value.items()}
        elif key in _MANY and isinstance(value, list):
            written[key] = [with_enums(member) for member in value]
        elif key in _ONE:
            written[key] = with_enums(value)
        elif key != "enum" or "const" not in schema:
            written[key] = value
    return written
