"""Where the value of a template variable is from. Follows the reference on the assembler, section 7."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from covel_inspector.domain import Origin, Sentence, ValueSource, Volatility, say
from covel_inspector.engines.covel.assembler.characters import (
    FIELD_LIMIT,
    TOTAL_LIMIT,
    character_line,
    current_character,
)
from covel_inspector.engines.covel.assembler.escaping import json_of, printed
from covel_inspector.engines.covel.assembler.params import ContextParams, Json
from covel_inspector.engines.covel.assembler.variables import session_meta
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.javascript import length
from covel_inspector.engines.covel.rebuild.snapshot import latest_form

_NO_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """Where a value is from, how often it is expected to change, and which limit cut it (None = none did)."""

    source: ValueSource
    where: Sentence
    volatility: Volatility
    origin: Origin = _NO_ORIGIN
    cut: Sentence | None = None
    notes: tuple[Sentence, ...] = ()


def value_origin(path: str, sight: Sight, params: ContextParams) -> ValueOrigin:
    """The origin of a path; a path of no known root is from nowhere."""
    for start, find in _ROOTS.items():
        if path == start or path.startswith(start + "."):
            return find(path, sight, params)
    where = say("the engine knows no variable of this name, so it prints nothing")
    return ValueOrigin(ValueSource.NOWHERE, where, Volatility.STABLE)


def _player_line(_path: str, _sight: Sight, params: ContextParams) -> ValueOrigin:
    return ValueOrigin(
        ValueSource.PLAYER_LINE,
        say("the player's line of this turn"),
        Volatility.TURN,
        params.turn_input.provenance.origin,
    )


def _form(_path: str, sight: Sight, _params: ContextParams) -> ValueOrigin:
    form = latest_form(sight.record, sight.moment)
    if form is None:
        where = say("no form was filled before this call")
        return ValueOrigin(ValueSource.FORM, where, Volatility.SESSION)
    where = say("the form {form}, filled last", form=form.form_id or form.id)
    return ValueOrigin(ValueSource.FORM, where, Volatility.SESSION, Origin(table="player_inputs", rows=(form.id,)))


def _character(_path: str, _sight: Sight, params: ContextParams) -> ValueOrigin:
    current = current_character(session_meta(params))
    if current is None:
        where = say("there is no character of the player")
        return ValueOrigin(ValueSource.CHARACTER, where, Volatility.SESSION)
    where = say("the player's character, {name}", name=printed(current.get("name")))
    return ValueOrigin(ValueSource.CHARACTER, where, Volatility.SESSION, _rows(current))


def _others(_path: str, _sight: Sight, params: ContextParams) -> ValueOrigin:
    meta = session_meta(params)
    current = current_character(meta)
    others = [character for character in meta.characters if character is not current]
    return ValueOrigin(
        ValueSource.CHARACTER,
        say("{n} characters beside the player's", n=len(others)),
        Volatility.SESSION,
        _rows(*others),
        _cut_of(others),
    )


def _rows(*characters: Mapping[str, Json]) -> Origin:
    return Origin(table="characters", rows=tuple(printed(character.get("id")) for character in characters))


def _cut_of(others: list[Mapping[str, Json]]) -> Sentence | None:
    """What the limits of the list of characters took: ends of long texts, and whole entries."""
    shortened = unlisted = total = 0
    for character in others:
        size = length(character_line(character))
        if unlisted or total + size > TOTAL_LIMIT:
            unlisted += 1
            continue
        total += size + 1
        texts = (printed(character.get("description")), json_of(character.get("fields") or {}))
        shortened += sum(1 for text in texts if length(text) > FIELD_LIMIT)
    if unlisted:
        return say(
            "{n} characters are only named, beyond {limit} units in all; {m} texts were cut at {field} units",
            n=unlisted,
            limit=TOTAL_LIMIT,
            m=shortened,
            field=FIELD_LIMIT,
        )
    return say("{m} texts were cut at {field} units", m=shortened, field=FIELD_LIMIT) if shortened else None


def _world(path: str, sight: Sight, params: ContextParams) -> ValueOrigin:
    session = sight.record.evidence.session
    if path == "world.lore" and session.lore_override is not None:
        origin = Origin(table="sessions", rows=(session.id,))
        return ValueOrigin(
            ValueSource.WORLD, say("the lore that replaces the world's in this session"), Volatility.SESSION, origin
        )
    if path == "world.entries" or path.startswith("world.entries."):
        rows = tuple(row.id for row in sight.record.evidence.lorebook if row.enabled and row.strategy == "constant")
        where = say("the constant entries of the world's lorebook")
        return ValueOrigin(ValueSource.WORLD, where, Volatility.SESSION, Origin(table="lorebook_entries", rows=rows))
    provenance = params.session.world_provenance if params.session is not None else None
    if provenance is None or not provenance.origin.rows:
        return ValueOrigin(ValueSource.WORLD, say("the session has no world record"), Volatility.SESSION)
    return ValueOrigin(
        ValueSource.WORLD, say("the world's row"), Volatility.SESSION, provenance.origin, notes=provenance.notes
    )


def _turn_number(_path: str, _sight: Sight, _params: ContextParams) -> ValueOrigin:
    return ValueOrigin(
        ValueSource.SESSION, say("the number of the player's turns committed before the call"), Volatility.TURN
    )


def _session_id(_path: str, _sight: Sight, _params: ContextParams) -> ValueOrigin:
    where = say("the engine keeps the session's id out of prompts, so it prints nothing")
    return ValueOrigin(ValueSource.NOWHERE, where, Volatility.STABLE)


def _setting(path: str, sight: Sight, _params: ContextParams) -> ValueOrigin:
    checkout = sight.record.evidence.checkout
    plugin = checkout.plugins.get(sight.moment.plugin_id) if checkout is not None else None
    note = say("the player's own setting is kept outside the database: this is the default")
    if plugin is None or path.partition(".")[2] not in plugin.settings:
        return ValueOrigin(ValueSource.SETTING, say("no default in the manifest"), Volatility.SESSION, notes=(note,))
    origin = Origin(plugin=plugin.id, file=plugin.place.path)
    where = say("the default in {file}", file=plugin.place.path)
    return ValueOrigin(ValueSource.SETTING, where, Volatility.SESSION, origin, notes=(note,))


def _result(path: str, sight: Sight, params: ContextParams) -> ValueOrigin:
    _, plugin, runtime, *_ = [*path.split("."), "", ""]
    names = {f"{plugin}/{runtime}", plugin if runtime == plugin else ""}
    finished = any(result.runtime in names for result in params.completed_results)
    execution = sight.moment.execution
    if not finished or execution is None:
        where = say("{runtime} gave no result in this turn before the call", runtime=f"{plugin}/{runtime}")
        return ValueOrigin(ValueSource.RESULT, where, Volatility.TURN)
    where = say("the result of {runtime} in this turn", runtime=f"{plugin}/{runtime}")
    return ValueOrigin(ValueSource.RESULT, where, Volatility.TURN, Origin(table="turn_results", rows=(execution.id,)))


_ROOTS: Mapping[str, Callable[[str, Sight, ContextParams], ValueOrigin]] = {
    "player.message": _player_line,
    "player.lastFormValues": _form,
    "player.lastFormValuesRaw": _form,
    "player.character": _character,
    "characters.npcs": _others,
    "world": _world,
    "session.turnNumber": _turn_number,
    "session.id": _session_id,
    "userSettings": _setting,
    "inputs": _result,
}
