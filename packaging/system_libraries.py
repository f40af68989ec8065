"""Which system libraries and fonts Qt lacks here, and what Debian calls them. Standard library only."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

ALWAYS: Mapping[str, str] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
}
"""What Qt needs even without a screen: the name a program loads, and Debian's package."""

WINDOW: Mapping[str, str] = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
"""What a window needs besides, under X and under Wayland."""

FONT_PACKAGE = "fonts-noto-cjk"
RENAMED: Mapping[str, str] = {"libglib2.0-0": "libglib2.0-0t64"}
"""Debian 13 and Ubuntu 24.04 call some packages otherwise."""

_CHINESE_FONTS = ("cjk", "sourcehan", "wqy", "uming", "ukai", "fallbackfull", "lxgw", "msyh", "simsun", "pingfang")
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


@dataclass(frozen=True)
class Missing:
    """What is not there: libraries by the name that is loaded, and whether a Chinese font is missing."""

    libraries: tuple[str, ...] = ()
    library_packages: tuple[str, ...] = ()
    font: bool = False

    @property
    def is_empty(self) -> bool:
        """True when nothing is missing."""
        return not self.libraries and not self.font

    @property
    def font_packages(self) -> tuple[str, ...]:
        """Debian's package with a Chinese font, if one is missing."""
        return (FONT_PACKAGE,) if self.font else ()

    @property
    def packages(self) -> tuple[str, ...]:
        """All packages."""
        return self.library_packages + self.font_packages


def find_missing(
    *,
    window: bool,
    loads: Callable[[str], bool] | None = None,
    has_font: Callable[[], bool] | None = None,
    exists: Callable[[str], bool] | None = None,
    platform: str = sys.platform,
) -> Missing:
    """What Qt lacks here; other systems than Linux bring all of it. The callables stand for this machine."""
    if platform != "linux":
        return Missing()
    loads, has_font, exists = loads or can_load, has_font or has_chinese_font, exists or apt_knows
    wanted = {**ALWAYS, **WINDOW} if window else dict(ALWAYS)
    missing = {library: package for library, package in wanted.items() if not loads(library)}
    packages = (current_name(package, exists) for package in missing.values())
    return Missing(tuple(missing), tuple(packages), not has_font())


def can_load(library: str) -> bool:
    """Whether the loader finds a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def current_name(package: str, exists: Callable[[str], bool]) -> str:
    """The package's name on this release."""
    renamed = RENAMED.get(package)
    return renamed if renamed is not None and not exists(package) and exists(renamed) else package


def apt_knows(package: str) -> bool:
    """Whether apt's lists hold a package (they may be empty before the first ``apt-get update``)."""
    if shutil.which("apt-cache") is None:
        return True
    found = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
    return found.returncode == 0 and bool(found.stdout)


def has_chinese_font() -> bool:
    """Whether fontconfig, or else the usual folders, know a font with Chinese characters."""
    if shutil.which("fc-list"):
        listed = subprocess.run(["fc-list", ":lang=zh", "family"], capture_output=True, check=False)
        return bool(listed.stdout.strip())
    return any(is_chinese_font(name) for folder in _FONT_FOLDERS for name in _files_below(Path(folder).expanduser()))


def is_chinese_font(file_name: str) -> bool:
    """Whether a font file is known to hold Chinese characters, by its name."""
    name = file_name.lower().replace("-", "").replace("_", "")
    return name.endswith((".ttf", ".ttc", ".otf", ".otc")) and any(part in name for part in _CHINESE_FONTS)


def _files_below(folder: Path) -> Iterable[str]:
    for _, _, files in os.walk(folder):
        yield from files


def install_line(missing: Missing, *, sudo: bool) -> str:
    """The exact command that installs what is missing."""
    prefix = "sudo " if sudo else ""
    return f"{prefix}apt-get update && {prefix}apt-get install -y --no-install-recommends {' '.join(missing.packages)}"
