"""Safety: links, pipes, limits, encodings. Whatever is broken is named, and the rest is still read."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from covel_inspector.engines.covel.checkout import files, read_checkout
from covel_inspector.engines.covel.records.manifests import Checkout

GOOD = """\
---
id: good
version: 1.0.0
runtime: {type: agent}
---
The good body.
"""

Write = Callable[[dict[str, str | bytes]], Path]
Told = Callable[[Checkout], list[str]]


def plugin(name: str, body: str = "Body.") -> str:
    return f"---\nid: {name}\nruntime: {{type: agent}}\n---\n{body}\n"


def good_is_there(checkout: Checkout) -> bool:
    runtime = checkout.runtime("good")
    return runtime is not None and runtime.body.variants == {"": "The good body."}


@pytest.fixture
def root(write: Write) -> Path:
    return write({"plugins/good/PLUGIN.md": GOOD})


needs_links = pytest.mark.skipif(os.name == "nt", reason="links and pipes need rights or do not exist on Windows")


@needs_links
def test_no_link_is_followed_out_of_the_root(root: Path, tmp_path: Path, told: Told) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "PLUGIN.md").write_text(plugin("outside"))
    (root / "plugins/outside").symlink_to(outside)
    (root / "plugins/inner").mkdir()
    (root / "plugins/inner/PLUGIN.md").symlink_to(outside / "PLUGIN.md")
    checkout = read_checkout(str(root))
    assert set(checkout.plugins) == {"good"}
    assert good_is_there(checkout)
    sentence = "This link leads out of the folder that was given; it is not followed"
    assert told(checkout) == [
        f"warning plugins/outside: {sentence}",
        f"warning plugins/inner/PLUGIN.md: {sentence}",
    ]


@needs_links
def test_a_neighbour_with_a_longer_name_is_outside(tmp_path: Path, told: Told) -> None:
    (tmp_path / "root/plugins").mkdir(parents=True)
    (tmp_path / "root-secret").mkdir()
    (tmp_path / "root-secret/PLUGIN.md").write_text(plugin("root-secret"))
    (tmp_path / "root/plugins/x").symlink_to(tmp_path / "root-secret")
    checkout = read_checkout(str(tmp_path / "root"))
    assert checkout.plugins == {}
    assert len(told(checkout)) == 1


@needs_links
def test_a_root_that_is_a_link_itself_is_fine(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert good_is_there(read_checkout(str(tmp_path / "link")))


@needs_links
def test_links_in_a_circle_are_reported(root: Path, told: Told) -> None:
    (root / "plugins/a").symlink_to(root / "plugins/b")
    (root / "plugins/b").symlink_to(root / "plugins/a")
    (root / "plugins/self").mkdir()
    (root / "plugins/self/runtimes").symlink_to(root / "plugins/self")
    (root / "plugins/self/PLUGIN.md").write_text(plugin("self"))
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert "self" in checkout.plugins
    assert [line for line in told(checkout) if "circle" in line] == [
        "error plugins/a: These links lead in a circle",
        "error plugins/b: These links lead in a circle",
    ]


@needs_links
def test_a_link_inside_the_root_is_followed_and_its_copy_named(root: Path, told: Told) -> None:
    (root / "plugins/zebra").symlink_to(root / "plugins/good")
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert len(checkout.shadowed) == 1
    assert any("A second copy of 'good'" in line for line in told(checkout))


@needs_links
def test_a_pipe_is_never_opened(root: Path, told: Told) -> None:
    (root / "plugins/pipe").mkdir()
    os.mkfifo(root / "plugins/pipe/PLUGIN.md")
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert told(checkout) == [
        "error plugins/pipe/PLUGIN.md: A text file was expected here, and this is a pipe",
    ]


def test_a_folder_called_plugin_md(root: Path, told: Told) -> None:
    (root / "plugins/odd/PLUGIN.md").mkdir(parents=True)
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert told(checkout) == ["error plugins/odd/PLUGIN.md: A text file was expected here, and this is a folder"]


def test_a_refused_file_is_named(root: Path, told: Told, monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    write({"plugins/closed/PLUGIN.md": plugin("closed")})
    opened = os.open

    def refuse(path: str | Path, *rest: int) -> int:
        if Path(path).parent.name == "closed":
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert told(checkout) == ["error plugins/closed/PLUGIN.md: Not readable: permission denied"]


def test_a_refused_folder_is_named(root: Path, told: Told, monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    write({"plugins/closed/PLUGIN.md": plugin("closed")})
    listed = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert "error plugins/closed: Not readable: permission denied" in told(checkout)


def test_too_large_a_file(root: Path, told: Told, write: Write) -> None:
    write({"plugins/large/PLUGIN.md": plugin("large", "x" * files.MAX_FILE_BYTES)})
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert told(checkout) == ["error plugins/large/PLUGIN.md: Larger than 2 MB, so it was not read"]


def test_too_many_files_are_said_once(root: Path, told: Told, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILES", 3)
    write({f"plugins/p{number}/PLUGIN.md": plugin(f"p{number}") for number in range(6)})
    checkout = read_checkout(str(root))
    assert len(checkout.plugins) == 3
    assert told(checkout) == [
        "error plugins/p2/PLUGIN.md: More than 3 files or 64 MB: this file and those after it were not read",
    ]


def test_too_much_text_in_all(root: Path, told: Told, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_TOTAL_BYTES", 150)
    write({f"plugins/p{number}/PLUGIN.md": plugin(f"p{number}", "x" * 60) for number in range(6)})
    checkout = read_checkout(str(root))
    assert len(checkout.plugins) == 2
    assert len(told(checkout)) == 1


def test_problems_of_one_file_are_not_listed_without_end(root: Path, told: Told, write: Write) -> None:
    entries = "\n".join("    - text" for _ in range(20_000))
    write({"plugins/bad/PLUGIN.md": f"---\nid: bad\ncontributes:\n  prompt:\n{entries}\n---\n"})
    lines = told(read_checkout(str(root)))
    assert len(lines) == files.MAX_PROBLEMS + 1
    assert lines[-1].endswith("There are more problems in this file")


def test_too_many_entries(root: Path, told: Told, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 2)
    write({f"plugins/p{number}/PLUGIN.md": plugin(f"p{number}") for number in range(6)})
    checkout = read_checkout(str(root))
    assert len(checkout.plugins) == 2
    assert told(checkout) == ["error plugins: More than 2 entries: the others were not looked at"]


def test_encodings(root: Path, told: Told, write: Write) -> None:
    write(
        {
            "plugins/a16/PLUGIN.md": plugin("a16").encode("utf-16"),
            "plugins/bare16/PLUGIN.md": plugin("bare16").encode("utf-16-le"),
            "plugins/latin/PLUGIN.md": plugin("latin", "Line one.\nCaf\u00e9.").encode("latin-1"),
            "plugins/picture/PLUGIN.md": b"\x89PNG\r\n\x1a\n\0\0\0",
            "plugins/mark/PLUGIN.md": plugin("mark").encode("utf-8-sig"),
        }
    )
    checkout = read_checkout(str(root))
    assert good_is_there(checkout)
    assert told(checkout) == [
        "error plugins/a16/PLUGIN.md:1: Saved as UTF-16; save it as UTF-8, which the engine expects",
        "error plugins/bare16/PLUGIN.md:1: This is no text: it holds zero bytes",
        "warning plugins/latin/PLUGIN.md:6: Not valid UTF-8; what is broken reads as U+FFFD, as it does in the engine",
        "error plugins/picture/PLUGIN.md:3: This is no text: it holds zero bytes",
    ]
    latin, mark = checkout.runtime("latin"), checkout.runtime("mark")
    assert latin is not None
    assert latin.body.variants == {"": "Line one.\nCaf\ufffd."}
    assert mark is not None
    assert mark.body.variants == {"": "Body."}


def test_reading_leaves_the_root_as_it_was(root: Path) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*"))
    read_checkout(str(root))
    assert sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*")) == before


def test_secrets_are_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "keys.env").write_text("SECRET=1\n")
    (root / "plugins/good/server").mkdir()
    (root / "plugins/good/server/index.js").write_text("throw 1\n")
    shutil.copy(root / "keys.env", root / "plugins/good/keys.env")
    seen: list[str] = []
    opened = os.open

    def note(path: str | Path, *rest: int) -> int:
        seen.append(Path(path).name)
        return opened(path, *rest)

    monkeypatch.setattr(os, "open", note)
    assert good_is_there(read_checkout(str(root)))
    assert seen == ["PLUGIN.md"]


def test_what_was_not_read_for_the_limit_is_not_called_missing_and_worlds_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_FILES", 3)
    for number in range(6):
        plugin = tmp_path / "plugins" / f"p{number}"
        (plugin / "runtimes" / "main").mkdir(parents=True)
        (plugin / "PLUGIN.md").write_text(f"---\nid: p{number}\n---\n", encoding="utf-8")
        (plugin / "runtimes" / "main" / "RUNTIME.md").write_text("---\nid: main\n---\nBody.\n", encoding="utf-8")
    world = tmp_path / "worlds" / "harbour"
    world.mkdir(parents=True)
    (world / "world.yaml").write_text("id: harbour\n", encoding="utf-8")
    checkout = read_checkout(str(tmp_path))
    told = [str(problem.sentence) for problem in checkout.problems]
    assert sum("were not read" in one for one in told) == 1
    assert not [one for one in told if "missing" in one or "there is no" in one]
    assert set(checkout.worlds) == {"harbour"}
    assert set(checkout.plugins) == {"p0", "p1"}
