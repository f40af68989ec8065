"""The texts of a pair: marks, sentences in place of missing texts, copying, scrolling."""

import pytest
from compare_sides import first_turn, prepared
from hand_built_turns import TURN_11, leaf, tree
from PySide6.QtGui import QGuiApplication, QTextCursor

from covel_inspector.app.compare.pane_text import SHOWN_AT_FIRST
from covel_inspector.app.compare.row_building import RowOptions, build_rows
from covel_inspector.app.compare.rows import PairRow, walk
from covel_inspector.app.compare.text_panes import TextPanes
from covel_inspector.app.theme_colours import LIGHT
from covel_inspector.app.wording import Wording
from covel_inspector.domain import AbsenceReason, Absent, Group, Kind, plain


@pytest.fixture
def panes(qtbot) -> TextPanes:
    made = TextPanes(Wording("en"))
    qtbot.addWidget(made)
    made.apply_theme(LIGHT)
    made.resize(800, 200)
    made.show()
    yield made
    made.close_workers()


def row(shown, key: str, **options: bool) -> PairRow:
    rows = walk(build_rows(shown, Wording("en"), RowOptions(**options)))
    return next(one for one in rows if one.key == key)


def one_leaf(text: str):
    return tree([(Group.SYSTEM, [leaf("one", Kind.BODY, "One", text)])])


def test_changed_words_are_marked_on_both_sides(panes):
    panes.show_row(row(prepared(), "segment:character-sheets/player"), one_sided=False)
    words_a = [panes.a.source[start:end] for start, end in panes.a.edit.marked]
    words_b = [panes.b.source[start:end] for start, end in panes.b.edit.marked]
    assert words_a == ["7", "石阶"]
    assert words_b == ["6", "水边", "、半截绳子"]


def test_marks_stand_behind_wide_characters(panes):
    panes.show_row(row(prepared(one_leaf("🔥🔥 old end"), one_leaf("🔥🔥 new end")), "one"), one_sided=False)
    formats = panes.b.edit.document().firstBlock().layout().formats()
    changed = [one for one in formats if one.format.background().color().name() == LIGHT.word_added]
    assert [(one.start, one.length) for one in changed] == [(5, 3)]


def test_the_shared_prefix_is_shaded_to_its_last_character(panes):
    panes.show_row(row(prepared(one_leaf("🔥 same old"), one_leaf("🔥 same new")), "one"), one_sided=False)
    assert panes.b.edit.shared_end == len("🔥 same ")
    formats = panes.b.edit.document().firstBlock().layout().formats()
    assert [(one.start, one.length, one.format.background().color().name()) for one in formats] == [
        (0, 8, LIGHT.boundary),
        (8, 3, LIGHT.word_added),
    ]
    assert "8" not in panes.b.remark.text
    assert panes.b.remark.text == "shared up to character 7"


def test_a_segment_of_one_side_shares_nothing(panes):
    added = row(prepared(), "lore:tide")
    added.shared_ends = (None, 5)
    panes.show_row(added, one_sided=False)
    assert panes.b.remark.text == ""
    assert panes.b.edit.shared_end is None


def test_a_remark_is_said_as_a_whole_before_the_caption(panes, qtbot):
    panes.show_row(row(prepared(one_leaf("same old"), one_leaf("same new")), "one"), one_sided=False)
    panes.b.caption.say("A very long caption that does not fit beside the remark by any means, so that it gives way")
    panes.resize(640, 300)
    remark = panes.b.remark
    qtbot.waitUntil(lambda: remark.width() >= remark.sizeHint().width())
    assert panes.b.caption.width() < panes.b.caption.sizeHint().width()


def test_the_caption_names_branch_and_segment(panes):
    panes.show_row(row(prepared(), "segment:character-sheets/player"), one_sided=False)
    assert panes.b.caption.text == "Turn context · Player sheet"


def test_the_caption_of_a_moved_segment_names_the_branch_of_each_side(panes):
    lore, body = leaf("lore:x", Kind.LORE, "Lore · x", "words"), leaf("one", Kind.BODY, "One", "a")
    a = tree([(Group.SYSTEM, [body, lore]), (Group.MESSAGES, [leaf("two", Kind.HISTORY, "Two", "b")])])
    b = tree([(Group.SYSTEM, [body]), (Group.MESSAGES, [leaf("two", Kind.HISTORY, "Two", "b"), lore])])
    panes.show_row(row(prepared(a, b), "lore:x"), one_sided=False)
    assert panes.a.caption.text == "System prompt · Lore · x"
    assert panes.b.caption.text == "Messages · Lore · x"


def test_a_side_without_the_segment_says_so_and_why(panes):
    panes.show_row(row(prepared(), "lore:tide"), one_sided=False)
    assert not panes.a.has_text
    assert panes.a.notice.text == "Side A has no such segment.\nleft out: no key matched"
    assert panes.b.has_text


