"""From what SQLite returns to a validated row, or to the sentence that says why it is none. No I/O."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from covel_inspector.domain import Sentence, plain, say
from covel_inspector.engines.covel.database.connecting import RepairedText, one_line, without_lone_surrogates
from covel_inspector.engines.covel.database.shapes import R, Shape

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_REPLACED = "\ufffd"

_WANTED: dict[str, Sentence] = {
    "string": say("a text"),
    "int": say("a whole number"),
    "float": say("a number"),
    "bool": say("yes or no"),
    "dict": say("a JSON object"),
    "tuple": say("a JSON list"),
    "model": say("a JSON object"),
}


class UndecodableError(ValueError):
    """A value that cannot be shown. ``sentence`` says which column and why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded JSON value; ``repaired`` when lone surrogates in it became U+FFFD, ``raw`` then still has them."""

    value: Any
    repaired: bool = False
    raw: Any = None


def decode_json(text: object, column: str) -> Decoded:
    """JSON text as a value; a value that is no text (a number in the column) stands for itself.

    Raw control characters inside strings are accepted, lone surrogates replaced. Raises UndecodableError.
    """
    if isinstance(text, bytes):
        raise UndecodableError(say("column {column} holds binary data instead of JSON", column=column))
    if not isinstance(text, str):
        return Decoded(text)
    try:
        value = json.loads(text, strict=False, parse_constant=_refuse)
        if _SURROGATE_ESCAPE.search(text):
            mended = _mended(value)
            return Decoded(mended, mended != value, value)
    except json.JSONDecodeError as error:
        raise UndecodableError(
            say("column {column} holds JSON that breaks at character {position}", column=column, position=error.pos)
        ) from None
    except RecursionError:
        raise UndecodableError(say("column {column} holds JSON that is nested too deeply", column=column)) from None
    except ValueError:
        raise UndecodableError(say("column {column} holds a number that is none in JSON", column=column)) from None
    return Decoded(value)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _mended(value: Any) -> Any:
    """The value without lone surrogates: they can neither be written as UTF-8 nor shown."""
    if isinstance(value, str):
        return value if value.isascii() else without_lone_surrogates(value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def build(shape: Shape[R], names: tuple[str, ...], values: tuple[Any, ...]) -> tuple[R, Sentence | None]:
    """A row, and a note when it had to be repaired to be shown.

    ``names`` are the fields that were selected. Raises UndecodableError.
    """
    note: Sentence | None = None
    data: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        given = value
        if type(given) is RepairedText:
            given = str(given)
            note = note or repaired_text(shape.column(name))
        if name in shape.json and given is not None:
            decoded = decode_json(given, shape.column(name))
            given = decoded.value
            if decoded.repaired:
                note = note or lone_surrogates(shape.column(name))
        if given is None and name in shape.optional:
            continue
        data[name] = given
    try:
        return shape.row.model_validate(data), note
    except ValidationError as error:
        raise UndecodableError(complaint(error, {name: shape.column(name) for name in names})) from None


def build_what_can_be(shape: Shape[R], names: tuple[str, ...], values: tuple[Any, ...]) -> R | None:
    """A row in which unreadable fields have their defaults; None when a field it cannot do without is unreadable.

    For tables whose rows carry much else: a story must not vanish because of one broken field.
    """
    known = {name: value for name, value in zip(names, values, strict=True) if name not in shape.optional}
    for name, value in zip(names, values, strict=True):
        if name in known:
            continue
        tried = {**known, name: value}
        try:
            build(shape, tuple(tried), tuple(tried.values()))
        except UndecodableError:
            continue
        known = tried
    try:
        return build(shape, tuple(known), tuple(known.values()))[0]
    except UndecodableError:
        return None


def repaired_text(column: str) -> Sentence:
    """The note for a text that was no UTF-8."""
    return say("column {column} is no valid UTF-8; what could not be read is shown as �", column=column)


def lone_surrogates(column: str) -> Sentence:
    """The note for JSON with half characters."""
    return say("column {column} holds halves of characters (lone surrogates), shown as �", column=column)


def complaint(error: ValidationError, columns: Mapping[str, str]) -> Sentence:
    """The first thing that is wrong, in words; ``columns`` translates field names."""
    first = error.errors(include_url=False, include_context=False)[0]
    path = [str(step) for step in first["loc"]] or ["?"]
    where = one_line(".".join([columns.get(path[0], path[0]), *path[1:]]))
    kind = first["type"]
    if kind == "missing" or first["input"] is None:
        return say("column {column} is empty", column=where)
    wanted = _WANTED.get(kind.partition("_")[0])
    if wanted is None:
        return say("column {column} holds a value of an unexpected kind", column=where)
    return say(
        "column {column} holds {found} where {wanted} is expected",
        column=where,
        found=_found(first["input"]),
        wanted=wanted,
    )


def _found(value: object) -> Sentence:
    if isinstance(value, str):
        return say("a text")
    if isinstance(value, bytes):
        return say("binary data")
    if isinstance(value, bool):
        return say("yes or no")
    if isinstance(value, int | float):
        return say("a number")
    if isinstance(value, dict):
        return say("a JSON object")
    if isinstance(value, list | tuple):
        return say("a JSON list")
    return plain(type(value).__name__)
