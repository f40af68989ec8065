"""The tree: keys, mouse, what stays open, and how it is painted."""

import pytest
from compare_sides import first_turn, prepared
from hand_built_turns import TURN_11, TURN_12
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from covel_inspector.app.compare.pairs_tree import PairsTree
from covel_inspector.app.compare.row_building import RowOptions, build_rows
from covel_inspector.app.compare.rows import Column, RowKind, walk
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.app.wording import Wording

HEADINGS = ("Segment A", "tokens", "", "Segment B", "", "tokens")


def fill(tree: PairsTree, shown, **options: bool) -> None:
    one_sided = shown.comparison is None
    tree.show_rows(build_rows(shown, Wording("en"), RowOptions(**options)), HEADINGS, one_sided=one_sided)


@pytest.fixture
def tree(qtbot) -> PairsTree:
    made = PairsTree()
    qtbot.addWidget(made)
    made.resize(900, 700)
    fill(made, prepared())
    made.show()
    qtbot.waitExposed(made)
    return made


def row(tree: PairsTree, key: str):
    return next(one for one in walk(tree.pairs.rows) if one.key == key)


def is_open(tree: PairsTree, key: str) -> bool:
    return tree.isExpanded(tree.pairs.index_of(row(tree, key)))


def test_it_begins_at_the_first_difference(tree):
    assert tree.current_row().key == "lore:tide"


def test_differences_are_walked_in_both_directions(tree):
    seen = [tree.current_row().key]
    while tree.choose_difference(1):
        seen.append(tree.current_row().key)
    assert seen[0] == "lore:tide"
    assert seen[-1] == "player-line"
    assert "history:p11" in seen
    back = [tree.current_row().key]
    while tree.choose_difference(-1):
        back.append(tree.current_row().key)
    assert back == seen[::-1]


def test_a_difference_in_a_closed_branch_opens_it(tree):
    assert not is_open(tree, "history")
    tree.choose(row(tree, "history:p11"))
    assert is_open(tree, "history")


def test_arrows_open_close_and_climb(tree, qtbot):
    tree.choose(row(tree, "history"))
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert is_open(tree, "history")
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.current_row().key == "history:p6"
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.current_row().key == "history"
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert not is_open(tree, "history")
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert is_open(tree, "history")


def test_down_steps_over_boundaries(tree, qtbot):
    tree.choose(row(tree, "preamble"))
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert tree.current_row().key == "body"


def test_control_and_arrows_ask_for_differences(tree, qtbot):
    with qtbot.waitSignal(tree.difference_wanted) as caught:
        qtbot.keyClick(tree, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert caught.args == [1]


def test_a_click_on_either_arrow_toggles(tree, qtbot):
    rect = tree.visualRect(tree.pairs.index_of(row(tree, "history")))
    for x in (10 + 16 + 9 + 8, 450 + 10 + 16 + 9 + 8):
        before = is_open(tree, "history")
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, rect.center().y()))
        assert is_open(tree, "history") is not before


def test_what_the_reader_opened_stays_open_in_the_next_turn(tree):
    tree.expand(tree.pairs.index_of(row(tree, "history")))
    tree.collapse(tree.pairs.index_of(row(tree, "turn-context")))
    fill(tree, prepared(TURN_12, TURN_11))
    assert is_open(tree, "history")
    assert not is_open(tree, "turn-context")


def test_the_current_segment_stays_current_in_the_next_turn(tree):
    tree.choose(row(tree, "segment:memory/notes"))
    fill(tree, prepared(TURN_12, TURN_11))
    assert tree.current_row().key == "segment:memory/notes"


def test_the_current_segment_keeps_its_height_on_screen_in_the_next_turn(tree, qtbot):
    tree.resize(900, 160)
    tree.expand_everything()
    tree.choose(row(tree, "history"))
    qtbot.wait(1)
    bar = tree.verticalScrollBar()
    bar.setValue(bar.value() + tree.visualRect(tree.currentIndex()).top() - 10)
    assert tree.visualRect(tree.currentIndex()).top() == 10
    tree.collapse(tree.pairs.index_of(row(tree, "body")))
    fill(tree, prepared(TURN_12, TURN_11), quiet=True)
    assert tree.visualRect(tree.currentIndex()).top() == 10


def test_all_rows_open_and_close(tree):
    tree.expand_everything()
    assert all(is_open(tree, one.key) for one in walk(tree.pairs.rows) if one.children)
    tree.collapse_everything()
    assert not any(is_open(tree, one.key) for one in walk(tree.pairs.rows) if one.children)


