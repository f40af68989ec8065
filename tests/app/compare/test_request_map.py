"""The request map: blocks, ticks, the cached part, clicks."""

import pytest
from compare_sides import first_turn, prepared, side
from hand_built_turns import TURN_12
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from covel_inspector.app.compare.request_map import RequestMap, map_content
from covel_inspector.app.theme_colours import DARK, LIGHT, kind_colour
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Kind


@pytest.fixture
def shown(qtbot) -> RequestMap:
    made = RequestMap(Wording("en"))
    qtbot.addWidget(made)
    made.resize(600, made.sizeHint().height())
    made.show_content(map_content(side(TURN_12, 12, cached=None)))
    return made


def test_blocks_tile_the_request():
    content = map_content(side(TURN_12, 12))
    assert [block.start + block.tokens for block in content.blocks[:-1]] == [
        block.start for block in content.blocks[1:]
    ]
    assert content.total == side(TURN_12, 12).figures.total
    assert [tick.number for tick in content.ticks] == [1, 2, 3, 4]


def test_the_cached_part_is_a_share_of_what_the_provider_counted():
    assert map_content(side(TURN_12, 12, cached=250)).cached_share == 0.25
    assert map_content(side(TURN_12, 12, cached=None)).cached_share is None


def test_a_side_without_a_request_has_no_blocks():
    assert map_content(first_turn().a).blocks == ()


def test_a_block_has_the_colour_of_its_kind(shown):
    body = next(block for block in shown.content.blocks if block.segment.kind is Kind.BODY)
    x = (body.start + body.tokens // 2) * shown.width() // shown.content.total
    image = shown.grab().toImage()
    ratio = image.width() / shown.width()
    colour = image.pixelColor(round(x * ratio), round((shown.height() - 8) * ratio))
    assert colour == QColor(kind_colour(Kind.BODY))


def test_a_click_asks_for_the_segment(shown, qtbot):
    body = next(block for block in shown.content.blocks if block.segment.kind is Kind.BODY)
    x = (body.start + body.tokens // 2) * shown.width() // shown.content.total
    with qtbot.waitSignal(shown.segment_clicked) as caught:
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(x, shown.height() - 8))
    assert caught.args == [body.segment]


def test_the_tip_names_segment_tokens_and_estimator(shown):
    tip = shown.tip_at(QPoint(1, shown.height() - 8))
    assert "Tool · roll" in tip
    assert "tokens" in tip
    assert shown.content.estimator in tip


def test_outside_the_request_there_is_no_block(shown):
    shown.show_content(shown.content, scale=shown.content.total * 2)
    assert shown.block_at(shown.width() * 0.75) is None
    assert "in all" in shown.tip_at(QPoint(int(shown.width() * 0.75), 20))


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_cached_part_limit_and_selection_change_the_picture(shown, colours):
    shown.apply_theme(colours)
    plain_picture = shown.grab().toImage()
    shown.show_content(map_content(side(TURN_12, 12, cached=900)))
    cached = shown.grab().toImage()
    assert cached != plain_picture
    shown.mark_selected(TURN_12.groups[1])
    assert shown.grab().toImage() != cached
    shown.show_content(map_content(side(TURN_12, 12, cached=None), limit=9000))
    assert shown.grab().toImage() != plain_picture


def test_two_maps_of_one_comparison_have_one_scale(qtbot):
    both = prepared()
    totals = [map_content(one).total for one in (both.a, both.b)]
    assert totals[0] < totals[1]
    shown = RequestMap(Wording("en"))
    qtbot.addWidget(shown)
    shown.resize(1000, 30)
    shown.show_content(map_content(both.a), scale=max(totals))
    assert shown.block_at(1000 * totals[0] / totals[1] + 2) is None
