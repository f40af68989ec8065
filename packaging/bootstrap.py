#!/usr/bin/env python3
"""Sets covel-inspector up on a machine that has Python 3.11 with pip and nothing else, and starts it.

    python3 packaging/bootstrap.py sample                       the window on the bundled story
    python3 packaging/bootstrap.py open FILE [--covel-root DIR] the window on a file
    python3 packaging/bootstrap.py run ARGUMENTS…               any command of covel-inspector
    python3 packaging/bootstrap.py test [ARGUMENTS FOR PYTEST…] all checks and tests
    python3 packaging/bootstrap.py setup                        only set up

Everything goes into the folder ``.venv`` of the clone. Missing system libraries are installed when this runs as root
and apt is there; else they are named in one line. Standard library only. A second run takes a moment.

``requirements.txt`` and ``requirements-dev.txt`` beside this file pin every package with its hashes. They are remade by

    uv export --no-emit-project --no-header --no-annotate --no-dev -o packaging/requirements.txt
    uv export --no-emit-project --no-header --no-annotate -o packaging/requirements-dev.txt
"""

import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from system_libraries import Missing, find_missing, install_line

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "covel-inspector-setup.json"
REQUIREMENTS = ROOT / "packaging" / "requirements.txt"
REQUIREMENTS_DEV = ROOT / "packaging" / "requirements-dev.txt"
OLDEST_PYTHON = (3, 11)
OLDEST_PIP = (22, 3)
"""The first pip that installs into another environment (``--python``)."""


class SetupError(Exception):
    """Something that the person at the keyboard has to solve. The message says what happened and what to do."""


def say(line: str) -> None:
    """One line of progress, on standard error: standard output belongs to the program that is started."""
    print(f"[setup] {line}", file=sys.stderr, flush=True)


# The environment


def venv_python() -> Path:
    """The Python of our environment."""
    return VENV / "Scripts" / "python.exe" if os.name == "nt" else VENV / "bin" / "python"


def fingerprint(requirements: Path, root: Path = ROOT) -> str:
    """Changes whenever the pinned packages change, or the clone was moved."""
    return hashlib.sha256(requirements.read_bytes() + str(root).encode()).hexdigest()


