"""The Template panel: the runtime's body with the value of each variable in the call the reader is at."""

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.page import NOTHING, Link, LinkTo, Page
from covel_inspector.app.panels.list_panel import ListPanel
from covel_inspector.app.panels.listed_rows import Row
from covel_inspector.app.panels.panel import Watch, Work
from covel_inspector.app.panels.silence import no_body
from covel_inspector.app.panels.template_page import variable_page
from covel_inspector.app.panels.template_rows import COLUMNS, variable_rows
from covel_inspector.app.panels.template_runs import body_runs, leaf_of_piece
from covel_inspector.app.panels.template_text import TemplateText
from covel_inspector.app.plain_text import breakable, label
from covel_inspector.app.request_places import variable_leaves
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import (
    Absent,
    Address,
    Call,
    Place,
    Segment,
    Sentence,
    Source,
    TemplateReport,
    TemplateVariable,
    plain,
    say,
)


class TemplatePanel(ListPanel):
    """The body at the left, its variables in the middle, and what is known of the chosen one at the right."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme, COLUMNS)
        self._report: TemplateReport | None = None
        self.text = TemplateText()
        self.file = QPushButton()
        self.remark = label(tone="quiet")
        self.nothing_known = label(tone="quiet")
        self._bodies = QStackedWidget()
        self._lay_out_body()
        self.text.piece_chosen.connect(self._choose_piece)
        self.file.clicked.connect(self._open_file)

    # The panel

    def wanted(self) -> Work | Sentence | None:
        """The body of the call."""
        spot = self.inspector.state.spot
        if spot is None:
            return say("Choose a turn to see the body of its runtime.")
        if spot.address is None:
            return no_body(self.inspector.state.turn)
        return Work(spot.address, partial(_read, address=spot.address))

    def key_order(self) -> tuple[QWidget, ...]:
        """From the left to the right."""
        return (self.file, self.text, self.list, self.page_view)

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
        super().apply_theme(colours)
        self.text.apply_theme(colours)

    def apply_wording(self) -> None:
        """Say all texts again."""
        super().apply_wording()
        text = self.wording.text
        self.list.setAccessibleName(text(say("Variables of the body")))
        self.text.setAccessibleName(text(say("The body with its values")))
        self.file.setToolTip(text(say("Open the file")))
        self._show()

    def focus_panel(self) -> None:
        """The variables take the keyboard; the body where it has none."""
        has_variables = bool(self.list.listed.rows)
        (self.list if has_variables else self.text).setFocus(Qt.FocusReason.ShortcutFocusReason)

    # The list

    def page_of(self, row: Row) -> Page:
        """About a variable."""
        if self._report is None or not isinstance(row.subject, TemplateVariable):
            return NOTHING
        return variable_page(row.subject, self._report, self.tree, self.inspector.state.estimator)

    def show_page(self) -> None:
        """Tell about the current variable, and show where it stands in the body."""
        super().show_page()
        row = self.list.current_row()
        self.text.choose(row.key if row is not None else "")

    def place_of(self, row: Row) -> tuple[str, Place | str] | None:
        """Where the value stands in the request."""
        leaves = variable_leaves(self.tree, row.key) if self.tree is not None else []
        place = leaves[0].place if leaves else None
        return (self.inspector.address_text, place) if place is not None else None

    def stands_for(self, row: Row, segment: Segment | Absent) -> bool:
        """A value's segment knows its variable."""
        return segment.origin.variable == row.key

    # Inside

    def _show(self) -> None:
        report, text = self._report, self.wording.text
        self.nothing_known.setText(text(_why_nothing()))
        self._bodies.setCurrentIndex(1 if report is not None else 0)
        if report is None:
            return
        self.file.setText(breakable(f"{report.file}:{report.line}" if report.line else report.file))
        self.remark.setText("\n".join(text(sentence) for sentence in _remarks(report, self.inspector.state.call)))
        self.remark.setVisible(bool(self.remark.text()))
        self.text.show_runs(body_runs(report, self.wording))
        nothing = say("This body has no variables: it reads the same in every turn.")
        self.show_rows(variable_rows(report, self.wording), nothing)

    @Slot(int)
    def _choose_piece(self, number: int) -> None:
        report = self._report
        if report is None:
            return
        row = self.row_of_item(report.pieces[number].variable)
        if row is not None:
            self.list.choose(row, quietly=True)
            self.show_page()
        leaf = leaf_of_piece(report, number, self.tree) if self.tree is not None else None
        if leaf is not None and leaf.place is not None:
            self.place_wanted.emit(self.inspector.address_text, leaf.place)

    @Slot()
    def _open_file(self) -> None:
        if self._report is not None:
            self.link_wanted.emit(Link(LinkTo.FILE, self._report.file, plain(self._report.file)))

    def _lay_out_body(self) -> None:
        self.file.setProperty("link", "true")
        body = QWidget()
        head = QHBoxLayout()
        head.setContentsMargins(UNIT + 4, 2, UNIT, 2)
        head.addWidget(self.file)
        head.addStretch(1)
        self.remark.setContentsMargins(UNIT + 4, 0, UNIT, UNIT // 2)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.remark)
        column.addWidget(self.text, 1)
        self.splitter.insertWidget(0, body)
        for place, share in enumerate((36, 38, 26)):
            self.splitter.setStretchFactor(place, share)
        self.splitter.setSizes([360, 380, 260])
        self.nothing_known.setContentsMargins(UNIT * 2, UNIT * 2, UNIT * 2, UNIT)
        self.nothing_known.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._bodies.addWidget(self.nothing_known)
        self._bodies.addWidget(self.splitter)
        self.set_content(self._bodies)


def _why_nothing() -> Sentence:
    return say(
        "The body of this call is not at hand: no folder with the plugin's files was given or none holds it, or the "
        "engine conceals the call. Choose the Covel folder in the File menu to see it."
    )


def _remarks(report: TemplateReport, call: Call | None) -> list[Sentence]:
    remarks = []
    if call is not None and call.address == report.address and not call.is_sent:
        remarks.append(say("This request was never sent: the values are those that rows and files give."))
    if report.variant:
        remarks.append(say("The variant for {locale}.", locale=report.variant))
    if report.differs is not None:
        remarks.append(report.differs)
    if report.variables and report.previous is None:
        remarks.append(say("There is no call in an earlier turn to compare the values with."))
    return [*remarks, *report.notes]


def _read(source: Source, watch: Watch, *, address: Address) -> TemplateReport | None:
    watch.check()
    return source.template(address)
