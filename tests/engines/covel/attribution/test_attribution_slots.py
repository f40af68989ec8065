"""Who filled a slot: a row is only named where it fits, and called exact only where its value is the one sent."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_story import Story, assistant, system, user

from covel_inspector.domain import Grade, Kind, Segment, SegmentTree
from covel_inspector.engines.covel.assembler.escaping import escape, model_facing
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.manifests import (
    Checkout,
    FilePlace,
    InputBinding,
    Localized,
    PluginManifest,
    RuntimeManifest,
)
from covel_inspector.engines.covel.records.rows import RuntimeExportRow, TurnResultRow

SOURCE = {"pluginId": "narrator", "runtimeId": "narrator"}
FILE = "plugins/codex/PLUGIN.md"
UUID = "0546d1f8-626a-41a7-b1a5-969509039187"
BEFORE, NOW, AFTER = "2026-01-01T03:59:00.000Z", "2026-01-01T04:00:00.000Z", "2026-01-01T04:01:00.000Z"


def slot(value: Any, source: Mapping[str, str] = SOURCE, **more: Any) -> dict[str, Any]:
    return {"cardinality": "one", "value": value, "source": source, **more}


def many(*filled: tuple[Any, Mapping[str, str]]) -> dict[str, Any]:
    return {"cardinality": "many", "items": [{"value": value, "source": source} for value, source in filled]}


def block(slots: Mapping[str, Any], tag: str = "runtime-inputs") -> str:
    return f"<{tag}>\n{escape(stringify(slots))}\n</{tag}>"


def run(output: Any, runtime: str = "narrator", ended: str = BEFORE, **more: Any) -> dict[str, Any]:
    plugin = runtime.partition("/")[0]
    return {
        "pluginId": plugin, "runtimeId": runtime, "status": "success", "output": output, "timestamp": ended, **more
    }  # fmt: skip


def results(*runs: dict[str, Any], row: str = "now", turn: int = 4, settled: str = AFTER) -> TurnResultRow:
    return TurnResultRow(id=row, session_id="s", turn_id=f"turn-{turn}", runtime_results=runs, created_at=settled)


def export(value: Any, revision: int = 1, name: str = "mood", committed: str = BEFORE) -> RuntimeExportRow:
    return RuntimeExportRow(
        session_id="s",
        producer_plugin_id="narrator",
        producer_runtime_id="narrator",
        record_as=name,
        revision=revision,
        result_id=f"{name}-{revision}",
        value=value,
        committed_at=committed,
    )


def binding(name: str = "mood", line: int = 7, **more: Any) -> InputBinding:
    return InputBinding(name, {"runtime": "narrator"}, place=FilePlace(FILE, line), **more)


def files(*bindings: InputBinding) -> Checkout:
    place = FilePlace(FILE, 1)
    codex = RuntimeManifest("codex", "codex", "agent", Localized({}), place, inputs=bindings)
    return Checkout("root", {"codex": PluginManifest("codex", "1", "Codex", place, runtimes=(codex,))})


def tree_of(story: Story, text: str, *rows: TurnResultRow, behind: tuple[dict[str, Any], ...] = ()) -> SegmentTree:
    """The tree of a call of codex whose turn context is the text."""
    story.runtime, story.now = "codex", NOW
    story.changes = {**story.changes, "turn_results": rows}
    return story.tree(system(text), user(story.current), *behind)


def slots_of(tree: SegmentTree) -> dict[str, Segment]:
    return {leaf.key: leaf for leaf in tree.leaves() if leaf.key.startswith(("input:", "export:"))}


def only_slot(story: Story, slots: Mapping[str, Any], *rows: TurnResultRow) -> Segment:
    (found,) = slots_of(tree_of(story, block(slots), *rows)).values()
    return found


def notes(segment: Segment) -> list[str]:
    return [str(note) for note in segment.notes]


def test_a_slot_that_equals_a_result_of_this_turn_names_its_row(story: Story) -> None:
    found = only_slot(story, {"mood": slot({"calm": 2})}, results(run({"calm": 2})))

    assert (found.key, found.kind, str(found.title)) == ("input:mood", Kind.INPUTS, "Input · mood")
    assert found.grade is Grade.EXACT
    assert str(found.reason) == "equal to the result of narrator"
    assert (found.origin.plugin, found.origin.runtime) == ("narrator", "narrator")
    assert (found.origin.table, found.origin.rows) == ("turn_results", ("now",))
    assert found.text == '"mood":{"cardinality":"one","value":{"calm":2},"source":' + stringify(SOURCE) + "}"


def test_the_block_around_the_slots_is_its_own_frame(story: Story) -> None:
    text = block({"mood": slot(1), "check": slot(2)})
    tree = tree_of(story, f"{text}\n\n<memory>\nx\n</memory>", results(run({"mood": 1, "check": 2})))
    branch = next(segment for segment in tree.walk() if segment.key == "inputs")

    assert branch.whole_text == text
    assert [(child.key, child.text) for child in branch.children if not child.key.startswith("input:")] == [
        ("inputs-open", "<runtime-inputs>\n{"),
        ("inputs-next", ","),
        ("inputs-close", "}\n</runtime-inputs>"),
    ]
    assert [child.grade for child in branch.children] == [
        Grade.STRUCTURAL, Grade.EXACT, Grade.STRUCTURAL, Grade.EXACT, Grade.STRUCTURAL
    ]  # fmt: skip
    assert [child.kind for child in branch.children if child.key == "inputs-next"] == [Kind.SEPARATOR]


def test_bookkeeping_is_left_out_and_escaping_undone_before_comparing(story: Story) -> None:
    stored = {"id": UUID, "sessionId": "s", "at": 1, "seenAt": BEFORE, "text": 'a < b & "c" \\ \n 灯 🜁', "n": 1.5}
    found = only_slot(story, {"mood": slot(model_facing(stored))}, results(run(stored)))

    assert found.grade is Grade.EXACT
    assert "&lt; b &amp; " in found.text


def test_a_member_of_the_output_is_found_without_files(story: Story) -> None:
    row = results(run({"mood": "calm", "weather": "rain"}))

    own_name = only_slot(story, {"mood": slot("calm")}, row)
    other = only_slot(story, {"sky": slot("rain")}, row)

    assert str(own_name.reason) == "equal to mood in the result of narrator"
    assert str(other.reason) == "equal to weather in the result of narrator"


def test_the_manifest_tells_which_part_is_bound_and_where_that_is_declared(story: Story) -> None:
    story.checkout = files(binding(select="/sky/now"))
    row = results(run({"mood": "calm", "sky": {"now": "rain"}}))

    right = only_slot(story, {"mood": slot("rain")}, row)
    wrong = only_slot(story, {"mood": slot("calm")}, row)

    assert right.grade is Grade.EXACT
    assert (right.origin.file, right.origin.line) == (FILE, 7)
    assert str(right.reason) == "equal to /sky/now in the result of narrator"
    assert wrong.grade is Grade.STRUCTURAL
    assert notes(wrong) == ["The row of this runtime's result holds another value."]
    assert (wrong.origin.file, wrong.origin.line) == (FILE, 7)


def test_an_input_that_the_manifest_does_not_declare_is_never_exact(story: Story) -> None:
    story.checkout = files(binding("other"))

    found = only_slot(story, {"mood": slot({"calm": 2})}, results(run({"calm": 2})))

    assert found.grade is Grade.STRUCTURAL
    assert notes(found) == ["The manifest declares no input of this name."]
    assert found.origin.file == ""


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (1, True), (True, 1), (0, False), ("1", 1), (1, "1"), ([], {}), ({}, []), ("", []), ([1], [True]),
        ({"a": 1}, {"a": 1, "b": 2}), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ("a", "a "), ("é", "e\u0301"),
    ],
    ids=str,
)  # fmt: skip
def test_values_that_only_look_alike_are_not_equal(story: Story, value: Any, stored: Any) -> None:
    found = only_slot(story, {"mood": slot(value)}, results(run(stored)))

    assert found.grade is Grade.STRUCTURAL
    assert (found.origin.runtime, found.origin.rows) == ("narrator", ("now",))


@pytest.mark.parametrize("status", ["failed", "skipped", "suspended"])
def test_only_results_that_were_there_and_went_well_count(story: Story, status: str) -> None:
    value = {"calm": 2}
    rows = {
        "failed": results(run(value, status=status)),
        "later run": results(run(value, ended=AFTER)),
        "other runtime": results(run(value, runtime="codex")),
        "other plugin": results(run(value) | {"pluginId": "mood"}),
        "other turn": results(run(value), turn=3),
        "later execution": results(run(value), row="later", settled="2026-01-01T06:00:00.000Z"),
    }
    for name, row in rows.items():
        before_it = (results(row="now"),) if name == "later execution" else ()
        found = only_slot(story, {"mood": slot(value)}, *before_it, row)
        assert found.grade is Grade.STRUCTURAL, name
        assert found.origin.rows == (), name
        assert notes(found) == ["No row that was there before the call fits."], name


def test_of_several_executions_the_newest_equal_result_is_meant(story: Story) -> None:
    first = results(run("calm"), row="first", settled=BEFORE)

    again = only_slot(story, {"mood": slot("calm")}, first, results(run("calm")))
    other = only_slot(story, {"mood": slot("calm")}, first, results(run("wild")))

    assert again.origin.rows == ("now",)
    assert other.origin.rows == ("first",)
    assert other.grade is Grade.EXACT


def test_a_pointer_at_the_story_is_no_copy_of_it(story: Story) -> None:
    told = "Snow falls."
    text = block({"narrative": slot("(see below)")})
    shown = tree_of(story, text, results(run({"narrative": told})), behind=(assistant(told), user("Now your part.")))
    hidden = tree_of(story, text, results(run({"narrative": told})))

    found = slots_of(shown)["input:narrative"]
    assert found.grade is Grade.STRUCTURAL
    assert notes(found) == ["A pointer at the story that narrator told in this turn stands instead of a copy."]
    assert found.origin.rows == ("now",)
    assert notes(slots_of(hidden)["input:narrative"]) == [
        "Which part of this runtime's result was bound is not known without the plugin's files."
    ]


def test_a_slot_of_many_values_is_exact_when_each_of_them_is(story: Story) -> None:
    second = {"pluginId": "mood", "runtimeId": "mood/second"}
    row = results(run("calm"), run({"n": 1}, "mood/second"))
    both = {"moods": many(("calm", SOURCE), ({"n": 1}, second))}

    right = only_slot(story, both, row)
    wrong = only_slot(story, {"moods": many(("calm", SOURCE), ({"n": 2}, second))}, row)
    same = only_slot(story, {"moods": many(("calm", SOURCE), ("calm", SOURCE))}, row)
    none = only_slot(story, {"moods": many()}, row)

    assert right.grade is Grade.EXACT
    assert (right.origin.plugin, right.origin.runtime, right.origin.rows) == ("", "", ("now",))
    assert notes(right) == ["2 values, from narrator, mood/second."]
    assert wrong.grade is Grade.STRUCTURAL
    assert (same.grade, same.origin.runtime) == (Grade.EXACT, "narrator")
    assert none.grade is Grade.STRUCTURAL


@pytest.mark.parametrize(
    "slots",
    [
        {"mood": slot("calm", note="x")},
        {"mood": slot("calm", {**SOURCE, "resultId": "r"})},
        {"mood": slot("calm", {"runtimeId": "narrator"})},
        {"mood": {"cardinality": "many", "items": [{"value": "calm", "source": SOURCE, "x": 1}]}},
        {"mood": {**many(("calm", SOURCE)), "x": 1}},
    ],
    ids=str,
)
def test_fields_that_no_row_tells_of_make_no_exact_slot(story: Story, slots: dict[str, Any]) -> None:
    found = only_slot(story, slots, results(run("calm")))

    assert found.grade is Grade.STRUCTURAL
    assert "It has fields that no row tells of." in notes(found)


def test_a_slot_without_value_or_source_is_only_structure(story: Story) -> None:
    for given_slot in (slot("calm", {}), slot(None), {"cardinality": "one", "source": SOURCE}):
        found = only_slot(story, {"mood": given_slot}, results(run("calm")))
        assert (found.grade, found.origin.rows) == (Grade.STRUCTURAL, ())


def exports_slot(story: Story, text: str, *rows: RuntimeExportRow) -> Segment:
    story.changes = {"exports": rows}
    (found,) = slots_of(tree_of(story, text)).values()
    return found


def test_an_export_is_the_newest_one_of_its_name_before_the_call(story: Story) -> None:
    text = block({"mood": slot("calm")}, "runtime-exports")
    old, new = export("calm", 1), export("wild", 2)

    found = exports_slot(story, text, old)
    assert (found.key, found.kind, str(found.title)) == ("export:mood", Kind.EXPORTS, "Export · mood")
    assert found.grade is Grade.EXACT
    assert (found.origin.table, found.origin.rows) == ("runtime_exports", ("mood-1",))
    assert str(found.reason) == "equal to the export mood of narrator, revision 1"

    assert exports_slot(story, text, old, new).grade is Grade.STRUCTURAL
    assert exports_slot(story, text, old, export("wild", 2, committed=AFTER)).origin.rows == ("mood-1",)
    assert exports_slot(story, text, export("calm", committed=AFTER)).grade is Grade.STRUCTURAL


def test_equal_values_of_two_exports_are_not_told_apart(story: Story) -> None:
    text = block({"mood": slot("calm")}, "runtime-exports")
    rows = (export("calm"), export("calm", name="sky"))

    doubtful = exports_slot(story, text, *rows)
    story.checkout = files(binding(scope="committed", record_as="sky"))
    known = exports_slot(story, text, *rows)

    assert (doubtful.grade, doubtful.origin.rows) == (Grade.STRUCTURAL, ())
    assert notes(doubtful) == ["Several rows have this value: which of them it is cannot be told."]
    assert (known.grade, known.origin.rows) == (Grade.EXACT, ("sky-1",))


def test_a_result_and_an_export_of_one_value_are_told_apart_by_the_scope_alone(story: Story) -> None:
    text = block({"mood": slot("calm")})
    found = {}
    for scope in ("", "turn", "committed"):
        story.checkout = files(binding(scope=scope)) if scope else None
        story.changes = {"exports": (export("calm"),)}
        (found[scope],) = slots_of(tree_of(story, text, results(run("calm")))).values()

    assert [(one.grade, one.origin.table) for one in found.values()] == [
        (Grade.STRUCTURAL, ""), (Grade.EXACT, "turn_results"), (Grade.EXACT, "runtime_exports")
    ]  # fmt: skip


@pytest.mark.parametrize(
    "json_text",
    ["{}", '{"mood":1}', '{"mood":{"value":"calm"}}', '{"mood":', '{"mood":{"cardinality":"one","source":{}},}'],
)
def test_what_is_no_block_of_slots_is_one_leaf_as_before(story: Story, json_text: str) -> None:
    tree = tree_of(story, f"<runtime-inputs>\n{json_text}\n</runtime-inputs>", results(run({"mood": "calm"})))
    leaves = [leaf for leaf in tree.leaves() if leaf.kind is Kind.INPUTS]

    whole_block = json_text.endswith("}")
    assert [leaf.key for leaf in leaves] == (["inputs"] if whole_block else [])


def test_blocks_that_others_wrote_are_not_read_as_slots(story: Story) -> None:
    text = block({"mood": slot("calm")})
    row = results(run("calm"))
    story.lines, story.replies = (text,), (f"She reads:\n\n{text}",)
    in_history = tree_of(story, "<memory>\nx\n</memory>", row)
    in_a_segment = tree_of(story, f"<memory>\nx\n</memory>\n\n{text}", row)
    quoted = tree_of(story, f"<memory>\n{text}\n</memory>", row)
    story.current = text
    in_the_line = tree_of(story, "<memory>\nx\n</memory>", row)

    for tree in (in_history, in_a_segment, quoted, in_the_line):
        assert slots_of(tree) == {}


members = st.recursive(
    st.booleans() | st.integers(-9, 9) | st.text(st.sampled_from('<>&"\\\n 灯🜁a'), max_size=6) | st.just(UUID),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "id", "sessionId", "seenAt", "x<y"]), inner, max_size=3)
    ),
    max_leaves=6,
)
outputs = st.dictionaries(st.sampled_from(["mood", "sky", "id", "n"]), members, max_size=3)
names = st.text(st.sampled_from('<>&"\\\n ab灯#/'), min_size=1, max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(outputs, names, st.booleans())
def test_what_a_row_holds_is_exact_and_what_it_does_not_hold_is_not(
    story: Story, output: dict[str, Any], name: str, is_pretty: bool
) -> None:
    printed = model_facing(output)
    slots = {name: slot(printed), f"{name}2": slot({"other": printed})}
    indent = 2 if is_pretty else None
    text = f"<runtime-inputs>\n{escape(json.dumps(slots, ensure_ascii=False, indent=indent))}\n</runtime-inputs>"
    story = replace(story, changes={})
    tree = tree_of(story, text, results(run(output)))
    found = slots_of(tree)

    assert list(found) == [f"input:{name}", f"input:{name}2"]
    assert [leaf.grade for leaf in found.values()] == [Grade.EXACT, Grade.STRUCTURAL]
    assert "".join(leaf.text for leaf in tree.leaves() if leaf.key.startswith("input")) == text
