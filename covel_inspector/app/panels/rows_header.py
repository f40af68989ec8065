"""The headings of a list in a panel; over drawings they name the items in place of a title."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from covel_inspector.app.panels.listed_rows import Label
from covel_inspector.app.panels.rows_delegate import INSET
from covel_inspector.app.theme_colours import LIGHT, Colours

_GAP = 4.0
"""Least pixels between two names."""

_SMALL = 0.85


class RowsHeader(QHeaderView):
    """Asks ``labels_of`` (column, pixels inside the cell) what to name; nothing: the title of the column."""

    def __init__(self, labels_of: Callable[[int, int], Sequence[Label]], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._labels_of = labels_of
        self._colours: Colours = LIGHT

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self.viewport().update()

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's name
        """Qt: a column whose items are named has no title in its heading."""
        super().initStyleOptionForIndex(option, logicalIndex)
        if self._labels_of(logicalIndex, self.sectionSize(logicalIndex) - 2 * INSET):
            option.text = ""

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 - Qt's name
        """Qt: the heading, and the names over it as far as they leave each other room."""
        painter.save()
        super().paintSection(painter, rect, logicalIndex)
        painter.restore()
        labels = self._labels_of(logicalIndex, rect.width() - 2 * INSET)
        if not labels:
            return
        painter.save()
        usual, bold = self._font(is_bold=False), self._font(is_bold=True)
        taken: list[tuple[float, float]] = []
        for label in labels:
            font = bold if label.is_current else usual
            width = QFontMetricsF(font).horizontalAdvance(label.text)
            left = min(max(rect.left() + INSET + label.x - width / 2, rect.left()), rect.right() - width)
            if any(left < end + _GAP and begin < left + width + _GAP for begin, end in taken):
                continue
            taken.append((left, left + width))
            painter.setFont(font)
            painter.setPen(QColor(self._colours.text if label.is_current else self._colours.quiet))
            painter.drawText(
                QRectF(left, rect.top(), width + 1, rect.height()), Qt.AlignmentFlag.AlignVCenter, label.text
            )
        painter.restore()

    def _font(self, *, is_bold: bool) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * _SMALL)
        font.setWeight(QFont.Weight.DemiBold if is_bold else QFont.Weight.Normal)
        return font
