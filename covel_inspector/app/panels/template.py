"""The Template panel: the runtime's body with the value of each variable in the call the reader is at."""

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.page import Link, LinkTo
from covel_inspector.app.panels.listed_rows import Row
from covel_inspector.app.panels.panel import Panel, Watch, Work
from covel_inspector.app.panels.rows_view import RowsView
from covel_inspector.app.panels.template_rows import COLUMNS, told_of, variable_rows
from covel_inspector.app.panels.template_runs import body_runs, leaf_of_piece
from covel_inspector.app.panels.template_text import TemplateText
from covel_inspector.app.plain_text import breakable, breakable_label, label
from covel_inspector.app.request_places import variable_leaves
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import (
    Address,
    Segment,
    SegmentTree,
    Sentence,
    Source,
    TemplateReport,
    TemplateVariable,
    plain,
    say,
)


class TemplatePanel(Panel):
    """The body at the left, its variables at the right, and what is known of the chosen one below them."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme)
        self._report: TemplateReport | None = None
        self._wanted_item = ""
        self.text = TemplateText()
        self.list = RowsView(COLUMNS)
        self.file = QPushButton()
        self.remark = label(tone="quiet")
        self.told = breakable_label("", "quiet")
        self.no_variables = label(tone="quiet")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._variables = QStackedWidget()
        self._lay_out()
        self.text.piece_chosen.connect(self._choose_piece)
        self.list.row_chosen.connect(self._choose_row)
        self.list.row_activated.connect(self._choose_row)
        self.file.clicked.connect(self._open_file)
        inspector.state.selection_changed.connect(self._follow_selection)

    # The panel

    def wanted(self) -> Work | Sentence | None:
        """The body of the call."""
        spot = self.inspector.state.spot
        if spot is None:
            return say("Choose a turn to see the body of its runtime.")
        if spot.address is None:
            return say("No model was called in this turn.")
        return Work(spot.address, partial(_read, address=spot.address))

    def show_answer(self, answer: TemplateReport | None) -> None:
        """The body of another call."""
        self._report = answer
        self._show()

    def forget(self) -> None:
        """Another source, or the file has changed."""
        self._report = None
        super().forget()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self.list.apply_theme(colours)
        self.text.apply_theme(colours)

    def apply_wording(self) -> None:
        """Say all texts again."""
        text = self.wording.text
        self.list.say_headings(text)
        self.list.setAccessibleName(text(say("Variables of the body")))
        self.text.setAccessibleName(text(say("The body with its values")))
        self.file.setToolTip(text(say("Open the file")))
        self._show()

    def focus_panel(self) -> None:
        """The variables take the keyboard; the body where it has none."""
        has_variables = bool(self.list.listed.rows)
        (self.list if has_variables else self.text).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def choose_item(self, item: str) -> None:
        """Choose a variable by its path."""
        self._wanted_item = item
        self._choose_wanted()

    def export_state(self) -> dict[str, object]:
        """How wide body and variables are."""
        return {"sizes": self.splitter.sizes()} if self.splitter.isVisible() else {}

    def apply_state(self, values: dict[str, Any]) -> None:
        """Put the widths back."""
        sizes = values.get("sizes")
        if isinstance(sizes, list) and len(sizes) == 2 and all(type(one) is int and one > 0 for one in sizes):
            self.splitter.setSizes(sizes)

    # Inside

    def _show(self) -> None:
        report, text = self._report, self.wording.text
        self._nothing_known.setText(text(_why_nothing()))
        self._bodies.setCurrentIndex(1 if report is not None else 0)
        if report is None:
            return
        self.file.setText(breakable(f"{report.file}:{report.line}" if report.line else report.file))
        self.remark.setText("\n".join(text(sentence) for sentence in _remarks(report)))
        self.remark.setVisible(bool(self.remark.text()))
        self.text.show_runs(body_runs(report, self.wording))
        self.list.show_rows(variable_rows(report, self.wording))
        self.no_variables.setText(text(say("This body has no variables: it reads the same in every turn.")))
        self._variables.setCurrentIndex(1 if report.variables else 0)
        if not self._choose_wanted() and self.list.current_row() is None and report.variables:
            first = next((row for row in self.list.listed.rows if _is_changed(row)), self.list.listed.rows[0])
            self.list.choose(first, quietly=True)
        self._tell()

    def _tell(self) -> None:
        row = self.list.current_row()
        variable = row.subject if row is not None else None
        self.text.choose(variable.path if isinstance(variable, TemplateVariable) else "", scroll=False)
        sentences = told_of(variable, self.inspector.state.estimator) if isinstance(variable, TemplateVariable) else ()
        self.told.setText(breakable("  ·  ".join(self.wording.text(sentence) for sentence in sentences)))

    def _choose_wanted(self) -> bool:
        row = self.list.first_row(lambda row: row.key == self._wanted_item) if self._wanted_item else None
        if row is None:
            return False
        self._wanted_item = ""
        self.list.choose(row, quietly=True)
        self._tell()
        self.text.choose(row.key, scroll=True)
        return True

    @Slot(object)
    def _choose_row(self, row: Row | None) -> None:
        self._tell()
        if row is None:
            return
        self.text.choose(row.key, scroll=True)
        tree = self._tree()
        leaves = variable_leaves(tree, row.key) if tree is not None else []
        if leaves:
            self._want_leaf(leaves[0])

    @Slot(int)
    def _choose_piece(self, number: int) -> None:
        report, tree = self._report, self._tree()
        if report is None:
            return
        path = report.pieces[number].variable
        row = self.list.first_row(lambda row: row.key == path) if path else None
        if row is not None:
            self.list.choose(row, quietly=True)
            self._tell()
        leaf = leaf_of_piece(report, number, tree) if tree is not None else None
        if leaf is not None:
            self._want_leaf(leaf)

    def _want_leaf(self, leaf: Segment) -> None:
        if leaf.place is not None:
            self.place_wanted.emit(self.inspector.address_text, leaf.place)

    @Slot()
    def _follow_selection(self) -> None:
        selected = self.inspector.state.selected
        if not self.is_active or not isinstance(selected, Pair):
            return
        path = selected.shown.origin.variable
        current = self.list.current_row()
        row = self.list.first_row(lambda row: row.key == path) if path else None
        if row is not None and row is not current:
            self.list.choose(row, quietly=True)
            self._tell()
            self.text.choose(path, scroll=True)

    def _tree(self) -> SegmentTree | None:
        latest = self.inspector.latest
        side = latest.b if latest is not None else None
        return side.tree if side is not None and side.address_text == self.inspector.address_text else None

    @Slot()
    def _open_file(self) -> None:
        if self._report is not None:
            self.link_wanted.emit(Link(LinkTo.FILE, self._report.file, plain(self._report.file)))

    def _lay_out(self) -> None:
        self.file.setProperty("link", "true")
        left, right = QWidget(), QWidget()
        head = QHBoxLayout()
        head.setContentsMargins(UNIT + 4, 2, UNIT, 2)
        head.addWidget(self.file)
        head.addStretch(1)
        self.remark.setContentsMargins(UNIT + 4, 0, UNIT, UNIT // 2)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.remark)
        column.addWidget(self.text, 1)
        self.no_variables.setContentsMargins(UNIT * 2, UNIT, UNIT * 2, UNIT)
        self.no_variables.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._variables.addWidget(self.no_variables)
        self._variables.addWidget(self.list)
        self.told.setContentsMargins(UNIT + 4, UNIT // 2, UNIT, UNIT // 2)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._variables, 1)
        column.addWidget(self.told)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([600, 600])
        self._nothing_known = label(tone="quiet")
        self._nothing_known.setContentsMargins(UNIT * 2, UNIT * 2, UNIT * 2, UNIT)
        self._nothing_known.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._bodies = QStackedWidget()
        self._bodies.addWidget(self._nothing_known)
        self._bodies.addWidget(self.splitter)
        self.set_content(self._bodies)


def _why_nothing() -> Sentence:
    return say(
        "The body of this call is not at hand: no folder with the plugin's files was given or none holds it, or the "
        "engine conceals the call. Choose the Covel folder in the File menu to see it."
    )


def _remarks(report: TemplateReport) -> list[Sentence]:
    remarks = []
    if report.variant:
        remarks.append(say("The variant for {locale}.", locale=report.variant))
    if report.differs is not None:
        remarks.append(report.differs)
    if report.variables and report.previous is None:
        remarks.append(say("There is no call in an earlier turn to compare the values with."))
    return [*remarks, *report.notes]


def _is_changed(row: Row) -> bool:
    return isinstance(row.subject, TemplateVariable) and bool(row.subject.changed)


def _read(source: Source, watch: Watch, *, address: Address) -> TemplateReport | None:
    watch.check()
    return source.template(address)
