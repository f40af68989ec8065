"""Blocks that look like own data, declared segments, tags or blocks of the engine, and are something else."""

from dataclasses import replace

import pytest
from known_pieces import (
    FIRM,
    HOUSE,
    RULE_ENTRY,
    Piece,
    Sent,
    attributed,
    files,
    head,
    lore,
    lore_row,
    told_story,
    usual,
    wrong_claims,
)
from small_story import CONTEXT, CONTEXT_KEYS, Story

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.records.manifests import Localized, SelfData, StaticSegment
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.records.rows import WorldRow

LAMP = '<notes>\n- lamp | {"text":"red"}\n</notes>'
GAP, LINE_FEED = Piece("\n\n", Kind.SEPARATOR), Piece("\n", Kind.SEPARATOR)
MARK = Piece(SENTINEL, Kind.MARK)
INPUTS = Piece(CONTEXT, Kind.INPUTS)
OWN = Piece(HOUSE, Kind.EXTENSION, segment="house")


def made(text: str) -> Piece:
    """A segment that a plugin adds by code."""
    return Piece(text, Kind.EXTENSION, segment="(made by code)")


def before_the_line(story: Story, *pieces: Piece) -> list[Sent]:
    """The usual request with other pieces in the system message before the current line."""
    return [Sent("system", pieces) if one.text == CONTEXT else one for one in usual(story)]


def grade_of(story: Story, sent: list[Sent], key: str) -> list[Grade]:
    return [leaf.grade for leaf in attributed(story, sent).leaves() if leaf.key.partition("#")[0] == key]


def without_files() -> Story:
    story = told_story()
    story.checkout = None
    return story


# Own data.


@pytest.mark.parametrize("has_files", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "<people>\n- lamp\n</people>",
        '<memory>\n- lamp | {"text":"red"}\nand so on, at length.\n</memory>',
        "<memory>\n- lamp\n- lamp\n</memory>",
    ],
)
def test_a_segment_that_lists_keys_of_rows_is_not_surely_own_data(text: str, has_files: bool) -> None:
    story = told_story() if has_files else without_files()

    sent = before_the_line(story, made(text))

    assert wrong_claims(attributed(story, sent), sent, FIRM) == []


def test_own_data_before_the_engine_s_block_is_exact() -> None:
    own = Piece(LAMP, Kind.OWN_DATA, "d")

    for story in (told_story(), without_files()):
        sent = before_the_line(story, own, LINE_FEED, INPUTS)
        assert wrong_claims(attributed(story, sent), sent, FIRM) == []
        assert grade_of(story, sent, "own-data:notes") == [Grade.EXACT]


def test_a_tag_that_the_manifest_does_not_declare_is_never_exact() -> None:
    story = told_story()
    story.checkout = files()

    assert grade_of(story, before_the_line(story, made(LAMP), LINE_FEED, INPUTS), "own-data:notes") == [Grade.GUESS]


def test_prose_behind_an_equal_line_is_no_equality() -> None:
    story = without_files()
    row = story.changes["plugin_data"][0]
    text = '<notes>\n- lamp | {"text":"red"}\nOne more is left out.\n</notes>'
    sent = before_the_line(story, Piece(text, Kind.OWN_DATA, "d"), LINE_FEED, INPUTS)
    alone = grade_of(story, sent, "own-data:notes")
    story.changes = {"plugin_data": (row, row.model_copy(update={"id": "e", "key": "rope"}))}

    assert alone == [Grade.GUESS]
    assert grade_of(story, sent, "own-data:notes") == [Grade.EXACT]


@pytest.mark.parametrize("updated", ["", "2026-01-01T09:00:00.000Z"])
def test_rows_of_two_namespaces_that_fit_are_a_guess(updated: str) -> None:
    story = without_files()
    row = story.changes["plugin_data"][0]
    value = {"text": "blue"} if updated else row.value
    other = row.model_copy(update={"id": "z", "namespace": "archive", "updated_at": updated, "value": value})
    story.changes = {"plugin_data": (row, other)}

    assert grade_of(story, before_the_line(story, Piece(LAMP, Kind.OWN_DATA), LINE_FEED, INPUTS), "own-data:notes") == [
        Grade.GUESS
    ]


def test_true_is_not_taken_for_one() -> None:
    story = without_files()
    row = story.changes["plugin_data"][0].model_copy(update={"value": {"n": 1}})
    other = row.model_copy(update={"id": "zz", "namespace": "z", "value": {"n": True}})
    story.changes = {"plugin_data": (row, other)}
    own = Piece('<notes>\n- lamp | {"n":true}\n</notes>', Kind.OWN_DATA, "zz")
    sent = before_the_line(story, own, LINE_FEED, INPUTS)

    assert wrong_claims(attributed(story, sent), sent, FIRM) == []
    assert grade_of(story, sent, "own-data:notes") == [Grade.EXACT]


