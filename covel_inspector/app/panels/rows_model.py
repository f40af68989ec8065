"""Finished rows as an item model. It owns its rows; a look-up never computes and never raises."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from covel_inspector.app.panels.listed_rows import Row, settled
from covel_inspector.app.plain_text import tip

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The :class:`Row` itself, for the painter."""

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class RowsModel(QAbstractItemModel):
    """Rows come as one finished tree and are replaced in one go."""

    def __init__(self, columns: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._columns = columns
        self._headings: tuple[str, ...] = ("",) * columns
        self._rights: frozenset[int] = frozenset()
        self._helps: tuple[str, ...] = ("",) * columns

    @property
    def rows(self) -> list[Row]:
        """The top rows."""
        return self._rows

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Replace everything."""
        self.beginResetModel()
        self._rows = settled(rows)
        self.endResetModel()

    def set_headings(self, headings: Sequence[str], rights: frozenset[int], helps: Sequence[str] = ()) -> None:
        """One text a column, the columns whose texts stand to the right, and tool tips of the headings."""
        self._headings, self._rights = tuple(headings), rights
        self._helps = tuple(helps) or ("",) * self._columns
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self._columns - 1)

    def row_of(self, index: Index) -> Row | None:
        """The row behind an index."""
        row = index.internalPointer() if index.isValid() else None
        return row if isinstance(row, Row) else None

    def index_of(self, row: Row, column: int = 0) -> QModelIndex:
        """The index of a row of this model."""
        return self.createIndex(row.number, column, row)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's signature
        """Qt: the index of a child."""
        siblings = self._children(parent)
        if 0 <= row < len(siblings) and 0 <= column < self._columns:
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
        return self._columns

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
            return _RIGHT if column in self._rights else _LEFT
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
            return _RIGHT if section in self._rights else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self._helps[section])
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Qt: every row can be chosen."""
        row = self.row_of(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if row.children else flags | Qt.ItemFlag.ItemNeverHasChildren

    def _children(self, parent: Index) -> list[Row]:
        row = self.row_of(parent)
        return row.children if row is not None else self._rows
