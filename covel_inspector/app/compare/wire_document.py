"""What the text widget of the wire view is given: lines of a body, drawn, with the way back to the true text.

Positions on the widget's side are a line (which is a block there) and a column in UTF-16 units; on the other side code
points of the body's text. Nothing is ever read back from a widget. Pure, without Qt.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from covel_inspector.analysis.wire_lines import Stub, WireLine, WireLines
from covel_inspector.text.invisible import Drawn, draw_invisible
from covel_inspector.text.utf16 import from_utf16, to_utf16, utf16_length

SayStub = Callable[[Stub], str]
"""What stands in place of hidden text."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One line as it is drawn: blanks, the text, and behind a stub the rest. Lengths in UTF-16 units."""

    line: WireLine
    head: Drawn
    stub: str
    rest: Drawn

    @property
    def display(self) -> str:
        """The whole line."""
        return " " * self.line.indent + self.head.text + self.stub + self.rest.text

    @property
    def stub_start(self) -> int:
        """Column at which the stub begins."""
        return self.line.indent + utf16_length(self.head.text)

    @property
    def stub_end(self) -> int:
        """Column at which the stub ends."""
        return self.stub_start + utf16_length(self.stub)

    def column_of(self, offset: int) -> int:
        """The column of an offset; what is hidden lies at the stub."""
        line = self.line
        if line.stub is not None and offset >= line.tail:
            return self.stub_end + to_utf16(self.rest.text, self.rest.to_drawn(min(offset, line.last) - line.tail))
        if offset >= line.end:
            return self.stub_start
        inside = max(offset - line.start, 0)
        return line.indent + to_utf16(self.head.text, self.head.to_drawn(inside))

    def offset_of(self, column: int) -> int:
        """The offset at a column; on the stub where the hidden text begins."""
        line = self.line
        if line.stub is not None and column >= self.stub_end:
            return min(line.tail + self.rest.to_source(from_utf16(self.rest.text, column - self.stub_end)), line.last)
        if column >= self.stub_start:
            return line.end
        inside = max(column - line.indent, 0)
        return min(line.start + self.head.to_source(from_utf16(self.head.text, inside)), line.end)


class _DrawnLines(Sequence[DrawnLine]):
    """Lines that are drawn when they are asked for: of a long body only few are ever looked at."""

    def __init__(self, lines: WireLines, say_stub: SayStub) -> None:
        self._lines, self._text, self._say_stub = lines.lines, lines.wire.text, say_stub
        self._known: dict[int, DrawnLine] = {}

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, number: int) -> DrawnLine: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[DrawnLine]: ...

    def __getitem__(self, number: int | slice) -> DrawnLine | Sequence[DrawnLine]:
        if isinstance(number, slice):
            return [self._drawn(line) for line in self._lines[number]]
        if number not in self._known:
            self._known[number] = self._drawn(self._lines[number])
        return self._known[number]

    def display(self) -> Iterator[str]:
        """What is shown of each line, without keeping more of it."""
        text = self._text
        for line in self._lines:
            if line.stub is None:
                yield " " * line.indent + draw_invisible(text[line.start : line.end]).text
            else:
                yield self._drawn(line).display

    def _drawn(self, line: WireLine) -> DrawnLine:
        text, is_whole = self._text, line.stub is None
        return DrawnLine(
            line,
            draw_invisible(text[line.start : line.end]),
            "" if line.stub is None else self._say_stub(line.stub),
            draw_invisible("" if is_whole else text[line.tail : line.last]),
        )


class WireDocument:
    """All lines of a body as they are drawn."""

    def __init__(self, lines: WireLines, say_stub: SayStub) -> None:
        self.lines = lines
        self.drawn = _DrawnLines(lines, say_stub)

    @cached_property
    def display(self) -> str:
        """What the widget is given."""
        return "\n".join(self.drawn.display())

    def offset_at(self, line: int, column: int) -> int:
        """The offset that is drawn at a column of a line."""
        return self.drawn[line].offset_of(column)

    def position_of(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = self.lines.line_of(offset)
        return line, self.drawn[line].column_of(offset)

    def text_between(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        """The true text between two places, hidden text included. A mark that is touched counts as a whole."""
        first, last = self.offset_at(*start), self.offset_at(*end)
        line, column = end
        drawn = self.drawn[line]
        if drawn.line.stub is not None and drawn.stub_start < column < drawn.stub_end:
            last = drawn.line.tail
        elif end > start and self.position_of(last) < end and last < drawn.line.until:
            last += 1
        return self.lines.wire.text[first:last]
