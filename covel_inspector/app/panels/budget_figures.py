"""The shares of a request in figures: as it was, and beside it the changed one."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from covel_inspector.app.figures import figure
from covel_inspector.app.panels.budget_content import Bar, BarBlock, BudgetView
from covel_inspector.app.plain_text import breakable_label, label
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import LIGHT, Colours, kind_colour
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Kind, Sentence, say


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a share in the one run and in the other; None where a run has no such share."""

    title: Sentence
    kind: Kind | None
    was: int | None
    is_now: int | None
    left_out: int


def rows_of(was: BudgetView | None, now: BudgetView | None) -> tuple[Row, ...]:
    """Shares by name, in the order of the run that is shown, then the sums. ``now`` is the changed run, if any."""
    shown = now or was
    if shown is None:
        return ()
    rows = list(_sums(was.bar if was is not None else None, now.bar if now is not None else None))
    kept = [view.kept if view is not None else None for view in (was, now)]
    if any(tokens is not None for tokens in kept):
        rows.append(Row(say("prefix kept from turn to turn"), None, kept[0], kept[1], 0))
    before = {block.name: block for block in was.bar.blocks} if was is not None else {}
    after = {block.name: block for block in now.bar.blocks} if now is not None else {}
    for name in dict.fromkeys([*(block.name for block in shown.bar.blocks), *before]):
        a, b = before.get(name), after.get(name)
        named = b or a
        if named is not None and any(block is not None and block.tokens for block in (a, b)):
            rows.append(Row(named.title, named.kind, _tokens(a), _tokens(b), named.left_out))
    return tuple(rows)


def _sums(a: Bar | None, b: Bar | None) -> Iterator[Row]:
    if any(bar is not None and bar.limit is not None for bar in (a, b)):
        yield Row(say("limit"), None, a.limit if a else None, b.limit if b else None, 0)
    lost = (b or a or Bar()).before - (b or a or Bar()).after
    yield Row(say("before the steps"), None, a.before if a else None, b.before if b else None, 0)
    yield Row(say("after the steps"), None, a.after if a else None, b.after if b else None, max(0, lost))


def _tokens(block: BarBlock | None) -> int | None:
    return block.tokens if block is not None else None


class BudgetFigures(QWidget):
    """A small table, figures right-aligned. The third column appears with a changed run."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._colours = LIGHT
        self._shown: tuple[BudgetView | None, BudgetView | None] = (None, None)
        self._counts: tuple[Sentence, ...] = ()
        self._told = breakable_label("", "quiet")
        self._grid = QGridLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._grid)
        told = QVBoxLayout()
        told.setContentsMargins(UNIT + 4, 0, UNIT * 2, UNIT)
        told.addWidget(self._told)
        column.addLayout(told)
        column.addStretch(1)
        self._grid.setContentsMargins(UNIT + 4, UNIT // 2, UNIT * 2, UNIT)
        self._grid.setHorizontalSpacing(UNIT)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)

    def show_views(self, was: BudgetView | None, now: BudgetView | None) -> None:
        """Show one run, or two side by side."""
        if (was, now) != self._shown:
            self._shown = (was, now)
            self._draw()

    def show_counts(self, lines: tuple[Sentence, ...]) -> None:
        """Sentences on how the request is counted elsewhere, below the table."""
        self._counts = lines
        self._told.setText("\n".join(self._wording.text(line) for line in lines))

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self._draw()

    def apply_wording(self) -> None:
        """Say all texts again."""
        self._draw()
        self.show_counts(self._counts)

    @property
    def texts(self) -> list[str]:
        """What the cells say, row by row."""
        return [made.text() for made in self.findChildren(QLabel) if made.isVisibleTo(self) and made.text()]

    def _draw(self) -> None:
        self.setUpdatesEnabled(False)
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        was, now = self._shown
        if was is not None or now is not None:
            rows = rows_of(was, now)
            self._draw_heads(has_two=now is not None, has_lost=any(row.left_out for row in rows))
            for number, row in enumerate(rows, 1):
                self._draw_row(number, row, has_two=now is not None)
        self.setUpdatesEnabled(True)

    def _draw_heads(self, *, has_two: bool, has_lost: bool) -> None:
        heads = [say("as it was"), say("what if")] if has_two else [say("tokens")]
        for column, head in enumerate(heads, 2):
            self._put(label(self._wording.text(head), "quiet"), 0, column)
        if has_lost:
            self._put(label(self._wording.text(say("left out")), "quiet"), 0, 4)

    def _draw_row(self, number: int, row: Row, *, has_two: bool) -> None:
        tone = "heading" if row.kind is None else ""
        if row.kind is not None:
            dot = QLabel()
            dot.setFixedSize(UNIT, UNIT)
            dot.setStyleSheet(f"background: {kind_colour(row.kind)}; border-radius: 2px;")
            self._grid.addWidget(dot, number, 0)
        self._grid.addWidget(breakable_label(self._wording.text(row.title), tone), number, 1)
        cells = [row.was, row.is_now] if has_two else [row.was]
        for column, cell in enumerate(cells, 2):
            self._put(label(figure(cell) if cell is not None else "–", tone), number, column)
        if row.left_out:
            self._put(label(figure(row.left_out), "quiet"), number, 4)

    def _put(self, made: QLabel, row: int, column: int) -> None:
        made.setWordWrap(False)
        self._grid.addWidget(made, row, column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
