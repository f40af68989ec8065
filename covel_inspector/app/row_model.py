"""Finished trees of rows as item models: what the side-by-side tree and the lists in panels have in common."""

from collections.abc import Sequence
from typing import Generic, Protocol, Self, TypeVar

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The row itself, for the painter."""

RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
CENTRE = int(Qt.AlignmentFlag.AlignCenter)


class TreeRow(Protocol):
    """A row that knows its parent, its children and its place among its siblings."""

    @property
    def number(self) -> int:
        """Its place among its siblings, from 0."""
        ...

    @property
    def parent(self) -> Self | None:
        """The row above it; None for a row at the top."""
        ...

    @property
    def children(self) -> list[Self]:
        """The rows below it."""
        ...

    @property
    def path(self) -> tuple[str, ...]:
        """Keys from the top, which name the row after the tree was replaced too."""
        ...


R = TypeVar("R", bound=TreeRow)


class RowTreeModel(QAbstractItemModel, Generic[R]):
    """Owns its rows, which come as one finished tree. A subclass says what cells hold; a look-up never computes and
    never raises."""

    def __init__(self, row_type: type[R], columns: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._row_type = row_type
        self._columns = columns
        self._rows: list[R] = []
        self._headings: tuple[str, ...] = ("",) * columns

    @property
    def rows(self) -> list[R]:
        """The top rows."""
        return self._rows

    def replace_rows(self, rows: list[R], headings: Sequence[str] | None = None) -> None:
        """Replace everything in one go. ``headings``: one text a column; None leaves them."""
        self.beginResetModel()
        self._rows = rows
        if headings is not None:
            self._headings = tuple(headings)
        self.endResetModel()

    def row_of(self, index: Index) -> R | None:
        """The row behind an index."""
        row = index.internalPointer() if index.isValid() else None
        return row if isinstance(row, self._row_type) else None

    def index_of(self, row: R, column: int = 0) -> QModelIndex:
        """The index of a row of this model."""
        return self.createIndex(row.number, column, row)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's signature
        """Qt: the index of a child."""
        siblings = self._children(parent)
        if 0 <= row < len(siblings) and 0 <= column < self._columns:
            return self.createIndex(row, column, siblings[row])
        return QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008 - Qt
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

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Qt: every row can be chosen."""
        row = self.row_of(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if row.children else flags | Qt.ItemFlag.ItemNeverHasChildren

    def _children(self, parent: Index) -> list[R]:
        row = self.row_of(parent)
        return row.children if row is not None else self._rows