def test_the_choice_is_told(tree, qtbot):
    with qtbot.waitSignal(tree.row_chosen) as caught:
        tree.choose(row(tree, "body"))
    assert caught.args[0].key == "body"
    with qtbot.waitSignal(tree.row_chosen) as caught:
        tree.show_rows([], HEADINGS, one_sided=False)
    assert caught.args == [None]


def pixel(tree: PairsTree, key: str, x: int, dy: int = 0) -> QColor:
    rect = tree.visualRect(tree.pairs.index_of(row(tree, key)))
    image = tree.viewport().grab().toImage()
    ratio = image.width() / tree.viewport().width()
    return image.pixelColor(round(x * ratio), round((rect.top() + 3 + dy) * ratio))


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_tints(tree, colours):
    tree.apply_theme(colours)
    tree.choose(row(tree, "body"))
    right = tree.viewport().width() - 4
    assert pixel(tree, "lore:tide", right) == QColor(colours.added)
    assert pixel(tree, "turn-context", right) == QColor(colours.changed)
    assert pixel(tree, "segment:world-init/dimensions", right) != QColor(colours.changed)


def test_the_empty_half_is_hatched(tree):
    tree.choose(row(tree, "body"))
    rect = tree.visualRect(tree.pairs.index_of(row(tree, "lore:tide")))
    image = tree.viewport().grab().toImage()
    ratio = image.width() / tree.viewport().width()
    seen = {image.pixelColor(round(x * ratio), round((rect.top() + 4) * ratio)).name() for x in range(250, 400)}
    assert len(seen) > 1


def test_the_current_row_is_outlined_across_both_halves(tree):
    tree.choose(row(tree, "body"))
    for x in (200, tree.viewport().width() - 60):
        assert pixel(tree, "body", x, dy=-2) == QColor(LIGHT.accent)


def test_boundary_rows_are_lower_than_others(tree):
    heights = {
        one.kind: tree.visualRect(tree.pairs.index_of(one)).height()
        for one in walk(tree.pairs.rows)
        if one.key in ("boundary:1", "body")
    }
    assert 0 < heights[RowKind.BOUNDARY] < heights[RowKind.PAIR]


def test_b_alone_takes_the_whole_width(tree):
    fill(tree, first_turn())
    assert tree.columnWidth(0) == 0
    assert tree.visualRect(tree.pairs.index_of(row(tree, "body"), 3)).height() > 0
    assert tree.columnWidth(3) > 450


def test_without_differences_it_begins_at_the_first_words(qtbot):
    tree = PairsTree()
    qtbot.addWidget(tree)
    fill(tree, first_turn())
    assert tree.current_row().key == "preamble"


def test_larger_letters_make_higher_rows(tree):
    before = tree.visualRect(tree.pairs.index_of(row(tree, "body"))).height()
    font = tree.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    tree.setFont(font)
    tree.doItemsLayout()
    assert tree.visualRect(tree.pairs.index_of(row(tree, "body"))).height() > before * 1.5


def test_the_current_row_stays_in_sight_when_keys_move_it(tree, qtbot):
    tree.expand_everything()
    tree.resize(900, 160)
    tree.setFocus()
    for _ in range(12):
        qtbot.keyClick(tree, Qt.Key.Key_Down)
    shown = tree.visualRect(tree.currentIndex())
    assert tree.viewport().rect().contains(shown.center())
    assert tree.verticalScrollBar().value() > 0


def test_headings_become_short_before_they_are_cut(tree, qtbot):
    headings = ("Segment A · turn 11 · narrator", "tokens", "", "Segment B · turn 12 · narrator", "", "tokens")
    short = {Column.A_TITLE: "A · turn 11 · narrator", Column.B_TITLE: "B · turn 12 · narrator"}
    rows = build_rows(prepared(), Wording("en"), RowOptions())

    def said() -> list[str]:
        return [tree.model().headerData(column, Qt.Orientation.Horizontal) for column in short]

    tree.show_rows(rows, headings, one_sided=False, short=short)
    assert said() == [headings[Column.A_TITLE], headings[Column.B_TITLE]]
    tree.resize(420, 700)
    qtbot.waitUntil(lambda: said() == list(short.values()))
    tree.resize(1200, 700)
    qtbot.waitUntil(lambda: said() == [headings[Column.A_TITLE], headings[Column.B_TITLE]])