def test_what_was_left_out_can_be_read(panes):
    absent = Absent(
        "lore:x", Kind.LORE, plain("Lore · x"), AbsenceReason.NO_KEY, plain("no key"), "the words", after="one"
    )
    both = tree([(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a")])], (), [absent])
    panes.show_row(row(prepared(both, both), "absent:lore:x"), one_sided=False)
    assert panes.b.source == "the words"
    assert panes.b.caption.text == "Lore · x · left out: no key"


def test_b_alone_hides_the_pane_of_a(panes):
    panes.show_row(row(first_turn(), "body"), one_sided=True)
    assert not panes.a.isVisible()
    assert panes.b.has_text
    assert panes.b.edit.marked == ()


def test_no_row_asks_to_choose_one(panes):
    panes.show_row(None, one_sided=False)
    assert "Choose a segment" in panes.b.notice.text


def test_copying_gives_the_source(panes):
    source = "a\u00a0b\r\nc\u2028d🔥"
    panes.show_row(row(prepared(one_leaf(source), one_leaf(source)), "one"), one_sided=False)
    panes.b.edit.selectAll()
    panes.b.edit.copy()
    assert QGuiApplication.clipboard().text() == source


def test_a_lone_surrogate_is_drawn_and_copied_as_a_replacement(panes):
    source = "torn \ud83d half"
    panes.show_row(row(prepared(one_leaf(source), one_leaf(source)), "one"), one_sided=False)
    assert "D83D" in panes.b.edit.shown.display
    panes.b.edit.selectAll()
    panes.b.edit.copy()
    assert QGuiApplication.clipboard().text() == "torn \ufffd half"


def test_blanks_are_drawn_on_request(panes):
    panes.show_row(row(prepared(one_leaf("a b"), one_leaf("a b")), "one"), one_sided=False)
    panes.set_blanks(shown=True)
    assert panes.b.edit.shown.display == "a·b"
    assert panes.b.source == "a b"


def test_a_long_text_is_cut_until_all_is_asked_for(panes, qtbot):
    text = "一行。\n" * (SHOWN_AT_FIRST // 4 + 10)
    panes.show_row(row(prepared(one_leaf(text), one_leaf(text)), "one"), one_sided=False)
    assert panes.b.rest.isVisible()
    assert panes.b.edit.shown.is_cut
    panes.b.rest.click()
    assert not panes.b.rest.isVisible()
    assert not panes.b.edit.shown.is_cut


def test_large_texts_are_marked_when_the_comparison_is_ready(panes, qtbot):
    a = "\n".join(f"line number {number}" for number in range(2000))
    panes.show_row(
        row(prepared(one_leaf(a), one_leaf(a.replace("number 9\n", "number nine\n"))), "one"), one_sided=False
    )
    assert panes.b.remark.text == "comparing …"
    qtbot.waitUntil(lambda: bool(panes.b.edit.marked))
    assert [panes.b.source[start:end] for start, end in panes.b.edit.marked] == ["nine"]
    assert panes.b.remark.text != "comparing …"


def test_panes_scroll_together_by_what_lies_opposite(panes, qtbot):
    lines = [f"line {number}" for number in range(200)]
    b = ["new line"] * 30 + lines
    panes.show_row(row(prepared(one_leaf("\n".join(lines)), one_leaf("\n".join(b))), "one"), one_sided=False)
    panes.a.edit.verticalScrollBar().setValue(100)
    assert panes.b.edit.firstVisibleBlock().blockNumber() == 130
    panes.b.edit.verticalScrollBar().setValue(60)
    assert panes.a.edit.firstVisibleBlock().blockNumber() == 30


def test_the_first_change_comes_into_sight(panes, qtbot):
    lines = [f"line {number}" for number in range(300)]
    changed = [*lines[:200], "something else", *lines[201:]]
    shown = prepared(one_leaf("\n".join(lines)), one_leaf("\n".join(changed)))
    panes.show_row(row(shown, "one"), one_sided=False)
    for pane in (panes.a, panes.b):
        first = pane.edit.firstVisibleBlock().blockNumber()
        assert 180 < first <= 200


def test_messages_of_a_branch_are_set_apart_and_it_is_said(panes):
    panes.show_row(row(prepared(TURN_11, TURN_11), "history"), one_sided=False)
    assert "blank lines" in panes.a.remark.text


def test_a_text_can_be_selected_by_keyboard_but_not_changed(panes):
    panes.show_row(row(prepared(one_leaf("abc"), one_leaf("abc")), "one"), one_sided=False)
    edit = panes.b.edit
    edit.moveCursor(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor)
    assert edit.createMimeDataFromSelection().text() == "a"
    assert edit.isReadOnly()


def test_what_one_side_left_out_is_not_called_left_out_where_it_was_sent(panes):
    body = leaf("one", Kind.BODY, "One", "a")
    gone = [
        Absent(f"history:{n}", Kind.HISTORY, plain(f"Row {n}"), AbsenceReason.WINDOW, plain("old"), "told", after="one")
        for n in range(4)
    ]
    sent = tree([(Group.SYSTEM, [body, leaf("history:0", Kind.HISTORY, "Row 0", "told")])], (), gone[1:])
    shown = prepared(sent, tree([(Group.SYSTEM, [body])], (), gone))
    panes.show_row(row(shown, "absent:history:0"), one_sided=False)
    assert not panes.a.has_text
    assert panes.a.notice.text == "stands in the request"
    assert panes.b.source == "told"