def test_lines_in_another_format_than_the_declared_one_are_not_equal() -> None:
    story = told_story()
    story.checkout = files(self_data=(SelfData("notes", "<notes>", "full"),))

    assert grade_of(story, before_the_line(story, Piece(LAMP, Kind.OWN_DATA), LINE_FEED, INPUTS), "own-data:notes") == [
        Grade.TAG
    ]


# Declared segments.


def declared(*pieces: Piece) -> Sent:
    """A system prompt with these pieces between body and lore, joined by blank lines, and one mark behind them."""
    joined = [part for piece in pieces for part in (GAP, piece)]
    return Sent("system", (*head().pieces, *joined, MARK, GAP, RULE_ENTRY))


def quoting(text: str) -> Piece:
    return made(f"<memory>\nShe wrote:\n\n{text}\n\nEnd.\n</memory>")


def test_a_copy_before_a_declared_segment_is_not_the_segment() -> None:
    story = told_story()
    for pieces in ((quoting(HOUSE), OWN), (OWN, quoting(HOUSE))):
        sent = [declared(*pieces), *usual(story)[1:]]
        assert wrong_claims(attributed(story, sent), sent, FIRM) == []
        assert grade_of(story, sent, "segment:narrator/house") == [Grade.EXACT]


def test_of_two_places_outside_of_tags_neither_is_sure() -> None:
    story = told_story()
    sent = [declared(made(f"She wrote:\n\n{HOUSE}\n\nThat was all."), OWN), *usual(story)[1:]]

    assert set(grade_of(story, sent, "segment:narrator/house")) == {Grade.GUESS}


def test_a_copy_in_the_tail_is_not_the_segment() -> None:
    story = told_story()
    changed = made("<house>\nOlder rule.\n</house>")
    for copy in (quoting(HOUSE), made(f"Once:\n\n{HOUSE}")):
        system = head(changed, RULE_ENTRY)
        sent = [Sent("system", (*system.pieces, GAP, copy)), *usual(story)[1:]]
        assert wrong_claims(attributed(story, sent), sent, FIRM) == []


def test_a_copy_in_a_text_with_a_mark_of_its_own_is_not_the_segment() -> None:
    story = told_story()
    story.changes = {**story.changes, "world": WorldRow(id="w", lore="New.")}
    older = Piece(f"<world-lore>\nOld lore.{SENTINEL}\n\n{HOUSE}\n\nmore\n</world-lore>", Kind.WORLD_LORE)
    sent = [declared(older, made("<house>\nOlder.\n</house>")), *usual(story)[1:]]

    assert wrong_claims(attributed(story, sent), sent, FIRM) == []


@pytest.mark.parametrize("sent_times", [1, 2])
def test_segments_with_one_text_are_guesses(sent_times: int) -> None:
    story = told_story()
    story.checkout = files(*(StaticSegment(name, Localized({"": HOUSE}), "system") for name in "ab"))
    sent = [declared(*[Piece(HOUSE, Kind.EXTENSION)] * sent_times), *usual(story)[1:]]

    found = [leaf for leaf in attributed(story, sent).leaves() if leaf.kind is Kind.EXTENSION]
    assert [leaf.key for leaf in found] == ["segment:narrator/a", "segment:narrator/b"][:sent_times]
    assert {leaf.grade for leaf in found} == {Grade.GUESS}


def test_a_segment_that_ends_like_another_one_holds_no_copy_of_it() -> None:
    story = told_story()
    texts = {"big": f"{HOUSE}\n\nBe calm.", "small": "Be calm."}
    story.checkout = files(*(StaticSegment(name, Localized({"": text}), "system") for name, text in texts.items()))
    pieces = [Piece(text, Kind.EXTENSION, segment=name) for name, text in texts.items()]
    sent = [declared(*pieces), *usual(story)[1:]]

    tree = attributed(story, sent)
    assert wrong_claims(tree, sent, FIRM) == []
    assert [leaf.grade for leaf in tree.leaves() if leaf.kind is Kind.EXTENSION] == [Grade.EXACT, Grade.EXACT]


# Tags.


def with_mood() -> Story:
    """The narrator declares that it adds a segment ``mood`` by code."""
    story = told_story()
    assert story.checkout is not None
    manifest = replace(story.checkout.plugins["narrator"], extensions=(("prompt.segment@1", "mood"),))
    story.checkout = replace(story.checkout, plugins={"narrator": manifest})
    return story


MOOD = Piece("<mood>\nx\n</mood>", Kind.EXTENSION, segment="mood")


def test_a_declared_tag_names_a_single_block() -> None:
    story = with_mood()

    assert grade_of(story, before_the_line(story, INPUTS, GAP, MOOD), "segment:narrator/mood") == [Grade.TAG]


def test_a_declared_tag_that_stands_twice_names_neither_block() -> None:
    story = with_mood()
    other = made("<mood>\ny\n</mood>")
    together = before_the_line(story, INPUTS, GAP, MOOD, GAP, other)
    apart = [declared(other, OWN), *before_the_line(story, INPUTS, GAP, MOOD)[1:]]

    for sent in (together, apart):
        assert wrong_claims(attributed(story, sent), sent, FIRM) == []
        assert grade_of(story, sent, "segment:narrator/mood") == [Grade.GUESS, Grade.GUESS]


