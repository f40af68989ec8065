"""Stories that can be offered without asking: the bundled sample, and databases where the engine keeps them."""

import os
from pathlib import Path

from covel_inspector.engines.covel.database.places import default_candidates
from covel_inspector.resource_files import resource_path


def sample() -> tuple[str, str]:
    """Location and Covel root of the story that comes with the program."""
    return str(resource_path("sample", "emberwatch.db")), str(resource_path("sample", "covel-root"))


def found_databases() -> list[str]:
    """Databases that exist where the engine keeps them; what cannot be looked at is not there."""
    found = []
    try:
        candidates = default_candidates(os.environ, Path.home(), Path.cwd())
    except (OSError, RuntimeError):
        return []
    for candidate in candidates:
        try:
            if candidate.is_file():
                found.append(str(candidate))
        except OSError:
            continue
    return found
