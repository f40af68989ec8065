"""Rows of the lists in panels, ready to draw: every text is made when the rows are built. Pure but for the drawings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from covel_inspector.app.theme_colours import Colours
from covel_inspector.domain import Kind, Sentence


class Drawing(Protocol):
    """Something that a cell holds in place of a text, such as a strip of turns."""

    def paint(self, painter: QPainter, rect: QRect, colours: Colours) -> None:
        """Paint it into a cell."""
        ...

    def item_at(self, x: int, width: int) -> int | None:
        """Number of the item under a horizontal place of the cell (from its left, in pixels); None beside them."""
        ...

    def tip_of(self, item: int) -> str:
        """What a tool tip says about an item."""
        ...

    def width(self) -> int:
        """Pixels beyond which it gains nothing."""
        ...

    def labels(self, width: int) -> Sequence["Label"]:
        """What the heading of the column says of its items at a width, most telling first; nothing for a plain
        title."""
        ...


@dataclass(frozen=True, slots=True)
class Label:
    """The name of an item in a heading: ``x`` is its middle, in pixels from the left of the cell."""

    x: float
    text: str
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. ``text`` is safe to draw and one line long.

    ``tone`` and ``icon_tone`` name colours of a theme, ``icon`` a drawing of ours; ``share`` (0.0 to 1.0) draws a bar
    behind the text.
    """

    text: str = ""
    tone: str = "text"
    icon: str = ""
    icon_tone: str = "quiet"
    bold: bool = False
    share: float | None = None
    drawing: Drawing | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, whether figures stand to the right, and how wide it gets.

    ``stretch`` 0 = as wide as its contents, at least ``least`` and at most ``most`` average letters; above 0 = its part
    of what is left.
    """

    title: Sentence
    right: bool = False
    stretch: int = 0
    most: int = 30
    least: int = 0
    help: Sentence | None = None
    """Said by the tool tip of the title."""


@dataclass(slots=True)
class Row:
    """One row. ``key`` is stable over turns and unique among siblings; ``subject`` is what the row is about.

    ``kind`` draws a dot of that kind before the first cell; ``spoken`` is for screen readers: all that signs say, too.
    """

    key: str
    cells: tuple[Cell, ...]
    subject: object = None
    kind: Kind | None = None
    tip: str = ""
    spoken: str = ""
    is_faint: bool = False
    """Drawn quietly: something that is not there."""
    opens: bool = False
    """Whether its children are shown at first."""
    children: list["Row"] = field(default_factory=list)
    parent: "Row | None" = None
    number: int = 0

    @property
    def path(self) -> tuple[str, ...]:
        """Keys from the top."""
        return (*self.parent.path, self.key) if self.parent is not None else (self.key,)


def settled(rows: Sequence[Row], parent: Row | None = None) -> list[Row]:
    """The rows with their places among their siblings set, all the way down."""
    for number, row in enumerate(rows):
        row.number, row.parent = number, parent
        settled(row.children, row)
    return list(rows)


def walk(rows: Sequence[Row]) -> Iterator[Row]:
    """All rows, parents first."""
    for row in rows:
        yield row
        yield from walk(row.children)


def spoken_cells(cells: Sequence[Cell], *more: str) -> str:
    """What a screen reader says of a row: its cells and what only signs tell."""
    return ", ".join(filter(None, (*(cell.text for cell in cells), *more)))
