"""One request as a document: prose with the segments' colours in the margin."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from covel_inspector.analysis.compare import PairState
from covel_inspector.app.compare.pane_text import PaneText
from covel_inspector.app.compare.passages import Passage, Voice
from covel_inspector.app.compare.read_formats import ReadFormats
from covel_inspector.app.compare.read_padding import PagePadding
from covel_inspector.app.compare.row_texts import STATE_WORDS
from covel_inspector.app.compare.source_edit import Span, clipboard_text
from covel_inspector.app.figures import figure
from covel_inspector.app.picked_text import PickedSpan, PickedText, joined
from covel_inspector.app.theme import kind_qcolour
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say
from covel_inspector.text.invisible import draw_invisible

_MARGIN = 26
"""Pixels left of the text: room for the colour of the segment."""

_BAR_LEFT, _BAR_WIDTH = 10, 4
_LINE_HEIGHT = 122
"""Per cent of the font's own line height: Chinese text needs air between its lines."""

_SIGNS = {
    PairState.CHANGED: "≠",
    PairState.ADDED: "+",
    PairState.REMOVED: "−",
    PairState.MOVED: "↕",
    PairState.MOVED_CHANGED: "↕≠",
}


@dataclass(frozen=True, slots=True)
class _Line:
    """A block of the document: which passage it belongs to, and its text unless it is a caption.

    ``start``: where the line begins in the passage's text, in code points.
    """

    passage: int
    text: PaneText | None
    start: int = 0


