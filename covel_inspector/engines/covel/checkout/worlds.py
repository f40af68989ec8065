"""One world folder: ``world.yaml``, ``WORLD.md`` and the data files. Follows the reference on plugins, section 6."""

from pathlib import Path
from typing import Any

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.fields import Fields
from covel_inspector.engines.covel.checkout.files import Desk, TextFile
from covel_inspector.engines.covel.checkout.front_matter import read_yaml, trimmed_body
from covel_inspector.engines.covel.checkout.variants import variant_files
from covel_inspector.engines.covel.checkout.yaml_text import YamlDocument
from covel_inspector.engines.covel.records.manifests import FilePlace, Localized, WorldPackage

_CONVENTIONAL = {
    "lorebook": ("data/lorebook.yaml",),
    "world:metadata.dimensions": ("data/dimensions.yaml",),
    "characters": ("characters/characters.json",),
}
"""Where data is looked for when no descriptor names the file, by target."""

Sources = dict[str, list[Path]]
"""The data files a descriptor names, by target."""


def read_world(desk: Desk, folder: Path) -> WorldPackage | None:
    """The world in a folder; None when it holds neither ``world.yaml`` nor ``WORLD.md``."""
    lore = _lore(desk, folder)
    described = _yaml(desk, folder / "world.yaml")
    if described is None:
        if any(desk.left_aside(folder / name) for name in ("world.yaml", "WORLD.md")):
            return None
        if lore is None:
            desk.report(
                Severity.HINT, FilePlace(desk.shown(folder), 0), say("No world: there is no world.yaml and no WORLD.md")
            )
            return None
        desk.report(Severity.WARNING, FilePlace(desk.shown(folder), 0), say("world.yaml is missing or not readable"))
        return WorldPackage(
            folder.name, FilePlace(desk.shown(folder), 0), lore=lore, lorebook=_lorebook(desk, folder, None)
        )
    file, document = described
    fields = Fields.of(desk, file, document)
    if not isinstance(document.value, dict):
        fields.report(Severity.ERROR, say("A world's description must be a mapping of fields"))
    world_id = fields.text("id") or folder.name
    if world_id != folder.name:
        fields.report(
            Severity.HINT,
            say("The folder is called '{name}' and the world '{id}'", name=folder.name, id=world_id),
            "id",
        )
    sources = _sources(fields, folder)
    dimensions = fields.raw("dimensions")
    return WorldPackage(
        id=world_id,
        place=fields.place("id"),
        metadata=fields.values,
        lore=lore,
        lorebook=_lorebook(desk, folder, sources),
        default_locale=fields.text("defaultLocale"),
        dimensions=dimensions if dimensions is not None else _dimensions(desk, folder, sources),
        characters=_characters(desk, folder, sources),
    )


def _lore(desk: Desk, folder: Path) -> Localized | None:
    """The lore texts, trimmed like a body. They have no front matter: three dashes are a line across the page."""
    lore = Localized({}, {})
    for tag, file in variant_files(desk, folder, "WORLD").items():
        text, line = trimmed_body(file.text, 0)
        if text:
            lore.variants[tag] = text
            lore.places[tag] = file.place(line)
    return lore if lore.variants else None


def _yaml(desk: Desk, path: Path) -> tuple[TextFile, YamlDocument] | None:
    """A YAML or JSON file (which is YAML too); None when it is not there or cannot be read, which is then reported."""
    file = desk.read(path) if desk.has(path) else None
    document = read_yaml(desk, file) if file is not None else None
    return None if file is None or document is None else (file, document)


def _sources(fields: Fields, folder: Path) -> Sources | None:
    """The files of the descriptor by target; None when there is none to be read.

    Their paths count from the descriptor, or else from the world.
    """
    written = fields.text("worldData")
    if not written:
        return None
    descriptor = _within(folder, folder, written)
    described = _yaml(fields.desk, descriptor) if descriptor is not None else None
    if descriptor is None or not fields.desk.has(descriptor):
        fields.report(
            Severity.WARNING, say("The file '{path}' is not in the world's folder", path=written), "worldData"
        )
    if described is None or descriptor is None:
        return None
    found: Sources = {}
    for _, source in Fields.of(fields.desk, *described).named("sources"):
        target, path = source.text("to"), source.text("path")
        places = [_within(folder, descriptor.parent, path), _within(folder, folder, path)]
        file = next((place for place in places if place is not None and fields.desk.has(place)), None)
        if file is None:
            source.report(Severity.WARNING, say("The file '{path}' is not in the world's folder", path=path), "path")
        else:
            found.setdefault(target, []).append(file)
    return found


def _within(world: Path, start: Path, written: str) -> Path | None:
    """A written path below a world's folder; None when it is empty or leads out of it."""
    if not written or "\0" in written or Path(written).is_absolute():
        return None
    steps = list(start.relative_to(world).parts)
    for part in Path(written).parts:
        if part != "..":
            steps.append(part)
        elif steps:
            steps.pop()
        else:
            return None
    return world.joinpath(*steps)


def _files(desk: Desk, folder: Path, sources: Sources | None, target: str) -> list[Path]:
    if sources is not None:
        return sources.get(target, [])
    return [folder / path for path in _CONVENTIONAL[target] if desk.has(folder / path)]


def _lorebook(desk: Desk, folder: Path, sources: Sources | None) -> tuple[dict[str, Any], ...]:
    entries: list[dict[str, Any]] = []
    seen: set[str] = set()
    for path in _files(desk, folder, sources, "lorebook"):
        described = _yaml(desk, path)
        if described is None:
            continue
        for entry in _records(Fields.of(desk, *described), "entries"):
            entry_id = entry.text("id")
            if entry_id and entry_id in seen:
                entry.report(Severity.WARNING, say("A second entry has the id '{id}'", id=entry_id), "id")
            seen.add(entry_id)
            entries.append(entry.values)
    return tuple(entries)


def _characters(desk: Desk, folder: Path, sources: Sources | None) -> tuple[dict[str, Any], ...]:
    found: list[dict[str, Any]] = []
    for path in _files(desk, folder, sources, "characters"):
        described = _yaml(desk, path)
        if described is not None:
            found.extend(entry.values for entry in _records(Fields.of(desk, *described), "characters"))
    return tuple(found)


def _dimensions(desk: Desk, folder: Path, sources: Sources | None) -> Any:
    for path in _files(desk, folder, sources, "world:metadata.dimensions"):
        described = _yaml(desk, path)
        if described is not None:
            value = described[1].value
            return value["dimensions"] if isinstance(value, dict) and "dimensions" in value else value
    return None


def _records(fields: Fields, key: str) -> list[Fields]:
    """The records of a data file: a list, a list under ``key``, or a map of records by id."""
    value = fields.document.value
    if isinstance(value, dict) and key in value:
        return list(fields.entries(key))
    if isinstance(value, dict):
        return [
            Fields(fields.desk, fields.file, fields.document, {"id": name, **record}, (name,))
            for name, record in value.items()
            if isinstance(record, dict)
        ]
    if not isinstance(value, list):
        if value is not None:
            fields.report(Severity.WARNING, say("A list of entries was expected here"))
        return []
    found: list[Fields] = []
    for index, item in enumerate(value):
        if isinstance(item, dict):
            found.append(Fields(fields.desk, fields.file, fields.document, item, (index,)))
        else:
            fields.report(Severity.WARNING, say("An entry of this list must be a mapping of fields"), index)
    return found
