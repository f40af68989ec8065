"""Assembling from params: provenance, given texts, refusals."""

from dataclasses import replace

import pytest

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, Origin, SegmentTree, plain, say
from covel_inspector.engines.covel.assembler import AssemblerError, assemble
from covel_inspector.engines.covel.assembler.params import (
    ContextParams,
    HistoryRow,
    LoreContribution,
    Manifest,
    PluginDataInject,
    PluginRow,
    PromptSegment,
    Provenance,
    SessionMeta,
    SessionSnapshot,
    Summary,
    TurnInput,
)
from covel_inspector.engines.covel.assembler.templates import fill, find_variables, tagged_blocks
from covel_inspector.engines.covel.textpack import default_pack

MANIFEST = Manifest("tale/teller", "tale", output_kind="story")
FILE = Origin(file="plugins/tale/PLUGIN.md", line=7)


def tree_of(params: ContextParams) -> SegmentTree:
    return assemble(params, default_pack()).tree


def test_provenance_reaches_the_segments() -> None:
    guess = Provenance(
        Origin(table="turn_messages", rows=("m1",)), Grade.GUESS, say("the session's locale is {locale}", locale="x")
    )
    tree = tree_of(
        ContextParams(
            MANIFEST,
            "Hello.",
            TurnInput(player_message="I knock.", provenance=Provenance(Origin(table="player_inputs", rows=("p9",)))),
            message_history=(HistoryRow("user", "Before.", id="m1", source_type="player", provenance=guess),),
            summaries=(Summary("s1", "Long ago.", provenance=Provenance(notes=(plain("merged"),))),),
            prompt_segments=(PromptSegment("rules", "Be kind.", plugin_id="tale", provenance=Provenance(FILE)),),
            body_provenance=Provenance(FILE),
        )
    )
    found = {segment.key: segment for segment in tree.walk()}
    assert found["history:m1"].grade is Grade.GUESS
    assert found["history:m1"].origin.rows == ("m1",)
    assert str(found["history:m1"].reason) == "the session's locale is x"
    assert found["player-line"].origin.rows == ("p9",)
    assert found["segment:tale/rules"].origin == replace(FILE, plugin="tale", segment="rules")
    assert found["body"].origin.file == FILE.file
    assert str(found["summary:s1"].notes[0]) == "merged"
    assert found["summary:s1"].origin.rows == ("s1",)


def test_literals_know_their_line() -> None:
    tree = tree_of(ContextParams(MANIFEST, "one\ntwo {{ a }}\nthree {{ b }} four", body_provenance=Provenance(FILE)))
    lines = {segment.key: segment.origin.line for segment in tree.walk() if segment.key.startswith("literal:")}
    assert lines == {"literal:0": 7, "literal:1": 8, "literal:2": 9}


def test_a_given_value_stands_as_it_is_and_is_marked() -> None:
    body = "<who>\n{{ player.character }}\n</who>"
    tree = tree_of(ContextParams(MANIFEST, body, rendered_variables={"player.character": "<as sent>"}))
    value = next(segment for segment in tree.walk() if segment.key == "variable:player.character")
    assert value.text == "<as sent>"
    assert value.taken
    assert "given instead" in str(value.reason)


def test_a_given_preamble_is_cut_at_its_own_tags() -> None:
    text = "[RUNTIME] a\n[RUNTIME] b\n[LANGUAGE] c\n[COMPLETION] d"
    tree = tree_of(ContextParams(MANIFEST, "x", framework_preamble=text))
    preamble = next(segment for segment in tree.walk() if segment.key == "preamble")
    assert [child.text for child in preamble.children] == [
        "[RUNTIME] a\n[RUNTIME] b",
        "\n",
        "[LANGUAGE] c",
        "\n",
        "[COMPLETION] d",
    ]
    free = tree_of(ContextParams(MANIFEST, "x", framework_preamble="No tags here."))
    assert [child.key for child in next(s for s in free.walk() if s.key == "preamble").children] == ["preamble:text"]


def test_a_language_without_a_name_is_a_guess() -> None:
    tree = tree_of(ContextParams(MANIFEST, "x", TurnInput(locale="tlh")))
    language = next(segment for segment in tree.walk() if segment.key == "preamble:language")
    assert language.grade is Grade.GUESS
    assert "tlh" in language.text


def test_what_the_caller_left_out_is_told() -> None:
    absent = Absent("history:x", Kind.HISTORY, plain("x"), AbsenceReason.WINDOW, plain("old"))
    tree = tree_of(ContextParams(MANIFEST, "x", left_out=(absent,), session=SessionSnapshot(left_out=(absent,))))
    assert tree.absent == (absent, absent)


