"""Where the files of ``resources/`` are, in a clone, in an installed wheel and in a frozen build.

A wheel carries them inside the package (``covel_inspector/resources``); a clone has them beside it.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path


@cache
def resource_folder() -> Path:
    """The folder that holds our resources.

    Raises FileNotFoundError when neither place has it, which means a broken installation.
    """
    package = Path(str(files("covel_inspector")))
    for candidate in (package / "resources", package.parent / "resources"):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"The folder 'resources' is missing beside or inside {package}. Install again.")


def resource_path(*parts: str) -> Path:
    """A file or folder below ``resources``; the caller finds out whether it exists."""
    return resource_folder().joinpath(*parts)
