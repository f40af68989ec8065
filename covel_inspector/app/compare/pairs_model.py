"""The aligned pairs as an item model. It owns its rows; a look-up never computes and never raises."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont

from covel_inspector.app.compare.rows import Column, PairRow, RowKind
from covel_inspector.app.plain_text import tip
from covel_inspector.app.row_model import CENTRE, LEFT, RIGHT, ROW_ROLE, Index, RowTreeModel

_ALIGNMENTS = {
    Column.A_TITLE: LEFT,
    Column.A_TOKENS: RIGHT,
    Column.SIGN: CENTRE,
    Column.B_TITLE: LEFT,
    Column.B_HINT: RIGHT,
    Column.B_TOKENS: RIGHT,
}


class PairsModel(RowTreeModel[PairRow]):
    """The columns of both halves."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(PairRow, len(Column), parent)
        self._heading_font = QFont()

    def show_rows(self, rows: list[PairRow], headings: tuple[str, ...]) -> None:
        """Replace everything. ``headings``: one text a column."""
        self.replace_rows(rows, headings)

    def set_heading(self, column: Column, text: str) -> None:
        """Say one heading otherwise."""
        if self._headings[column] != text:
            self._headings = (*self._headings[:column], text, *self._headings[column + 1 :])
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, column, column)

    def set_heading_font(self, font: QFont) -> None:
        """The font of the headings."""
        self._heading_font = font
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt: what a cell says."""
        row = self.row_of(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.texts[index.column()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(row.tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGNMENTS[Column(index.column())]
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return row.spoken if index.column() == Column.A_TITLE else row.texts[index.column()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Qt: the headings."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        if role == Qt.ItemDataRole.FontRole:
            return self._heading_font
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGNMENTS[Column(section)]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Qt: boundaries are lines, not places to go to."""
        row = self.row_of(index)
        if row is not None and row.kind is RowKind.BOUNDARY:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)
