"""A strip with one mark for each turn: when something was in the requests of a runtime, and when not."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from covel_inspector.app.panels.listed_rows import Label
from covel_inspector.app.theme import kind_qcolour
from covel_inspector.app.theme_colours import Colours
from covel_inspector.domain import Kind

WIDEST, NARROWEST = 12, 5
"""Pixels that one turn takes."""


class Tick(Enum):
    """What a turn's mark says. Each has a shape of its own, for eyes that see no colours."""

    IN = "in"
    """A full block."""
    OUT = "out"
    """A short line at the bottom."""
    CUT = "cut"
    """An empty frame: it was awake, and the budget left it out."""
    MISSED = "missed"
    """A crossed frame: by the rows of now it should be in, but the recorded request does not hold it."""
    AGAINST = "against"
    """A full block with a bar above: the recorded request holds it, though by the rows of now it should be out."""
    NEVER = "never"
    """Nothing: it could not be in (switched off, or not written yet)."""


THERE = (Tick.IN, Tick.AGAINST)
"""Marks of turns whose request holds it."""


@dataclass(frozen=True, slots=True)
class TurnStrip:
    """The marks of all turns in story order; ``current`` is framed, None when it is none of them.

    ``say`` gives the words for a turn by its number, when a tool tip needs them.
    """

    ticks: tuple[Tick, ...]
    say: Callable[[int], str]
    current: int | None = None
    kind: Kind = Kind.LORE
    names: tuple[str, ...] = ()
    """Numbers of the turns, for the heading; without them it has none."""

    def paint(self, painter: QPainter, rect: QRect, colours: Colours) -> None:
        """Paint it into a cell; the turns around the current one when there is no room for all."""
        first, count, step = self._window(rect.width())
        top, bottom = rect.top() + 5, rect.bottom() - 5
        for place in range(count):
            left = rect.left() + place * step
            block = QRectF(left, top, step - 2, bottom - top + 1)
            self._paint_tick(painter, block, self.ticks[first + place], colours)
            if first + place == self.current:
                painter.setPen(QPen(QColor(colours.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(block.adjusted(-1, -2, 1, 2))

    def item_at(self, x: int, width: int) -> int | None:
        """The number of the turn under a place."""
        first, count, step = self._window(width)
        place = x // step if x >= 0 else -1
        return first + place if 0 <= place < count else None

    def tip_of(self, item: int) -> str:
        """What that turn's mark says, in words."""
        return self.say(item)

    def width(self) -> int:
        """Pixels beyond which it gains nothing."""
        return len(self.ticks) * WIDEST

    def labels(self, width: int) -> list[Label]:
        """The current turn, the first and the last in sight, and every fifth between them."""
        if not self.names:
            return []
        first, count, step = self._window(width)
        seen = range(first, first + count)
        fifths = [number for number in seen if self.names[number].isdecimal() and int(self.names[number]) % 5 == 0]
        wanted = dict.fromkeys((*filter(seen.__contains__, [self.current]), *seen[:1], *seen[-1:], *fifths))
        return [
            Label((number - first) * step + (step - 2) / 2, self.names[number], number == self.current)
            for number in wanted
        ]

    def next_in(self, step: int) -> int | None:
        """The nearest turn after (1) or before (-1) the current one in which it was in."""
        start = self.current if self.current is not None else (-1 if step > 0 else len(self.ticks))
        turns = range(start + 1, len(self.ticks)) if step > 0 else range(start - 1, -1, -1)
        return next((number for number in turns if self.ticks[number] in THERE), None)

    def _paint_tick(self, painter: QPainter, block: QRectF, tick: Tick, colours: Colours) -> None:
        if tick in THERE:
            painter.fillRect(block, kind_qcolour(self.kind))
            if tick is Tick.AGAINST:
                painter.fillRect(QRectF(block.left(), block.top() - 3, block.width(), 2), QColor(colours.warning))
        elif tick is Tick.OUT:
            painter.fillRect(QRectF(block.left(), block.bottom() - 2, block.width(), 2), QColor(colours.disabled))
        elif tick is Tick.CUT:
            painter.setPen(QPen(kind_qcolour(self.kind), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(block.adjusted(0.5, 0.5, -0.5, -0.5))
        elif tick is Tick.MISSED:
            frame = block.adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(QPen(QColor(colours.warning), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(frame)
            painter.drawLine(frame.bottomLeft(), frame.topRight())

    def _window(self, width: int) -> tuple[int, int, int]:
        """First turn that is drawn, how many are, and the pixels each takes."""
        total = len(self.ticks)
        step = max(NARROWEST, min(WIDEST, width // max(1, total)))
        count = max(1, min(total, width // step)) if total else 0
        middle = self.current if self.current is not None else total - 1
        return max(0, min(total - count, middle - count // 2)), count, step


def runs(numbers: tuple[str, ...], ticks: tuple[Tick, ...]) -> str:
    """The turns in which it was in, in short: "3, 5–7, 9". ``numbers`` names the turns; a missing one parts a run."""
    found: list[list[str]] = []
    before: str | None = None
    for number, tick in zip(numbers, ticks, strict=True):
        if tick not in THERE:
            before = None
            continue
        if before is not None and _follows(number, before):
            found[-1].append(number)
        else:
            found.append([number])
        before = number
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in found)


def _follows(number: str, before: str) -> bool:
    """Whether no turn can lie between two; numbers that are none follow each other as they are listed."""
    if number.isdecimal() and before.isdecimal():
        return int(number) - int(before) <= 1
    return True