def venv_works() -> bool:
    """Whether our environment is there and its Python starts: the Python it was made with may be gone."""
    try:
        return subprocess.run([str(venv_python()), "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def read_stamp() -> dict[str, str]:
    """What earlier runs did; empty when nothing is known."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def note_in_stamp(**done: str) -> None:
    """Remember what was done."""
    STAMP.write_text(json.dumps(read_stamp() | done, indent=1), encoding="utf-8")


def set_up(*, developer: bool) -> None:
    """Make the environment and install the packages, unless that was done before."""
    wanted = {"run": fingerprint(REQUIREMENTS)}
    if developer:
        wanted["dev"] = fingerprint(REQUIREMENTS_DEV)
    works = venv_works()
    if works and wanted.items() <= read_stamp().items():
        return
    if not works:
        make_environment()
    requirements = REQUIREMENTS_DEV if developer else REQUIREMENTS
    say(f"installing packages from packaging/{requirements.name} (needs a network, takes a minute)")
    install(requirements)
    link_project()
    note_in_stamp(**wanted)
    say(f"ready: {VENV}")


def make_environment() -> None:
    """An environment without pip: Debian's Python may lack the module that puts pip into one."""
    say(f"making {VENV} with Python {sys.version.split()[0]}")
    command = [sys.executable, "-m", "venv", "--without-pip", "--clear", str(VENV)]
    if subprocess.run(command, check=False).returncode != 0:
        raise SetupError(f"Could not make {VENV}. Is the folder writable, and the disk not full?")


def pip_version(text: str) -> tuple[int, int]:
    """Major and minor version from ``pip --version``; (0, 0) when it cannot be read."""
    fields = text.split()
    numbers = fields[1].split(".") if len(fields) > 1 and fields[0] == "pip" else []
    major, minor = [*numbers, "0", "0"][:2]
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)


def pip_command() -> list[str]:
    """How to install into our environment: its own pip, else the pip of this Python, else one from ensurepip."""
    inside = [str(venv_python()), "-m", "pip"]
    if subprocess.run([*inside, "--version"], capture_output=True, check=False).returncode == 0:
        return inside
    outside = [sys.executable, "-m", "pip"]
    found = subprocess.run([*outside, "--version"], capture_output=True, text=True, check=False)
    if found.returncode == 0 and pip_version(found.stdout) >= OLDEST_PIP:
        return [*outside, "--python", str(venv_python())]
    if importlib.util.find_spec("ensurepip") is not None:
        subprocess.run([str(venv_python()), "-m", "ensurepip"], capture_output=True, check=False)
        return inside
    raise SetupError("This Python has no pip 22.3 or newer. Install it, on Debian: apt-get install python3-pip")


def install(requirements: Path) -> None:
    """Install pinned packages into the environment; their hashes are checked."""
    options = ["--require-hashes", "--no-input", "--disable-pip-version-check", "--no-warn-script-location"]
    quiet = ["-qq", "--progress-bar", "off", "--retries", "2"]
    command = [*pip_command(), "install", *options, *quiet, "-r", str(requirements)]
    # An environment is not a place for the user's own folder; a user's setting must not send packages there.
    settings = os.environ | {"PIP_USER": "0", "PIP_ROOT_USER_ACTION": "ignore"}
    result = subprocess.run(command, env=settings, check=False)
    if result.returncode != 0:
        raise SetupError("The packages could not be installed: see pip's words above. Is there a network?")


def link_project() -> None:
    """Make the clone importable in the environment and put the command beside its Python."""
    packages = next(VENV.glob("lib/python*/site-packages"), VENV / "Lib" / "site-packages")
    # A line that begins with "import" is run: so the path can be written in ASCII, whatever letters it has.
    (packages / "covel_inspector.pth").write_text(f"import sys; sys.path.append({str(ROOT)!a})\n", encoding="ascii")
    if os.name == "nt":
        return
    script = venv_python().with_name("covel-inspector")
    # A shell line, not a "#!" with Python's path: that path may hold blanks.
    lines = ["#!/bin/sh", f'exec {shlex.quote(str(venv_python()))} -m covel_inspector "$@"', ""]
    script.write_text("\n".join(lines), encoding="utf-8")
    script.chmod(0o755)


# The system


def prepare_system(*, window: bool, strict: bool) -> None:
    """Install the system libraries that Qt needs, or name them. ``strict``: without them there is no point to go on."""
    missing = find_missing(window=window)
    wanted = " ".join(missing.packages)
    if wanted and is_root() and shutil.which("apt-get") and read_stamp().get("apt") != wanted:
        apt_install(window=window)
        note_in_stamp(apt=wanted)
        missing = find_missing(window=window)
    if missing.libraries:
        line = f"Qt needs system libraries that are missing ({', '.join(missing.libraries)}). {how_to_install(missing)}"
        if strict:
            raise SetupError(line)
        say(line)
    elif missing.font:
        say(f"No font with Chinese characters was found: they will be empty boxes. {how_to_install(missing)}")


def is_root() -> bool:
    """Whether this process may install packages of the system."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def how_to_install(missing: Missing) -> str:
    """The command for the person at the keyboard."""
    if shutil.which("apt-get"):
        return f"Run: {install_line(missing, sudo=not is_root())}"
    return f"Install them with your system's packages; Debian calls them: {' '.join(missing.packages)}"


def apt_install(*, window: bool) -> None:
    """Install with apt; libraries first, so that a font that cannot be fetched does not keep them back."""
    settings = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    say("looking for system packages (apt-get update)")
    _apt(["update"], settings)
    missing = find_missing(window=window)  # Once more: only now are the names of this release known.
    for packages in (missing.library_packages, missing.font_packages):
        if packages:
            say(f"installing {' '.join(packages)}")
            _apt(["-y", "--no-install-recommends", "install", *packages], settings)


def _apt(arguments: list[str], settings: dict[str, str]) -> None:
    """Run apt-get without questions; when it fails, repeat its last words."""
    command = ["apt-get", "-qq", *arguments]
    done = subprocess.run(
        command, env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode != 0:
        say(f"apt-get failed: {' '.join(done.stderr.split())[-300:]}")


def has_display() -> bool:
    """Whether somebody may see a window; the program itself looks closer."""
    if os.name == "nt" or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


# Commands


def run_inspector(arguments: Sequence[str]) -> int:
    """The program, in the place of this process where the system can do that."""
    command = [str(venv_python()), "-m", "covel_inspector", *arguments]
    if os.name != "nt":
        os.execv(command[0], command)  # Ends here: the program takes the place of this process.
    return subprocess.run(command, check=False).returncode


def run_checks(arguments: Sequence[str]) -> int:
    """Style, types, import contracts, tests: all of them, then 1 when any failed."""
    python = str(venv_python())
    contracts = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    checks = {
        "style": [python, "-m", "ruff", "check", "."],
        "layout": [python, "-m", "ruff", "format", "--check", "."],
        "types": [python, "-m", "mypy"],
        "imports": [python, "-c", contracts],
        "tests": [python, "-m", "pytest", *arguments],
    }
    settings = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    failed = []
    for name, command in checks.items():
        say(f"checking {name}")
        if subprocess.run(command, cwd=ROOT, env=settings, stdin=subprocess.DEVNULL, check=False).returncode != 0:
            failed.append(name)
    say(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


def main(arguments: Sequence[str]) -> int:
    """Set up, then do what was asked. The exit status of the program or of the checks; 2 for a setup that failed."""
    command, rest = (arguments[0], list(arguments[1:])) if arguments else ("", [])
    if command not in ("sample", "open", "run", "test", "setup"):
        print(__doc__.partition("Everything goes")[0].strip(), file=sys.stderr)
        return 2
    try:
        set_up(developer=command == "test")
        if command != "run":
            prepare_system(window=has_display() and command != "test", strict=command == "test")
    except SetupError as error:
        print(f"bootstrap: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bootstrap: {error.filename or 'setup'}: {error.strerror or error}", file=sys.stderr)
        return 2
    if command == "test":
        return run_checks(rest)
    if command == "setup":
        return 0
    return run_inspector(rest if command == "run" else [command, *rest])


if __name__ == "__main__":
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"bootstrap: Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    sys.exit(main(sys.argv[1:]))
