"""Front matter and bodies: where they begin and end, and what broken ones still give."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.checkout import read_checkout
from covel_inspector.engines.covel.checkout.files import Desk, TextFile
from covel_inspector.engines.covel.checkout.front_matter import Page, read_page
from covel_inspector.engines.covel.checkout.plugins import read_plugin
from covel_inspector.engines.covel.records.manifests import Checkout

Write = Callable[[dict[str, str | bytes]], Path]
Told = Callable[[Checkout], list[str]]


def page(text: str) -> tuple[Page, list[str]]:
    desk = Desk(Path("/nowhere"), ())
    read = read_page(desk, TextFile("F.md", text))
    return read, [f"{problem.where}: {problem.sentence}" for problem in desk.problems]


def test_a_plain_page() -> None:
    read, problems = page("---\nid: a\n---\n\n  Body\nmore \n\n")
    assert read.head is not None
    assert read.head.value == {"id": "a"}
    assert (read.body, read.body_line) == ("Body\nmore", 5)
    assert problems == []


@pytest.mark.parametrize("blank", ["\u3000", "\ufeff", "\u00a0", "\u2029", "\v", "\t"])
def test_bodies_are_trimmed_as_javascript_does(blank: str) -> None:
    assert page(f"---\na: 1\n---\n{blank}Body{blank}")[0].body == "Body"


@pytest.mark.parametrize("kept", ["\u0085", "\x1c", "\x1f", "\u200b"])
def test_what_javascript_does_not_trim_stays(kept: str) -> None:
    assert page(f"---\na: 1\n---\n{kept}Body{kept}")[0].body == f"{kept}Body{kept}"


def test_dashes_inside_do_not_end_the_front_matter() -> None:
    read, problems = page("---\na: x --- y\nb: |\n  ---\nc: ----\n---  \nBody\n---\nmore")
    assert problems == []
    assert read.head is not None
    assert read.head.value == {"a": "x --- y", "b": "---\n", "c": "----"}
    assert read.body == "Body\n---\nmore"


def test_no_front_matter() -> None:
    read, problems = page("Only text\n")
    assert (read.head, read.broken, read.body, read.body_line) == (None, False, "Only text", 1)
    assert problems == []


def test_front_matter_without_end_is_read_as_far_as_it_goes() -> None:
    read, problems = page("---\nid: a\n")
    assert read.head is not None
    assert read.head.value == {"id": "a"}
    assert problems == ["F.md:1: The front matter has no end: a line of three dashes is missing"]
    read, problems = page("---\nid: a\n\nSome body text: here\n and: there")
    assert read.broken
    assert problems[0].startswith("F.md:1: The front matter has no end")
    assert problems[1].startswith("F.md:5: Not valid YAML")


def test_front_matter_that_is_no_mapping() -> None:
    for text in ("---\n- a\n---\nBody", "---\njust text\n---\nBody", "---\n---\nBody"):
        read, problems = page(text)
        assert read.broken
        assert read.body == "Body"
        assert problems == ["F.md:1: The front matter must be a mapping of fields"]


def test_bad_yaml_keeps_the_body(write: Write, told: Told) -> None:
    root = write(
        {
            "plugins/bad/PLUGIN.md": "---\nid: bad\nruntime: [\n---\nStill a body.\n",
            "plugins/two/PLUGIN.md": "---\nid: two\n---\n",
            "plugins/two/runtimes/one/RUNTIME.md": "---\ntype: {\n---\nBody of one.\n",
        }
    )
    checkout = read_checkout(str(root))
    runtime, one = checkout.runtime("bad"), checkout.runtime("two/one")
    assert runtime is not None
    assert (runtime.type, runtime.body.variants) == ("", {"": "Still a body."})
    assert one is not None
    assert (one.type, one.body.variants) == ("", {"": "Body of one."})
    assert [line.split(": ")[0] for line in told(checkout)] == [
        "error plugins/bad/PLUGIN.md:4",
        "error plugins/two/runtimes/one/RUNTIME.md:3",
    ]


def test_windows_line_ends(write: Write) -> None:
    root = write({"plugins/w/PLUGIN.md": b"---\r\nid: w\r\nruntime: {type: agent}\r\n---\r\n\r\nOne\r\nTwo\r\n"})
    runtime = read_checkout(str(root)).runtime("w")
    assert runtime is not None
    assert runtime.body.variants == {"": "One\nTwo"}
    assert runtime.body.places[""].line == 6


def test_a_missing_or_empty_body(write: Write, told: Told) -> None:
    root = write(
        {
            "plugins/a/PLUGIN.md": "---\nid: a\nruntime: {type: agent}\n---\n \u3000\n",
            "plugins/b/PLUGIN.md": "---\nid: b\nruntime: {type: function}\n---\n",
            "plugins/c/PLUGIN.md": "---\nid: c\nruntime: {type: agent}\n---\n",
            "plugins/c/PLUGIN.zh.md": "Only the variant has a body, and no front matter.",
        }
    )
    checkout = read_checkout(str(root))
    assert told(checkout) == [
        "warning plugins/a/PLUGIN.md:3: An agent without a body: its file holds only front matter"
    ]
    only = checkout.runtime("c")
    assert only is not None
    assert only.body.variants == {"zh": "Only the variant has a body, and no front matter."}


def test_variants_of_strange_names(write: Write, told: Told) -> None:
    head = "---\nid: v\nruntime: {type: agent}\n---\n"
    root = write(
        {
            "plugins/v/PLUGIN.md": head + "main",
            "plugins/v/PLUGIN.zh_cn.md": head + "underscore",
            "plugins/v/PLUGIN.zh-CN.md": head + "canonical",
            "plugins/v/PLUGIN.no locale.md": head + "never",
            "plugins/v/PLUGIN.md.bak": head + "never",
            "plugins/v/PLUGINS.en.md": head + "never",
        }
    )
    checkout = read_checkout(str(root))
    runtime = checkout.runtime("v")
    assert runtime is not None
    assert runtime.body.variants == {"": "main", "zh-CN": "canonical"}
    assert told(checkout) == [
        "warning plugins/v/PLUGIN.no locale.md: 'no locale' is no locale, so this file is not used",
        "warning plugins/v/PLUGIN.zh_cn.md: Another file has the same locale zh-CN; this one is not used",
    ]


def test_only_a_variant_is_there(write: Write, told: Told) -> None:
    root = write({"plugins/v/PLUGIN.zh-CN.md": "---\nid: v\nruntime: {type: agent}\n---\n正文"})
    checkout = read_checkout(str(root))
    runtime = checkout.runtime("v")
    assert runtime is not None
    assert runtime.body.variants == {"zh-CN": "正文"}
    assert "PLUGIN.md is missing or not readable; its variant for zh-CN is used instead" in told(checkout)[0]


@given(st.text(max_size=300))
def test_any_text_is_taken_apart_without_loss(text: str) -> None:
    text = text.replace("\r\n", "\n")
    read, _ = page(text)
    assert read.body in text
    if read.body:
        line = text.split("\n")[read.body_line - 1]
        assert read.body.split("\n")[0] in line


YAML_LIKE = st.lists(
    st.sampled_from(
        [
            "id",
            "runtime",
            ": ",
            "\n",
            "  ",
            "- ",
            "{",
            "}",
            "[",
            "]",
            "*a",
            "&a ",
            "<<",
            "|",
            ">",
            "'",
            '"',
            "#",
            "!",
            "!!int ",
            "%",
            "?",
            "~",
            "1",
            "prompt",
            "contributes",
            "type: agent",
            "\t",
            "中",
            "\ud800",
            "\0",
            "---\n",
            "content",
            "position",
            "depth",
        ]
    ),
    max_size=60,
).map("".join)


@given(YAML_LIKE)
def test_any_front_matter_gives_values_or_problems(text: str) -> None:
    read, problems = page(f"---\n{text}\n---\nBody")
    assert problems or read.head is not None
    assert all(problem.startswith("F.md:") for problem in problems)


@given(
    data=st.dictionaries(
        st.sampled_from(
            ["id", "runtime", "contributes", "provides", "version", "displayName", "priority", "input", "tools"]
        ),
        st.recursive(
            st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        [
                            "type",
                            "prompt",
                            "extensions",
                            "hooks",
                            "settings",
                            "events",
                            "id",
                            "content",
                            "position",
                            "depth",
                            "order",
                            "role",
                            "io",
                            "agent",
                            "schedule",
                            "inputs",
                            "selfData",
                            "output",
                            "schema",
                            "loop",
                            "history",
                            "maxTurns",
                            "llm",
                            "toolChoice",
                            "tools",
                            "builtin",
                            "completion",
                            "from",
                            "inject",
                            "zh",
                        ]
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=12,
        ),
    )
)
def test_any_declaration_gives_a_plugin(tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]) -> None:
    import json

    folder = tmp_path_factory.mktemp("fuzz") / "p"
    folder.mkdir()
    text = f"---\n{json.dumps(data)}\n---\nBody"
    (folder / "PLUGIN.md").write_text(text, encoding="utf-8")
    desk = Desk(folder.parent.resolve(), (folder.parent.resolve(),))
    plugin = read_plugin(desk, folder, user_copy=False)
    assert plugin is not None
    assert all(isinstance(segment.id, str) and segment.id for segment in plugin.segments)
    assert all(problem.where.startswith("p/PLUGIN.md") for problem in desk.problems)
