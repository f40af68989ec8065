"""Shows a runtime's body with the values of its variables. A click chooses a piece; copying gives what was sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from covel_inspector.app.compare.pane_text import PaneText
from covel_inspector.app.compare.source_edit import clipboard_text
from covel_inspector.app.panels.template_runs import Run, Style
from covel_inspector.app.theme_colours import LIGHT, Colours

_LINE_HEIGHT = 122
"""Per cent of the font's own line height: Chinese text needs air between its lines."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A run and where it is displayed, in UTF-16 units of the document."""

    run: Run
    text: PaneText
    start_utf16: int
    end_utf16: int


class TemplateText(QTextEdit):
    """Read only. ``piece_chosen`` carries the number of the piece that was clicked."""

    piece_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: list[Run] = []
        self._placed: list[_Placed] = []
        self._colours = LIGHT
        self._chosen = ""
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(12)

    @property
    def runs(self) -> list[Run]:
        """What is shown."""
        return self._runs

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show another body; the same one stays where it is scrolled to."""
        if list(runs) != self._runs:
            self._runs = list(runs)
            self._write()
            self.verticalScrollBar().setValue(0)

    def choose(self, variable: str) -> None:
        """Mark all places of a variable, and bring the first into sight; the empty name marks nothing."""
        is_other, self._chosen = variable != self._chosen, variable
        self._mark()
        first = next((one for one in self._placed if variable and one.run.variable == variable), None)
        if first is not None and is_other:
            cursor = QTextCursor(self.document())
            cursor.setPosition(first.start_utf16)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        """A larger font is written into the document anew."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self._runs:
            self._write()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What copying gives: the text that was sent, without our remarks."""
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        pieces = []
        for one in self._placed:
            first, last = max(start, one.start_utf16), min(end, one.end_utf16)
            if first < last and not one.run.is_ours:
                pieces.append(one.text.source_between(first - one.start_utf16, last - one.start_utf16))
        data = QMimeData()
        data.setText(clipboard_text("".join(pieces)))
        return data

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click without a selection chooses a piece."""
        super().mouseReleaseEvent(event)
        if event.button() is not Qt.MouseButton.LeftButton or self.textCursor().hasSelection():
            return
        position = self.cursorForPosition(event.position().toPoint()).position()
        found = next((one for one in self._placed if one.start_utf16 <= position < one.end_utf16), None)
        if found is not None:
            self.piece_chosen.emit(found.run.piece)

    # Inside

    def _write(self) -> None:
        top = self.verticalScrollBar().value()
        self._placed = []
        self.setUpdatesEnabled(False)
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        spacing = QTextBlockFormat()
        spacing.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(spacing)
        formats = {style: self._format(style) for style in Style}
        for run in self._runs:
            text = PaneText(run.text, max(1, len(run.text)))
            start = cursor.position()
            cursor.insertText(text.display, formats[run.style])
            self._placed.append(_Placed(run, text, start, cursor.position()))
        cursor.endEditBlock()
        self.setUpdatesEnabled(True)
        self._mark()
        self.verticalScrollBar().setValue(top)

    def _mark(self) -> None:
        marks = []
        for one in self._placed:
            if self._chosen and one.run.variable == self._chosen:
                mark = QTextEdit.ExtraSelection()
                cursor = QTextCursor(self.document())
                cursor.setPosition(one.start_utf16)
                cursor.setPosition(one.end_utf16, QTextCursor.MoveMode.KeepAnchor)
                look = QTextCharFormat()
                look.setBackground(QColor(self._colours.selected))
                look.setFontUnderline(True)
                look.setUnderlineColor(QColor(self._colours.accent))
                mark.cursor, mark.format = cursor, look
                marks.append(mark)
        self.setExtraSelections(marks)

    def _format(self, style: Style) -> QTextCharFormat:
        colours = self._colours
        made = QTextCharFormat()
        font = QFont(self.font())
        if style in (Style.NAME, Style.NOTE, Style.MISSING):
            font.setPointSizeF(font.pointSizeF() * 0.85)
        made.setFont(font)
        tones = {Style.NAME: colours.link, Style.NOTE: colours.quiet, Style.MISSING: colours.error}
        made.setForeground(QColor(tones.get(style, colours.text)))
        grounds = {Style.VALUE: colours.boundary, Style.CHANGED: colours.changed}
        if style in grounds:
            made.setBackground(QColor(grounds[style]))
        if style is Style.CHANGED:
            made.setFontWeight(QFont.Weight.DemiBold)
        if style is Style.MISSING:
            made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        return made
