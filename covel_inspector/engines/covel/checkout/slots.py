"""Model slots in ``llm.toml``: limits, model and protocol. Keys and addresses are never taken out of it.

The file's layout is known only in part (a slot is a table below ``covel``), so slots are also looked for below
``slots`` and at the top, and each figure under the names that are usual for it.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.files import Desk, TextFile
from covel_inspector.engines.covel.records.manifests import SlotLimits

_WINDOW = ("contextwindow", "contextlength", "maxcontexttokens", "maxcontext", "contexttokens", "window")
_RESERVE = ("maxoutputtokens", "responsereserve", "reservedforresponse", "outputreserve", "reserve", "maxtokens")
_MODEL = ("model", "modelid")
_PROVIDER = ("provider", "providerid", "preset")
_PROTOCOL = ("protocol", "protocolid")
_SIGNS = frozenset((*_WINDOW, *_RESERVE, *_MODEL, *_PROVIDER, *_PROTOCOL))
"""A table with one of these fields describes a slot."""

_CATALOGUES = ("providers", "presets", "models")
"""Tables a slot may refer to by name."""

_INNER = ("limits", "parameteroverrides", "parameters", "metadata", "options")
"""Tables inside a slot where its figures may stand."""

_LINE = re.compile(r"\(at line (\d+)")


def read_slots(desk: Desk, path: Path) -> dict[str, SlotLimits]:
    """The slots of a file by name; empty, with a report, when it cannot be read."""
    file = desk.read(path)
    if file is None:
        return {}
    try:
        data = tomllib.loads(file.text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        found = _LINE.search(str(error))
        # The parser's own words are left out: they may quote what stands in the file.
        desk.report(Severity.ERROR, file.place(int(found[1]) if found else 1), say("Not valid TOML"))
        return {}
    return {name: _slot(desk, file, name, table, data) for name, table in _tables(data)}


def _tables(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Tables that describe slots; the first place that names a slot wins."""
    seen: set[str] = set()
    for owner in (data.get("covel"), data.get("slots"), data):
        for name, table in owner.items() if isinstance(owner, dict) else ():
            if name in (*_CATALOGUES, "covel", "slots") or name in seen or not isinstance(table, dict):
                continue
            if _SIGNS & {_plain(key) for key in table} or any(_plain(key) == "provideroptions" for key in table):
                seen.add(name)
                yield name, table


def _slot(desk: Desk, file: TextFile, name: str, table: dict[str, Any], data: dict[str, Any]) -> SlotLimits:
    own = _layers(table)
    provider, model = _text(own, _PROVIDER), _text(own, _MODEL)
    catalogue = [layer for entry in _referred(data, provider, model) for layer in _layers(entry)]
    layers = own + catalogue
    return SlotLimits(
        slot=name,
        window=_figure(desk, file, name, layers, _WINDOW),
        reserve=_figure(desk, file, name, layers, _RESERVE),
        model=model or _text(catalogue, _MODEL),
        provider=provider,
        protocol=_text(layers, _PROTOCOL),
        late_system_as_user=_option(table, "latesystemasuser"),
        prompt_cache_key=_option(table, "promptcachekey"),
    )


def _layers(table: dict[str, Any]) -> list[dict[str, Any]]:
    """A table and the inner ones that may hold its figures, with plain field names."""
    plain = {_plain(key): value for key, value in table.items()}
    return [plain] + [
        {_plain(key): value for key, value in plain[name].items()}
        for name in _INNER
        if isinstance(plain.get(name), dict)
    ]


def _referred(data: dict[str, Any], *names: str) -> Iterator[dict[str, Any]]:
    """Entries of the catalogues with one of these names: tables by name, or lists of tables with an id."""
    for catalogue in _CATALOGUES:
        entries = data.get(catalogue)
        for name in filter(None, names):
            if isinstance(entries, dict) and isinstance(entries.get(name), dict):
                yield entries[name]
            elif isinstance(entries, list):
                yield from (
                    entry
                    for entry in entries
                    if isinstance(entry, dict) and name in (entry.get("id"), entry.get("name"))
                )


def _text(layers: list[dict[str, Any]], names: tuple[str, ...]) -> str:
    values = (layer.get(name) for layer in layers for name in names)
    return next((value for value in values if isinstance(value, str) and value), "")


def _figure(desk: Desk, file: TextFile, slot: str, layers: list[dict[str, Any]], names: tuple[str, ...]) -> int | None:
    for layer in layers:
        for name in names:
            value = layer.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
            if value is not None:
                desk.report(
                    Severity.WARNING,
                    file.place(0),
                    say("Slot {slot}: '{field}' must be a whole number above 0", slot=slot, field=name),
                )
    return None


def _option(table: dict[str, Any], name: str) -> bool | None:
    """A switch of the slot itself, or of its ``providerOptions`` for whichever provider."""
    plain = {_plain(key): value for key, value in table.items()}
    options = plain.get("provideroptions")
    inner = options.values() if isinstance(options, dict) else ()
    owners = [
        plain,
        *({_plain(key): value for key, value in option.items()} for option in inner if isinstance(option, dict)),
    ]
    return next((owner[name] for owner in owners if isinstance(owner.get(name), bool)), None)


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()
