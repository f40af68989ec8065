"""The aligned pairs as an item model. It owns its rows; a look-up never computes and never raises."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from covel_inspector.app.compare.rows import Column, PairRow, RowKind
from covel_inspector.app.plain_text import tip

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The :class:`PairRow` itself, for the painter."""

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
_ALIGNMENTS = {
    Column.A_TITLE: _LEFT,
    Column.A_TOKENS: _RIGHT,
    Column.SIGN: _CENTRE,
    Column.B_TITLE: _LEFT,
    Column.B_HINT: _RIGHT,
    Column.B_TOKENS: _RIGHT,
}


class PairsModel(QAbstractItemModel):
    """Rows come as one finished tree and are replaced in one go."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[PairRow] = []
        self._headings: tuple[str, ...] = ("",) * len(Column)
        self._heading_font = QFont()

    @property
    def rows(self) -> list[PairRow]:
        """The top rows."""
        return self._rows

    def show_rows(self, rows: list[PairRow], headings: tuple[str, ...]) -> None:
        """Replace everything. ``headings``: one text a column."""
        self.beginResetModel()
        self._rows = rows
        self._headings = headings
        self.endResetModel()

    def set_heading(self, column: Column, text: str) -> None:
        """Say one heading otherwise."""
        if self._headings[column] != text:
            self._headings = (*self._headings[:column], text, *self._headings[column + 1 :])
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, column, column)

    def set_heading_font(self, font: QFont) -> None:
        """The font of the headings."""
        self._heading_font = font
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def row_of(self, index: Index) -> PairRow | None:
        """The row behind an index."""
        if not index.isValid():
            return None
        row = index.internalPointer()
        return row if isinstance(row, PairRow) else None

    def index_of(self, row: PairRow, column: int = 0) -> QModelIndex:
        """The index of a row of this model."""
        return self.createIndex(row.number, column, row)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's signature
        """Qt: the index of a child."""
        siblings = self._children(parent)
        if 0 <= row < len(siblings) and 0 <= column < len(Column):
            return self.createIndex(row, column, siblings[row])
        return QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        """Qt: the index of the parent."""
        row = self.row_of(index)
        if row is None or row.parent is None:
            return QModelIndex()
        return self.createIndex(row.parent.number, 0, row.parent)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Qt: the number of children; only the first column has any."""
        return 0 if parent.column() > 0 else len(self._children(parent))

    def columnCount(self, _parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Qt: always the same columns."""
        return len(Column)

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
        if row is None or row.kind is RowKind.BOUNDARY:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if row.children else flags | Qt.ItemFlag.ItemNeverHasChildren

    def _children(self, parent: Index) -> list[PairRow]:
        row = self.row_of(parent)
        return row.children if row is not None else self._rows
