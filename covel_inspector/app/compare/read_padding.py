"""Room left free in a document of passages, so that it lies beside another one, and the hatching in it."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextCursor
from PySide6.QtWidgets import QTextEdit

from covel_inspector.app.compare.hatch import STEP, paint_hatch
from covel_inspector.app.compare.read_alignment import Padding

_LEAST = 16
"""Pixels from which room is hatched; less is only air."""

_LEFT, _RIGHT = 10, 4


class PagePadding:
    """The padding of one page. Positions are pixels of the document."""

    def __init__(self, page: QTextEdit) -> None:
        self._page = page
        self._first: list[int] = []
        self._padding = Padding()

    def begin(self, first_blocks: list[int]) -> None:
        """The document was written anew, without padding; ``first_blocks``: number of each passage's first block."""
        self._first, self._padding = first_blocks, Padding()
        self._set_end_margin(self._page.document().documentMargin())

    def tops(self) -> list[float]:
        """Where each passage begins, as if nothing were padded."""
        layout, document = self._page.document().documentLayout(), self._page.document()
        layout.documentSize()  # Qt lays out lazily: this lays out all.
        found: list[float] = []
        padded = 0.0
        for passage, block in enumerate(self._first):
            padded += self._padding.above.get(passage, 0.0)
            found.append(layout.blockBoundingRect(document.findBlockByNumber(block)).top() - padded)
        return found

    def end(self) -> float:
        """Height of the document, as if nothing were padded."""
        whole = self._page.document().documentLayout().documentSize().height()
        return whole - sum(self._padding.above.values()) - self._padding.end

    def apply(self, padding: Padding) -> None:
        """Pad the document like this and no longer as before."""
        if padding == self._padding:
            return
        before, self._padding = self._padding, padding
        document = self._page.document()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for passage in before.above.keys() | padding.above.keys():
            change = padding.above.get(passage, 0.0) - before.above.get(passage, 0.0)
            cursor.setPosition(document.findBlockByNumber(self._first[passage]).position())
            shape = cursor.blockFormat()
            shape.setTopMargin(shape.topMargin() + change)
            cursor.setBlockFormat(shape)
        cursor.endEditBlock()
        self._set_end_margin(document.documentMargin() + padding.end)
        self._page.viewport().update()

    def paint_above(self, painter: QPainter, block: QTextBlock, passage: int, top: float, colour: QColor) -> None:
        """Hatch the room above a passage, if ``block`` is its first one; ``top``: where it begins in the viewport."""
        room = self._padding.above.get(passage, 0.0)
        if room and block.blockNumber() == self._first[passage]:
            self._paint(painter, top - (block.blockFormat().topMargin() - room), room, colour)

    def paint_end(self, painter: QPainter, colour: QColor) -> None:
        """Hatch the room behind the last passage."""
        whole = self._page.document().documentLayout().documentSize().height()
        self._paint(painter, whole - self._page.verticalScrollBar().value(), self._padding.end, colour)

    def _set_end_margin(self, pixels: float) -> None:
        frame = self._page.document().rootFrame()
        around = frame.frameFormat()
        if around.bottomMargin() != pixels:
            around.setBottomMargin(pixels)
            frame.setFrameFormat(around)

    def _paint(self, painter: QPainter, bottom: float, room: float, colour: QColor) -> None:
        if room >= _LEAST:
            viewport = self._page.viewport().rect()
            hatched = QRectF(_LEFT, bottom - room + 2, viewport.width() - _LEFT - _RIGHT, room - 4)
            paint_hatch(painter, hatched.intersected(QRectF(viewport)), colour, 2 * STEP)
