"""The bar of a token budget: what is in a request by kind, what was left out, and where the limit is."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from covel_inspector.app.compare.hatch import paint_hatch
from covel_inspector.app.figures import figure, percent
from covel_inspector.app.painted import PaintedWidget
from covel_inspector.app.panels.budget_content import Bar, BarBlock
from covel_inspector.app.plain_text import tip
from covel_inspector.app.theme import kind_qcolour
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say

BAR_HEIGHT = 16
_OVERHANG = 3
_HATCH = 5


class BudgetBar(PaintedWidget):
    """One bar. Blocks are as wide as their tokens; what the steps took away is hatched; the reserve lies behind the
    limit line. A limit far away is drawn at the edge, behind a break."""

    block_clicked = Signal(str)
    """Name of the share that was clicked."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._bar = Bar()
        self._reach = 0
        self._caption = ""
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def bar(self) -> Bar:
        """What is shown."""
        return self._bar

    def show_bar(self, bar: Bar, reach: int = 0, caption: str = "") -> None:
        """Show a run. ``reach``: tokens of the whole width, so that two bars compare; at least the bar's own."""
        self._bar, self._caption = bar, caption
        self._reach = max(reach, bar.reach, 1)
        self.setAccessibleName(self._spoken())
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the bar, and for the limit line above and below it."""
        return QSize(360, BAR_HEIGHT + 2 * _OVERHANG)

    def minimumSizeHint(self) -> QSize:
        """As high as :meth:`sizeHint`, and narrow."""
        return QSize(120, self.sizeHint().height())

    def block_at(self, x: float) -> BarBlock | None:
        """The block under an x of the widget."""
        tokens = x / max(1, self.width()) * self._reach
        return next((block for block in self._bar.blocks if block.start <= tokens < block.start + block.tokens), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A block was clicked."""
        block = self.block_at(event.position().x())
        if event.button() is Qt.MouseButton.LeftButton and block is not None:
            self.block_clicked.emit(block.name)

    def event(self, event: QEvent) -> bool:
        """Tooltips per block."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip(self.tip_at(event.pos().x())), self)
            return True
        return super().event(event)

    def tip_at(self, x: float) -> str:
        """What the tooltip says at an x of the widget."""
        text, bar = self._wording.text, self._bar
        block = self.block_at(x)
        if block is None:
            return self._tip_outside(x)
        lines = [text(block.title), text(say("{n} tokens before any step", n=figure(block.tokens)))]
        if bar.limit:
            lines.append(text(say("{share} of the limit", share=percent(block.tokens / bar.limit))))
        if block.left_out:
            lines.append(text(say("{n} of them were left out", n=figure(block.left_out))))
        return "\n".join(lines)

    def _tip_outside(self, x: float) -> str:
        text, bar = self._wording.text, self._bar
        if bar.limit is None:
            return ""
        if bar.window is not None and x / max(1, self.width()) * self._reach > bar.limit and not bar.is_far:
            return text(say("{n} tokens are kept free for the answer", n=figure(bar.window - bar.limit)))
        return text(say("{n} tokens are free", n=figure(max(0, bar.limit - bar.after))))

    def _spoken(self) -> str:
        bar = self._bar
        if bar.limit is None:
            said = say("{n} tokens, limit unknown", n=figure(bar.before))
        else:
            said = say("{n} of {limit} tokens", n=figure(bar.before), limit=figure(bar.limit))
        return f"{self._caption} {self._wording.text(said)}".strip()

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Track, reserve, blocks, what was left out, limit."""
        painter = QPainter(self)
        rect = QRectF(0, _OVERHANG, self.width(), BAR_HEIGHT)
        painter.fillRect(rect, QColor(self.colours.track))
        self._paint_reserve(painter, rect)
        for block in self._bar.blocks:
            self._paint_block(painter, rect, block)
        self._paint_limit(painter, rect)
        painter.end()

    def _paint_block(self, painter: QPainter, rect: QRectF, block: BarBlock) -> None:
        if not block.tokens:
            return
        left, right = self._x(block.start), self._x(block.start + block.tokens)
        colour = kind_qcolour(block.kind)
        painter.fillRect(QRectF(left, rect.top(), max(1.0, right - left - 1), rect.height()), colour)
        if block.left_out:
            # The oldest go first, and they stand at the left.
            gone = QRectF(left, rect.top(), self._x(block.start + block.left_out) - left, rect.height())
            painter.fillRect(gone, QColor(self.colours.ground))
            paint_hatch(painter, gone, colour, _HATCH)
            painter.setPen(QPen(colour, 1))
            painter.drawRect(gone.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_reserve(self, painter: QPainter, rect: QRectF) -> None:
        bar = self._bar
        if bar.limit is None or bar.window is None or bar.is_far:
            return
        left, right = self._x(bar.limit), self._x(bar.window)
        paint_hatch(painter, QRectF(left, rect.top(), right - left, rect.height()), QColor(self.colours.disabled), 8)
        if right < self.width() - 1:
            painter.fillRect(
                QRectF(right, rect.top(), self.width() - right, rect.height()), QColor(self.colours.ground)
            )

    def _paint_limit(self, painter: QPainter, rect: QRectF) -> None:
        limit = self._bar.limit
        if limit is None:
            return
        x = self.width() - 1.5 if self._bar.is_far else min(self._x(limit), self.width() - 1.5)
        if self._bar.is_far:
            self._paint_break(painter, rect)
        painter.setPen(QPen(QColor(self.colours.error), 2))
        painter.drawLine(QPointF(x, rect.top() - _OVERHANG), QPointF(x, rect.bottom() + _OVERHANG))

    def _paint_break(self, painter: QPainter, rect: QRectF) -> None:
        """Two slanting gaps: the bar goes on for long."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.colours.ground), 3))
        for x in (self.width() - 24.0, self.width() - 16.0):
            painter.drawLine(QPointF(x - 4, rect.bottom() + 1), QPointF(x + 4, rect.top() - 1))
        painter.restore()

    def _x(self, tokens: float) -> float:
        return tokens / self._reach * self.width()