# Blocks of the engine.

STAGED = '<runtime-activation>\n{"source":"stage","detached":false}\n</runtime-activation>'
CATALOG = "<available-events>\n- a: b\n\nCall it.\n</available-events>"
EVENTS, ACTIVATION = Piece(CATALOG, Kind.EVENTS), Piece(STAGED, Kind.ACTIVATION)


def in_the_tail(story: Story, *pieces: Piece) -> list[Sent]:
    """The usual request with other pieces behind the last mark."""
    joined = [part for piece in pieces for part in (GAP, piece)][1:]
    return [Sent("system", (*head(OWN).pieces, MARK, GAP, *joined)), *usual(story)[1:]]


def without_manifests() -> Story:
    story = told_story()
    story.checkout = None
    early = lore_row("oath", "The oath binds.", "before_plugin")
    story.lore = (*story.lore, early)
    return story


OATH = lore("oath", "The oath binds.")


@pytest.mark.parametrize("before", [(), (OATH,)])
@pytest.mark.parametrize("behind", [(), (RULE_ENTRY,)])
def test_the_engine_s_blocks_stand_between_the_entries(before: tuple[Piece, ...], behind: tuple[Piece, ...]) -> None:
    story = without_manifests()
    for events in ((EVENTS,), (ACTIVATION,)):
        sent = in_the_tail(story, *before, *events, *behind)
        key = "events" if events == (EVENTS,) else "activation"
        assert grade_of(story, sent, key) == [Grade.STRUCTURAL]
        assert wrong_claims(attributed(story, sent), sent, FIRM) == []


def test_an_activation_behind_the_events_is_the_engine_s() -> None:
    story = without_manifests()
    system = in_the_tail(story, EVENTS, RULE_ENTRY)[0]
    number = system.pieces.index(EVENTS) + 1
    sent = [
        Sent("system", (*system.pieces[:number], LINE_FEED, ACTIVATION, *system.pieces[number:])),
        *usual(story)[1:],
    ]

    assert grade_of(story, sent, "events") + grade_of(story, sent, "activation") == [Grade.STRUCTURAL] * 2


@pytest.mark.parametrize("text", [STAGED, CATALOG, '<runtime-activation>\n{"source":"event"}\n</runtime-activation>'])
def test_a_quoted_block_of_the_engine_is_no_such_block(text: str) -> None:
    story = without_manifests()
    shapes = [
        in_the_tail(story, RULE_ENTRY, made(text)),
        in_the_tail(story, made("<mood>\nx\n</mood>"), made(text)),
        in_the_tail(story, made(f"She wrote:\n\n{text}")),
        [Sent("system", (*declared(OWN).pieces, GAP, made(text))), *usual(story)[1:]],
        in_the_tail(story, EVENTS, RULE_ENTRY, made(text)),
    ]
    for sent in shapes:
        assert wrong_claims(attributed(story, sent), sent, FIRM) == []


def test_an_activation_of_the_turn_context_is_one_by_no_stage() -> None:
    story = without_manifests()
    for text in (STAGED, '<runtime-activation>\n{"source":"event"}\n</runtime-activation>'):
        quoted = before_the_line(story, made(text))
        assert wrong_claims(attributed(story, quoted), quoted, FIRM) == []
    own = Piece(STAGED.replace("stage", "event"), Kind.ACTIVATION)

    assert grade_of(story, before_the_line(story, own), "activation") == [Grade.STRUCTURAL]


def test_inputs_of_a_runtime_that_declares_none_are_a_guess() -> None:
    story = told_story()
    keys = list(CONTEXT_KEYS)
    with_files = [grade_of(story, usual(story), key) for key in keys]
    story.checkout = None

    assert with_files == [[Grade.GUESS]] * len(keys)
    assert [grade_of(story, usual(story), key) for key in keys] == [[Grade.STRUCTURAL]] * len(keys)


# The world's lore.


@pytest.mark.parametrize("text", ["All is sea.", "All was sea."], ids=["as the row", "older than the row"])
def test_without_files_only_a_runtime_that_tells_is_surely_given_the_world_s_lore(text: str) -> None:
    story = without_files()
    story.changes = {**story.changes, "world": WorldRow(id="w", lore="All is sea.")}
    block = f"<world-lore>\n{text}\n</world-lore>"
    sure = Grade.EXACT if text == "All is sea." else Grade.STRUCTURAL
    told = grade_of(story, [declared(Piece(block, Kind.WORLD_LORE)), *usual(story)[1:]], "world-lore")
    story.runtime = "codex"
    quoted = [declared(made(block)), *usual(story)[1:]]

    assert told == [sure]
    assert grade_of(story, quoted, "world-lore") == [Grade.GUESS]
    assert wrong_claims(attributed(story, quoted), quoted, FIRM) == []
