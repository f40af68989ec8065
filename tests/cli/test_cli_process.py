"""The program as a process: quick to start, safe on every encoding, quiet when nobody listens."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUPPORT = ROOT / "tests" / "support"
FAKE = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(SUPPORT)!r}]
from fake_source import fake_source
from covel_inspector.cli.program import run
from covel_inspector.cli.reader import Reader
sys.exit(run(sys.argv[1:], Reader(lambda location, root: fake_source(location))))
"""


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    return subprocess.run(
        [sys.executable, "-c", FAKE, *arguments], env=kept | environment, capture_output=True, check=False
    )


def test_help_imports_nothing_heavy() -> None:
    heavy = ("PySide6", "pydantic", "sqlite_utils", "sqlite3", "tiktoken", "pygments", "yaml", "requests")
    code = (
        "import sys; from covel_inspector.cli.program import run; status = run(['--help']);"
        f"print(status, [name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"


def test_the_module_is_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "covel_inspector", "--version"], cwd=ROOT, capture_output=True, check=True
    )
    assert done.stdout.startswith(b"covel-inspector, version ")


@pytest.mark.parametrize(
    "environment",
    [
        {"LANG": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "gbk"},
        {"PYTHONIOENCODING": "utf-8"},
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "x"),
        ("show", "x", "watch:3:narrator:0", "--as", "text"),
        ("compare", "x", "watch:1:narrator:0", "watch:3:narrator:0"),
        ("--language", "zh-CN", "report", "x"),
        ("--language", "zh-CN", "--help"),
        ("--language", "zh-CN", "show", "x", "tide:2+1:painter:0"),
    ],
)
def test_every_encoding_will_do(environment: dict[str, str], arguments: tuple[str, ...]) -> None:
    done = _run(*arguments, **environment)
    assert done.returncode in (0, 1)
    assert b"Error" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "gbk"])
def test_json_is_json_on_every_encoding(encoding: str) -> None:
    import json

    for arguments in (("sessions", "x", "--json"), ("show", "x", "watch:3:narrator:0", "--json")):
        done = _run(*arguments, PYTHONIOENCODING=encoding)
        assert "守" in json.dumps(json.loads(done.stdout.decode(encoding)), ensure_ascii=False)


def test_a_closed_pipe_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-c", FAKE, "report", "x"], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_no_output_at_all_is_no_error() -> None:
    command = [sys.executable, "-c", FAKE, "report", "x"]
    done = subprocess.run(["sh", "-c", '"$@" >&- 2>&-', "sh", *command], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_named() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", FAKE, "report", "x"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"could not be written" in done.stderr


def test_chinese_that_cannot_be_written_becomes_english_with_a_note() -> None:
    plain = _run("sessions", "story.db", "--language", "zh-CN", PYTHONIOENCODING="ascii")
    assert plain.stdout.startswith(b"Session")
    assert b"cannot show Chinese, so the text is in English." in plain.stderr
    able = _run("sessions", "story.db", "--language", "zh-CN", PYTHONIOENCODING="gbk")
    assert "会话" in able.stdout.decode("gbk")
    assert able.stderr == b""
