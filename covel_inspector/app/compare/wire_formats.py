"""How a line of the wire view is coloured, and how a cache mark is painted under it."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QApplication

from covel_inspector.analysis.wire_text import NodeKind
from covel_inspector.app.compare.wire_colours import colour_value, colours_of_line
from covel_inspector.app.compare.wire_document import DrawnLine
from covel_inspector.app.look import CHINESE_FAMILIES
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import Colours
from covel_inspector.text.utf16 import Utf16Map

Spans = Sequence[tuple[int, int]]
"""Stretches of the body's text, in code points."""


def formats_of(drawn: DrawnLine, text: str, chosen: Spans, colours: Colours) -> list[QTextLayout.FormatRange]:
    """The colours of a line of the body ``text``, with a ground behind the ``chosen`` stretches."""
    return [*_syntax(drawn, text, colours), *_grounds(drawn, chosen, colours)]


def _syntax(drawn: DrawnLine, text: str, colours: Colours) -> Iterator[QTextLayout.FormatRange]:
    line, display = drawn.line, drawn.display
    units = Utf16Map(display)
    is_cut = line.stub is not None and line.stub.node.kind is NodeKind.STRING
    goes_on = line.stub is None and line.end < len(text) and text[line.end] != "\n"
    head = display[: line.indent + len(drawn.head.text)]
    for start, end, role in colours_of_line(head, starts_inside=line.in_string, ends_inside=is_cut or goes_on):
        yield _range(units.to_utf16(start), units.to_utf16(end), _foreground(colour_value(colours, role)))
    if line.stub is not None:
        yield _range(drawn.stub_start, drawn.stub_end, _foreground(colours.link))


def _grounds(drawn: DrawnLine, chosen: Spans, colours: Colours) -> Iterator[QTextLayout.FormatRange]:
    ground = QTextCharFormat()
    ground.setBackground(QColor(colours.selected))
    for start, end in chosen:
        if start < drawn.line.until and end > drawn.line.start:
            yield _range(drawn.column_of(start), drawn.column_of(end), ground)


def _foreground(value: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(value))
    return made


def _range(start: int, end: int, made: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, max(end - start, 0), made
    return found


def paint_mark(painter: QPainter, line: QRectF, text: str, font: QFont, colours: Colours) -> None:
    """A dashed line under a line of text, and at its right end the name of the boundary."""
    painter.save()
    painter.setFont(font)
    metrics = painter.fontMetrics()
    accent = QColor(colours.accent)
    y = line.bottom() - 1
    width = metrics.horizontalAdvance(text) + UNIT * 2
    right = line.right() - UNIT
    painter.setPen(QPen(accent, 1, Qt.PenStyle.DashLine))
    painter.drawLine(int(line.left()), int(y), int(right - width), int(y))
    pill = QRectF(right - width, y - metrics.height(), width, metrics.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(accent, 1))
    painter.setBrush(QColor(colours.boundary))
    painter.drawRoundedRect(pill, UNIT / 2, UNIT / 2)
    painter.setPen(QColor(colours.link))
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def fixed_font() -> QFont:
    """The system's fixed font in the size of all text, with Chinese families behind it."""
    # The system may name an alias, which Qt does not look up in a list of families.
    fixed = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    font = QFont()
    font.setFamilies([fixed.family(), *CHINESE_FAMILIES])
    font.setPointSizeF(QApplication.font().pointSizeF())
    return font
