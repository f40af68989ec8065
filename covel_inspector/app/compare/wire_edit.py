"""The text widget of the wire view: a body in lines, coloured where it is looked at, with its cache marks."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from covel_inspector.analysis.wire_lines import Folding, Stub, WireLines, all_containers, first_folding, unfolded_to
from covel_inspector.analysis.wire_segments import WireSegments
from covel_inspector.analysis.wire_text import NodeKind
from covel_inspector.app.compare.reader_edit import ReaderEdit
from covel_inspector.app.compare.source_edit import clipboard_text
from covel_inspector.app.compare.wire_document import WireDocument
from covel_inspector.app.compare.wire_formats import fixed_font, formats_of, paint_mark
from covel_inspector.app.compare.wire_gutter import WireGutter
from covel_inspector.app.compare.wire_marks import WireMarks
from covel_inspector.app.figures import figure
from covel_inspector.app.plain_text import tip
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.wire_sides import KnownBoundary
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Segment, say


class WireEdit(ReaderEdit):
    """Shows one body. Copying copies the true JSON, whatever is folded or cut."""

    segment_chosen = Signal(object)
    """A leaf: the reader clicked its text, or pressed Enter in it."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._colours = LIGHT
        self._segments: WireSegments | None = None
        self._folding = Folding()
        self._document: WireDocument | None = None
        self.marks = WireMarks(wording)
        self._chosen: Sequence[tuple[int, int]] = ()
        self._paint_number = 0
        self._pressed_at: QPoint | None = None
        self.gutter = WireGutter(self)
        self._colouring = QTimer(self, singleShot=True, interval=0)
        self._colouring.timeout.connect(self.colour_visible)
        self._set_up()
        self.gutter.fold_wanted.connect(self.turn_fold)
        self.verticalScrollBar().valueChanged.connect(self._colour_soon)
        self.updateRequest.connect(self._follow_update)

    def _set_up(self) -> None:
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self._take_font()

    # What is shown

    @property
    def segments(self) -> WireSegments | None:
        """The body with its segments, None when nothing is shown."""
        return self._segments

    @property
    def drawn(self) -> WireDocument | None:
        """What the widget was given."""
        return self._document

    @property
    def folding(self) -> Folding:
        """What is folded and opened."""
        return self._folding

    @property
    def chosen_spans(self) -> Sequence[tuple[int, int]]:
        """The marked stretches, in code points of the body's text."""
        return self._chosen

    def show_wire(
        self,
        segments: WireSegments | None,
        folding: Folding | None = None,
        boundaries: Mapping[int, KnownBoundary] | None = None,
        lines: WireLines | None = None,
    ) -> None:
        """Show a body from its beginning; None: nothing.

        ``boundaries``: what its marks stand for, by their numbers. ``lines``: made already, for the first folding.
        """
        self._segments = segments
        self.marks.know(boundaries or {})
        self._chosen = ()
        self._folding = folding or (first_folding(segments.wire) if segments is not None else Folding())
        self._write(lines if lines is not None and lines.folding == self._folding else None)
        self.verticalScrollBar().setValue(0)

    def choose_leaves(self, leaves: Sequence[Segment], *, reveal: bool, unfold: bool = True) -> None:
        """Mark the text of some leaves; ``reveal`` scrolls there, ``unfold`` opens what hides its beginning."""
        if self._segments is None:
            return
        self._chosen = self._segments.of_leaves(leaves)
        self._paint_number += 1
        if reveal and self._chosen:
            self.reveal(self._chosen[0][0], unfold=unfold)
        self._colour_soon()
        self.viewport().update()

    def reveal(self, offset: int, *, unfold: bool = True) -> None:
        """Bring an offset into sight, or what it is folded into."""
        if self._document is None:
            return
        if unfold and not self._document.lines.is_shown(offset):
            self.set_folding(unfolded_to(self._folding, self._document.lines.wire, offset))
        line, column = self._document.position_of(offset)
        block = self.document().findBlockByNumber(line)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + column)
        place = self.cursorRect(cursor)
        self.setTextCursor(cursor)
        if place.top() < 0 or place.bottom() > self.viewport().height():
            self.centerCursor()

    def say_again(self) -> None:
        """Say what stands for hidden text in the language in force."""
        self._rewrite()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self._paint_number += 1
        self.gutter.apply_theme(colours)
        self._colour_soon()
        self.viewport().update()

    # Folding

    def set_folding(self, folding: Folding) -> None:
        """Fold and open other things; the line at the top stays."""
        if folding != self._folding:
            self._folding = folding
            self._rewrite()

    def fold_all(self) -> None:
        """Fold every object and array below the first level."""
        if self._segments is not None:
            self.set_folding(Folding(all_containers(self._segments.wire), self._folding.opened))

    def unfold_all(self) -> None:
        """Unfold everything; long strings stay shortened."""
        self.set_folding(Folding(frozenset(), self._folding.opened))

    @Slot(int)
    def turn_fold(self, number: int) -> bool:
        """Fold or unfold what begins in a line, or show all of what is cut there; False when there is nothing."""
        if self._document is None or not 0 <= number < len(self._document.drawn):
            return False
        line = self._document.drawn[number].line
        folded, opened = self._folding.folded, self._folding.opened
        if line.stub is not None and line.stub.node.kind is NodeKind.STRING:
            self.set_folding(Folding(folded, opened | {line.stub.node.path}))
        elif line.begins is not None:
            self.set_folding(Folding(folded ^ {line.begins.path}, opened))
        else:
            return False
        return True

    def _rewrite(self) -> None:
        """Write the lines anew; what stood at the top and where the cursor was stays."""
        document = self._document
        if document is None:
            return
        top = document.drawn[self.firstVisibleBlock().blockNumber()].line.start
        at = self.textCursor()
        offset = document.offset_at(at.blockNumber(), at.positionInBlock())
        self._write()
        if self._document is not None:
            line, column = self._document.position_of(offset)
            block = self.document().findBlockByNumber(line)
            at = QTextCursor(block)
            at.setPosition(block.position() + min(column, block.length() - 1))
            self.setTextCursor(at)
            first = self.document().findBlockByNumber(self._document.lines.line_of(top))
            self.verticalScrollBar().setValue(first.firstLineNumber())

    def _write(self, made: WireLines | None = None) -> None:
        self._paint_number += 1
        if self._segments is None:
            self._document = None
            self.marks.place(None)
            self.setPlainText("")
            return
        lines = made or WireLines(self._segments.wire, self._folding)
        self._document = WireDocument(lines, self._say_stub)
        self.marks.place(lines)
        self.setPlainText(self._document.display)
        self._colour_soon()

    def _say_stub(self, stub: Stub) -> str:
        text = self._wording.text
        if stub.node.kind is NodeKind.STRING:
            return text(say(" … {n} characters more · show all ", n=figure(stub.end - stub.start)))
        if stub.node.count == 1:
            return text(say(" … 1 entry … "))
        return text(say(" … {n} entries … ", n=figure(stub.node.count)))

    # Colours

    @Slot()
    def _colour_soon(self) -> None:
        self._colouring.start()

    @Slot()
    def colour_visible(self) -> None:
        """Colour the lines in sight that are not coloured yet."""
        document = self._document
        if document is None:
            return
        for block, _ in self.visible_blocks():
            if block.userState() != self._paint_number and block.blockNumber() < len(document.drawn):
                block.setUserState(self._paint_number)
                drawn = document.drawn[block.blockNumber()]
                block.layout().setFormats(formats_of(drawn, document.lines.wire.text, self._chosen, self._colours))
        self.viewport().update()

    # Painting

    def visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The blocks in sight with their places in the viewport."""
        block = self.firstVisibleBlock()
        offset = self.contentOffset()
        height = self.viewport().height()
        while block.isValid():
            rect = self.blockBoundingGeometry(block).translated(offset)
            if rect.top() > height:
                return
            yield block, rect
            block = block.next()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line with the keyboard, the text, and the cache marks."""
        painter = QPainter(self.viewport())
        if self.hasFocus():
            at = self.textCursor().block()
            rect = self.blockBoundingGeometry(at).translated(self.contentOffset())
            painter.fillRect(QRectF(0, rect.top(), self.viewport().width(), rect.height()), QColor(self._colours.hover))
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        for block, rect in self.visible_blocks():
            text = self.marks.title(block.blockNumber())
            if text:
                line = QRectF(0, rect.top(), self.viewport().width(), rect.height())
                paint_mark(painter, line, text, self._small, self._colours)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Another size of text around means another one here."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ApplicationFontChange:
            self._take_font()

    def _take_font(self) -> None:
        self.setFont(fixed_font())
        self._small = QFont(QApplication.font())
        self._small.setPointSizeF(self._small.pointSizeF() * 0.85)
        self._fit_gutter()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The gutter is as high as the text; more lines may be in sight."""
        super().resizeEvent(event)
        self._fit_gutter()
        self._colour_soon()

    def _fit_gutter(self) -> None:
        width = self.gutter.wanted_width()
        self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self.gutter.setGeometry(QRect(inside.left(), inside.top(), width, inside.height()))

    @Slot(QRect, int)
    def _follow_update(self, _rect: QRect, _by: int) -> None:
        self.gutter.update()
        if any(block.userState() != self._paint_number for block, _ in self.visible_blocks()):
            self._colour_soon()

    # Mouse and keyboard

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remembered, so that a drag is no click."""
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click opens what stands for hidden text; anywhere else it chooses the segment."""
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        if event.button() is not Qt.MouseButton.LeftButton or self.textCursor().hasSelection():
            return
        number, is_stub, offset = self._under(at)
        if is_stub:
            self.turn_fold(number)
        elif offset is not None:
            self._choose(offset)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand over what can be opened."""
        super().mouseMoveEvent(event)
        _, is_stub, _ = self._under(event.position().toPoint())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_stub else Qt.CursorShape.IBeamCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space folds and opens, Enter chooses the segment at the cursor."""
        at = self.textCursor()
        if event.key() == Qt.Key.Key_Space and self.turn_fold(at.blockNumber()):
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._document is not None:
            self._choose(self._document.offset_at(at.blockNumber(), at.positionInBlock()))
            return
        super().keyPressEvent(event)
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        """A tip says what is under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self._tip(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def _tip(self, at: QPoint) -> str:
        text = self._wording.text
        number, is_stub, offset = self._under(at)
        lines = self.marks.tips(number)
        segment = self._segments.at(offset) if self._segments is not None and offset is not None else None
        if segment is not None and not is_stub:
            lines.append(text(segment.title))
        return "\n".join(lines)

    def _under(self, at: QPoint) -> tuple[int, bool, int | None]:
        """Line, whether a stub is there, and the offset under a point; -1 and None beside the text."""
        document = self._document
        cursor = self.cursorForPosition(at)
        number = cursor.blockNumber()
        if document is None or number >= len(document.drawn):
            return -1, False, None
        rect = self.blockBoundingGeometry(cursor.block()).translated(self.contentOffset())
        if at.y() > rect.bottom():
            return -1, False, None
        drawn, column = document.drawn[number], cursor.positionInBlock()
        is_stub = drawn.line.stub is not None and drawn.stub_start <= column < drawn.stub_end
        return number, is_stub, drawn.offset_of(column)

    def _choose(self, offset: int) -> None:
        segment = self._segments.near(offset) if self._segments is not None else None
        if segment is not None:
            self.segment_chosen.emit(segment)

    # Copying

    def createMimeDataFromSelection(self) -> QMimeData:
        """What copying and dragging give: the true JSON, with what is folded or cut."""
        data = QMimeData()
        data.setText(clipboard_text(self.selected_text()))
        return data

    def selected_text(self) -> str:
        """The true JSON behind the selection."""
        cursor = self.textCursor()
        if self._document is None or not cursor.hasSelection():
            return ""
        ends = []
        for position in (cursor.selectionStart(), cursor.selectionEnd()):
            block = self.document().findBlock(position)
            ends.append((block.blockNumber(), position - block.position()))
        return self._document.text_between(ends[0], ends[1])
