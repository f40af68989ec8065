"""The table of the Cache panel: every request of the runtime, steps of tool loops and retries too."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from covel_inspector.app.in_sight import keep_in_sight
from covel_inspector.app.panels.cache_content import FIGURES, TableRow
from covel_inspector.app.plain_text import tip
from covel_inspector.app.theme import UNIT
from covel_inspector.domain import Address

_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class CacheTableModel(QAbstractTableModel):
    """Rows that are ready to draw."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[TableRow] = ()
        self._headings: Sequence[str] = ()

    def show(self, rows: Sequence[TableRow], headings: Sequence[str]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows, self._headings = rows, headings
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._headings)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(row.tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() in FIGURES else _LEFT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._headings):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in FIGURES else _LEFT
        return None


class CacheTable(QTableView):
    """Choosing a row goes to its call."""

    address_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = CacheTableModel(self)
        self._follows = False
        self.setModel(self.rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.selectionModel().currentRowChanged.connect(self._take)

    def show_rows(self, rows: Sequence[TableRow], headings: Sequence[str], current: Address | None) -> None:
        """Show rows; the one of the current call is chosen."""
        self._follows = True
        self.rows.show(rows, headings)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + UNIT)
        if rows:
            self.resizeColumnsToContents()
            for column in range(len(headings)):
                self.setColumnWidth(column, min(self.columnWidth(column) + UNIT, UNIT * 30))
            self.horizontalHeader().setStretchLastSection(True)
            self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._follows = False
        self.set_current(current)

    def set_current(self, address: Address | None) -> None:
        """Choose the row of a call."""
        number = next((number for number, row in enumerate(self.rows.rows) if row.row.address == address), -1)
        self._follows = True
        if number >= 0:
            index = self.rows.index(number, 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
            self.scrollTo(index)
        else:
            self.clearSelection()
        self._follows = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt: the panel got lower or higher."""
        super().resizeEvent(event)
        keep_in_sight(self, event)

    @Slot(QModelIndex, QModelIndex)
    def _take(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not self._follows and 0 <= current.row() < len(self.rows.rows):
            self.address_chosen.emit(self.rows.rows[current.row()].row.address)
