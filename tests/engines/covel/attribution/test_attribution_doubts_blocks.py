"""Blocks that look like own data, declared segments, tags or blocks of the engine, and are something else."""

import pytest
from known_pieces import FIRM, Piece, Sent, attributed, files, told_story, usual, wrong_claims
from small_story import CONTEXT, Story

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.records.manifests import SelfData

LAMP = '<notes>\n- lamp | {"text":"red"}\n</notes>'
GAP, LINE_FEED = Piece("\n\n", Kind.SEPARATOR), Piece("\n", Kind.SEPARATOR)
INPUTS = Piece(CONTEXT, Kind.INPUTS)


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
