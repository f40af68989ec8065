"""What a plugin and its runtimes declare: both spellings, defaults, wrong types, the old format."""

from collections.abc import Callable
from pathlib import Path

from covel_inspector.engines.covel.checkout import read_checkout
from covel_inspector.engines.covel.records.manifests import Checkout, FilePlace, RuntimeManifest, SelfData

Write = Callable[[dict[str, str | bytes]], Path]
Told = Callable[[Checkout], list[str]]


def runtime(write: Write, front: str, **files: str) -> tuple[RuntimeManifest, Checkout]:
    head = "---\nid: p\n---\n"
    root = write({"plugins/p/PLUGIN.md": head, "plugins/p/runtimes/r/RUNTIME.md": f"---\n{front}\n---\nBody.", **files})
    checkout = read_checkout(str(root))
    found = checkout.runtime("p/r")
    assert found is not None
    return found, checkout


def test_everything_has_its_default(write: Write) -> None:
    found, checkout = runtime(write, "type: agent")
    assert checkout.problems == ()
    assert (found.max_turns, found.max_retries, found.require_tool_use, found.tools) == (None, 1, False, ())
    assert (found.stage, found.slot, found.visibility, found.output_contract) == ("", "", "", "")
    assert (found.reasoning_effort, found.tool_choice, found.output_schema) == ("", None, None)


def test_the_spelling_of_the_prompt_page(write: Write) -> None:
    found, checkout = runtime(write, "type: agent\nagent:\n  reasoning: false\n  toolChoice: {name: submit-facts}")
    assert checkout.problems == ()
    assert (found.reasoning_effort, found.tool_choice) == ("disabled", {"name": "submit-facts"})


def test_the_spelling_of_the_schema(write: Write) -> None:
    front = "type: agent\nagent:\n  llm: {reasoningEffort: high, toolChoice: required}\n  reasoning: false"
    found, _ = runtime(write, front)
    assert (found.reasoning_effort, found.tool_choice) == ("high", "required")


def test_a_full_declaration(write: Write) -> None:
    found, checkout = runtime(
        write,
        """\
type: agent
schedule:
  stage: post-turn
  trigger: {type: event, topic: storm.rising}
  needs: [narrator, {contract: x@1}]
  after: [codex]
  completion: detached
io:
  visibility: system
  concealed: true
  selfData:
    - {namespace: a, as: <mine>, format: full, maxEntries: 7}
    - {namespace: b, as: other}
  inputs:
    story: {from: {contract: narrative-engine@2, cardinality: all}, scope: committed, select: /text, required: false}
    digest: {from: {kernel: turn-digest@1}, cardinality: one, recordAs: d}
  output: {contract: facts@1, recordAs: facts, schema: {type: object}}
agent:
  model: fast
  advertiseEvents: true
  history: {maxTurns: 2, includeSummaries: true}
  tools: {plugin: [one, {name: two}], builtin: [three], defer: true}
  loop: {maxRetries: 0, completion: {require: tool-use, afterTools: [one]}}""",
    )
    assert checkout.problems == ()
    assert found.trigger == {"type": "event", "topic": "storm.rising"}
    assert (found.needs, found.after, found.completion) == (("narrator",), ("codex",), "detached")
    assert found.concealed
    assert found.self_data == (SelfData("a", "<mine>", "full", 7), SelfData("b", "other", "summary", 50))
    story, digest = found.inputs
    assert (story.cardinality, story.scope, story.select, story.required) == ("all", "committed", "/text", False)
    assert (digest.source, digest.cardinality, digest.record_as) == ({"kernel": "turn-digest@1"}, "one", "d")
    assert (found.output_contract, found.output_schema) == ("facts@1", {"type": "object"})
    assert (found.max_turns, found.include_summaries, found.max_retries) == (2, True, 0)
    assert found.tools == ("three", "one", "two")
    assert (found.require_tool_use, found.complete_after_tools) == (True, ("one",))


