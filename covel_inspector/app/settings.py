"""What the window remembers: typed values, each with a default, so that a damaged file costs one setting.

The file is ``settings.json`` in the user's configuration folder; the environment variable
``COVEL_INSPECTOR_SETTINGS`` names another folder.
"""

import contextlib
import json
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

RECENT_MAX = 10

_log = logging.getLogger(__name__)


class _Damaged(Exception):  # noqa: N818 - answered by the default, never seen
    """A stored value that is not what the setting takes."""


@dataclass(frozen=True, slots=True)
class Recent:
    """A source that was open, and the last place in it."""

    location: str
    covel_root: str = ""
    address: str = ""


@dataclass(slots=True)
class Settings:
    """All settings. Change a field and call :func:`save`."""

    theme: str = "system"
    language: str = ""
    """A language tag, or empty for the system's."""
    mode: str = "structure"
    target: str = "previous-turn"
    text_scale: int = 100
    """Percent of the system's text size, 70 to 250."""
    width: int = 0
    """Size of the window in device-independent pixels; 0 = never saved."""
    height: int = 0
    maximised: bool = False
    story_width: int = 0
    why_width: int = 0
    """Widths of the panels; 0 = never changed, as wide as the text size asks for."""
    story_shown: bool = True
    why_shown: bool = True
    count_tokens: bool = False
    """Whether tokenizers count, which takes memory for their vocabularies."""
    compare_view: dict[str, Any] = field(default_factory=dict)
    """What the compare view keeps for itself."""
    panels: dict[str, Any] = field(default_factory=dict)
    """What the panels at the bottom keep: open or not, height, tab, and what each keeps for itself."""
    recent: list[Recent] = field(default_factory=list)
    """Latest first."""


def settings_file() -> Path:
    """Where the settings are kept."""
    chosen = os.environ.get("COVEL_INSPECTOR_SETTINGS")
    folder = Path(chosen) if chosen else Path(platformdirs.user_config_dir("covel-inspector", appauthor=False))
    return folder / "settings.json"


def load(file: Path) -> Settings:
    """Read the settings; a value that is missing or damaged has its default, a file that cannot be read all of them."""
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, RecursionError) as error:
        _log.warning("The settings in %s cannot be read and start anew: %s", file, error)
        return Settings()
    settings = Settings()
    if isinstance(stored, dict):
        for entry in fields(Settings):
            if entry.name in stored:
                reader = _READERS.get(entry.name, _plain_reader(getattr(settings, entry.name)))
                with contextlib.suppress(_Damaged):
                    setattr(settings, entry.name, reader(stored[entry.name]))
    return settings


def save(settings: Settings, file: Path) -> None:
    """Write the settings, all or nothing. A folder that cannot be written is logged: settings are a convenience."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(asdict(settings), ensure_ascii=False, indent=1), encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        _log.warning("The settings cannot be kept in %s: %s", file, error)


def remember(settings: Settings, recent: Recent) -> None:
    """Put a source at the head of the recent ones."""
    others = [entry for entry in settings.recent if entry.location != recent.location]
    settings.recent = [recent, *others][:RECENT_MAX]


def remembered(settings: Settings, location: str) -> Recent | None:
    """What is known of a source that was open before."""
    return next((entry for entry in settings.recent if entry.location == location), None)


def _plain_reader(default: object) -> Callable[[Any], Any]:
    """Takes a value of the default's own type and nothing else (a bool is no int)."""

    def read(value: Any) -> Any:
        if type(value) is not type(default):
            raise _Damaged
        return value

    return read


def _within(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise _Damaged
        return value

    return read


def _read_recent(value: Any) -> list[Recent]:
    """The entries that can be read, without the others."""
    if not isinstance(value, list):
        raise _Damaged
    return [Recent(**entry) for entry in value if _is_recent(entry)][:RECENT_MAX]


def _is_recent(entry: object) -> bool:
    known = {field_.name for field_ in fields(Recent)}
    return (
        isinstance(entry, Mapping)
        and bool(entry.get("location"))
        and set(entry) <= known
        and all(isinstance(value, str) for value in entry.values())
    )


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "text_scale": _within(70, 250),
    "width": _within(0, 20_000),
    "height": _within(0, 20_000),
    "story_width": _within(0, 20_000),
    "why_width": _within(0, 20_000),
    "recent": _read_recent,
}
