"""A request as one bar: a block a segment, as wide as its tokens, with boundaries, limit and cached part.

Widths count tokens by the engine's estimate (those of :class:`Figures`). The cached part is what the provider reported,
in the provider's own tokens; it is drawn as its share of the provider's input, because the two counts differ.
"""

from bisect import bisect_right
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from covel_inspector.app.figures import figure
from covel_inspector.app.painted import PaintedWidget
from covel_inspector.app.plain_text import tip
from covel_inspector.app.sides import Side
from covel_inspector.app.theme import kind_qcolour
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Kind, Segment, say
from covel_inspector.report.names import estimator_name

BAR_HEIGHT = 14
_TICK_OVERHANG = 3
_NUMBER_GAP = 1

_FAR = 3
"""A limit beyond so many times the request is drawn at the edge, behind a break."""


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf on the map: ``start`` tokens stand before it in the request."""

    segment: Segment
    start: int
    tokens: int


@dataclass(frozen=True, slots=True)
class MapTick:
    """A boundary on the map, behind ``before`` tokens."""

    number: int
    before: int


@dataclass(frozen=True, slots=True)
class MapContent:
    """What one map shows. All counts are engine tokens; ``cached_share`` is 0.0 to 1.0, None when not reported."""

    blocks: tuple[Block, ...] = ()
    total: int = 0
    ticks: tuple[MapTick, ...] = ()
    cached_share: float | None = None
    limit: int | None = None
    estimator: str = ""

    @property
    def is_limit_far(self) -> bool:
        """True when the limit lies so far out that the request would be a speck beside it."""
        return self.limit is not None and self.limit > _FAR * self.total

    @property
    def reach(self) -> int:
        """Tokens that the whole width should show at least."""
        if self.is_limit_far:
            return self.total * 5 // 4
        return max(self.total, self.limit or 0)


def map_content(side: Side, limit: int | None = None) -> MapContent:
    """The map of a side; empty for a side without a tree."""
    if side.tree is None or side.figures is None:
        return MapContent()
    blocks: list[Block] = []
    position = 0
    for leaf in side.tree.leaves():
        tokens = side.figures.of(leaf) or 0
        blocks.append(Block(leaf, position, tokens))
        position += tokens
    ticks = tuple(
        MapTick(boundary.number, before)
        for boundary, before in zip(side.tree.boundaries, side.figures.before, strict=False)
    )
    return MapContent(tuple(blocks), position, ticks, cached_share(side), limit, side.figures.estimator)


def cached_share(side: Side) -> float | None:
    """Cached part of the provider's input, 0.0 to 1.0; None when the provider did not report both.

    What was reported is about the request that was sent: a rebuilt one has no such part.
    """
    usage = side.call.usage if side.call is not None and not side.rebuilt else None
    if usage is None or usage.cached is None or not usage.input:
        return None
    return min(1.0, usage.cached / usage.input)


class RequestMap(PaintedWidget):
    """The bar. A click on a block asks to select its segment."""

    segment_clicked = Signal(object)
    """The :class:`Segment` (a leaf) of the block under the mouse."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._content = MapContent()
        self._starts: list[int] = []
        self._scale = 0
        self._selected: frozenset[int] = frozenset()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def content(self) -> MapContent:
        """What is shown now."""
        return self._content

    def show_content(self, content: MapContent, scale: int = 0) -> None:
        """Show a request. ``scale``: tokens of the whole width, so that two maps compare; at least the total."""
        self._content = content
        self._starts = [block.start for block in content.blocks]
        self._scale = max(scale, content.reach)
        self._selected = frozenset()
        self.setAccessibleName(
            self._wording.text(
                say(
                    "Request map, {n} tokens ({estimator})",
                    n=content.total,
                    estimator=estimator_name(content.estimator),
                )
            )
            if content.blocks
            else ""
        )
        self.update()

    def mark_selected(self, segment: Segment | None) -> None:
        """Outline the blocks of a segment of this side."""
        self._selected = frozenset(id(leaf) for leaf in segment.leaves()) if segment is not None else frozenset()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the numbers, the ticks and the bar."""
        return QSize(360, self._number_height() + BAR_HEIGHT + 2 * _TICK_OVERHANG + _NUMBER_GAP)

    def minimumSizeHint(self) -> QSize:
        """As high as :meth:`sizeHint`, and narrow."""
        return QSize(80, self.sizeHint().height())

    def block_at(self, x: float) -> Block | None:
        """The block under an x of the widget, in its pixels."""
        if not self._content.blocks or self._scale <= 0 or self.width() <= 0:
            return None
        tokens = x / self.width() * self._scale
        if not 0 <= tokens < self._content.total:
            return None
        # Several blocks may start at the same place: the last of them is the one with a width.
        return self._content.blocks[bisect_right(self._starts, tokens) - 1]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the block's segment."""
        block = self.block_at(event.position().x())
        if event.button() is Qt.MouseButton.LeftButton and block is not None:
            self.segment_clicked.emit(block.segment)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand over blocks says that they can be clicked."""
        over = self.block_at(event.position().x()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        """Tooltips per block."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip(self.tip_at(event.pos())), self)
            return True
        return super().event(event)

    def tip_at(self, position: QPoint) -> str:
        """What the tooltip says at a place of the widget; empty where there is nothing."""
        block = self.block_at(position.x())
        content, text = self._content, self._wording.text
        if block is None:
            return self._tip_outside()
        lines = [
            text(block.segment.title),
            text(say("{n} tokens, {before} before it", n=figure(block.tokens), before=figure(block.start))),
            text(say("estimate: {estimator}", estimator=estimator_name(content.estimator))),
        ]
        if content.cached_share is not None and block.start < content.cached_share * content.total:
            lines.append(text(say("in the part that the provider read from its cache (placed by share)")))
        return "\n".join(lines)

    def _tip_outside(self) -> str:
        content, text = self._content, self._wording.text
        if not content.blocks:
            return ""
        if content.limit is not None:
            return text(
                say("{n} of {limit} tokens until the limit", n=figure(content.total), limit=figure(content.limit))
            )
        return text(say("{n} tokens in all", n=figure(content.total)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Bar, blocks, cached part, limit, ticks."""
        painter = QPainter(self)
        bar = QRectF(0, self._bar_top(), self.width(), BAR_HEIGHT)
        if self._scale > 0 and self._content.blocks:
            painter.fillRect(bar, QColor(self.colours.track))
            self._paint_blocks(painter, bar)
            self._paint_cached(painter, bar)
            self._paint_limit(painter, bar)
            self._paint_ticks(painter, bar)
        painter.end()

    def _paint_blocks(self, painter: QPainter, bar: QRectF) -> None:
        for colour, start, end in self._runs():
            left, right = self._x(start), self._x(end)
            painter.fillRect(QRectF(left, bar.top(), max(1.0, right - left), bar.height()), colour)
        chosen = [block for block in self._content.blocks if id(block.segment) in self._selected]
        if chosen:
            left = self._x(chosen[0].start)
            right = max(left + 3, self._x(chosen[-1].start + chosen[-1].tokens))
            painter.setPen(QPen(QColor(self.colours.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(left, bar.top() - 1, right - left, bar.height() + 2))

    def _runs(self) -> list[tuple[QColor, int, int]]:
        """Neighbours of one kind as one stretch: fewer rectangles, and no hairlines between them."""
        runs: list[tuple[Kind, int, int]] = []
        for block in self._content.blocks:
            end = block.start + block.tokens
            if runs and runs[-1][0] is block.segment.kind:
                runs[-1] = (block.segment.kind, runs[-1][1], end)
            elif block.tokens:
                runs.append((block.segment.kind, block.start, end))
        return [(kind_qcolour(kind), start, end) for kind, start, end in runs]

    def _paint_cached(self, painter: QPainter, bar: QRectF) -> None:
        share = self._content.cached_share
        if not share:
            return
        lines = QColor(self.colours.cached_hatch)
        lines.setAlpha(150)
        width = self._x(round(share * self._content.total))
        painter.setBrushOrigin(QPointF(0, bar.top()))
        painter.fillRect(QRectF(0, bar.top(), width, bar.height()), QBrush(lines, Qt.BrushStyle.BDiagPattern))

    def _paint_limit(self, painter: QPainter, bar: QRectF) -> None:
        if self._content.limit is None:
            return
        is_far = self._x(self._content.limit) > self.width()
        x = self.width() - 1.0 if is_far else min(self._x(self._content.limit), self.width() - 1.0)
        if is_far:
            painter.setPen(QPen(QColor(self.colours.ground), 2))
            for left in (x - 12, x - 7):
                painter.drawLine(QPointF(left, bar.bottom() + 1), QPointF(left + 5, bar.top() - 1))
        pen = QPen(QColor(self.colours.error), 2, Qt.PenStyle.DashLine)
        pen.setDashPattern([1.5, 1.0])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, bar.top() - _TICK_OVERHANG), QPointF(x, bar.bottom() + _TICK_OVERHANG))

    def _paint_ticks(self, painter: QPainter, bar: QRectF) -> None:
        font = self._number_font()
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        free_from = -1.0
        for tick in self._content.ticks:
            x = min(self._x(tick.before), self.width() - 1.0)
            painter.fillRect(
                QRectF(x - 1, bar.top() - _TICK_OVERHANG, 2, bar.height() + 2 * _TICK_OVERHANG),
                QColor(self.colours.map_mark),
            )
            number = str(tick.number)
            width = metrics.horizontalAdvance(number)
            left = min(max(0.0, x - width / 2), self.width() - width)
            if left < free_from:
                continue
            painter.setPen(QColor(self.colours.quiet))
            painter.drawText(QPointF(left, bar.top() - _TICK_OVERHANG - _NUMBER_GAP - metrics.descent() + 1), number)
            free_from = left + width + 2

    def _x(self, tokens: float) -> float:
        return tokens / self._scale * self.width() if self._scale else 0.0

    def _bar_top(self) -> int:
        return self._number_height() + _NUMBER_GAP + _TICK_OVERHANG

    def _number_height(self) -> int:
        metrics = QFontMetricsF(self._number_font())
        return round(metrics.ascent())

    def _number_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(6.0, font.pointSizeF() * 0.75))
        return font
