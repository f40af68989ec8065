"""Reading JSON cases: long texts in short, and fields that must be there."""

from collections.abc import Mapping
from typing import Any

Json = Any
"""A decoded JSON value."""

LONGEST_TEXT = 100_000_000
"""Code points that a case may blow a text up to."""


class CaseError(ValueError):
    """A case that cannot be run. The message is one line that says what is wrong with it."""


def expand(value: Json) -> Json:
    """A copy in which ``{"$repeat": [text, n]}`` and ``{"$concat": [part, …]}`` are the texts they stand for.

    Raises CaseError for one that is malformed or too long.
    """
    if isinstance(value, list):
        return [expand(member) for member in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        if "$repeat" in value:
            return _repeated(value["$repeat"])
        if "$concat" in value:
            return _joined(value["$concat"])
    return {name: expand(member) for name, member in value.items()}


def section(value: Mapping[str, Json], name: str) -> dict[str, Json]:
    """An object in a case, empty when it is absent or null. Raises CaseError for anything else."""
    member = value.get(name)
    if member is None:
        return {}
    if not isinstance(member, dict):
        raise CaseError(f"'{name}' should be an object")
    return member


def rows(value: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    """A list of objects in a case, empty when it is absent or null. Raises CaseError for anything else."""
    member = value.get(name)
    if member is None:
        return []
    if not isinstance(member, list) or not all(isinstance(row, dict) for row in member):
        raise CaseError(f"'{name}' should be a list of objects")
    return member


def text(value: Mapping[str, Json], name: str) -> str:
    """A string in a case, empty when it is absent or null. Raises CaseError for anything else."""
    member = value.get(name)
    if member is None:
        return ""
    if not isinstance(member, str):
        raise CaseError(f"'{name}' should be a string")
    return member


def texts(value: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """A list of strings in a case, empty when it is absent or null. Raises CaseError for anything else."""
    member = value.get(name)
    if member is None:
        return ()
    if not isinstance(member, list) or not all(isinstance(item, str) for item in member):
        raise CaseError(f"'{name}' should be a list of strings")
    return tuple(member)


def number(value: Mapping[str, Json], name: str) -> float | None:
    """A number in a case, None when it is absent or null. Raises CaseError for anything else."""
    member = value.get(name)
    if member is None:
        return None
    if isinstance(member, bool) or not isinstance(member, int | float):
        raise CaseError(f"'{name}' should be a number")
    return member


def whole(value: Mapping[str, Json], name: str, default: int = 0) -> int:
    """A whole number in a case. Raises CaseError for anything else."""
    member = number(value, name)
    if member is None:
        return default
    if member != member // 1:
        raise CaseError(f"'{name}' should be a whole number")
    return int(member)


def _repeated(arguments: Json) -> str:
    if not (isinstance(arguments, list) and len(arguments) == 2):
        raise CaseError("'$repeat' takes a text and a number")
    repeated, times = expand(arguments[0]), arguments[1]
    if not isinstance(repeated, str) or isinstance(times, bool) or not isinstance(times, int) or times < 0:
        raise CaseError("'$repeat' takes a text and a number")
    if len(repeated) * times > LONGEST_TEXT:
        raise CaseError(f"'$repeat' would give more than {LONGEST_TEXT} characters")
    return repeated * times


def _joined(parts: Json) -> str:
    if not isinstance(parts, list):
        raise CaseError("'$concat' takes a list of texts")
    joined = ""
    for part in parts:
        expanded = expand(part)
        if not isinstance(expanded, str):
            raise CaseError("'$concat' takes a list of texts")
        joined += expanded
    return joined