class ReadPage(QTextEdit):
    """A read-only document of passages. A click chooses a passage, or unfolds it."""

    passage_chosen = Signal(object)
    """The :class:`Passage` under the mouse."""
    text_picked = Signal(object)
    """Spans of leaves that the reader selected, with the text: a :class:`PickedText` of side B."""
    unfold_wanted = Signal(str)
    """Key of a passage whose rest should be shown."""
    written = Signal()
    """The document was written anew, or is laid out for another width: nothing is padded as it should be."""

    def __init__(self, changed_ground: str, wording: Wording, parent: QWidget | None = None) -> None:
        """``changed_ground`` names the colour behind changed words."""
        super().__init__(parent)
        self._changed_ground = changed_ground
        self._wording = wording
        self._colours = LIGHT
        self._passages: list[Passage] = []
        self._leaves: list[frozenset[int]] = []
        self._changed: Mapping[str, Sequence[Span]] = {}
        self._lines: list[_Line] = []
        self._first_block: dict[int, int] = {}
        self._chosen: frozenset[int] = frozenset()
        self._formats = ReadFormats.of(self.font(), self._colours, changed_ground)
        self.padding = PagePadding(self)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(8)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    @property
    def passages(self) -> list[Passage]:
        """What is shown, in order."""
        return self._passages

    def show_passages(self, found: list[Passage], changed: Mapping[str, Sequence[Span]] | None = None) -> None:
        """Replace the document; the place of the passage at the top is kept when it is still there.

        ``changed``: by the passage's key, the changed stretches of its text, in code points.
        """
        top = self.key_at_top()
        self._passages = found
        self._leaves = [passage.leaves if passage.voice is not Voice.HEADING else frozenset() for passage in found]
        self._changed = changed or {}
        self._lines = []
        self._first_block = {}
        self._formats = ReadFormats.of(self.font(), self._colours, self._changed_ground)
        self.setUpdatesEnabled(False)
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for number, passage in enumerate(found):
            self._first_block[number] = len(self._lines)
            self._write(cursor, number, passage)
        cursor.endEditBlock()
        self.padding.begin(list(self._first_block.values()))
        self.setUpdatesEnabled(True)
        self.scroll_to_key(top)
        self.written.emit()

    def mark_chosen(self, leaves: frozenset[int], *, scroll: bool) -> None:
        """Mark the passages of leaves, given by ``id``, and bring the first of them into sight."""
        self._chosen = leaves
        self.viewport().update()
        if scroll:
            number = self.number_of(leaves)
            if number is not None:
                self._scroll_to(number)

    def number_of(self, leaves: frozenset[int]) -> int | None:
        """Number of the first passage that shows one of these leaves, given by ``id``."""
        return next((number for number, one in enumerate(self._leaves) if one & leaves), None)

    def show_near(self, other: "ReadPage", number: int) -> None:
        """Bring into sight what stands nearest before a passage of another page that is missing in this one."""
        known = {one.key: place for place, one in enumerate(self._passages)}
        for passage in reversed(other.passages[: number + 1]):
            if passage.key in known:
                self._scroll_to(known[passage.key])
                return

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours; captions carry theirs in the document, so it is written again."""
        self._colours = colours
        if self._passages:
            self.show_passages(self._passages, self._changed)

    def changeEvent(self, event: QEvent) -> None:
        """A larger font is written into the document anew."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self._passages:
            self.show_passages(self._passages, self._changed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width makes other lines."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.written.emit()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What copying gives: the source texts in the selection, without captions."""
        data = QMimeData()
        data.setText(clipboard_text(self._selected_source()))
        return data

    # Writing

    def _write(self, cursor: QTextCursor, number: int, passage: Passage) -> None:
        if passage.voice is Voice.HEADING:
            self._block(cursor, _Line(number, None), self._wording.text(passage.title), self._formats.heading, top=18)
            return
        caption = self._caption(passage)
        self._block(cursor, _Line(number, None), caption, self._formats.small, top=14, bottom=2)
        if passage.voice is Voice.FOLDED:
            return
        format_ = self._formats.player if passage.voice is Voice.PLAYER else self._formats.prose
        indent = 1 if passage.voice is Voice.PLAYER else 0
        changed = self._changed.get(passage.key, ())
        for start, line in _lines(passage.text):
            text = PaneText(line, limit=len(line))
            self._block(cursor, _Line(number, text, start), text.display, format_, indent=indent, airy=True)
            self._mark(cursor, text, [(first - start, last - start) for first, last in changed])
        if passage.rest:
            more = say("… {n} characters more · show", n=figure(passage.rest))
            self._block(cursor, _Line(number, None), self._wording.text(more), self._formats.link)

    def _block(
        self,
        cursor: QTextCursor,
        line: _Line,
        text: str,
        characters: QTextCharFormat,
        *,
        top: int = 0,
        bottom: int = 0,
        indent: int = 0,
        airy: bool = False,
    ) -> None:
        shape = QTextBlockFormat()
        shape.setLeftMargin(_MARGIN + 20 * indent)
        shape.setRightMargin(10)
        shape.setTopMargin(top)
        shape.setBottomMargin(bottom)
        if airy:
            shape.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self._lines:
            cursor.insertBlock(shape, characters)
        else:
            cursor.setBlockFormat(shape)
            cursor.setBlockCharFormat(characters)
        cursor.insertText(text, characters)
        self._lines.append(line)

    def _mark(self, cursor: QTextCursor, text: PaneText, changed: Sequence[Span]) -> None:
        """Put a ground behind the changed stretches of the block that was just written."""
        begin, length = cursor.block().position(), len(text.source)
        for first, last in changed:
            if last <= 0 or first >= length:
                continue
            cursor.setPosition(begin + text.to_display(max(0, first)))
            cursor.setPosition(begin + text.to_display(min(length, last)), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(self._formats.changed)
        cursor.movePosition(QTextCursor.MoveOperation.End)

    def _caption(self, passage: Passage) -> str:
        text = self._wording.text
        pieces = [draw_invisible(text(passage.title)).text]
        if passage.branch is not None and passage.voice is not Voice.STORY and passage.voice is not Voice.PLAYER:
            pieces.insert(0, text(passage.branch))
        if passage.voice is Voice.FOLDED:
            pieces.append(text(say("{n} characters · show", n=figure(passage.rest))))
        caption = " · ".join(pieces)
        if passage.state is not None and passage.state in _SIGNS:
            caption = f"{_SIGNS[passage.state]} {caption} — {text(STATE_WORDS[passage.state])}"
        return f"▸ {caption}" if passage.voice is Voice.FOLDED else caption

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tints and margin colours of the visible blocks, then the text over them."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._colours.ground))
        line = QColor(self._colours.border)
        for block, rect in self._visible_blocks():
            number = block.blockNumber()
            if number < len(self._lines):
                passage = self._lines[number].passage
                self._paint_margin(painter, passage, rect)
                self.padding.paint_above(painter, block, passage, rect.top(), line)
        self.padding.paint_end(painter, line)
        painter.end()
        super().paintEvent(event)

    def _paint_margin(self, painter: QPainter, number: int, rect: QRectF) -> None:
        passage = self._passages[number]
        if passage.voice is Voice.HEADING:
            return
        tint = {
            PairState.CHANGED: self._colours.changed if passage.key not in self._changed else None,
            PairState.ADDED: self._colours.added,
            PairState.REMOVED: self._colours.removed,
            PairState.MOVED: self._colours.moved,
            PairState.MOVED_CHANGED: self._colours.moved,
        }.get(passage.state or PairState.EQUAL)
        if tint is not None:
            painter.fillRect(rect.adjusted(_BAR_LEFT, 0, -4, 0), QColor(tint))
        is_chosen = bool(self._leaves[number] & self._chosen)
        width = _BAR_WIDTH + 4 if is_chosen else _BAR_WIDTH
        painter.fillRect(QRectF(_BAR_LEFT, rect.top(), width, rect.height()), kind_qcolour(passage.segment.kind))
        if is_chosen:
            painter.fillRect(QRectF(_BAR_LEFT - 5, rect.top(), 3, rect.height()), QColor(self._colours.accent))

    def _visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        layout = self.document().documentLayout()
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block().previous()
        if not block.isValid():
            block = self.document().firstBlock()
        offset = self.verticalScrollBar().value()
        while block.isValid():
            rect = layout.blockBoundingRect(block)
            top = rect.top() - offset
            if top > self.viewport().height():
                return
            # Bars of one passage join; the air above a caption, which is outside its rectangle, belongs to no passage.
            gap = -2 if block.blockFormat().topMargin() else 0
            bottom = rect.bottom() - offset
            after = block.next()
            if after.isValid() and not after.blockFormat().topMargin():
                bottom = layout.blockBoundingRect(after).top() - offset
            yield block, QRectF(0, top + gap, self.viewport().width(), bottom - top - gap)
            block = after

    # Mouse

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click without a selection chooses the passage, or unfolds it."""
        super().mouseReleaseEvent(event)
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if self.textCursor().hasSelection():
            self._tell_picked()
            return
        number = self.cursorForPosition(event.position().toPoint()).blockNumber()
        if not 0 <= number < len(self._lines):
            return
        line = self._lines[number]
        passage = self._passages[line.passage]
        is_last = number + 1 >= len(self._lines) or self._lines[number + 1].passage != line.passage
        if line.text is None and passage.rest and (passage.voice is Voice.FOLDED or is_last):
            self.unfold_wanted.emit(passage.key)
        if passage.voice is not Voice.HEADING:
            self.passage_chosen.emit(passage)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """A selection made by keys is told when a key is released."""
        super().keyReleaseEvent(event)
        if self.textCursor().hasSelection() and not event.isAutoRepeat():
            self._tell_picked()

    def _tell_picked(self) -> None:
        spans: list[PickedSpan] = []
        for line, first, last in self._selected_lines():
            if line.text is not None:
                start, end = line.text.source_span(first, last)
                spans.extend(self._passages[line.passage].spans(line.start + start, line.start + end))
        if spans:
            self.text_picked.emit(PickedText(self._selected_source(), joined(spans)))

    # Places

    def key_at_top(self) -> str:
        """Key of the passage at the upper edge; empty without any."""
        if not self._lines:
            return ""
        number = self.cursorForPosition(QPointF(4, 4).toPoint()).blockNumber()
        return self._passages[self._lines[min(number, len(self._lines) - 1)].passage].key

    def scroll_to_key(self, key: str) -> None:
        """Bring a passage to the upper edge; without it the beginning."""
        number = next((n for n, one in enumerate(self._passages) if one.key == key), None) if key else None
        if number is None:
            self.verticalScrollBar().setValue(0)
        else:
            self._scroll_to(number, anywhere=False)

    def _scroll_to(self, passage: int, *, anywhere: bool = True) -> None:
        block = self.document().findBlockByNumber(self._first_block.get(passage, 0))
        rect = self.document().documentLayout().blockBoundingRect(block)
        bar = self.verticalScrollBar()
        is_seen = bar.value() <= rect.top() <= bar.value() + self.viewport().height() - 40
        if not (anywhere and is_seen):
            # Qt lays out lazily: the bar may still end before the place. It is set right when all is laid out.
            bar.setMaximum(max(bar.maximum(), int(rect.top())))
            bar.setValue(int(rect.top()) - (24 if anywhere else 0))

    def _selected_source(self) -> str:
        pieces: list[str] = []
        last: int | None = None
        for line, first_utf16, last_utf16 in self._selected_lines():
            if line.text is None:
                continue
            if last is not None:
                pieces.append("\n" if line.passage == last else "\n\n")
            pieces.append(line.text.source_between(first_utf16, last_utf16))
            last = line.passage
        return "".join(pieces)

    def _selected_lines(self) -> Iterator[tuple[_Line, int, int]]:
        """The lines of the selection, and which stretch of each is selected, in UTF-16 units of the line."""
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        block = self.document().findBlock(start)
        while block.isValid() and block.position() <= end and block.blockNumber() < len(self._lines):
            inside = max(0, start - block.position()), min(block.length() - 1, end - block.position())
            yield self._lines[block.blockNumber()], *inside
            block = block.next()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text and where they begin, without the blank lines around it."""
    start = len(text) - len(text.lstrip("\n"))
    for line in text.strip("\n").split("\n"):
        yield start, line
        start += len(line) + 1
