"""A read-only text widget that shows a source text and never gives back anything but the source text."""

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QWidget

from covel_inspector.app.compare.pane_text import PaneText
from covel_inspector.app.compare.reader_edit import ReaderEdit

Span = tuple[int, int]
"""Start and end of a stretch."""


class _ChangedWords(QSyntaxHighlighter):
    """Puts a ground behind changed stretches, block by block: costs what is changed, not what is long."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._spans_utf16: Sequence[Span] = ()
        self._ends_utf16: list[int] = []
        self._shaded_utf16 = 0
        self._format = QTextCharFormat()
        self._shade = QTextCharFormat()

    def take(self, spans_utf16: Sequence[Span], shaded_utf16: int) -> None:
        """Sorted, disjoint spans, and the end of the shade, in UTF-16 units of the document; for the next layout."""
        self._spans_utf16 = spans_utf16
        self._ends_utf16 = [end for _, end in spans_utf16]
        self._shaded_utf16 = shaded_utf16

    def set_grounds(self, changed: QColor, shade: QColor) -> None:
        """The colours behind changed stretches, and behind what both requests share from the front."""
        self._format = QTextCharFormat()
        self._format.setBackground(changed)
        self._shade = QTextCharFormat()
        self._shade.setBackground(shade)

    def highlightBlock(self, _text: str) -> None:
        """Called by Qt for each block."""
        if not self._spans_utf16 and not self._shaded_utf16:
            return
        block: QTextBlock = self.currentBlock()
        start, end = block.position(), block.position() + block.length()
        if start < self._shaded_utf16:
            self.setFormat(0, min(end, self._shaded_utf16) - start, self._shade)
        number = bisect_left(self._ends_utf16, start + 1)
        while number < len(self._spans_utf16) and self._spans_utf16[number][0] < end:
            first, last = self._spans_utf16[number]
            self.setFormat(max(first, start) - start, min(last, end) - max(first, start), self._format)
            number += 1


class SourceEdit(ReaderEdit):
    """Shows one :class:`PaneText`. Copying copies the source, not what the widget made of it."""

    span_picked = Signal(int, int)
    """The reader selected a stretch, or clicked (then both are equal); in code points of the source."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = PaneText("")
        self._marked: Sequence[Span] = ()
        self._shared_end: int | None = None
        self._line = QColor()
        self._picked: Span = (0, 0)
        self.document().setDocumentMargin(0)
        self._words = _ChangedWords(self.document())

    @property
    def shown(self) -> PaneText:
        """The text in the widget, with its source."""
        return self._text

    @property
    def marked(self) -> Sequence[Span]:
        """The changed stretches, in code points of the source."""
        return self._marked

    @property
    def shared_end(self) -> int | None:
        """Where the shared prefix ends in the source, in code points."""
        return self._shared_end

    def show_text(self, text: PaneText, changed: Sequence[Span] = (), shared_end: int | None = None) -> None:
        """Show a text from its beginning.

        ``changed`` are sorted spans in code points of the source; up to ``shared_end`` it is shaded, None: not at all.
        """
        self._text = text
        self._picked = (0, 0)
        self._shared_end = shared_end
        self._take(changed)
        self.setPlainText(text.display)

    def mark(self, changed: Sequence[Span]) -> None:
        """Mark other stretches of the text that is shown."""
        self._take(changed)
        self._words.rehighlight()

    def set_grounds(self, changed: QColor, shade: QColor, line: QColor) -> None:
        """The colours behind changed stretches and the shared prefix, and of the line at its end."""
        self._words.set_grounds(changed, shade)
        self._line = line
        if self._marked or self._shared_end is not None:
            self._words.rehighlight()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, and a line where the shared prefix ends."""
        super().paintEvent(event)
        if self._shared_end is None or self._shared_end > self._text.limit:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._text.to_display(self._shared_end))
        place = self.cursorRect(cursor)
        painter = QPainter(self.viewport())
        painter.fillRect(place.left(), place.top(), 2, place.height(), self._line)
        painter.end()

    def top_code_point(self) -> int:
        """The source's code point at which the first visible block begins."""
        return self._text.to_source(self.firstVisibleBlock().position())

    def scroll_to_code_point(self, index: int) -> None:
        """Bring the block that holds a code point of the source to the top."""
        block = self.document().findBlock(self._text.to_display(index))
        if block.isValid():
            self.verticalScrollBar().setValue(block.firstLineNumber())

    def reveal(self, index: int) -> None:
        """Scroll so that a code point of the source is in the middle, unless it is in sight already."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._text.to_display(index))
        place = self.cursorRect(cursor)
        if place.top() < 0 or place.bottom() > self.viewport().height():
            self.setTextCursor(cursor)
            self.centerCursor()

    def select(self, start: int, end: int) -> None:
        """Select a stretch of the source and bring it into the middle; nobody is told."""
        self._picked = (start, end)
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._text.to_display(start))
        cursor.setPosition(self._text.to_display(end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.centerCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was selected, or where the reader clicked."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._tell_picked(always=True)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """A selection made by keys is told when a key is released."""
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self._tell_picked(always=False)

    def _tell_picked(self, *, always: bool) -> None:
        cursor = self.textCursor()
        span = self._text.source_span(cursor.selectionStart(), cursor.selectionEnd())
        was_selected, is_selected = self._picked[0] < self._picked[1], cursor.hasSelection()
        if always or (span != self._picked and (is_selected or was_selected)):
            self.span_picked.emit(*span)
        self._picked = span

    def createMimeDataFromSelection(self) -> QMimeData:
        """What copying and dragging give: the source text, with lone surrogates as U+FFFD."""
        cursor = self.textCursor()
        data = QMimeData()
        data.setText(clipboard_text(self._text.source_between(cursor.selectionStart(), cursor.selectionEnd())))
        return data

    def _take(self, changed: Sequence[Span]) -> None:
        self._marked = changed
        to_display, limit = self._text.to_display, self._text.limit
        spans = [(to_display(start), to_display(end)) for start, end in changed if start < limit]
        self._words.take(spans, to_display(self._shared_end) if self._shared_end is not None else 0)


def clipboard_text(source: str) -> str:
    """A text that Qt's clipboard can carry: it would drop lone surrogates without a word."""
    return source.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
