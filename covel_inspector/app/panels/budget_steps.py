"""The steps of a token budget as sentences. A click on one goes to what it touched."""

from html import escape

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from covel_inspector.app.figures import figure
from covel_inspector.app.link_label import LinkLabel, anchor
from covel_inspector.app.panels.budget_content import MOST_ITEMS, BudgetView, Item, Step
from covel_inspector.app.plain_text import breakable, breakable_label, label
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import BudgetOutcome, Sentence, say
from covel_inspector.text.invisible import draw_invisible


class StepRow(QFrame):
    """One step: its number, its sentence, what it saved. Space, Enter or a click chooses it."""

    chosen = Signal(object)
    """The Step."""

    def __init__(self, step: Step, wording: Wording) -> None:
        super().__init__()
        self.step = step
        self.setProperty("row", "true")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        number = label(str(step.number), "heading")
        number.setFixedWidth(number.fontMetrics().horizontalAdvance("00") + 4)
        told = breakable_label(wording.text(step.told))
        told.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        saved = label(wording.text(say("−{n} tok", n=figure(step.saved))) if step.saved else "", "quiet")
        saved.setWordWrap(False)
        self.setAccessibleName(f"{step.number}. {wording.text(step.title)}")
        self.setAccessibleDescription(wording.text(step.told))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, UNIT // 2, 0, UNIT // 2)
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(number, 0, 0, 2, 1, top)
        grid.addWidget(label(wording.text(step.title), "heading"), 0, 1, top)
        grid.addWidget(saved, 0, 2, top)
        grid.addWidget(told, 1, 1, 1, 2, top)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit(self.step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """So do Space and Enter."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(self.step)
        else:
            super().keyPressEvent(event)


class BudgetSteps(QWidget):
    """All steps of a run; the chosen one lists its messages as links."""

    keys_wanted = Signal(object)
    """Keys of segments to mark in the tree, the first one to be selected; none: no more marks."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._colours: Colours = LIGHT
        self._view: BudgetView | None = None
        self._open = ""
        self._keys: list[str] = []
        self.rows: list[StepRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(UNIT, UNIT // 2, UNIT, UNIT)
        self._column.setSpacing(2)

    def show_view(self, view: BudgetView | None) -> None:
        """Show the steps of a run; the one that was open stays open."""
        if view != self._view:
            self._view = view
            self._draw()

    def apply_theme(self, colours: Colours) -> None:
        """Links in other colours."""
        self._colours = colours
        self._draw()

    def apply_wording(self) -> None:
        """Say all texts again."""
        self._draw()

    @Slot(object)
    def choose(self, step: Step) -> None:
        """Open a step and go to the first thing it touched; once more closes it."""
        if self._open == step.name:
            self._open = ""
            self.keys_wanted.emit(())
        else:
            self._open = step.name
            self.keys_wanted.emit(step.keys)
        number = next((place for place, row in enumerate(self.rows) if row.step.name == step.name), -1)
        has_focus = number >= 0 and self.rows[number].hasFocus()
        self._draw()
        if has_focus and number < len(self.rows):
            self.rows[number].setFocus(Qt.FocusReason.OtherFocusReason)

    # Drawing

    def _draw(self) -> None:
        self.setUpdatesEnabled(False)
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.rows, self._keys = [], []
        view = self._view
        if view is not None:
            self._column.addWidget(label(self._wording.text(_heading(view)), "heading"))
            if view.outcome is BudgetOutcome.UNKNOWN_LIMIT:
                hint = say("Set a window at the right to see what would happen.")
                self._column.addWidget(label(self._wording.text(hint), "quiet"))
            for step in view.steps:
                self._draw_step(step)
            if view.figures:
                self._column.addWidget(self._nine(view.figures))
            for note in view.notes:
                self._column.addWidget(breakable_label(self._wording.text(note), "quiet"))
        self._column.addStretch(1)
        self.setUpdatesEnabled(True)

    def _draw_step(self, step: Step) -> None:
        row = StepRow(step, self._wording)
        row.setProperty("chosen", "true" if step.name == self._open else "false")
        row.chosen.connect(self.choose)
        self.rows.append(row)
        self._column.addWidget(row)
        if step.name != self._open:
            return
        for title, items in (
            (say("Touched · {n}", n=len(step.touched)), step.touched),
            (say("Left alone · {n}", n=len(step.protected)), step.protected),
        ):
            if items:
                self._column.addWidget(self._items(title, items))

    def _items(self, title: Sentence, items: tuple[Item, ...]) -> LinkLabel:
        """Messages as links in one label, so that they wrap and the keyboard walks through them."""
        text, colours = self._wording.text, self._colours
        lines = [f'<span style="color:{colours.quiet}">{escape(text(title))}</span>']
        for item in items[:MOST_ITEMS]:
            shown = escape(breakable(draw_invisible(text(item.title)).text))
            behind = escape(breakable(" · ".join(filter(None, (text(item.figures), text(item.note))))))
            link = anchor(str(len(self._keys)), shown, colours.link)
            lines.append(f'{link} <span style="color:{colours.quiet}">{behind}</span>')
            self._keys.append(item.key)
        if len(items) > MOST_ITEMS:
            lines.append(escape(text(say("… and {n} more", n=figure(len(items) - MOST_ITEMS)))))
        made = LinkLabel("<br>".join(lines), (text(item.title) for item in items[:MOST_ITEMS]))
        made.setContentsMargins(UNIT * 4, 0, UNIT, UNIT // 2)
        made.linkActivated.connect(self._follow)
        return made

    @Slot(str)
    def _follow(self, number: str) -> None:
        self.keys_wanted.emit((self._keys[int(number)],))

    def _nine(self, figures: tuple[tuple[str, int], ...]) -> QLabel:
        """The numbers of an overflow under the engine's own names, as its error text has them."""
        told = self._wording.text(say("The numbers of its error, as the engine names them"))
        listed = " · ".join(f"{name}\u00a0{figure(number)}" for name, number in figures)
        made = breakable_label(f"{told}: {listed}", "quiet")
        made.setContentsMargins(UNIT * 4, 0, UNIT, UNIT // 2)
        return made

    def changeEvent(self, event: QEvent) -> None:
        """A larger font needs wider numbers."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._draw()


def _heading(view: BudgetView) -> Sentence:
    if view.outcome is BudgetOutcome.UNKNOWN_LIMIT:
        return say("Without a limit there are no steps")
    if not view.steps:
        return say("No step was needed")
    return say("Steps · {n}", n=len(view.steps))
