"""Where a story database usually lies. Follows the reference on the database, "Where the file is"."""

import tomllib
from collections.abc import Mapping
from pathlib import Path


def default_candidates(environ: Mapping[str, str], home: Path, cwd: Path) -> list[Path]:
    """Paths worth offering, best first, without duplicates; whether they exist is not asked.

    Reads ``config.toml`` of the Covel home and nothing else. ``home`` is the user's folder, ``cwd`` the working one.
    """
    covel_home = _path(environ.get("COVEL_HOME"), home, cwd) or home / ".covel"
    candidates = [_path(environ.get("SQLITE_PATH"), home, cwd)]
    data_root = _path(environ.get("COVEL_DATA_ROOT"), home, cwd)
    candidates.append(data_root / "covel.db" if data_root else None)
    for folder in (covel_home, home / ".covel"):
        configured = _data_root(folder, home)
        candidates.append(configured / "covel.db" if configured else None)
    for folder in (covel_home, home / ".covel"):
        candidates += [folder / "data" / "covel.db", folder / "covel.db"]
    candidates += [cwd / "data" / "covel.db", cwd / "apps" / "server" / "data" / "covel.db"]
    return list(dict.fromkeys(candidate for candidate in candidates if candidate is not None))


def _data_root(covel_home: Path, home: Path) -> Path | None:
    """``[paths] data_root`` of the home's ``config.toml``; a relative one is taken from the Covel home."""
    try:
        config = tomllib.loads((covel_home / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    paths = config.get("paths")
    root = paths.get("data_root") if isinstance(paths, dict) else None
    return _path(root, home, covel_home) if isinstance(root, str) else None


def _path(text: str | None, home: Path, base: Path) -> Path | None:
    """A path from a setting: ``~`` is the user's folder, a relative one starts at ``base``; None when not set."""
    if not text or not text.strip() or "\0" in text:
        return None
    if text == "~" or text.startswith(("~/", "~\\")):
        return home / text[2:]
    return base / text
