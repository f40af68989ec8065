"""The item model, as Qt asks it."""

import pytest
from compare_sides import first_turn, prepared
from PySide6.QtCore import QModelIndex, Qt

from covel_inspector.app.compare.pairs_model import PairsModel
from covel_inspector.app.compare.row_building import RowOptions, build_rows
from covel_inspector.app.compare.rows import Column, RowKind, walk
from covel_inspector.app.row_model import ROW_ROLE
from covel_inspector.app.wording import Wording

HEADINGS = ("Segment A", "tokens", "", "Segment B", "", "tokens")


@pytest.fixture
def model(qapp, qtmodeltester) -> PairsModel:
    made = PairsModel()
    made.show_rows(build_rows(prepared(), Wording("en"), RowOptions(quiet=True)), HEADINGS)
    qtmodeltester.check(made)
    return made


def test_rows_can_be_replaced_under_the_eyes_of_a_tester(model, qtmodeltester):
    model.show_rows(build_rows(first_turn(), Wording("zh-CN"), RowOptions()), HEADINGS)
    qtmodeltester.check(model)
    model.show_rows([], HEADINGS)
    qtmodeltester.check(model)
    assert model.rowCount() == 0


def test_every_row_is_found_under_its_parent(model):
    for row in walk(model.rows):
        index = model.index_of(row)
        assert model.row_of(index) is row
        assert model.row_of(model.parent(index)) is row.parent
        assert model.index(row.number, 0, model.parent(index)) == index


def test_cells_say_what_the_rows_hold(model):
    row = next(row for row in walk(model.rows) if row.key == "body")
    assert model.index_of(row, Column.B_TITLE).data() == "Runtime body"
    assert model.index_of(row, Column.SIGN).data() == "="
    assert model.index_of(row).data(ROW_ROLE) is row
    assert "the same on both sides" in model.index_of(row).data(Qt.ItemDataRole.AccessibleTextRole)


def test_boundaries_cannot_be_selected_and_leaves_have_no_children(model):
    for row in walk(model.rows):
        flags = model.flags(model.index_of(row))
        if row.kind is RowKind.BOUNDARY:
            assert flags == Qt.ItemFlag.NoItemFlags
        else:
            assert flags & Qt.ItemFlag.ItemIsSelectable
            assert bool(flags & Qt.ItemFlag.ItemNeverHasChildren) is not bool(row.children)


def test_a_tip_shows_markup_as_it_is(model):
    row = next(row for row in walk(model.rows) if row.key == "body")
    row.tip = "<b>bold</b>"
    assert "&lt;b&gt;" in model.index_of(row).data(Qt.ItemDataRole.ToolTipRole)


def test_headings(model):
    shown = [model.headerData(column, Qt.Orientation.Horizontal) for column in Column]
    assert tuple(shown) == HEADINGS
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_an_invalid_index_says_nothing(model):
    assert model.data(QModelIndex()) is None
    assert model.flags(QModelIndex()) == Qt.ItemFlag.NoItemFlags
    assert not model.index(999, 0).isValid()
