"""A row of widgets that goes on in the next line where there is too little room."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget
from shiboken6 import isValid


class FlowLayout(QLayout):
    """Items keep the size they ask for and the order they were added in; hidden ones take no room."""

    def __init__(self, gap: int, line_gap: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap, self._line_gap = gap, line_gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Qt: one more item at the end."""
        self._items.append(item)

    def count(self) -> int:
        """Qt: how many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Qt: an item by its number, None for no such."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Qt: give an item up."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        """Qt: narrower is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Qt: the height of all lines at a width."""
        return self._place(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        """Qt: put the items where they belong."""
        super().setGeometry(rect)
        self._place(rect, moves=True)

    def sizeHint(self) -> QSize:
        """Qt: all in one line."""
        sizes = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """Qt: one item a line."""
        sizes = [item.minimumSize() for item in self._shown()]
        widest = max((size.width() for size in sizes), default=0)
        return QSize(widest, max((size.height() for size in sizes), default=0))

    def _shown(self) -> list[QLayoutItem]:
        """The items that take room. While a window goes, Qt asks once more after it has deleted some of them."""
        return [item for item in self._items if isValid(item) and not item.isEmpty()]

    def _place(self, rect: QRect, *, moves: bool) -> int:
        """Walk through the items line by line; gives the height that they take."""
        x, y, line_height = rect.left(), rect.top(), 0
        for item in self._shown():
            size = item.sizeHint()
            if x > rect.left() and x + size.width() > rect.left() + rect.width():
                x, y, line_height = rect.left(), y + line_height + self._line_gap, 0
            if moves:
                width = min(size.width(), rect.width())
                item.setGeometry(QRect(QPoint(x, y), QSize(width, size.height())))
            x += size.width() + self._gap
            line_height = max(line_height, size.height())
        return y + line_height - rect.top()
