"""Which folders a root has, which copy counts, worlds and slots."""

from collections.abc import Callable
from pathlib import Path

import pytest

from covel_inspector.domain import SourceError
from covel_inspector.engines.covel.checkout import read_checkout
from covel_inspector.engines.covel.records.manifests import Checkout, SlotLimits

Write = Callable[[dict[str, str | bytes]], Path]
Told = Callable[[Checkout], list[str]]


def plugin(name: str, body: str = "Body.") -> str:
    return f"---\nid: {name}\nruntime: {{type: agent}}\n---\n{body}\n"


@pytest.mark.parametrize("name", ["missing", "file", "nul\0byte", "a" * 5000])
def test_a_root_that_is_no_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SourceError, match=r"is no folder: give a Covel checkout or home folder"):
        read_checkout(f"{tmp_path}/{name}")


def test_a_folder_with_nothing_of_covel(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    with pytest.raises(SourceError, match=r"a folder 'plugins' or 'worlds', or a file llm\.toml, was expected"):
        read_checkout(str(tmp_path))


@pytest.mark.parametrize("name", ["plugins", "worlds"])
def test_one_of_the_folders_is_enough(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    checkout = read_checkout(str(tmp_path))
    assert (checkout.plugins, checkout.worlds, checkout.problems) == ({}, {}, ())


def test_a_file_called_plugins_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "plugins").write_text("x")
    with pytest.raises(SourceError):
        read_checkout(str(tmp_path))


def test_duplicate_ids_and_folder_names(write: Write, told: Told) -> None:
    root = write(
        {
            "plugins/aaa/PLUGIN.md": plugin("same", "from aaa"),
            "plugins/same/PLUGIN.md": plugin("same", "from same"),
            "plugins/nameless/PLUGIN.md": "---\nruntime: {type: agent}\n---\nBody",
            "plugins/empty/README.md": "nothing",
        }
    )
    checkout = read_checkout(str(root))
    found = checkout.runtime("same")
    assert found is not None
    assert found.body.variants == {"": "from same"}
    assert [copy.place.path for copy in checkout.copies("same")] == ["plugins/same/PLUGIN.md", "plugins/aaa/PLUGIN.md"]
    assert checkout.runtime("nameless") is not None
    assert told(checkout) == [
        "warning plugins/aaa/PLUGIN.md:2: The folder is called 'aaa' and the plugin 'same'; they should be the same",
        "hint plugins/aaa/PLUGIN.md:2: A second copy of 'same'; the one in plugins/same/PLUGIN.md counts",
        "hint plugins/empty: No plugin: there is no PLUGIN.md",
        "error plugins/nameless/PLUGIN.md:2: No id; the name of the folder, 'nameless', is used",
    ]


def test_a_runtime_that_calls_itself_something_else(write: Write, told: Told) -> None:
    root = write(
        {
            "plugins/p/PLUGIN.md": "---\nid: p\n---\n",
            "plugins/p/runtimes/r/RUNTIME.md": "---\nid: other\ntype: agent\n---\nBody",
            "plugins/p/runtimes/full/RUNTIME.md": "---\nid: p/full\ntype: agent\n---\nBody",
            "plugins/p/runtimes/none/notes.txt": "x",
            "plugins/q/runtimes/r/RUNTIME.md": "---\ntype: agent\n---\nBody of q/r",
        }
    )
    checkout = read_checkout(str(root))
    assert [runtime.id for runtime in checkout.plugins["p"].runtimes] == ["p/full", "p/r"]
    assert checkout.runtime("q/r") is not None
    file = "plugins/p/runtimes/r/RUNTIME.md"
    assert told(checkout) == [
        "error plugins/p/runtimes/none: RUNTIME.md is missing or not readable",
        f"warning {file}:2: The folder is called 'r' and the runtime 'other'; the folder counts",
        "error plugins/q: PLUGIN.md is missing or not readable",
    ]


def test_user_plugins_come_first(write: Write, tmp_path: Path) -> None:
    root = write({"package.json": "{}", "plugins/p/PLUGIN.md": plugin("p", "built in")})
    home = tmp_path / "home"
    (home / "plugins/p").mkdir(parents=True)
    (home / "plugins/p/PLUGIN.md").write_text(plugin("p", "the user's"))
    checkout = read_checkout(str(root), {"COVEL_USER_PLUGINS_DIR": str(home / "plugins")})
    first, second = checkout.copies("p")
    assert (first.user_copy, first.runtimes[0].body.variants[""]) == (True, "the user's")
    assert (second.user_copy, second.runtimes[0].body.variants[""]) == (False, "built in")
    assert first.place.path == (home / "plugins/p/PLUGIN.md").as_posix()


def test_the_process_environment_is_not_looked_at(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write({"plugins/p/PLUGIN.md": plugin("p")})
    (tmp_path / "other/q").mkdir(parents=True)
    (tmp_path / "other/q/PLUGIN.md").write_text(plugin("q"))
    monkeypatch.setenv("COVEL_PLUGINS_DIR", str(tmp_path / "other"))
    assert set(read_checkout(str(root)).plugins) == {"p"}
    assert set(read_checkout(str(root), {"COVEL_PLUGINS_DIR": str(tmp_path / "other")}).plugins) == {"p", "q"}


def test_a_home_folder(write: Write, told: Told) -> None:
    root = write(
        {
            "llm.toml": "[covel.story]\nmodel = 'm'\n",
            "plugins/p/PLUGIN.md": plugin("p"),
            "data/worlds/w/world.yaml": "id: w\nname: W\n",
        }
    )
    checkout = read_checkout(str(root))
    assert checkout.plugins["p"].user_copy
    assert checkout.worlds["w"].metadata["name"] == "W"
    assert checkout.slots["story"].model == "m"
    assert told(checkout) == []


def test_a_home_with_its_data_elsewhere(write: Write, told: Told) -> None:
    files = {
        "settings.json": "{}",
        "plugins/p/PLUGIN.md": plugin("p"),
        "store/worlds/w/WORLD.md": "Lore.",
        "config.toml": "[paths]\ndata_root = 'store'\n",
    }
    checkout = read_checkout(str(write(files)))
    assert checkout.worlds["w"].lore is not None
    checkout = read_checkout(str(write({"config.toml": "[paths]\ndata_root = '/elsewhere/covel'\n"})))
    assert checkout.worlds == {}
    assert told(checkout) == [
        "hint config.toml: The data root lies outside this folder, so its worlds were not read: /elsewhere/covel"
    ]


def test_a_world_with_everything(write: Write, told: Told) -> None:
    root = write(
        {
            "worlds/w/world.yaml": """\
                id: other
                defaultLocale: zh-CN
                worldData: data/world.data.yaml
                """,
            "worlds/w/WORLD.md": "\n---\n\n正文\n",
            "worlds/w/WORLD.en.md": "Lore\n",
            "worlds/w/data/world.data.yaml": """\
                schemaVersion: 1
                sources:
                  lore: {kind: yaml, path: book.yaml, to: lorebook, key: id}
                  more: {kind: yaml, path: ../extra/book.yaml, to: lorebook}
                  people: {kind: json, path: characters/people.json, to: characters}
                  dims: {kind: yaml, path: dims.yaml, to: world:metadata.dimensions}
                  gone: {kind: yaml, path: gone.yaml, to: lorebook}
                  escape: {kind: yaml, path: ../../../plugins/x.yaml, to: lorebook}
                """,
            "worlds/w/data/book.yaml": "- {id: a, content: A}\n- text\n- {id: a, content: B}\n",
            "worlds/w/extra/book.yaml": "b: {content: C}\n",
            "worlds/w/characters/people.json": '{"characters": [{"name": "N"}]}',
            "worlds/w/data/dims.yaml": "dimensions: [{id: d}]\n",
        }
    )
    checkout = read_checkout(str(root))
    world = checkout.worlds["other"]
    assert world.lore is not None
    assert world.lore.variants == {"": "---\n\n正文", "en": "Lore"}
    assert world.lore.places[""].line == 2
    assert [(entry["id"], entry["content"]) for entry in world.lorebook] == [("a", "A"), ("a", "B"), ("b", "C")]
    assert world.characters == ({"name": "N"},)
    assert world.dimensions == [{"id": "d"}]
    assert told(checkout) == [
        "hint worlds/w/world.yaml:1: The folder is called 'w' and the world 'other'",
        "warning worlds/w/data/world.data.yaml:7: The file 'gone.yaml' is not in the world's folder",
        "warning worlds/w/data/world.data.yaml:8: The file '../../../plugins/x.yaml' is not in the world's folder",
        "warning worlds/w/data/book.yaml:2: An entry of this list must be a mapping of fields",
        "warning worlds/w/data/book.yaml:3: A second entry has the id 'a'",
    ]


def test_a_world_by_conventional_paths(write: Write, told: Told) -> None:
    root = write(
        {
            "worlds/w/world.yaml": "id: w\ndimensions: {kept: 1}\n",
            "worlds/w/data/lorebook.yaml": "entries: [{id: a, content: A}]\n",
            "worlds/w/data/dimensions.yaml": "- {id: ignored}\n",
            "worlds/w/characters/characters.json": '[{"name": "N"}]',
        }
    )
    checkout = read_checkout(str(root))
    world = checkout.worlds["w"]
    assert told(checkout) == []
    assert [entry["id"] for entry in world.lorebook] == ["a"]
    assert world.characters == ({"name": "N"},)
    assert world.dimensions == {"kept": 1}


def test_broken_worlds(write: Write, told: Told) -> None:
    root = write(
        {
            "worlds/bad/world.yaml": "id: [\n",
            "worlds/bad/WORLD.md": "Lore is still read.",
            "worlds/list/world.yaml": "- a\n",
            "worlds/empty/notes.txt": "x",
            "worlds/astray/world.yaml": "id: astray\nworldData: ../x.yaml\n",
            "worlds/astray/data/lorebook.yaml": "just text\n",
        }
    )
    checkout = read_checkout(str(root))
    bad = checkout.worlds["bad"]
    assert bad.lore is not None
    assert bad.lore.variants == {"": "Lore is still read."}
    assert set(checkout.worlds) == {"bad", "list", "astray"}
    # The parser's own words differ between its C and its Python form.
    shortened = [line.partition("YAML: ")[0] for line in told(checkout)]
    assert shortened == [
        "warning worlds/astray/world.yaml:2: The file '../x.yaml' is not in the world's folder",
        "warning worlds/astray/data/lorebook.yaml:1: A list of entries was expected here",
        "error worlds/bad/world.yaml:2: Not valid ",
        "warning worlds/bad: world.yaml is missing or not readable",
        "hint worlds/empty: No world: there is no world.yaml and no WORLD.md",
        "error worlds/list/world.yaml:1: A world's description must be a mapping of fields",
    ]


def test_slots(write: Write, told: Told) -> None:
    root = write(
        {
            "llm.toml": """\
                [providers.relay]
                protocol = "openai-chat-v1"
                apiKey = "sk-must-never-be-seen"

                [covel.story]
                provider = "relay"
                model = "m-1"
                contextWindow = 128000
                max_output_tokens = 4096

                [covel.story.providerOptions.relay]
                promptCacheKey = true
                lateSystemAsUser = false

                [covel.fast]
                preset = "small"
                api_key = "sk-must-never-be-seen"

                [covel.odd]
                model = "m-3"
                contextWindow = "many"
                [covel.odd.limits]
                context_window = 5

                [covel.ui]
                theme = "dark"

                [presets.small]
                model = "m-2"
                protocol = "anthropic-messages-v1"
                limits = { contextWindow = 8000, reserve = 500 }
                """
        }
    )
    checkout = read_checkout(str(root))
    assert checkout.slots == {
        "story": SlotLimits("story", 128000, 4096, "m-1", "relay", "openai-chat-v1", False, True),
        "fast": SlotLimits("fast", 8000, 500, "m-2", "small", "anthropic-messages-v1"),
        "odd": SlotLimits("odd", 5, None, "m-3"),
    }
    assert told(checkout) == ["warning llm.toml: Slot odd: 'contextwindow' must be a whole number above 0"]
    assert "sk-must" not in repr(checkout)


def test_slots_of_other_layouts(write: Write) -> None:
    root = write({"llm.toml": "[slots.a]\nmodel = 'x'\n[b]\nmodel = 'y'\n[c]\ncolour = 'red'\n"})
    assert set(read_checkout(str(root)).slots) == {"a", "b"}


def test_broken_slots_do_not_quote_the_file(write: Write, told: Told) -> None:
    root = write({"llm.toml": "[covel.story]\nmodel = 'x'\nkey = sk-secret\n"})
    checkout = read_checkout(str(root))
    assert checkout.slots == {}
    assert told(checkout) == ["error llm.toml:3: Not valid TOML"]
