"""The shares of a request in figures: as it was, and beside it the changed one."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from covel_inspector.app.figures import figure
from covel_inspector.app.panels.budget_content import BudgetView
from covel_inspector.app.plain_text import label
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import kind_colour
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
    is_sum: bool = False


def rows_of(was: BudgetView | None, now: BudgetView | None) -> tuple[Row, ...]:
    """Shares by name, in the order of the run that is shown, then the sums. ``now`` is the changed run, if any."""
    shown = now or was
    if shown is None:
        return ()
    before = {block.name: block for block in was.bar.blocks} if was is not None else {}
    after = {block.name: block for block in now.bar.blocks} if now is not None else {}
    rows: list[Row] = []
    for name in dict.fromkeys([*(block.name for block in shown.bar.blocks), *before]):
        a, b = before.get(name), after.get(name)
        named = b or a
        if named is not None and ((a is not None and a.tokens) or (b is not None and b.tokens)):
            rows.append(
                Row(
                    named.title,
                    named.kind,
                    a.tokens if a is not None else None,
                    b.tokens if b is not None else None,
                    named.left_out,
                )
            )
    a_bar, b_bar = was.bar if was is not None else None, now.bar if now is not None else None
    rows.append(Row(say("before the steps"), None, a_bar.before if a_bar else None, b_bar.before if b_bar else None, 0,
                    is_sum=True))  # fmt: skip
    rows.append(Row(say("as sent"), None, a_bar.after if a_bar else None, b_bar.after if b_bar else None, 0,
                    is_sum=True))  # fmt: skip
    if (a_bar and a_bar.limit is not None) or (b_bar and b_bar.limit is not None):
        rows.append(Row(say("limit"), None, a_bar.limit if a_bar else None, b_bar.limit if b_bar else None, 0,
                        is_sum=True))  # fmt: skip
    return tuple(rows)


class BudgetFigures(QWidget):
    """A small table, figures right-aligned. The third column appears with a changed run."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._shown: tuple[BudgetView | None, BudgetView | None] = (None, None)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(UNIT + 4, UNIT // 2, UNIT, UNIT)
        self._grid.setHorizontalSpacing(UNIT)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)

    def show_views(self, was: BudgetView | None, now: BudgetView | None) -> None:
        """Show one run, or two side by side."""
        if (was, now) != self._shown:
            self._shown = (was, now)
            self._draw()

    def apply_wording(self) -> None:
        """Say all texts again."""
        self._draw()

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
            self._draw_heads(has_two=now is not None)
            for number, row in enumerate(rows_of(was, now), 1):
                self._draw_row(number, row, has_two=now is not None)
            self._grid.setRowStretch(30, 1)
        self.setUpdatesEnabled(True)

    def _draw_heads(self, *, has_two: bool) -> None:
        text = self._wording.text
        heads = (
            (say("as it was"), say("what if"), say("left out")) if has_two else (say("tokens"), None, say("left out"))
        )
        for column, head in enumerate(heads, 2):
            if head is not None:
                self._grid.addWidget(label(text(head), "quiet"), 0, column, Qt.AlignmentFlag.AlignRight)

    def _draw_row(self, number: int, row: Row, *, has_two: bool) -> None:
        tone = "heading" if row.is_sum else ""
        if row.kind is not None:
            dot = QLabel()
            dot.setFixedSize(UNIT, UNIT)
            dot.setStyleSheet(f"background: {kind_colour(row.kind)}; border-radius: 2px;")
            self._grid.addWidget(dot, number, 0)
        title = label(self._wording.text(row.title), tone)
        title.setWordWrap(False)
        self._grid.addWidget(title, number, 1)
        cells = [row.was, row.is_now] if has_two else [row.was]
        for column, cell in enumerate(cells, 2):
            self._grid.addWidget(
                label(figure(cell) if cell is not None else "–", tone), number, column, Qt.AlignmentFlag.AlignRight
            )
        if row.left_out:
            self._grid.addWidget(label(figure(row.left_out), "quiet"), number, 4, Qt.AlignmentFlag.AlignRight)