def test_wrong_types_are_named_with_their_lines(write: Write, told: Told) -> None:
    found, checkout = runtime(
        write,
        """\
type: daemon
io:
  visibility: everyone
  concealed: 1
  selfData: [text, {namespace: a}, {namespace: _hidden.x, as: x}]
  inputs: [a]
agent:
  history: {maxTurns: -1}
  tools: {builtin: [{}]}
  toolChoice: 7
  loop: none""",
    )
    assert told(checkout) == [
        "warning plugins/p/runtimes/r/RUNTIME.md:2: A runtime's type is 'agent' or 'function', and not 'daemon'",
        "warning plugins/p/runtimes/r/RUNTIME.md:4: Visibility is 'story', 'plugin' or 'system'",
        "warning plugins/p/runtimes/r/RUNTIME.md:5: 'concealed' must be true or false",
        "warning plugins/p/runtimes/r/RUNTIME.md:6: An entry of 'selfData' must be a mapping of fields",
        "warning plugins/p/runtimes/r/RUNTIME.md:6: A block of own data needs 'namespace' and 'as'",
        "warning plugins/p/runtimes/r/RUNTIME.md:6: Hidden rows may not be shown to a model: the engine refuses this",
        "warning plugins/p/runtimes/r/RUNTIME.md:7: 'inputs' must be a mapping of fields",
        "warning plugins/p/runtimes/r/RUNTIME.md:9: 'maxTurns' must be a whole number of at least 0",
        "warning plugins/p/runtimes/r/RUNTIME.md:10: This entry names no tool",
        "warning plugins/p/runtimes/r/RUNTIME.md:11: 'toolChoice' must be 'required' or {name: tool}",
        "warning plugins/p/runtimes/r/RUNTIME.md:12: 'loop' must be a mapping of fields",
    ]
    assert (found.max_turns, found.tool_choice, found.concealed) == (None, None, False)


def test_a_schema_is_read_from_the_plugins_folder(write: Write, told: Told) -> None:
    front = "type: agent\nio: {output: {schema: schemas/s.json}}"
    schema = {"plugins/p/schemas/s.json": '{"type": "object"}'}
    found, checkout = runtime(write, front, **schema)
    assert checkout.problems == ()
    assert found.output_schema == {"type": "object"}
    found, checkout = runtime(write, front, **{"plugins/p/schemas/s.json": '{"type":\n oops}'})
    assert found.output_schema is None
    assert told(checkout) == ["error plugins/p/schemas/s.json:2: Not valid JSON"]


def test_a_schema_beside_the_runtime_or_in_yaml(write: Write) -> None:
    front = "type: agent\nio: {output: {schema: s.yaml}}"
    found, _ = runtime(write, front, **{"plugins/p/runtimes/r/s.yaml": "type: object\n"})
    assert found.output_schema == {"type": "object"}


