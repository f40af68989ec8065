"""Requests as prose."""

import pytest
from compare_sides import first_turn, prepared
from hand_built_turns import TURN_11, TURN_12, leaf, tree
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor

from covel_inspector.app.compare.passages import partners_of
from covel_inspector.app.compare.read_alignment import anchors
from covel_inspector.app.compare.read_view import MEASURE, ReadView
from covel_inspector.app.theme_colours import LIGHT, kind_colour
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Group, Kind


@pytest.fixture
def view(qtbot) -> ReadView:
    made = ReadView(Wording("en"))
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.apply_theme(LIGHT)
    made.show_sides(prepared())
    made.show()
    qtbot.waitExposed(made)
    return made


def block_with(page, words: str):
    block = page.document().firstBlock()
    while block.isValid() and words not in block.text():
        block = block.next()
    assert block.isValid(), words
    return block


def click(qtbot, page, words: str) -> None:
    rect = page.document().documentLayout().blockBoundingRect(block_with(page, words))
    page.verticalScrollBar().setValue(int(rect.top()) - 20)
    y = int(rect.center().y()) - page.verticalScrollBar().value()
    qtbot.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=page.viewport().rect().topLeft() + _point(60, y))


def _point(x: int, y: int):
    from PySide6.QtCore import QPoint

    return QPoint(x, y)


def test_nothing_is_written_while_it_is_hidden(qtbot):
    made = ReadView(Wording("en"))
    qtbot.addWidget(made)
    made.show_sides(prepared())
    assert made.b.passages == []
    made.show()
    assert made.b.passages


def test_captions_say_what_happened(view):
    assert block_with(view.b, "+ Lore · 潮汐表 after — only in B").isValid()
    assert block_with(view.a, "≠ Turn context · Player sheet — changed").isValid()


def test_changed_words_are_marked(view):
    block = block_with(view.b, "姓名:伊兰")
    marked = [
        block.text()[one.start : one.start + one.length]
        for one in block.textFormats()
        if one.format.background().color().name() == LIGHT.word_added
    ]
    assert marked == ["6", "水边"]


def test_a_click_chooses_a_segment(view, qtbot):
    with qtbot.waitSignal(view.segment_clicked) as caught:
        click(qtbot, view.b, "Summary · turns 1–6")
    assert caught.args[0].key == "summary:s1"


def test_a_click_unfolds(view, qtbot):
    click(qtbot, view.b, "Tool · roll")
    assert block_with(view.b, '{"type":"function"').isValid()
    assert block_with(view.a, '{"type":"function"').isValid()


def test_a_chosen_pair_comes_into_sight_on_both_sides(view):
    pair = next(pair for pair in prepared(TURN_11, TURN_12).comparison.walk() if pair.key == "player-line")
    view.mark_selected(pair)
    for page in (view.a, view.b):
        rect = page.document().documentLayout().blockBoundingRect(block_with(page, "Player line"))
        assert 0 <= rect.top() - page.verticalScrollBar().value() <= page.viewport().height()


def top_of(page, number: int) -> float:
    block = page.document().findBlockByNumber(page._first_block[number])
    return page.document().documentLayout().blockBoundingRect(block).top()


def heights_of_pairs(view) -> list[tuple[float, float]]:
    pairs = anchors(view.a.passages, view.b.passages, partners_of(view._prepared.comparison))
    return [(top_of(view.a, a), top_of(view.b, b)) for a, b in pairs]


def is_level(view) -> bool:
    heights = heights_of_pairs(view)
    whole = [page.document().documentLayout().documentSize().height() for page in (view.a, view.b)]
    return all(abs(a - b) < 1 for a, b in [*heights, whole])


def test_the_same_segment_stands_at_the_same_height(view, qtbot):
    assert len(heights_of_pairs(view)) > 5
    assert is_level(view)
    view.splitter.setSizes([300, 600])
    qtbot.waitUntil(lambda: view.a.width() < 400 and is_level(view))
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 1.6)
    view.setFont(font)
    qtbot.waitUntil(lambda: is_level(view))


