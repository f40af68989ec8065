"""Texts for a widget, and the way back to the source."""

import pytest
from hand_built_turns import TURN_12, leaf, tree

from covel_inspector.app.compare.pane_text import PaneText, segment_text
from covel_inspector.domain import Group, Kind

NASTY = "a\u00a0b\r\nc\u2028d\ud800e\x00f𠮷g🔥\ufeffh\ti"


@pytest.mark.parametrize("blanks", [False, True])
def test_every_position_of_the_source_comes_back(blanks):
    text = PaneText(NASTY, blanks=blanks)
    for index in range(len(NASTY) + 1):
        assert text.to_source(text.to_display(index)) == index


def test_nothing_is_left_that_a_widget_would_rewrite():
    display = PaneText(NASTY).display
    assert not set("\u00a0\r\u2028\ud800\x00\ufeff") & set(display)
    assert "𠮷" in display


def test_a_selection_gives_the_source():
    text = PaneText(NASTY)
    assert text.source_between(0, text.to_display(len(NASTY))) == NASTY
    assert text.source_between(text.to_display(7), text.to_display(9)) == NASTY[7:9]


def test_half_a_mark_counts_as_the_whole_character():
    text = PaneText("a\u00a0b")
    assert text.source_between(text.to_display(1), text.to_display(1) + 2) == "\u00a0"


def test_a_long_text_is_cut_and_says_so():
    text = PaneText("x" * 50, limit=20)
    assert text.is_cut
    assert text.display == "x" * 20
    assert text.to_display(40) == 20
    assert not PaneText("x" * 20, limit=20).is_cut


def test_blanks_are_marked_on_request():
    assert PaneText("a b\tc", blanks=True).display == "a·b→c"
    assert PaneText("a b\tc").display == "a b\tc"


def test_messages_of_a_branch_are_set_apart():
    history = next(segment for segment in TURN_12.walk() if segment.key == "history")
    text, is_set_apart = segment_text(history)
    assert is_set_apart
    assert text.count("\n\n") >= len(history.children) - 1


def test_pieces_of_one_message_are_joined_as_they_stand():
    both = tree([(Group.SYSTEM, [leaf("a", Kind.BODY, "A", "one "), leaf("b", Kind.LORE, "B", "two")])])
    assert segment_text(both.groups[0]) == ("one two", False)
