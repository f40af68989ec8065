"""One plugin folder. Follows the reference on plugins, sections 1 and 2."""

from pathlib import Path
from typing import Any

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.fields import Fields
from covel_inspector.engines.covel.checkout.files import Desk
from covel_inspector.engines.covel.checkout.old_format import report_old_fields
from covel_inspector.engines.covel.checkout.runtimes import runtime_manifest
from covel_inspector.engines.covel.checkout.segments import static_segments
from covel_inspector.engines.covel.checkout.variants import Pages, read_pages
from covel_inspector.engines.covel.records.manifests import FilePlace, PluginManifest, RuntimeManifest


def read_plugin(desk: Desk, folder: Path, *, user_copy: bool) -> PluginManifest | None:
    """The plugin in a folder; None when it holds nothing of one. Problems are reported to the desk."""
    pages = read_pages(desk, folder, "PLUGIN")
    main = pages.main
    runtimes_folder = folder / "runtimes"
    has_runtimes = desk.is_folder(runtimes_folder)
    if main is None:
        place = FilePlace(desk.shown(folder), 0)
        if desk.left_aside(folder / "PLUGIN.md"):
            return None
        if not has_runtimes:
            if not desk.has(folder / "PLUGIN.md"):
                desk.report(Severity.HINT, place, say("No plugin: there is no PLUGIN.md"))
            return None
        desk.report(Severity.ERROR, place, say("PLUGIN.md is missing or not readable"))
        runtimes = _separate(desk, folder, folder.name)
        return PluginManifest(folder.name, "", "", place, runtimes=runtimes, user_copy=user_copy)
    if main.head is None:
        runtimes = _separate(desk, folder, folder.name) if has_runtimes else _unknown(pages, folder.name)
        return PluginManifest(folder.name, "", "", main.file.place(), runtimes=runtimes, user_copy=user_copy)
    fields = Fields.of(desk, main.file, main.head)
    plugin_id = _plugin_id(fields, folder)
    contributes = fields.section("contributes")
    old = report_old_fields(fields)
    runtimes = _inline(fields, pages, plugin_id, folder, old=old and not has_runtimes)
    if has_runtimes:
        runtimes = (*runtimes, *_separate(desk, folder, plugin_id))
    return PluginManifest(
        id=plugin_id,
        version=fields.text("version"),
        display_name=_display_name(fields),
        place=fields.place("id"),
        segments=static_segments(contributes, pages),
        extensions=tuple(
            (entry.text("point"), entry.text("id")) for entry in contributes.entries("extensions") if "point" in entry
        ),
        hooks=tuple(entry.text("event") for entry in contributes.entries("hooks") if "event" in entry),
        events=_events(contributes),
        settings={
            entry.text("key"): entry.raw("default")
            for entry in contributes.entries("settings")
            if "key" in entry and "default" in entry
        },
        runtimes=runtimes,
        user_copy=user_copy,
        kind=fields.text("kind"),
        provides=_contracts(fields),
    )


def _plugin_id(fields: Fields, folder: Path) -> str:
    plugin_id = fields.text("id")
    if not plugin_id:
        fields.report(Severity.ERROR, say("No id; the name of the folder, '{name}', is used", name=folder.name), "id")
        return folder.name
    if plugin_id != folder.name:
        fields.report(
            Severity.WARNING,
            say(
                "The folder is called '{name}' and the plugin '{id}'; they should be the same",
                name=folder.name,
                id=plugin_id,
            ),
            "id",
        )
    return plugin_id


def _display_name(fields: Fields) -> str:
    """A text, or a map of texts by locale, of which English is taken, else the first."""
    value = fields.raw("displayName")
    if isinstance(value, dict):
        texts = {key: text for key, text in value.items() if isinstance(text, str)}
        return texts.get("en") or texts.get("en-US") or next(iter(texts.values()), "")
    return fields.text("displayName")


def _contracts(fields: Fields) -> tuple[str, ...]:
    value = fields.raw("provides")
    found = [value] if isinstance(value, str | dict) else value if isinstance(value, list) else []
    names = [item.get("contract") if isinstance(item, dict) else item for item in found]
    return tuple(name for name in names if isinstance(name, str))


def _events(contributes: Fields) -> tuple[dict[str, Any], ...]:
    """A list of events, or a map of them by topic."""
    if isinstance(contributes.raw("events"), dict):
        return tuple({"topic": topic, **entry.values} for topic, entry in contributes.named("events"))
    return tuple(entry.values for entry in contributes.entries("events"))


def _inline(fields: Fields, pages: Pages, plugin_id: str, folder: Path, *, old: bool) -> tuple[RuntimeManifest, ...]:
    """The runtime declared in PLUGIN.md itself. In the old format the fields of the runtime stood beside the others."""
    if isinstance(fields.raw("runtime"), dict):
        section = fields.section("runtime")
        return (runtime_manifest(section, plugin_id, plugin_id, pages.bodies(), fields.place("runtime"), (folder,)),)
    if "runtime" in fields:
        fields.section("runtime")
    return _unknown(pages, plugin_id) if old else ()


def _unknown(pages: Pages, plugin_id: str) -> tuple[RuntimeManifest, ...]:
    """A runtime of which only the body is known."""
    body, main = pages.bodies(), pages.main
    if main is None or not body.variants:
        return ()
    return (RuntimeManifest(plugin_id, plugin_id, "", body, main.file.place()),)


def _separate(desk: Desk, folder: Path, plugin_id: str) -> tuple[RuntimeManifest, ...]:
    """The runtimes in ``runtimes/<id>/RUNTIME.md``."""
    found: list[RuntimeManifest] = []
    for place in desk.folders(folder / "runtimes"):
        pages = read_pages(desk, place, "RUNTIME")
        main = pages.main
        runtime_id = f"{plugin_id}/{place.name}"
        if main is None and desk.left_aside(place / "RUNTIME.md"):
            continue
        if main is None:
            desk.report(Severity.ERROR, FilePlace(desk.shown(place), 0), say("RUNTIME.md is missing or not readable"))
        elif main.head is None:
            found.append(RuntimeManifest(runtime_id, plugin_id, "", pages.bodies(), main.file.place()))
        else:
            fields = Fields.of(desk, main.file, main.head)
            declared = fields.text("id")
            if declared and declared not in (place.name, runtime_id):
                fields.report(
                    Severity.WARNING,
                    say(
                        "The folder is called '{name}' and the runtime '{id}'; the folder counts",
                        name=place.name,
                        id=declared,
                    ),
                    "id",
                )
            found.append(
                runtime_manifest(fields, runtime_id, plugin_id, pages.bodies(), main.file.place(), (folder, place))
            )
    return tuple(found)
