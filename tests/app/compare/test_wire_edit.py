"""The widget of the wire view: folding, clicking, copying, marks, and bodies that are far too long."""

import json
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from covel_inspector.analysis.wire_lines import Folding
from covel_inspector.analysis.wire_segments import WireSegments
from covel_inspector.analysis.wire_text import wire_text
from covel_inspector.app.compare.wire_edit import WireEdit
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.app.wire_sides import KnownBoundary
from covel_inspector.app.wording import Wording
from covel_inspector.domain import (
    Boundary,
    Field,
    Group,
    Kind,
    Part,
    Place,
    Request,
    Segment,
    SegmentTree,
    Setter,
    plain,
)
from covel_inspector.domain.wire import BodySource, Protocol, WireBody, WireMark, WireTrace

SYSTEM = "Keep the lamp lit.\nNever leave \u00a0 it. 𠮷"
LINE = "I climb the stairs."


def segments_of(system: str = SYSTEM) -> WireSegments:
    """Two segments in a marked system block, and a player line."""
    body: dict[str, Any] = {
        "model": "m",
        "system": [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": LINE}],
    }
    parts = (
        Part(Group.SYSTEM, 0, 0, Field.CONTENT, system, "system"),
        Part(Group.MESSAGES, 0, 0, Field.CONTENT, LINE, "user"),
    )
    cuts = [(0, 10), (10, len(system))]
    leaves = [
        Segment(f"s{number}", Kind.BODY, plain(f"Piece {number}"), system[start:end], Place(0, start, end))
        for number, (start, end) in enumerate(cuts)
    ]
    line = Segment("line", Kind.PLAYER_LINE, plain("Player line"), LINE, Place(1, 0, len(LINE)))
    traces = (
        WireTrace(("system", 0, "text"), 0, len(system), Place(0, 0, len(system))),
        WireTrace(("messages", 0, "content"), 0, len(LINE), Place(1, 0, len(LINE))),
    )
    marks = (WireMark(2, ("system", 0), Place(0, len(system), len(system)), plain("set by the wire")),)
    wire = wire_text(WireBody(Protocol.ANTHROPIC, BodySource.RECORDED, body, traces=traces, marks=marks))
    return WireSegments.of(wire, SegmentTree(Request(parts), (*leaves, line)))


@pytest.fixture
def wire_edit(qtbot: QtBot) -> WireEdit:
    made = WireEdit(Wording("en"))
    qtbot.addWidget(made)
    made.apply_theme(LIGHT)
    made.resize(520, 420)
    made.show_wire(segments_of())
    made.show()
    qtbot.waitExposed(made)
    return made


def lines_of(edit: WireEdit) -> list[str]:
    return edit.drawn.display.split("\n") if edit.drawn is not None else []


def point_at(edit: WireEdit, words: str) -> QPoint:
    """The middle of the first character of some words, in the viewport."""
    number = next(number for number, line in enumerate(lines_of(edit)) if words in line)
    cursor = QTextCursor(edit.document().findBlockByNumber(number))
    cursor.setPosition(cursor.position() + lines_of(edit)[number].index(words))
    place = edit.cursorRect(cursor)
    return QPoint(place.right() + 3, place.center().y())


def click(qtbot: QtBot, edit: WireEdit, words: str) -> None:
    qtbot.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=point_at(edit, words))


def test_the_whole_body_is_shown_and_copied_as_it_is(wire_edit: WireEdit) -> None:
    assert '  "model": "m",' in lines_of(wire_edit)
    assert any("⟨NBSP⟩" in line for line in lines_of(wire_edit))
    wire_edit.selectAll()
    wire_edit.copy()
    copied = QGuiApplication.clipboard().text()
    assert wire_edit.segments is not None
    assert copied == wire_edit.segments.wire.text
    assert json.loads(copied)["system"][0]["text"] == SYSTEM


def test_a_click_chooses_the_segment_under_it(wire_edit: WireEdit, qtbot: QtBot) -> None:
    found: list[Segment] = []
    wire_edit.segment_chosen.connect(found.append)
    for words in ("Keep", "Never", "I climb", '"cache_control"', '"role"', '"model"'):
        click(qtbot, wire_edit, words)
    assert [segment.key for segment in found] == ["s0", "s1", "line", "s0", "line"]


def test_enter_chooses_and_space_folds_at_the_keyboard(wire_edit: WireEdit, qtbot: QtBot) -> None:
    found: list[Segment] = []
    wire_edit.segment_chosen.connect(found.append)
    click(qtbot, wire_edit, '"system"')
    found.clear()
    qtbot.keyClick(wire_edit, Qt.Key.Key_Space)
    assert '  "system": [ … 1 entry … ],' in lines_of(wire_edit)
    qtbot.keyClick(wire_edit, Qt.Key.Key_Return)
    assert [segment.key for segment in found] == ["s0"]
    qtbot.keyClick(wire_edit, Qt.Key.Key_Space)
    assert '  "system": [' in lines_of(wire_edit)


