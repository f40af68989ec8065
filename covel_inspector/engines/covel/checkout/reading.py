"""A whole checkout: its folders, and which copy of a plugin counts. Follows the reference on plugins, section 1."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from covel_inspector.domain import Severity, SourceError, say
from covel_inspector.engines.covel.checkout.files import Desk
from covel_inspector.engines.covel.checkout.plugins import read_plugin
from covel_inspector.engines.covel.checkout.slots import read_slots
from covel_inspector.engines.covel.checkout.worlds import read_world
from covel_inspector.engines.covel.records.manifests import Checkout, PluginManifest, WorldPackage

USER_PLUGINS = "COVEL_USER_PLUGINS_DIR"
PLUGINS = "COVEL_PLUGINS_DIR"
USER_WORLDS = "COVEL_USER_WORLDS_DIR"
WORLDS = "COVEL_WORLDS_DIR"
DATA_ROOT = "COVEL_DATA_ROOT"
SLOTS = "COVEL_LLM_TOML"

_HOME_SIGNS = ("llm.toml", "config.toml", "settings.json", "keys.env")


@dataclass(frozen=True, slots=True)
class _Folder:
    path: Path
    user: bool


def read_checkout(root: str, overrides: Mapping[str, str] | None = None) -> Checkout:
    """Everything a checkout or a home folder declares. User plugins and worlds come before built-in ones.

    ``overrides`` names further places by the engine's own variables (``COVEL_PLUGINS_DIR``, ``COVEL_USER_PLUGINS_DIR``,
    ``COVEL_WORLDS_DIR``, ``COVEL_USER_WORLDS_DIR``, ``COVEL_DATA_ROOT``, ``COVEL_LLM_TOML``); the process's own
    environment is not looked at. Raises SourceError when the root is no folder, or nothing of all this is in it.
    """
    given = overrides or {}
    base = _real_folder(root)
    bases = [base, *(Path(os.path.realpath(path)) for path in given.values() if path)]
    desk = Desk(base, tuple(bases))
    home = _is_home(desk, base)
    plugin_folders = _plugin_folders(base, given, home=home)
    world_folders = _world_folders(desk, base, given, home=home)
    slots_file = Path(os.path.realpath(given[SLOTS])) if given.get(SLOTS) else base / "llm.toml"
    folders = [folder for folder in (*plugin_folders, *world_folders) if desk.is_folder(folder.path)]
    has_slots = desk.has(slots_file)
    if not folders and not has_slots:
        raise SourceError(
            say(
                "'{path}' is no Covel checkout or home folder: a folder 'plugins' or 'worlds', "
                "or a file llm.toml, was expected in it",
                path=root,
            )
        )
    plugins, shadowed = _plugins(desk, [folder for folder in plugin_folders if folder in folders])
    desk.start_over()  # Too many plugins must not cost the worlds or the slots.
    worlds = _worlds(desk, [folder for folder in world_folders if folder in folders])
    desk.start_over()
    slots = read_slots(desk, slots_file) if has_slots else {}
    return Checkout(str(base), plugins, worlds, slots, desk.problems, tuple(shadowed))


def _real_folder(root: str) -> Path:
    try:
        base = Path(os.path.realpath(Path(root).expanduser()))
        if base.is_dir():
            return base
    except (OSError, ValueError, RuntimeError):
        pass
    raise SourceError(say("'{path}' is no folder: give a Covel checkout or home folder", path=root))


def _is_home(desk: Desk, base: Path) -> bool:
    """A home folder is known by the files the installation keeps there; a checkout is a package."""
    return not desk.has(base / "package.json") and any(desk.has(base / sign) for sign in _HOME_SIGNS)


def _plugin_folders(base: Path, given: Mapping[str, str], *, home: bool) -> list[_Folder]:
    found = [_Folder(Path(os.path.realpath(given[USER_PLUGINS])), user=True)] if given.get(USER_PLUGINS) else []
    found.append(_Folder(base / "plugins", user=home))
    if given.get(PLUGINS):
        found.append(_Folder(Path(os.path.realpath(given[PLUGINS])), user=False))
    return _once(found)


def _world_folders(desk: Desk, base: Path, given: Mapping[str, str], *, home: bool) -> list[_Folder]:
    found = [_Folder(Path(os.path.realpath(given[USER_WORLDS])), user=True)] if given.get(USER_WORLDS) else []
    if given.get(DATA_ROOT):
        found.append(_Folder(Path(os.path.realpath(given[DATA_ROOT])) / "worlds", user=True))
    if home:
        found.append(_Folder(_data_root(desk, base) / "worlds", user=True))
    found.append(_Folder(base / "worlds", user=home))
    if given.get(WORLDS):
        found.append(_Folder(Path(os.path.realpath(given[WORLDS])), user=False))
    return _once(found)


def _once(folders: list[_Folder]) -> list[_Folder]:
    return list({folder.path: folder for folder in reversed(folders)}.values())[::-1]


def _data_root(desk: Desk, home: Path) -> Path:
    """``data`` in the home folder, or what its config.toml says, as long as that lies inside the folder."""
    usual = home / "data"
    config = home / "config.toml"
    file = desk.read(config) if desk.has(config) else None
    if file is None:
        return usual
    try:
        paths = tomllib.loads(file.text).get("paths")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        desk.report(Severity.ERROR, file.place(), say("Not valid TOML"))
        return usual
    written = paths.get("data_root") if isinstance(paths, dict) else None
    if not isinstance(written, str) or not written or "\0" in written:
        return usual
    chosen = Path(os.path.realpath(home / written))
    if chosen != home and home not in chosen.parents:
        desk.report(
            Severity.HINT,
            file.place(0),
            say("The data root lies outside this folder, so its worlds were not read: {path}", path=written),
        )
        return usual
    return chosen


def _plugins(desk: Desk, folders: list[_Folder]) -> tuple[dict[str, PluginManifest], list[PluginManifest]]:
    counted: dict[str, PluginManifest] = {}
    shadowed: list[PluginManifest] = []
    for folder in folders:
        found = [(path.name, read_plugin(desk, path, user_copy=folder.user)) for path in desk.folders(folder.path)]
        # Inside one folder the plugin that bears its folder's name counts before one that only says so.
        for _, plugin in sorted(found, key=lambda pair: pair[1] is not None and pair[1].id != pair[0]):
            if plugin is None:
                continue
            first = counted.setdefault(plugin.id, plugin)
            if first is not plugin:
                shadowed.append(plugin)
                desk.report(
                    Severity.HINT,
                    plugin.place,
                    say("A second copy of '{id}'; the one in {path} counts", id=plugin.id, path=first.place.path),
                )
    return counted, shadowed


def _worlds(desk: Desk, folders: list[_Folder]) -> dict[str, WorldPackage]:
    counted: dict[str, WorldPackage] = {}
    for folder in folders:
        for path in desk.folders(folder.path):
            world = read_world(desk, path)
            if world is None:
                continue
            first = counted.setdefault(world.id, world)
            if first is not world:
                desk.report(
                    Severity.HINT,
                    world.place,
                    say("A second copy of '{id}'; the one in {path} counts", id=world.id, path=first.place.path),
                )
    return counted
