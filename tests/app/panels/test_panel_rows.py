"""Lists in panels: the model, and a view that keeps its place when rows are replaced."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent, QImage, QPainter
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from covel_inspector.app.panels.listed_rows import Cell, Column, Row, spoken_cells, walk
from covel_inspector.app.panels.rows_delegate import INSET
from covel_inspector.app.panels.rows_model import RowsModel
from covel_inspector.app.panels.rows_view import RowsView
from covel_inspector.app.panels.turn_strip import Tick, TurnStrip, runs
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.domain import Kind, plain

COLUMNS = (Column(plain("Name"), stretch=2), Column(plain("Count"), right=True), Column(plain("Turns"), stretch=1))


def strip(current: int | None = 1) -> TurnStrip:
    return TurnStrip((Tick.IN, Tick.OUT, Tick.CUT, Tick.NEVER, Tick.IN), lambda number: f"turn {number + 1}", current)


def rows(*names: str) -> list[Row]:
    made = []
    for name in names:
        cells = (Cell(name, icon="in", bold=True), Cell("12", "quiet", share=0.5), Cell(drawing=strip()))
        inside = [Row(f"{name}-{n}", (Cell(f"{name} {n}"), Cell(), Cell())) for n in range(2)]
        made.append(Row(name, cells, name, Kind.LORE, f"about {name}", spoken_cells(cells, "in"), children=inside))
    return made


@pytest.fixture
def view(qtbot: QtBot) -> RowsView:
    made = RowsView(COLUMNS)
    qtbot.addWidget(made)
    made.say_headings(str)
    made.resize(600, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_model_is_a_model(qtmodeltester: ModelTester) -> None:
    model = RowsModel(3)
    model.show_rows(rows("a", "b"))
    model.set_headings(("Name", "Count", "Turns"), frozenset({1}))
    qtmodeltester.check(model)
    model.show_rows([])
    qtmodeltester.check(model)


def test_model_says_what_its_rows_say() -> None:
    model = RowsModel(3)
    model.set_headings(("Name", "Count", "Turns"), frozenset({1}))
    model.show_rows(rows("a"))
    index = model.index(0, 0)
    assert model.data(index) == "a"
    assert model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "a, 12, in"
    assert "about a" in str(model.data(index, Qt.ItemDataRole.ToolTipRole))
    right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    assert model.data(model.index(0, 1), Qt.ItemDataRole.TextAlignmentRole) == right
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Count"
    assert model.data(QModelIndex()) is None
    child = model.index(1, 0, index)
    assert model.data(child) == "a 1"
    assert model.parent(child) == index
    assert [row.path for row in walk(model.rows)] == [("a",), ("a", "a-0"), ("a", "a-1")]


def test_replaced_rows_keep_current_row_and_what_is_open(view: RowsView, qtbot: QtBot) -> None:
    view.show_rows(rows("a", "b", "c"))
    told: list[Row | None] = []
    view.row_chosen.connect(told.append)
    second = view.first_row(lambda row: row.key == "b")
    view.expand(view.listed.index_of(second))
    view.choose(second)
    assert [row.key for row in told] == ["b"]
    view.show_rows(rows("x", "b"))
    assert view.current_row().path == ("b",)
    assert view.isExpanded(view.listed.index_of(view.current_row()))
    assert len(told) == 1, "replacing rows is no choice of the reader"
    view.show_rows(rows("x"))
    assert view.current_row() is None


def test_choosing_opens_what_hides_a_row(view: RowsView) -> None:
    view.show_rows(rows("a"))
    told: list[Row | None] = []
    view.row_chosen.connect(told.append)
    inner = view.first_row(lambda row: row.key == "a-1")
    view.choose(inner, quietly=True)
    assert view.isExpanded(view.listed.index(0, 0))
    assert view.current_row() is inner
    assert told == []


def test_keys_choose_activate_and_step_through_a_strip(view: RowsView, qtbot: QtBot) -> None:
    view.show_rows(rows("a", "b"))
    view.setFocus()
    with qtbot.waitSignal(view.row_chosen) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Down)
    assert chosen.args[0].key == "a"
    with qtbot.waitSignal(view.row_activated) as activated:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert activated.args[0].key == "a"
    with qtbot.waitSignal(view.item_wanted) as wanted:
        qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert (wanted.args[0].key, wanted.args[1]) == ("a", -1)


def test_click_and_tip_of_a_strip_name_the_turn(view: RowsView, qtbot: QtBot) -> None:
    view.show_rows(rows("a"))
    place = view.visualRect(view.listed.index(0, 2))
    third = QPoint(place.left() + 8 + 2 * 12 + 4, place.center().y())
    with qtbot.waitSignal(view.item_clicked) as clicked:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=third)
    assert clicked.args[1] == 2
    event = QHelpEvent(QEvent.Type.ToolTip, third, view.viewport().mapToGlobal(third))
    QApplication.sendEvent(view.viewport(), event)
    assert "turn 3" in QToolTip.text()
    QToolTip.hideText()


@pytest.mark.parametrize("width", [150, 400, 1200])
def test_columns_fit_the_width(view: RowsView, width: int) -> None:
    view.resize(width, 200)
    view.show_rows(rows("a name that is rather long for the little room it has", "b"))
    sizes = [view.header().sectionSize(column) for column in range(3)]
    assert min(sizes) >= 40
    assert width < 300 or sum(sizes) <= view.viewport().width()


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_rows_are_painted(view: RowsView, colours: object) -> None:
    view.apply_theme(colours)
    view.show_rows(rows("a", "b"))
    view.choose(view.listed.rows[0])
    picture = view.viewport().grab().toImage()
    assert picture.pixelColor(1, view.visualRect(view.listed.index(0, 0)).center().y()).name() == colours.accent


def test_strip_knows_its_turns() -> None:
    made = strip()
    assert made.item_at(0, 100) == 0
    assert made.item_at(3 * 12 + 1, 100) == 3
    assert made.item_at(5 * 12, 100) is None
    assert made.item_at(-1, 100) is None
    assert made.tip_of(4) == "turn 5"
    assert made.next_in(1) == 4
    assert made.next_in(-1) == 0
    assert strip(None).next_in(1) == 0
    assert strip(4).next_in(1) is None


def test_the_heading_of_a_strip_names_its_turns() -> None:
    names = tuple(str(number) for number in range(1, 25))
    made = TurnStrip((Tick.OUT,) * 24, str, current=12, names=names)
    labels = made.labels(24 * 12)
    assert [label.text for label in labels] == ["13", "1", "24", "5", "10", "15", "20"]
    assert [label.text for label in labels if label.is_current] == ["13"]
    assert labels[1].x < labels[3].x < labels[0].x < labels[2].x
    assert not strip().labels(200)
    narrow = [label.text for label in made.labels(60)]
    assert "1" not in narrow
    assert "13" in narrow


def test_names_in_a_heading_stand_over_their_items(view: RowsView) -> None:
    named = replace(strip(), names=("6", "7", "8", "9", "10"))
    row = Row("a", (Cell("a"), Cell("1"), Cell(drawing=named)))
    view.show_rows([row])
    view.apply_theme(DARK)
    header = view.header()
    left = header.sectionViewportPosition(2)
    with_names = header.grab().toImage().copy(left, 0, header.sectionSize(2), header.height())
    view.show_rows([Row("a", (Cell("a"), Cell("1"), Cell(drawing=strip())))])
    with_title = header.grab().toImage().copy(left, 0, header.sectionSize(2), header.height())
    assert with_names != with_title
    assert view.model().headerData(2, Qt.Orientation.Horizontal) != ""


def test_a_column_takes_no_more_than_its_texts_need(view: RowsView) -> None:
    view.resize(900, 200)
    view.show_rows(rows("a", "b"))
    assert view.header().sectionSize(2) == strip().width() + 2 * INSET
    assert sum(view.header().sectionSize(column) for column in range(3)) == view.viewport().width()


def test_the_current_row_stays_in_sight_when_the_list_gets_lower(view: RowsView) -> None:
    view.resize(400, 400)
    view.show_rows(rows(*(f"row {number}" for number in range(40))))
    view.choose(view.listed.rows[8])
    view.resize(400, 120)
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()).center())
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    at = view.verticalScrollBar().value()
    view.resize(400, 110)
    assert view.verticalScrollBar().value() >= at


def test_the_tip_of_an_elided_text_has_all_of_it(view: RowsView) -> None:
    view.resize(260, 200)
    long = "a name that is rather long for the little room it has"
    view.show_rows([Row("a", (Cell(long), Cell("1"), Cell()), tip="about a"), Row("b", (Cell("b"), Cell("1"), Cell()))])
    first, second = (view.visualRect(view.listed.index(row, 0)).center() for row in (0, 1))
    assert view.tip_at(first) == f"{long}\nabout a"
    assert view.tip_at(second) == ""


def test_long_strip_shows_the_turns_around_the_current_one() -> None:
    ticks = (Tick.OUT,) * 400
    made = TurnStrip(ticks, str, current=200)
    assert made.item_at(0, 100) == 190
    assert made.item_at(99, 100) == 209
    assert TurnStrip(ticks, str, current=399).item_at(99, 100) == 399
    assert TurnStrip(ticks, str, current=0).item_at(0, 100) == 0
    assert TurnStrip((), str).item_at(0, 100) is None


def test_every_tick_has_a_shape_of_its_own(qapp: QApplication) -> None:
    def grey(tick: Tick) -> list[bool]:
        picture = QImage(20, 24, QImage.Format.Format_ARGB32)
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        TurnStrip((tick,), str).paint(painter, QRect(0, 0, 12, 24), LIGHT)
        painter.end()
        return [picture.pixelColor(x, y).lightness() < 240 for y in range(24) for x in range(20)]

    shapes = [tuple(grey(tick)) for tick in Tick]
    assert len(set(shapes)) == len(Tick)


def test_runs_of_turns_are_short() -> None:
    numbers = ("1", "2", "2+1", "3", "4", "5")
    ticks = (Tick.IN, Tick.OUT, Tick.IN, Tick.IN, Tick.IN, Tick.CUT)
    assert runs(numbers, ticks) == "1, 2+1–4"
    assert runs(numbers, (Tick.OUT,) * 6) == ""
    assert runs(("7",), (Tick.IN,)) == "7"
