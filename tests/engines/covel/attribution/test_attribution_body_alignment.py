"""Bodies whose file is not what was sent, and values that hold the text of a literal."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_pieces import Piece, attributed, files, head, now, past
from small_story import Story

from covel_inspector.domain import AbsenceReason, Grade, Kind, Segment, SegmentTree
from covel_inspector.engines.covel.attribution.body_alignment import align
from covel_inspector.engines.covel.attribution.body_boundaries import StretchKind, find_completely

STORY = Story(lines=("I knock.", "I wait.", "I go in."))
FILED = (
    "You narrate the harbour, one LONG scene at a time.\n\nThe place is {{ world.name }}. The player is:\n"
    "<card>\n{{ player.character }}\n</card>\n\nKeep to what can be seen. Halt where the player can act."
)
SENT = (
    "You narrate the harbour, one short scene at a time.\n\nThe place is Tidewater. The player is:\n"
    '<card>\n{"purse":12}\n</card>\n\nKeep to what can be seen. Stop where the player can act.'
)


def tree_of(body: str, sent: str) -> SegmentTree:
    story = replace(STORY, checkout=files(body=body))
    return attributed(story, [head(body=(Piece(sent, Kind.BODY),)), *past(story), *now(story)])


def body_of(tree: SegmentTree) -> Segment:
    return next(segment for segment in tree.walk() if segment.key == "body")


def test_one_changed_word_costs_a_word_and_values_are_guesses() -> None:
    body = body_of(tree_of(FILED, SENT))
    told = [(child.key, child.grade, child.text) for child in body.children]

    assert (body.grade, body.whole_text, body.origin.file) == (Grade.TEMPLATE, SENT, "plugins/narrator/PLUGIN.md")
    assert told == [
        ("literal:0", Grade.TEMPLATE, "You narrate the harbour, one "),
        ("changed:0", Grade.STRUCTURAL, "short"),
        ("literal:0#2", Grade.TEMPLATE, " scene at a time.\n\nThe place is "),
        ("variable:world.name", Grade.GUESS, "Tidewater"),
        ("literal:1", Grade.TEMPLATE, ". The player is:\n<card>\n"),
        ("variable:player.character", Grade.GUESS, '{"purse":12}'),
        ("literal:2", Grade.TEMPLATE, "\n</card>\n\nKeep to what can be seen. "),
        ("changed:2", Grade.STRUCTURAL, "Stop"),
        ("literal:2#2", Grade.TEMPLATE, " where the player can act."),
    ]
    assert str(body.notes[0]).startswith("The file differs from what was sent: 9")
    assert [str(note) for note in body.children[1].notes] == ["The file has here: LONG"]
    assert [child.origin.line for child in body.children] == [9, 9, 9, 11, 11, 13, 13, 16, 16]


def test_text_that_only_the_file_has_is_a_note_of_the_body() -> None:
    body = body_of(tree_of(SENT.replace("Keep to", "Never rush anything.\n\nKeep to"), SENT))
    notes = [str(note) for note in body.notes]

    assert notes[1:] == ["Line 16 of the file has text that was not sent: Never rush anything."]
    assert {child.grade for child in body.children} == {Grade.TEMPLATE}


def test_variables_inside_changed_text_are_named_and_get_no_value() -> None:
    filed = "{0}\nThe time is {{{{ world.time }}}} by the old clock of the tower.\n{1}"
    first, last = "Tell the story of the harbour slowly.", "Stop where the player can act, and wait for the answer."
    body = body_of(tree_of(filed.format(first, last), f"{first}\nIt rains today.\n{last}"))
    changed = [child for child in body.children if child.key.startswith("changed:")]

    assert [child.text for child in changed] == ["It rains today"]
    assert "{{ world.time }}" in str(changed[0].notes[-1])
    assert not any(child.origin.variable for child in body.children)


def test_several_variables_in_one_gap_are_one_span() -> None:
    filed = FILED.replace("{{ world.name }}.", "{{ world.name }} ({{ world.time }}) {{ world.weather }}.")
    body = body_of(tree_of(filed, SENT))
    joint = next(child for child in body.children if child.origin.variable == "world.name+world.time+world.weather")

    assert (joint.text, joint.grade) == ("Tidewater", Grade.GUESS)
    assert joint.notes


def test_a_value_that_holds_the_next_literal_gives_one_span() -> None:
    filed = "Name of the player: {{ player.name }}\nName of the world: {{ world.id }}\nThat is all there is."
    sent = "Name of the player: x\nName of the world: y\nName of the world: z\nThat is all there is."
    body = body_of(tree_of(filed, sent))

    assert [(child.key, child.text) for child in body.children] == [
        ("literal:0", "Name of the player: "),
        ("variable:player.name+world.id", "x\nName of the world: y\nName of the world: z"),
        ("literal:2", "\nThat is all there is."),
    ]


@pytest.mark.parametrize(("path", "value"), [("a", "x\nThe world: y"), ("b", "z")])
def test_an_expected_value_makes_a_boundary_certain(path: str, value: str) -> None:
    literals = ("Player: ", "\nThe world: ", "\nEnd")
    text = "Player: x\nThe world: y\nThe world: z\nEnd"
    found = find_completely(literals, ("a", "b"), text, 0, len(text), True, {path: value}.get)

    assert found is not None
    values = [text[stretch.start : stretch.end] for stretch in found if stretch.kind is StretchKind.VALUES]
    assert values == ["x\nThe world: y", "z"]


def test_neighbours_without_a_literal_are_not_said_to_be_empty() -> None:
    tree = tree_of("Both: {{ a }}{{ b }} end of the text.", "Both: one end of the text.")
    empty = tree_of("Both: {{ a }}{{ b }} end of the text.", "Both:  end of the text.")

    assert [child.key for child in body_of(tree).children] == ["literal:0", "variable:a+b", "literal:2"]
    assert not [absent for absent in tree.absent if absent.kind is Kind.BODY]
    gone = [absent.origin.variable for absent in empty.absent if absent.reason is AbsenceReason.EMPTY]
    assert gone == ["a", "b"]


WORDS = st.sampled_from(
    [
        "harbour ",
        "tide ",
        "keep to what is seen. ",
        "\n",
        "\n\n",
        "继续讲述港口的故事。",
        "海",
        "<card>\n",
        ". ",
        "(",
        "x",
    ]
)
SCRAPS = st.lists(WORDS, max_size=6).map("".join)


@st.composite
def edited_bodies(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    """Literals of the file, literals that were sent, values."""
    filed = [draw(SCRAPS) for _ in range(draw(st.integers(1, 4)))]
    sent = [
        literal[:at] + draw(st.sampled_from(["", "", "new ", "海"])) + literal[at + draw(st.integers(0, 3)) :]
        for literal in filed
        for at in [draw(st.integers(0, len(literal)))]
    ]
    return filed, sent, [draw(SCRAPS) for _ in filed[1:]]


def filled(literals: list[str], values: list[str]) -> str:
    return "".join(piece for pair in zip(literals, [*values, ""], strict=True) for piece in pair)


@settings(max_examples=300, deadline=None)
@given(edited_bodies(), st.sampled_from(["", "before"]))
def test_any_edited_body_is_tiled_by_true_runs(bodies: tuple[list[str], list[str], list[str]], ahead: str) -> None:
    filed, sent, values = bodies
    text = ahead + filled(sent, values)
    found = align(filed, text, len(ahead), len(text))
    if found is None:
        return

    assert 0.0 < found.score <= 1.0
    stretches = found.stretches
    assert (stretches[0].start, stretches[-1].end) == (len(ahead), len(text))
    assert all(one.end == other.start for one, other in pairwise(stretches))
    for stretch in stretches:
        if stretch.kind is StretchKind.LITERAL:
            assert filed[stretch.first].startswith(text[stretch.start : stretch.end], stretch.at)
        else:
            assert 0 <= stretch.first <= stretch.last < len(filed)


@settings(max_examples=300, deadline=None)
@given(edited_bodies(), st.booleans())
def test_a_value_that_is_no_guess_is_the_value(bodies: tuple[list[str], list[str], list[str]], knows: bool) -> None:
    filed, _, values = bodies
    paths = [f"p{number}" for number in range(len(values))]
    text = filled(filed, values)
    expected = dict(zip(paths, values, strict=True)) if knows else {}
    found = find_completely(filed, paths, text, 0, len(text), True, expected.get)

    assert found is not None
    assert "".join(text[stretch.start : stretch.end] for stretch in found) == text
    for stretch in found:
        told = text[stretch.start : stretch.end]
        if stretch.kind is StretchKind.LITERAL:
            assert told == filed[stretch.first]
        else:
            between = filed[stretch.first + 1 : stretch.last]
            assert told == filled(["", *between, ""], values[stretch.first : stretch.last])


@settings(max_examples=100, deadline=None)
@given(edited_bodies())
def test_a_request_with_an_edited_body_is_tiled(bodies: tuple[list[str], list[str], list[str]]) -> None:
    filed, sent, values = bodies
    body = "Tell it." + "".join(
        literal + (f"{{{{ p{number} }}}}" if number < len(values) else "") for number, literal in enumerate(filed)
    )
    tree = tree_of(body + "!", "Tell it." + filled(sent, values) + "!")

    for segment in tree.walk():
        keys = [child.key for child in segment.children]
        assert len(keys) == len(set(keys))
        if segment.key == "body" and segment.notes and segment.grade is Grade.TEMPLATE:
            firm = [leaf for leaf in segment.leaves() if leaf.origin.variable and leaf.grade is not Grade.GUESS]
            assert firm == []
