"""Columns for turns: what the pictures of the Cache panel have in common. A click or the arrow keys choose a turn."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from covel_inspector.app.painted import PaintedWidget
from covel_inspector.app.panels.cache_content import Column
from covel_inspector.app.plain_text import tip
from covel_inspector.app.theme import UNIT

_NARROWEST, _WIDEST = 10.0, 40.0
"""Pixels of a column with its gap."""

_ABOVE = UNIT // 2
_DOT = 4.0


class TurnColumns(PaintedWidget):
    """Paints a column for each turn, its number below, and an outline around the one the reader is at."""

    column_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: Sequence[Column] = ()
        self._current = -1
        self._marked: frozenset[int] = frozenset()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # To override

    def paint_column(self, painter: QPainter, column: Column, rect: QRectF) -> None:
        """Paint one column into its rectangle."""
        raise NotImplementedError

    # What is shown

    @property
    def current(self) -> int:
        """Number of the outlined column, -1 for none."""
        return self._current

    @property
    def marked(self) -> frozenset[int]:
        """Numbers of the columns with a dot."""
        return self._marked

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Show other columns."""
        self.columns = columns
        self._marked = frozenset()
        self.setMinimumWidth(round(len(columns) * _NARROWEST) + 2)
        self.set_current(min(self._current, len(columns) - 1))

    def set_current(self, number: int) -> None:
        """Outline another column, -1 for none."""
        self._current = number
        column = self.columns[number] if 0 <= number < len(self.columns) else None
        self.setAccessibleDescription(column.tip if column is not None else "")
        self.update()

    def mark(self, numbers: frozenset[int]) -> None:
        """Put a dot above some columns."""
        self._marked = numbers
        self.update()

    # Geometry

    def minimumSizeHint(self) -> QSize:
        """Room for some height of columns and their numbers."""
        return QSize(self.minimumWidth(), UNIT * 6)

    def rect_of(self, number: int) -> QRectF:
        """Where a column is painted."""
        step = self._step()
        gap = 2.0 if step > _NARROWEST else 1.0
        bottom = self.height() - self._label_height() - 2
        return QRectF(2 + number * step, _ABOVE, step - gap, max(bottom - _ABOVE, 1))

    def column_at(self, x: float) -> int:
        """The column under a place, -1 for none."""
        number = int((x - 2) // self._step()) if x >= 2 else -1
        return number if number < len(self.columns) else -1

    def _step(self) -> float:
        if not self.columns:
            return _WIDEST
        return min(max((self.width() - 4) / len(self.columns), _NARROWEST), _WIDEST)

    def _label_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(font.pointSizeF() * 0.82, 6.0))
        return font

    def _label_height(self) -> float:
        return QFontMetricsF(self._label_font()).height()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """The columns that are in sight."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(self.colours.ground))
        first = max(self.column_at(event.rect().left()), 0)
        seen = [number for number in range(first, len(self.columns)) if self._is_seen(number, event)]
        for number in seen:
            rect = self.rect_of(number)
            self.paint_column(painter, self.columns[number], rect)
            if number in self._marked:
                painter.setBrush(QColor(self.colours.warning))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawEllipse(QRectF(rect.center().x() - _DOT / 2, 0, _DOT, _DOT))
        self._paint_labels(painter, seen)
        self._paint_current(painter)
        painter.end()

    def _is_seen(self, number: int, event: QPaintEvent) -> bool:
        return self.rect_of(number).left() <= event.rect().right()

    def _paint_labels(self, painter: QPainter, seen: Sequence[int]) -> None:
        font = self._label_font()
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        widest = max((metrics.horizontalAdvance(self.columns[number].turn) for number in seen), default=1.0)
        every = max(int(-(-(widest + 4) // self._step())), 1)
        top = self.height() - metrics.height()
        for number in seen:
            is_current = number == self._current
            if not is_current and (number % every or abs(number - self._current) < every):
                continue
            painter.setPen(QColor(self.colours.text if is_current else self.colours.quiet))
            rect = self.rect_of(number)
            place = QRectF(rect.center().x() - widest, top, widest * 2, metrics.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self.columns[number].turn)

    def _paint_current(self, painter: QPainter) -> None:
        if not 0 <= self._current < len(self.columns):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.colours.accent), 2 if self.hasFocus() else 1.5))
        painter.drawRoundedRect(self.rect_of(self._current).adjusted(-1, -1.5, 1, 1.5), 2, 2)

    # Mouse and keyboard

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses a turn."""
        number = self.column_at(event.position().x())
        if event.button() is Qt.MouseButton.LeftButton and number >= 0:
            self.column_chosen.emit(number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Taken, so that the release comes here too."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left, right, home and end choose a turn."""
        last = len(self.columns) - 1
        wanted = {
            Qt.Key.Key_Left: self._current - 1,
            Qt.Key.Key_Right: self._current + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if wanted is None or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            super().keyPressEvent(event)
        elif 0 <= wanted <= last:
            self.column_chosen.emit(wanted)

    def event(self, event: QEvent) -> bool:
        """A tip tells of the turn under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self.column_at(event.pos().x())
            QToolTip.showText(event.globalPos(), tip(self.columns[number].tip) if number >= 0 else "", self)
            return True
        return super().event(event)