def test_arrows_in_the_margin_and_stubs_fold_and_open(wire_edit: WireEdit, qtbot: QtBot) -> None:
    at = point_at(wire_edit, '"messages"')
    qtbot.mouseClick(wire_edit.gutter, Qt.MouseButton.LeftButton, pos=QPoint(4, at.y()))
    assert wire_edit.folding.folded == {("messages",)}
    click(qtbot, wire_edit, "1 entry")
    assert wire_edit.folding.folded == frozenset()
    wire_edit.fold_all()
    assert len(lines_of(wire_edit)) == 5
    wire_edit.unfold_all()
    assert len(lines_of(wire_edit)) > 10


def test_a_chosen_segment_is_marked_and_brought_to_light(wire_edit: WireEdit) -> None:
    wire_edit.fold_all()
    assert wire_edit.segments is not None
    span = wire_edit.segments.spans[-1]
    wire_edit.choose_leaves([span.leaf], reveal=True)
    assert wire_edit.chosen_spans == [(span.start, span.end)]
    assert ("messages",) not in wire_edit.folding.folded
    assert ("system",) in wire_edit.folding.folded
    wire_edit.colour_visible()
    block = next(block for block, _ in wire_edit.visible_blocks() if LINE in block.text())
    grounds = [one for one in block.layout().formats() if one.format.background().color().name() == LIGHT.selected]
    assert [block.text()[one.start : one.start + one.length] for one in grounds] == [LINE]


def test_marks_and_colours_are_painted_in_every_theme(wire_edit: WireEdit) -> None:
    for colours in (LIGHT, DARK):
        wire_edit.apply_theme(colours)
        wire_edit.colour_visible()
        picture = wire_edit.viewport().grab().toImage()
        accents = {
            picture.pixelColor(x, y).name()
            for x in range(0, picture.width(), 2)
            for y in range(picture.height())
            if picture.pixelColor(x, y).name() == colours.accent
        }
        assert accents == {colours.accent}


def test_a_mark_is_named_by_the_boundary_it_draws(wire_edit: WireEdit) -> None:
    lines = lines_of(wire_edit)
    under = next(number for number in range(len(lines)) if wire_edit.marks.title(number))
    assert lines[under].strip() == "}"
    assert wire_edit.marks.title(under) == "cache mark 2"
    assert wire_edit.marks.tips(under) == ["cache mark 2\nset by the wire"]
    boundary = Boundary(4, Place(0, 20, 20), Setter.PROVIDER, plain("the next turn can read it"))
    wire_edit.show_wire(segments_of(), boundaries={2: KnownBoundary(boundary, 1194)})
    assert wire_edit.marks.title(under).replace("\u202f", " ") == "boundary 4 · 1 194 tok before"
    assert wire_edit.marks.tips(under)[0].endswith("the next turn can read it")
    wire_edit.show_wire(segments_of(), boundaries={2: KnownBoundary(boundary)})
    assert wire_edit.marks.title(under) == "boundary 4"
    wire_edit.fold_all()
    assert wire_edit.marks.title(lines_of(wire_edit).index('  "system": [ … 1 entry … ],')) == "boundary 4"


def test_a_megabyte_in_one_string_is_a_few_lines_until_asked_for(wire_edit: WireEdit, qtbot: QtBot) -> None:
    wire_edit.show_wire(segments_of("灯" * 1_000_000))
    assert len(lines_of(wire_edit)) < 25
    assert max(map(len, lines_of(wire_edit))) < 2_000
    number = next(number for number, line in enumerate(lines_of(wire_edit)) if "show all" in line)
    assert wire_edit.turn_fold(number)
    assert sum(map(len, lines_of(wire_edit))) > 1_000_000
    assert wire_edit.folding.opened == {("system", 0, "text")}


def test_a_segment_behind_the_cut_opens_its_string(wire_edit: WireEdit) -> None:
    wire_edit.show_wire(segments_of("灯\n" * 20_000))
    assert wire_edit.segments is not None
    wire_edit.reveal(wire_edit.segments.spans[1].end - 5)
    assert wire_edit.folding.opened == {("system", 0, "text")}


def test_nothing_and_no_line_are_harmless(wire_edit: WireEdit) -> None:
    wire_edit.show_wire(None)
    assert wire_edit.selected_text() == ""
    assert not wire_edit.turn_fold(0)
    wire_edit.choose_leaves([], reveal=True)
    wire_edit.set_folding(Folding(frozenset({("x",)})))
    wire_edit.say_again()
    assert wire_edit.toPlainText() == ""