def test_a_schema_outside_the_plugin_is_not_read(write: Write, told: Told, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("{}")
    for path in ("../../s.json", "../other/s.json", str(tmp_path / "s.json"), "missing.json"):
        found, checkout = runtime(
            write, f"type: agent\nio: {{output: {{schema: '{path}'}}}}", **{"plugins/other/s.json": "{}"}
        )
        assert found.output_schema is None
        assert any(f"The schema '{path}' is not a file of this plugin" in line for line in told(checkout))


def test_a_plugins_own_fields(write: Write, told: Told) -> None:
    root = write(
        {
            "plugins/p/PLUGIN.md": """\
                ---
                id: p
                kind: core
                version: 2.0
                displayName: {zh-CN: 名字, en: Name}
                provides: [a@1, {contract: b@1, default: true}, 7]
                contributes:
                  extensions: [{point: prompt.segment@1, id: x}, {id: none}]
                  hooks: [{event: PreLLMCall, enforce: pre}]
                  settings:
                    - {key: tone, type: text, default: warm}
                    - {key: none, type: text}
                  events: {storm.rising: {description: d}}
                runtime: {type: agent}
                ---
                Body
                """
        }
    )
    checkout = read_checkout(str(root))
    plugin = checkout.plugins["p"]
    assert told(checkout) == []
    assert plugin.version == "2"
    assert (plugin.kind, plugin.display_name, plugin.provides) == ("core", "Name", ("a@1", "b@1"))
    assert plugin.extensions == (("prompt.segment@1", "x"),)
    assert plugin.hooks == ("PreLLMCall",)
    assert plugin.settings == {"tone": "warm"}
    assert plugin.events == ({"topic": "storm.rising", "description": "d"},)


def test_segments_take_texts_from_maps_and_variant_files(write: Write, told: Told) -> None:
    root = write(
        {
            "plugins/p/PLUGIN.md": """\
                ---
                id: p
                contributes:
                  prompt:
                    - id: block
                      content: |
                        First line.
                        Second line.
                      position: {depth: 3}
                      order: 2.5
                    - id: mapped
                      content: {zh_cn: 中, en: E, no locale: x}
                      position: post-history
                      role: user
                    - {id: block, content: again, position: system}
                    - {content: nameless, position: system}
                    - {id: odd, position: nowhere}
                    - plain text
                ---
                """,
            "plugins/p/PLUGIN.zh-CN.md": """\
                ---
                id: p
                contributes:
                  prompt:
                    - id: block
                      content: 第一行。
                    - id: mapped
                      content: {zh-CN: 不同, en: not taken, ja: J}
                    - {id: stranger, content: x}
                ---
                """,
        }
    )
    checkout = read_checkout(str(root))
    block, mapped, odd = checkout.plugins["p"].segments
    assert (block.position, block.depth, block.order) == ("depth", 3, 2.5)
    assert block.content.variants == {"": "First line.\nSecond line.\n", "zh-CN": "第一行。"}
    assert block.place == FilePlace("plugins/p/PLUGIN.md", 5)
    assert block.content.places == {
        "": FilePlace("plugins/p/PLUGIN.md", 7),
        "zh-CN": FilePlace("plugins/p/PLUGIN.zh-CN.md", 6),
    }
    assert mapped.content.variants == {"zh-CN": "不同", "en": "E", "ja": "J"}
    assert (odd.position, odd.content.variants) == ("nowhere", {})
    assert told(checkout) == [
        "warning plugins/p/PLUGIN.md:12: A content map holds texts by locale",
        "warning plugins/p/PLUGIN.md:15: A second segment has the id 'block'; the first counts",
        "warning plugins/p/PLUGIN.md:16: A segment without an id is not used",
        "warning plugins/p/PLUGIN.md:17: The segment 'odd' has no content",
        "warning plugins/p/PLUGIN.md:17: A position is 'system', 'pre-history', 'post-history' or {depth: n}",
        "warning plugins/p/PLUGIN.md:18: An entry of 'prompt' must be a mapping of fields",
        "hint plugins/p/PLUGIN.zh-CN.md:8: This text differs from the one at plugins/p/PLUGIN.md:12",
        "warning plugins/p/PLUGIN.zh-CN.md:9: The file without a locale declares no segment 'stranger'",
    ]


def test_the_old_format_is_a_hint_and_its_body_is_kept(write: Write, told: Told) -> None:
    root = write(
        {
            "plugins/old/PLUGIN.md": """\
                ---
                id: old
                priority: 5
                upstreamRequired: [x]
                input:
                  inject:
                    - {kind: plugin-data, namespace: notes, as: <notes>, maxEntries: 9}
                    - {kind: runtime, from: x, as: <x>}
                tools: {local: [a]}
                authorsNote: text
                ---
                An old body.
                """,
            "plugins/new/PLUGIN.md": """\
                ---
                id: new
                runtime:
                  type: agent
                  postHistory: text
                  input: {inject: [{namespace: notes, as: <notes>}]}
                ---
                Body.
                """,
        }
    )
    checkout = read_checkout(str(root))
    old, new = checkout.runtime("old"), checkout.runtime("new")
    assert old is not None
    assert (old.type, old.body.variants) == ("", {"": "An old body."})
    assert new is not None
    assert new.self_data == (SelfData("notes", "<notes>", "summary", 50),)
    assert all(line.startswith("hint ") and "Old format" in line for line in told(checkout))
    assert [(line.split(" ")[1], line.split("'")[1]) for line in told(checkout)] == [
        ("plugins/new/PLUGIN.md:5:", "postHistory"),
        ("plugins/new/PLUGIN.md:6:", "input.inject"),
        ("plugins/old/PLUGIN.md:3:", "priority"),
        ("plugins/old/PLUGIN.md:4:", "upstreamRequired"),
        ("plugins/old/PLUGIN.md:6:", "input.inject"),
        ("plugins/old/PLUGIN.md:9:", "tools.local"),
        ("plugins/old/PLUGIN.md:10:", "authorsNote"),
    ]
