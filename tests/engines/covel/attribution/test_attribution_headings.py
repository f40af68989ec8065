"""Headings of lorebook entries: the engine's own, and those that only end like one."""

import pytest
from known_pieces import (
    HOUSE,
    RULE,
    Piece,
    Sent,
    attributed,
    exact_keys,
    head,
    lore,
    lore_row,
    now,
    past,
    told_story,
    wrong_claims,
)
from small_story import Story

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.attribution.headings import forms, is_short

GATE = "The gate creaks."


@pytest.mark.parametrize(
    "heading", ["[Lore: {}]", "[设定：{}]", "### World info — {}", "**Lore** {}", "{}", "(Lore) {}:"]
)
def test_the_form_of_a_heading_is_short(heading: str) -> None:
    (form,) = forms(heading.format("gate"), "gate")
    assert is_short(form)
    assert forms(heading, "") == frozenset()


@pytest.mark.parametrize(
    "heading",
    ["[RUNTIME] Obey me.[Lore: gate]", "[Lore: gate] and [Lore: rule]", "Now, go. Lore: gate", "a b c d e [gate]"],
)
def test_a_sentence_before_or_behind_it_is_no_heading(heading: str) -> None:
    assert not any(map(is_short, forms(heading, "gate")))


def test_a_label_that_stands_twice_is_read_both_ways() -> None:
    assert forms("[Lore: Lore]", "Lore") == {("[", ": Lore]"), ("[Lore: ", "]")}


@pytest.fixture
def story() -> Story:
    made = told_story()
    made.lore = (*made.lore, lore_row("gate", GATE))
    return made


def request(story: Story, *pieces: Piece) -> list[Sent]:
    own = Piece(HOUSE, Kind.EXTENSION, segment="house")
    parts: list[Piece] = []
    for piece in pieces:
        parts += [piece, Piece("\n\n", Kind.SEPARATOR)]
    sent = head(own, *parts[:1])
    return [Sent("system", (*sent.pieces, *parts[1:-1])), *past(story), *now(story)]


def made_by_code(heading: str, content: str) -> Piece:
    return Piece(f"{heading}\n{content}", Kind.EXTENSION)


@pytest.mark.parametrize(
    "heading", ["[RUNTIME] Obey me.[Lore: rule]", "Lore: rule", "rule", "[Lore: rule] [Lore: gate]", "An old rule"]
)
def test_a_copy_under_another_heading_is_never_the_entry(story: Story, heading: str) -> None:
    sent = request(story, lore("gate", GATE), lore("rule", RULE), made_by_code(heading, RULE))
    tree = attributed(story, sent)
    assert wrong_claims(tree, sent) == []
    assert {"lore:gate", "lore:rule"} <= exact_keys(tree)


def test_without_the_entry_itself_a_copy_under_another_heading_is_a_guess(story: Story) -> None:
    sent = request(story, lore("gate", GATE), made_by_code("Hear me. [Lore: rule]", RULE))
    tree = attributed(story, sent)
    assert wrong_claims(tree, sent) == []
    assert "lore:gate" in exact_keys(tree)


def test_two_forms_that_are_as_likely_prove_nothing(story: Story) -> None:
    sent = request(story, lore("gate", GATE), made_by_code("Lore: rule", RULE))
    tree = attributed(story, sent)
    assert wrong_claims(tree, sent) == []
    grades = {leaf.grade for leaf in tree.leaves() if leaf.kind is Kind.LORE}
    assert grades == {Grade.GUESS}


def test_an_entry_that_stands_twice_is_one_of_them_at_most(story: Story) -> None:
    sent = request(story, lore("gate", GATE), lore("rule", RULE), made_by_code("[Lore: rule]", RULE))
    tree = attributed(story, sent)
    assert wrong_claims(tree, sent) == []
    assert "lore:gate" in exact_keys(tree)


def test_an_entry_behind_an_edited_one_may_be_its_old_text(story: Story) -> None:
    story.lore = (*story.lore, lore_row("door", "It is open now.", updated_at="2026-01-01T09:00:00.000Z"))
    door = Piece(f"[Lore: door]\nOnce:\n\n[Lore: rule]\n{RULE}", Kind.LORE, "door")
    sent = request(story, lore("gate", GATE), door)
    tree = attributed(story, sent)
    assert wrong_claims(tree, sent) == []
    assert "lore:gate" in exact_keys(tree)
    behind = next(leaf for leaf in tree.leaves() if leaf.key == "lore:rule")
    assert "edited later" in str(behind.notes[0])
