"""Rules of the house that a linter does not know: what may be used where, how long a file is, which words are out."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "covel_inspector"
LONGEST_FILE = 400
"""Lines. A file that grows beyond has more than one reason to change."""

QT = {"PySide6", "shiboken6"}
NETWORK = {
    "aiohttp",
    "ftplib",
    "http",
    "httpx",
    "requests",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "urllib3",
    "websockets",
}
NETWORK_MODULES = {"urllib.request", "PySide6.QtNetwork", "PySide6.QtWebSockets"}
ASKS_THE_DISPLAY = "cli/display.py"
"""Tries whether the screen answers, which is a socket too."""

WORKPLACE = re.compile(r"(^|[^a-z])(\.\./shared|/(work|farm|tmp)/[a-z])", re.MULTILINE)
"""Paths that exist only on one machine."""


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its path below the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"), str(path))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and full name of what a module imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


@cache
def tracked_files() -> tuple[Path, ...]:
    """What the repository holds; every file below the root where there is no repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode().split("\0")
        return tuple(path for name in names if name and (path := ROOT / name).is_file())
    return tuple(path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts)


def test_qt_is_used_in_the_window_only() -> None:
    found = [
        f"{path}:{line}: {name}"
        for path, tree in modules().items()
        if not path.startswith("app/")
        for line, name in imports(tree)
        if name.split(".")[0] in QT
    ]
    assert found == []


def test_databases_are_opened_in_one_room_only() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, tree in modules().items()
        if not path.startswith("engines/covel/database/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("sqlite3.connect", "sqlite_utils.Database")
    ]
    found += [
        f"{path}:{line}"
        for path, tree in modules().items()
        for line, name in imports(tree)
        if name in ("sqlite3.connect", "sqlite3.dbapi2.connect")
    ]
    assert found == []


def test_the_database_room_opens_databases() -> None:
    """The rule above would say nothing if the room were renamed."""
    assert any("sqlite3" in ast.unparse(tree) for path, tree in modules().items() if "covel/database/" in path)


def test_no_network() -> None:
    found = [
        f"{path}:{line}: {name}"
        for path, tree in modules().items()
        if path != ASKS_THE_DISPLAY
        for line, name in imports(tree)
        if name.split(".")[0] in NETWORK or name in NETWORK_MODULES
    ]
    assert found == []


def test_files_are_short() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for path in tracked_files()
        if path.suffix == ".py" and (lines := path.read_text(encoding="utf-8").count("\n")) > LONGEST_FILE
    }
    assert long == {}


def test_no_path_of_a_workplace_is_named() -> None:
    found = []
    for path in tracked_files():
        data = path.read_bytes()
        if b"\0" in data:
            continue
        text = data.decode("utf-8", errors="replace")
        found += [
            f"{path.relative_to(ROOT).as_posix()}:{text.count(chr(10), 0, match.start(2)) + 1}: {match[2]}"
            for match in WORKPLACE.finditer(text)
        ]
    assert found == []


def test_the_pattern_finds_such_paths() -> None:
    some, root = "share" + "d", "wor" + "k"
    assert WORKPLACE.search(f"see ../{some}/x")
    assert WORKPLACE.search(f"/{root}/main")
    assert not WORKPLACE.search(f"the frame{root}/{root}/main")
    assert not WORKPLACE.search(f"/{root}ers/a")


def test_names_of_test_files_are_unique() -> None:
    """Tests have no packages, so two files of one name would hide each other."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_import_contracts_hold() -> None:
    checked = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as check; check()",
            "--no-cache",
            "--no-logo",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert " 0 broken" in checked.stdout


def test_the_pinned_qt_keeps_its_references() -> None:
    """Some releases lose a reference to None in each call that returns nothing, and end the process after thousands.

    It runs in a process of its own, so that such a release fails this test and does not end the whole run.
    """
    program = (
        "import os; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from PySide6.QtGui import QTextCursor, QTextDocument\n"
        "document = QTextDocument('text')\n"
        "cursor = QTextCursor(document)\n"
        "for number in range(200_000): cursor.setPosition(number % 4)\n"
        "print('survived')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == "survived", f"this PySide6 breaks reference counts; see its pin\n{ran.stderr}"
