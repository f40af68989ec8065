"""The whole compare view, as the shell uses it."""

import json
from dataclasses import replace

import pytest
from compare_sides import first_turn, prepared, side
from hand_built_turns import TURN_11, TURN_12
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from covel_inspector.app.compare.header_card import NO_CACHED
from covel_inspector.app.compare.row_building import RowOptions
from covel_inspector.app.compare.rows import walk
from covel_inspector.app.compare.view import CompareView
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.state import Mode
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.app.verdict_words import verdict_look
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Changes, Difference, Group, Kind, Status, Verdict, plain


@pytest.fixture
def view(qtbot) -> CompareView:
    made = CompareView(Wording("en"))
    qtbot.addWidget(made)
    made.apply_theme(LIGHT)
    made.resize(958, 675)
    made.show_sides(prepared())
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.panes.close_workers()


def keys(view: CompareView) -> set[str]:
    return {row.key for row in walk(view.tree.pairs.rows)}


def test_the_cards_say_title_tokens_cache_and_verdict(view):
    assert view.card_b.title.text == "B · turn 12 · narrator"
    assert view.card_b.tokens.text.endswith(" tok")
    assert "four letters" in view.card_b.tokens.toolTip()
    assert view.card_b.cached.text == "cached 40\u202f%"
    assert view.card_b.verdict.text == "✓ rebuilt identical"


@pytest.mark.parametrize("status", list(Status))
def test_every_verdict_has_a_sign_and_words(status):
    label, tone = verdict_look(Verdict(status, plain("because")))
    assert str(label)[0] in "✓≠∅○"
    assert hasattr(LIGHT, tone)


def test_in_a_what_if_both_sides_tell_what_a_cache_could_keep(view):
    both = prepared()
    changed = replace(both.b, changes=Changes(), kept=0)
    view.show_sides(replace(both, a=replace(both.a, kept=both.a.figures.total), b=changed))
    assert view.card_a.cached.text == "prefix kept 100\u202f%"
    assert view.card_b.cached.text == "prefix kept 0\u202f%"
    assert "with the same changes" in view.card_b.cached.toolTip()
    assert "with the same changes" not in view.card_a.cached.toolTip()


def test_a_verdict_counts_its_differences():
    one = Difference(Group.SYSTEM, plain("x"), None, None, plain("y"))
    assert str(verdict_look(Verdict(Status.DIFFERS, plain(""), (one,)))[0]) == "≠ differs in 1 place"
    assert str(verdict_look(Verdict(Status.DIFFERS, plain(""), (one, one, one)))[0]) == "≠ differs in 3 places"


def test_a_narrow_card_keeps_its_title_and_shortens_the_verdict(view, qtbot):
    one = Difference(Group.SYSTEM, plain("x"), None, None, plain("y"))
    shown = prepared()
    view.show_sides(replace(shown, b=replace(shown.b, verdict=Verdict(Status.DIFFERS, plain(""), (one, one)))))
    assert view.card_b.verdict.text == "≠ differs in 2 places"
    view.resize(560, 600)
    qtbot.waitUntil(lambda: view.card_b.verdict.text == "≠ 2")
    assert view.card_b.verdict.accessibleName() == "≠ differs in 2 places"
    assert "differs in 2 places" in view.card_b.verdict.toolTip()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status.IDENTICAL, "✓ identical · 66\u202f% independent"),
        (Status.NORMALISED, "✓ same after normalisation · 66\u202f% independent"),
    ],
)
def test_a_verdict_says_how_much_was_rebuilt_without_the_recording(view, qtbot, status, words):
    shown = prepared()
    verdict = Verdict(status, plain("the same"), independent=66, total=100)
    view.show_sides(replace(shown, b=replace(shown.b, verdict=verdict)))
    view.resize(1500, 700)
    qtbot.waitUntil(lambda: view.card_b.verdict.text == words)
    view.resize(700, 700)
    qtbot.waitUntil(lambda: view.card_b.verdict.text == "✓ 66\u202f%")
    assert view.card_b.verdict.accessibleName() == words
    assert "66\u202f% of the rebuilt text comes from rows and files" in view.card_b.verdict.toolTip()


