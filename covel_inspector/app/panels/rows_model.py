"""Finished rows of a panel as an item model. It owns its rows; a look-up never computes and never raises."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt

from covel_inspector.app.panels.listed_rows import Row, settled
from covel_inspector.app.plain_text import tip
from covel_inspector.app.row_model import LEFT, RIGHT, ROW_ROLE, Index, RowTreeModel


class RowsModel(RowTreeModel[Row]):
    """Headings with tool tips, and columns whose texts stand to the right."""

    def __init__(self, columns: int, parent: QObject | None = None) -> None:
        super().__init__(Row, columns, parent)
        self._rights: frozenset[int] = frozenset()
        self._helps: tuple[str, ...] = ("",) * columns

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Replace everything."""
        self.replace_rows(settled(rows))

    def set_headings(self, headings: Sequence[str], rights: frozenset[int], helps: Sequence[str] = ()) -> None:
        """One text a column, the columns whose texts stand to the right, and tool tips of the headings."""
        self._headings, self._rights = tuple(headings), rights
        self._helps = tuple(helps) or ("",) * self._columns
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._columns - 1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt: what a cell says."""
        row = self.row_of(index)
        if row is None:
            return None
        column = index.column()
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[column].text
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(row.tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in self._rights else LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken if column == 0 else row.cells[column].text
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt: the headings."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < self._columns:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section in self._rights else LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self._helps[section])
        return None
