"""A tree of finished rows on screen: one selection, smooth scrolling, and what is open stays open when rows are
replaced."""

from typing import Generic, TypeVar

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from covel_inspector.app.in_sight import keep_in_sight
from covel_inspector.app.row_model import RowTreeModel, TreeRow

Path = tuple[str, ...]

R = TypeVar("R", bound=TreeRow)


class RowTreeView(QTreeView, Generic[R]):
    """The current row and what the reader opened or closed, by path. Widths and painting are for subclasses."""

    def __init__(
        self, model: RowTreeModel[R], parent: QWidget | None = None, header: QHeaderView | None = None
    ) -> None:
        super().__init__(parent)
        self._row_model = model
        self._is_filling = False
        """True while rows are replaced: nothing that happens then was the reader's wish."""
        self._choices: dict[Path, bool] = {}
        model.setParent(self)
        if header is not None:
            self.setHeader(header)
        self.setModel(model)
        self._prepare()
        self.expanded.connect(self._remember_open)
        self.collapsed.connect(self._remember_closed)

    def _prepare(self) -> None:
        self.setRootIsDecorated(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAutoScroll(False)
        header = self.header()
        header.setSectionsClickable(False)
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(0)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)

    def current_row(self) -> R | None:
        """The row the reader is at."""
        return self._row_model.row_of(self.currentIndex())

    def is_open(self, row: R, *, usually: bool) -> bool:
        """Whether a branch is to be open: as the reader left it, else as usual."""
        return self._choices.get(row.path, usually)

    def go_to(self, row: R) -> None:
        """Make a row current, opening what hides it, and bring it into sight."""
        above = row.parent
        while above is not None:
            self.expand(self._row_model.index_of(above))
            above = above.parent
        index = self._row_model.index_of(row)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What was in sight stays in sight when the view gets lower."""
        super().resizeEvent(event)
        keep_in_sight(self, event)

    @Slot(QModelIndex)
    def _remember_open(self, index: QModelIndex) -> None:
        self._remember(index, is_open=True)

    @Slot(QModelIndex)
    def _remember_closed(self, index: QModelIndex) -> None:
        self._remember(index, is_open=False)

    def _remember(self, index: QModelIndex, *, is_open: bool) -> None:
        row = self._row_model.row_of(index)
        if row is not None and not self._is_filling:
            self._choices[row.path] = is_open
