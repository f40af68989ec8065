"""The tool loop, pictures, and blocks that only their contents can name."""

import json
from typing import Any

from small_story import CONTEXT, CONTEXT_KEYS, Story, assistant, keys, message_leaves, system, system_prompt, user

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.attribution.cuts import cut_marker
from covel_inspector.engines.covel.records.rows import PluginDataRow, ToolCallRow


def calls(*arguments: dict[str, Any], text: str = "") -> dict[str, Any]:
    made = [
        {"id": f"c{number}", "name": "look", "arguments": json.dumps(given)}
        for number, given in enumerate(arguments, 1)
    ]
    return {"role": "assistant", "content": text, "toolCalls": made}


def result(call: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "toolCallId": call, "content": text}


def stored(name: str, given: object, output: object) -> ToolCallRow:
    return ToolCallRow(
        id=name,
        session_id="s",
        turn_id="turn-4",
        tool_name="look",
        runtime_id="narrator",
        input=given,
        output=output,
    )


def test_calls_and_results_find_their_rows(story: Story) -> None:
    story.changes = {"tool_calls": (stored("a", {"at": "sea"}, {"data": 1}), stored("b", {"at": "sea"}, {"data": 2}))}

    tree = story.tree(
        user(story.current),
        calls({"at": "sea"}, {"at": "sea"}, text="Let me see."),
        result("c1", '{"data":1}'),
        result("c2", '{"data":3}'),
    )

    loop = tree.groups[-1].children[-1]
    found = [(leaf.key, leaf.grade, leaf.origin.rows) for leaf in loop.leaves()]
    assert loop.key == "loop"
    assert found == [
        ("reply:1", Grade.STRUCTURAL, ()),
        ("tool-call:1", Grade.EXACT, ("a",)),
        ("tool-call:2", Grade.EXACT, ("b",)),
        ("tool-result:1", Grade.EXACT, ("a",)),
        ("tool-result:2", Grade.STRUCTURAL, ("b",)),
    ]
    assert str(next(loop.leaves()).title)
    assert str(list(loop.leaves())[-1].notes[0])


def test_a_shortened_result_is_its_rows_head_and_tail(story: Story) -> None:
    whole = "".join(f"Line {number} of a long result. " for number in range(20))
    sent = f"{whole[:60]}\n[cut]\n{whole[-60:]}"
    story.changes = {"tool_calls": (stored("a", {}, whole),)}

    leaf = message_leaves(story.tree(user(story.current), calls({}), result("c1", sent)), 3)[0]

    assert (leaf.grade, leaf.origin.rows) == (Grade.TEMPLATE, ("a",))
    assert cut_marker(sent, whole) == "\n[cut]\n"
    assert cut_marker(whole, whole) == cut_marker(sent, whole[:200]) == ""


def test_what_is_said_inside_the_loop(story: Story) -> None:
    later = story.row("shout", 4, "player", "user", "Wait!")
    story.extra_rows = (later,)

    tree = story.tree(
        user(story.current),
        {**calls({}), "reasoningContent": "Hm."},
        result("c1", "ok"),
        user("Wait!"),
        user("You call the same tool again."),
        system("Earlier calls: look ok"),
    )

    assert [(leaf.key, leaf.kind) for leaf in tree.groups[-1].children[-1].leaves()] == [
        ("reasoning:1", Kind.REASONING),
        ("tool-call:1", Kind.TOOL_CALL),
        ("tool-result:1", Kind.TOOL_RESULT),
        ("loop-note:1", Kind.PLAYER_LINE),
        ("loop-note:2", Kind.LOOP_NOTE),
        ("loop-note:3", Kind.LOOP_NOTE),
    ]


def test_a_reasoning_field_of_a_history_message_is_not_the_row(story: Story) -> None:
    messages = story.history()
    messages[1]["reasoningContent"] = "Who could it be?"

    leaves = message_leaves(story.tree(*messages, user(story.current)), 2)

    assert [(leaf.kind, leaf.text) for leaf in leaves] == [
        (Kind.HISTORY, "Nobody answers."),
        (Kind.REASONING, "Who could it be?"),
    ]


def picture_row(story: Story, name: str, caption: str) -> Any:
    ui = [{"type": "asset.generate", "data": {"ref": {}, "modality": "image", "meta": {"caption": caption}}}]
    return story.row(name, 3, "system", "user", f"({caption})").model_copy(update={"ui": ui, "order": 99})


def test_pictures_name_their_rows(story: Story) -> None:
    story.extra_rows = (picture_row(story, "p1", "a door"), picture_row(story, "p2", "a lamp"))
    media = {"type": "image", "image": "[image data omitted: 3 base64 characters]"}
    shown = {
        "role": "user",
        "content": [
            {"type": "text", "text": "Seen lately:"},
            {"type": "text", "text": "Picture 1: a lamp"},
            media,
            media,
        ],
    }

    tree = story.tree(*story.history(), system(CONTEXT), shown, user(story.current))

    pictures = next(segment for segment in tree.walk() if segment.key == "pictures")
    assert [child.key for child in pictures.children] == [
        "pictures:heading",
        "pictures:item:1",
        "pictures:media:1",
        "pictures:media:2",
    ]
    assert pictures.origin.rows == ("p2",)
    assert keys(tree)[-1] == "player-line"


def test_a_block_is_named_by_the_rows_it_is_made_of(story: Story) -> None:
    story.plugins = ("narrator", "memory", "notes")
    block = "<remembered>\nShe crossed the frozen river.\nThe ferryman kept her ring.\n</remembered>"
    row = PluginDataRow(
        id="m",
        session_id="s",
        plugin_id="memory",
        namespace="blocks",
        key="story",
        value={"content": "She crossed the frozen river.\nThe ferryman kept her ring.\nSpring came."},
    )
    named = system_prompt(block)
    story.changes = {"plugin_data": (row,)}
    one = story.tree(user(story.current), system=named)
    story.changes = {"plugin_data": (row, row.model_copy(update={"plugin_id": "notes"}))}
    two = story.tree(user(story.current), system=named)
    story.changes = {"plugin_data": (row.model_copy(update={"plugin_id": "inactive"}),)}
    inactive = story.tree(user(story.current), system=named)

    found = [
        [(leaf.origin.plugin, leaf.grade) for leaf in tree.leaves() if leaf.key.startswith("segment:")]
        for tree in (one, two, inactive)
    ]
    assert found == [[("memory", Grade.GUESS)], [("", Grade.UNKNOWN)], [("", Grade.UNKNOWN)]]


def test_the_story_and_its_cue_stand_behind_the_line(story: Story) -> None:
    story.told, story.runtime = "Snow falls.", "codex"

    tree = story.tree(system(CONTEXT), user(story.current), assistant("Snow falls."), user("Now do your part."))

    assert keys(tree) == [*CONTEXT_KEYS, "player-line", "story:1", "cue"]
    assert message_leaves(tree, 3)[0].origin.runtime == "narrator"