def test_in_a_narrow_card_the_turn_outlives_the_figures(view, qtbot):
    view.resize(1500, 700)
    qtbot.waitUntil(lambda: view.card_b.cached.isVisible() and view.card_b.tokens.isVisible())
    for card in (view.card_a, view.card_b):
        font = card.font()
        font.setPointSizeF(font.pointSizeF() * 2)
        card.setFont(font)
    view.resize(720, 700)
    qtbot.waitUntil(lambda: not view.card_b.cached.isVisible())
    title = view.card_b.title
    assert not view.card_b.tokens.isVisible() or view.card_b.wanted_width(NO_CACHED, names_whole=False) <= 360
    view.card_b.show_count(None)
    assert not view.card_b.cached.isVisible()
    view.resize(560, 700)
    qtbot.waitUntil(lambda: not view.card_b.tokens.isVisible())
    turn = title.fontMetrics().horizontalAdvance("B · turn 12")
    qtbot.waitUntil(lambda: title.width() > turn)


def test_a_choice_reaches_shell_panes_and_maps(view, qtbot):
    body = next(segment for segment in TURN_12.walk() if segment.kind is Kind.BODY)
    with qtbot.waitSignal(view.segment_selected) as caught:
        view.card_b.map.segment_clicked.emit(body)
    assert caught.args[0].b is body
    assert view.panes.b.source == body.text


def test_differences_from_first_to_last(view):
    seen = 1
    while view.next_difference():
        seen += 1
    assert seen == 6
    assert not view.next_difference()
    while view.previous_difference():
        seen -= 1
    assert seen == 1


def test_the_first_turn_is_shown_alone_with_the_reason(view):
    view.show_sides(first_turn())
    assert not view.card_a.isVisible()
    assert view.remark.text() == "This is the first turn of this runtime."
    assert view.pages.currentWidget() is view.structure
    assert not view.panes.a.isVisible()


def test_a_call_without_a_request_explains_itself(view):
    concealed = Side("s:1:r:0", plain("turn 1 · r"), message=plain("The engine conceals this call."))
    view.show_sides(Prepared(side(TURN_11, 11), concealed))
    assert view.pages.currentWidget() is view.notice
    assert view.notice.text == "The engine conceals this call."
    assert keys(view) == set()


def test_nothing_open_asks_to_choose_a_turn(view, qtbot):
    with qtbot.waitSignal(view.segment_selected) as caught:
        view.show_sides(None)
    assert caught.args == [None]
    assert "Choose a turn" in view.notice.text
    assert not view.card_b.isVisible()


def test_a_partner_without_a_request_says_why(view):
    missing = Side("s:11:narrator:0", plain("turn 11 · narrator"), message=plain("Row 7 is broken."))
    view.show_sides(Prepared(missing, side(TURN_12, 12)))
    assert view.remark.text() == "Nothing to compare with: Row 7 is broken."


def test_a_rebuilt_request_that_was_not_recorded_says_so(view):
    remark = plain("Not recorded, but rebuilt: x")
    view.show_sides(Prepared(side(TURN_11, 11), side(TURN_12, 12, message=remark), prepared().comparison))
    assert view.remark.text() == "Not recorded, but rebuilt: x"


def test_modes(view):
    view.set_mode("read")
    assert view.pages.currentWidget() is view.read
    view.set_mode(Mode.STRUCTURE)
    assert view.pages.currentWidget() is view.structure


def test_a_click_in_the_prose_selects_the_row(view):
    view.set_mode(Mode.READ)
    line = next(segment for segment in TURN_12.walk() if segment.key == "history:p8")
    view.read.segment_clicked.emit(line)
    assert view.tree.current_row().key == "history:p8"


def test_the_keyboard_goes_round_tree_a_and_b(view, qtbot):
    view.tree.setFocus()
    qtbot.waitUntil(view.tree.hasFocus)
    for widget in (view.panes.a.edit, view.panes.b.edit, view.tree):
        if widget is view.panes.a.edit:
            view.next_difference()  # The first difference has no A, so its pane cannot take the keyboard.
            view.choose_segment(next(s for s in TURN_12.walk() if s.kind is Kind.BODY))
        view.switch_side()
        assert widget.hasFocus()


def test_options_show_and_hide(view):
    assert "separator:0" not in keys(view)
    view.set_options(RowOptions(quiet=True))
    assert "separator:0" in keys(view)
    assert view.panes.b.edit.shown.blanks


