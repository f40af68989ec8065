"""Copies of lorebook entries in texts of others, and entries that were not in: never an exact claim."""

import pytest
from known_pieces import (
    HOUSE,
    LATER,
    RULE,
    RULE_ENTRY,
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
    usual,
    whole,
    wrong_claims,
)
from small_story import Story

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.records.naming import SENTINEL

OWN = Piece(HOUSE, Kind.EXTENSION, segment="house")
GAP = Piece("\n\n", Kind.SEPARATOR)
OPEN_NOW = "It is open now."


@pytest.fixture
def story() -> Story:
    return told_story()


def prompt(story: Story, *parts: Piece) -> list[Sent]:
    """A request whose system prompt ends with pieces between blank lines, behind the stable segments' mark."""
    joined = [piece for part in parts for piece in (GAP, part)]
    start = head(OWN, Piece("", Kind.SEPARATOR)).pieces[:-2]
    return [Sent("system", (*start, *joined)), *past(story), *now(story)]


def made_by_code(text: str) -> Piece:
    return Piece(text, Kind.EXTENSION)


def holds(story: Story, sent: list[Sent]) -> set[str]:
    tree = attributed(story, sent)
    assert wrong_claims(tree, sent) == []
    return exact_keys(tree)


def test_the_layout_of_these_tests_is_claimed(story: Story) -> None:
    assert "lore:rule" in holds(story, prompt(story, RULE_ENTRY))


@pytest.mark.parametrize("keys", [["gate"], [""], []])
def test_an_entry_that_nothing_could_wake_is_a_guess(story: Story, keys: list[str]) -> None:
    story.lore = (*story.lore, lore_row("door", OPEN_NOW, keys=keys, insertion_order=200))
    sent = prompt(story, RULE_ENTRY, made_by_code(f"[Lore: door]\n{OPEN_NOW}"))
    assert "lore:door" not in holds(story, sent)


def test_a_constant_entry_needs_no_key(story: Story) -> None:
    story.lore = (lore_row("rule", RULE, keys=[], strategy="constant"),)
    assert "lore:rule" in holds(story, prompt(story, RULE_ENTRY))


@pytest.mark.parametrize("line", ["I go to the GATE.", "Which gate?"])
def test_a_key_in_the_line_or_in_an_older_message_wakes(story: Story, line: str) -> None:
    story.lore = (lore_row("rule", RULE, keys=["gate"]),)
    story.current = line
    assert "lore:rule" in holds(story, prompt(story, RULE_ENTRY))
    story.current, story.lines = "I sit.", (line, *story.lines[1:])
    assert "lore:rule" in holds(story, prompt(story, RULE_ENTRY))


def test_a_copy_inside_a_tagged_block_is_no_entry(story: Story) -> None:
    story.lore = (*story.lore, lore_row("door", OPEN_NOW, insertion_order=200))
    block = made_by_code(f"<memory>\nShe wrote:\n\n[Lore: door]\n{OPEN_NOW}\n\nThen she left.\n</memory>")
    assert holds(story, prompt(story, RULE_ENTRY, block)) >= {"lore:rule"}


def test_behind_a_text_of_unknown_source_an_entry_may_be_a_part_of_it(story: Story) -> None:
    changed = lore_row("tower", "New text.", extra={"title": "Tower II"}, updated_at=LATER)
    story.lore = (*story.lore, lore_row("door", OPEN_NOW), changed)
    old = Piece(f"[Lore: tower]\nOld:\n\n[Lore: door]\n{OPEN_NOW}", Kind.LORE, "tower")
    marked = [Sent("system", (*prompt(story, old, RULE_ENTRY)[0].pieces, Piece(SENTINEL, Kind.MARK)))]
    assert "lore:door" not in holds(story, [*marked, *past(story), *now(story)])


def test_entries_out_of_their_order_are_guesses(story: Story) -> None:
    events = Piece("<available-events>\n- a: b\n\nCall it.\n</available-events>", Kind.EVENTS)
    first, second = (lore_row(name, text, "before_plugin") for name, text in (("a", "One."), ("b", "Two.")))
    story.lore = (first.model_copy(update={"insertion_order": 10}), second.model_copy(update={"insertion_order": 20}))
    assert holds(story, prompt(story, lore("a", "One."), lore("b", "Two."), events)) >= {"lore:a", "lore:b"}
    turned = exact_keys(attributed(story, prompt(story, lore("b", "Two."), lore("a", "One."), events)))
    assert not turned & {"lore:a", "lore:b"}


def test_an_entry_that_was_switched_off_later_rivals_an_equal_one(story: Story) -> None:
    off = lore_row("off", RULE, extra={"title": "rule"}, enabled=False, updated_at=LATER)
    story.lore = (*story.lore, off)
    sent = prompt(story, Piece(f"[Lore: rule]\n{RULE}", Kind.LORE, "off"))
    assert not holds(story, sent) & {"lore:rule", "lore:off"}
    story.lore = (off,)
    (leaf,) = (leaf for leaf in attributed(story, sent).leaves() if leaf.kind is Kind.LORE)
    assert (leaf.key, leaf.grade) == ("lore:off", Grade.GUESS)
    story.lore = (off.model_copy(update={"updated_at": "2025-01-01T00:00:00.000Z"}),)
    assert not any(leaf.kind is Kind.LORE for leaf in attributed(story, sent).leaves())


def test_a_label_that_is_a_word_of_the_heading_rivals_the_true_one(story: Story) -> None:
    story.lore = (lore_row("a", RULE, extra={"title": "Lore"}), lore_row("b", RULE, extra={"title": "rule"}))
    sent = prompt(story, Piece(f"[Lore: rule]\n{RULE}", Kind.LORE, "b"))
    assert "lore:a" not in holds(story, sent)


def test_of_two_equal_entries_in_the_conversation_none_is_sure(story: Story) -> None:
    depth = {"coordinate": {"depth": 2}}
    story.lore = tuple(lore_row(name, "Quiet.", "at_depth", extra={**depth, "title": "k"}) for name in "ab")
    sent = usual(story)
    sent.insert(6, whole("system", "[Lore: k]\nQuiet.", Kind.LORE, "b"))
    assert not holds(story, sent) & {"lore:a", "lore:b"}


def test_many_equal_entries_take_no_long_time(story: Story) -> None:
    story.lore = tuple(lore_row(f"e{number}", "Same.", extra={"title": "k"}) for number in range(2_000))
    sent = prompt(story, *[made_by_code("[Lore: k]\nSame.")] * 2_000)
    assert not any(key.startswith("lore:") for key in exact_keys(attributed(story, sent)))
