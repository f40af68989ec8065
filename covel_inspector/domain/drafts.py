"""Drafts: changes of a request as a JSON file of its own, to be saved and opened again. Text only, no files.

The form: ``{"format": "covel-inspector-draft/1", "address": "…", "changes": {…}}``. ``changes`` has the fields of
:class:`Changes` that are set: ``window``, ``reserve``, ``protected_turns``, ``max_turns`` (whole numbers),
``include_summaries`` (true or false), ``player_line``, ``locale``, ``model``, ``body`` (texts), ``without``,
``lore_on``, ``lore_off`` (lists of texts), ``texts`` (an object of key to text) and ``lore_depth`` (an object of key to
a whole number from 0).
"""

import json
from dataclasses import dataclass, fields
from typing import Any

from covel_inspector.domain.sentence import Sentence, say
from covel_inspector.domain.source import Changes, SourceError

FORMAT = "covel-inspector-draft/1"

_FIELDS = ("format", "address", "changes")
_NUMBERS = ("window", "reserve", "protected_turns", "max_turns")
_TEXTS = ("player_line", "locale", "model", "body")
_LISTS = ("without", "lore_on", "lore_off")
_OBJECTS = ("texts", "lore_depth")


class DraftError(SourceError):
    """A text that is no draft; the message names what is wrong and where."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Changes, and the address of the call they were made for; empty = for any."""

    changes: Changes
    address: str = ""


def draft_text(draft: Draft) -> str:
    """The draft as the text of a file."""
    value: dict[str, Any] = {"format": FORMAT}
    if draft.address:
        value["address"] = draft.address
    changes: dict[str, Any] = {}
    for field in fields(Changes):
        given = getattr(draft.changes, field.name)
        if given is None or given == ():
            continue
        changes[field.name] = dict(given) if field.name in _OBJECTS else list(given) if field.name in _LISTS else given
    value["changes"] = changes
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def parse_draft(text: str, where: str) -> Draft:
    """The draft in the text of a file. ``where`` names the file in errors. Raises DraftError."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DraftError(say("{file} is no JSON file: {error}.", file=where, error=str(error))) from error
    if not isinstance(value, dict) or not isinstance(value.get("changes"), dict):
        raise DraftError(_wrong(where, say('it should be an object with "format" and "changes"')))
    if value.get("format") != FORMAT:
        named = str(value.get("format"))
        raise DraftError(
            _wrong(where, say('its format is "{named}", this program reads "{own}"', named=named, own=FORMAT))
        )
    unknown = next((name for name in value if name not in _FIELDS), None)
    if unknown is not None:
        raise DraftError(
            _wrong(where, say('there is no field "{name}"; there are {known}', name=unknown, known=", ".join(_FIELDS)))
        )
    address = value.get("address", "")
    if not isinstance(address, str):
        raise DraftError(_wrong(where, _should_be("address", say("a text"))))
    return Draft(Changes(**_changes(value["changes"], where)), address)


def _changes(given: dict[str, Any], where: str) -> dict[str, Any]:
    known = {field.name for field in fields(Changes)}
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            names = ", ".join(sorted(known))
            raise DraftError(
                _wrong(where, say('there is no change "{name}"; there are {known}', name=name, known=names))
            )
        wanted = _problem(name, value)
        if wanted is not None:
            raise DraftError(_wrong(where, _should_be(name, wanted)))
        if name in _OBJECTS:
            read[name] = tuple(value.items())
        else:
            read[name] = tuple(value) if name in _LISTS else value
    return read


def _problem(name: str, value: Any) -> Sentence | None:
    """What a value should be, when it is not."""
    if name in _NUMBERS:
        return None if isinstance(value, int) and not isinstance(value, bool) else say("a whole number")
    if name in _TEXTS:
        return None if isinstance(value, str) else say("a text")
    if name in _LISTS:
        return (
            None if isinstance(value, list) and all(isinstance(one, str) for one in value) else say("a list of texts")
        )
    if name == "texts":
        fine = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
        return None if fine else say("an object of texts")
    if name == "lore_depth":
        fine = isinstance(value, dict) and all(map(_is_depth, value.values()))
        return None if fine else say("an object of whole numbers from 0")
    return None if isinstance(value, bool) else say("true or false")


def _is_depth(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _should_be(name: str, wanted: Sentence) -> Sentence:
    return say('"{name}" should be {wanted}', name=name, wanted=wanted)


def _wrong(where: str, what: Sentence) -> Sentence:
    return say("{file} is no draft: {what}.", file=where, what=what)