def test_own_data_names_its_rows_and_what_is_not_shown() -> None:
    manifest = Manifest("tale/teller", "tale", injects=(PluginDataInject("notes", "<notes>", max_entries=2),))
    rows = tuple(
        PluginRow(
            "tale", "notes", f"k{number}", {"n": number}, f"2031-01-0{number}", f"2031-02-0{number}", f"id{number}"
        )
        for number in range(1, 5)
    )
    tree = tree_of(ContextParams(manifest, "x", plugin_data=rows))
    own = next(segment for segment in tree.walk() if segment.key == "own-data:notes")
    assert own.origin.table == "plugin_data"
    assert own.origin.rows == ("id1", "id4")
    assert "Rows of notes: 2 of 4." in [str(note) for note in own.notes]
    cut = next(found for found in tree.absent if found.key == "own-data:notes")
    assert cut.reason is AbsenceReason.CUT
    assert "2 of 4" in str(cut.note)


@pytest.mark.parametrize(
    ("inject", "kind"),
    [
        (PluginDataInject("_hidden.x", "<a>"), "hidden-namespace"),
        (PluginDataInject("notes", "<a b>"), "unsafe-tag"),
    ],
)
def test_refusals_say_what_they_refuse(inject: PluginDataInject, kind: str) -> None:
    manifest = Manifest("tale/teller", "tale", injects=(inject,))
    with pytest.raises(AssemblerError) as caught:
        assemble(ContextParams(manifest, "x", plugin_data=()), default_pack())
    assert caught.value.kind == kind
    assert "\n" not in str(caught.value)


def test_own_data_needs_a_store() -> None:
    manifest = Manifest("tale/teller", "tale", injects=(PluginDataInject("notes", "<a>"),))
    with pytest.raises(AssemblerError, match="notes"):
        assemble(ContextParams(manifest, "x"), default_pack())


def test_an_empty_message_keeps_its_place_in_the_tree() -> None:
    tree = tree_of(ContextParams(MANIFEST, "x", message_history=(HistoryRow("user", "", id="m1"),)))
    assert tree.gaps() == []
    row = next(segment for segment in tree.walk() if segment.key == "history:m1")
    assert row.text == ""
    assert row.place is not None


def test_lore_of_a_plugin_has_its_own_key() -> None:
    entries = (
        LoreContribution("e", "world text", "before_plugin"),
        LoreContribution("e", "plugin text", "after_plugin", owner="plugin:codex"),
    )
    tree = tree_of(ContextParams(MANIFEST, "x", session=SessionSnapshot(contributions=entries)))
    keys = [segment.key for segment in tree.walk() if segment.kind is Kind.LORE]
    assert keys == ["lore:e", "lore:plugin:codex/e"]


def test_characters_come_from_the_snapshot_first() -> None:
    params = ContextParams(
        MANIFEST,
        "{{ characters.npcs }}",
        session=SessionSnapshot(meta=SessionMeta(1, ({"name": "Ada", "type": "npc"},))),
        session_meta=SessionMeta(2, ({"name": "Bo", "type": "npc"},)),
    )
    assert "Ada" in assemble(params, default_pack()).context.system_prompt
    assert "Bo" in assemble(replace(params, session=None), default_pack()).context.system_prompt


@pytest.mark.parametrize(
    ("template", "paths"),
    [
        ("{{}}{{ }}{{a}}", ["", "a"]),
        ("{{{ a }}}", ["{ a"]),
        ("{{ a } }} {{ b }}", ["b"]),
        ("{{ a\n.b\t}}", ["a\n.b"]),
        ("{{ a {{ b }}", ["a {{ b"]),
        ("{{ open", []),
        ("{" * 2000, []),
    ],
)
def test_variables_are_found_as_the_engine_finds_them(template: str, paths: list[str]) -> None:
    assert [variable.path for variable in find_variables(template)] == paths


def test_tagged_blocks_start_lines_and_end_at_the_first_close_tag() -> None:
    text = "<a>\n<a>\n</a>\n</a>\n x <b></b>\n<c>\n<1></1>"
    assert [text[first:last] for first, last in tagged_blocks(text)] == ["\n<a>\n"]


def test_a_template_loses_nothing() -> None:
    parts = fill("a {{ x }} b {{ y }}", lambda path: (f"[{path}]", False))
    assert "".join(part.text for part in parts) == "a [x] b [y]"


@pytest.mark.parametrize(("depth", "place"), [(-1, 3), (0, 3), (1, 2), (2, 1), (3, 0), (99, 0), (float("inf"), 0)])
def test_depth_counts_from_the_end_and_stops_at_both_ends(depth: float, place: int) -> None:
    params = ContextParams(
        MANIFEST,
        "x",
        TurnInput(player_message="now"),
        message_history=(HistoryRow("user", "one"), HistoryRow("assistant", "two")),
        prompt_segments=(PromptSegment("note", "HERE", "depth", depth),),
    )
    contents = [message.content for message in assemble(params, default_pack()).context.messages]
    assert contents.index("HERE") == place
    assert len(contents) == 4