def test_the_menu_copies_texts_and_keys(view):
    view.choose_segment(next(s for s in TURN_12.walk() if s.key == "player-line"))
    view.menu.prepare_for(view.tree.current_row(), prepared())
    view.menu.copy_b.trigger()
    assert QGuiApplication.clipboard().text() == view.panes.b.source
    view.menu.copy_key.trigger()
    assert QGuiApplication.clipboard().text() == "player-line"


def test_copy_in_the_tree_takes_the_whole_text(view, qtbot):
    view.choose_segment(next(s for s in TURN_12.walk() if s.key == "body"))
    qtbot.keyClick(view.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == view.panes.b.source


def test_the_menu_leads_to_the_calls(view, qtbot):
    view.menu.prepare_for(view.tree.current_row(), prepared())
    with qtbot.waitSignal(view.address_wanted) as caught:
        view.menu.go_a.trigger()
    assert caught.args == ["watch:11:narrator:0"]


def test_the_menu_switches_options(view):
    view.menu.quiet.trigger()
    assert view.options.quiet
    view.menu.absent.trigger()
    assert not view.options.absent


def test_state_comes_back(view, qtbot):
    view.set_options(RowOptions(quiet=True, absent=False))
    view.tree.expand(view.tree.pairs.index_of(view.tree.row_at(("messages", "history"))))
    state = json.loads(json.dumps(view.export_state()))
    other = CompareView(Wording("en"))
    qtbot.addWidget(other)
    other.apply_state(state)
    other.show_sides(prepared())
    assert other.options == RowOptions(quiet=True, absent=False)
    assert other.tree.isExpanded(other.tree.pairs.index_of(other.tree.row_at(("messages", "history"))))


@pytest.mark.parametrize("damaged", [None, 7, [], {"structure": 5, "open": [[1, "x"], "y", [True]], "quiet": "yes"}])
def test_a_damaged_state_costs_nothing(view, damaged):
    view.apply_state(damaged)
    assert view.options == RowOptions()
    assert keys(view)


def test_chinese_reads_chinese(qtbot):
    made = CompareView(Wording("zh-CN"))
    qtbot.addWidget(made)
    made.resize(1200, 600)
    made.show_sides(prepared())
    assert "分段" in made.tree.pairs.headerData(0, Qt.Orientation.Horizontal)
    assert made.card_b.verdict.text == "✓ 重建结果一致"


@pytest.mark.parametrize("colours", [LIGHT, DARK])
@pytest.mark.parametrize("mode", list(Mode))
def test_something_is_painted_in_both_themes(view, colours, mode):
    view.apply_theme(colours)
    view.set_mode(mode)
    image = view.grab().toImage()
    assert len({image.pixelColor(x, y).name() for x in range(0, 900, 7) for y in range(0, 600, 7)}) > 8


@pytest.mark.parametrize("mode", list(Mode))
def test_everything_grows_with_the_letters(view, qtbot, mode):
    view.set_mode(mode)
    before = view.card_b.tokens.sizeHint().height(), view.card_b.map.sizeHint().height()
    line = view.read.b.document().documentLayout().documentSize().height()
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    view.setFont(font)
    assert view.card_b.tokens.sizeHint().height() > before[0] * 1.5
    assert view.card_b.map.sizeHint().height() > before[1]
    if mode is Mode.READ:
        assert view.read.b.document().documentLayout().documentSize().height() > line


def test_widgets_have_accessible_names(view):
    for widget in (view.tree, view.panes.b.edit, view.card_b.map, view.card_b.title, view.card_b.verdict):
        assert widget.accessibleName()


def test_names_in_a_heading_give_way_before_its_figures(view, qtbot):
    shown = prepared()
    title = plain("turn 12 · a-runtime-with-a-long-name · never sent")
    view.show_sides(replace(shown, b=replace(shown.b, title=title)))
    view.resize(1600, 600)
    qtbot.waitUntil(lambda: view.card_b.width() > 700)
    assert view.card_b.title.shown == "B · turn 12 · a-runtime-with-a-long-name · never sent"
    view.resize(760, 600)
    qtbot.waitUntil(lambda: view.card_b.width() < 400)
    assert view.card_b.tokens.isVisible()
    assert view.card_b.title.shown.startswith("B · turn 12 · a-")
    assert view.card_b.title.shown.endswith("… · never sent")
    qtbot.waitUntil(lambda: not view.card_b.title.is_elided)
    view.resize(420, 600)
    qtbot.waitUntil(lambda: view.card_b.width() < 230)
    assert not view.card_b.tokens.isVisible()