def test_both_documents_scroll_together_with_one_bar(view):
    assert view.a.verticalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    view.b.verticalScrollBar().setValue(200)
    assert view.a.verticalScrollBar().value() == 200
    view.a.verticalScrollBar().setValue(90)
    assert view.b.verticalScrollBar().value() == 90


def test_a_side_without_the_segment_has_hatching_beside_it(view):
    pair = next(pair for pair in prepared(TURN_11, TURN_12).comparison.walk() if pair.key == "lore:tide")
    view.mark_selected(pair)
    rect = view.b.document().documentLayout().blockBoundingRect(block_with(view.b, "Lore · 潮汐表"))
    top = int(rect.top()) - view.b.verticalScrollBar().value()
    assert 0 <= top <= view.b.viewport().height()
    assert view.a.verticalScrollBar().value() == view.b.verticalScrollBar().value()
    beside = view.a.viewport().grab(QRect(40, top, 200, 30)).toImage()
    colours = {beside.pixelColor(x, y).name() for x in range(beside.width()) for y in range(beside.height())}
    assert len(colours) > 1
    assert {QColor(LIGHT.ground).name()} < colours


def test_what_is_at_the_top_stays_there_when_lines_become_longer(view, qtbot):
    view.b.scroll_to_key(view.b.passages[-2].key)
    top = view.b.key_at_top()
    view.resize(700, 600)
    qtbot.waitUntil(lambda: is_level(view))
    assert view.b.key_at_top() == top


def test_large_documents_are_levelled_after_they_are_painted(qtbot, monkeypatch):
    monkeypatch.setattr("covel_inspector.app.compare.read_view.ALIGNED_AT_ONCE", 10)
    made = ReadView(Wording("en"))
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.show_sides(prepared())
    assert not is_level(made)
    qtbot.waitUntil(lambda: is_level(made))


def test_b_alone_is_wide(qtbot):
    made = ReadView(Wording("en"))
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.show_sides(first_turn())
    made.show()
    assert not made.a.isVisible()
    qtbot.waitUntil(lambda: made.b.width() == 800)


def test_the_margin_has_the_colour_of_the_kind(view):
    rect = view.b.document().documentLayout().blockBoundingRect(block_with(view.b, "你是叙事者"))
    view.b.verticalScrollBar().setValue(int(rect.top()) - 40)
    y = int(rect.center().y()) - view.b.verticalScrollBar().value()
    image = view.b.viewport().grab().toImage()
    ratio = image.width() / view.b.viewport().width()
    assert image.pixelColor(round(12 * ratio), round(y * ratio)) == QColor(kind_colour(Kind.BODY))


def test_copying_leaves_captions_out_and_gives_the_source(view, qtbot):
    source = "one\u00a0line\nand another"
    shown = tree([(Group.SYSTEM, [leaf("a", Kind.BODY, "A", source), leaf("b", Kind.LORE, "B", "\n\nlast")])])
    view.show_sides(prepared(shown, shown))
    view.b.selectAll()
    assert view.b.createMimeDataFromSelection().text() == f"{source}\n\nlast"


def test_the_keyboard_goes_from_side_to_side(view, qtbot):
    view.b.setFocus()
    qtbot.waitUntil(view.b.hasFocus)
    view.switch_side()
    assert view.a.hasFocus()
    view.switch_side()
    assert view.b.hasFocus()


def test_lines_end_at_the_same_place_and_where_they_can_still_be_read(view, qtbot):
    view.show_sides(prepared())
    for width in (700, 1000, 4000):
        view.resize(width, 500)
        qtbot.waitUntil(lambda: view.a.viewport().width() == view.b.viewport().width())
    measure = view.fontMetrics().averageCharWidth() * MEASURE
    assert view.b.viewport().width() <= measure
