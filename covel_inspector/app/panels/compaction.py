"""The Compaction panel: which rows became which summary, what that saved, what got lost, when the next one is due."""

from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, QUrl, Slot
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.compaction_content import (
    balance,
    heading,
    rows_html,
    session_lines,
    share_of,
    summary_html,
)
from covel_inspector.app.panels.kept_sizes import KeptSizes
from covel_inspector.app.panels.panel import Panel, Watch, Work
from covel_inspector.app.plain_text import breakable_label, label, tip
from covel_inspector.app.scrolling import DownScroll
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import CompactionReport, Sentence, Source, StorySummary, say

_MOST_SUMMARIES = 12
"""Summaries up to which the list grows; more of them scroll inside it."""


class CompactionPanel(Panel):
    """Summaries of the session at the left, the chosen one's rows and text beside each other."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme)
        self._colours: Colours = LIGHT
        self._report: CompactionReport | None = None
        self._chosen = ""
        self.lines = label()
        self.nearness = QProgressBar(textVisible=False)
        self.nearness.setFixedHeight(UNIT // 2 + 2)
        self.list = _WholeList()
        self.attempts = breakable_label("", "quiet")
        self.rows_heading, self.summary_heading = label(tone="quiet"), label(tone="quiet")
        self.rows, self.summary = _reader(), _reader()
        self.texts, self.halves = QSplitter(Qt.Orientation.Horizontal), QSplitter(Qt.Orientation.Horizontal)
        self._sizes = {"sizes": KeptSizes(self.halves), "texts": KeptSizes(self.texts)}
        self.set_content(self._arranged())
        self.list.currentRowChanged.connect(self._choose)
        for reader in (self.rows, self.summary):
            reader.anchorClicked.connect(self._follow)

    def wanted(self) -> Work | Sentence | None:
        """The report on the session the reader is in."""
        spot = self.inspector.state.spot
        if spot is None:
            return say("Choose a turn to see what was compacted in its session.")
        return Work(("compactions", spot.session), partial(_report, session=spot.session))

    def show_answer(self, answer: CompactionReport) -> None:
        """A session was read."""
        self._report = answer
        self._say_session()
        self._fill_list()

    def show_place(self) -> None:
        """Until the reader chooses, the summary that the turn at hand was sent is shown."""
        if self._report is not None and not self._chosen:
            self._show_row(self._row_of_turn())

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self._show_summary()

    def apply_wording(self) -> None:
        """Say all texts again."""
        text = self.wording.text
        self.rows_heading.setText(text(say("Rows that it stands for")))
        self.summary_heading.setText(text(say("Summary")))
        self.list.setAccessibleName(text(say("Summaries of this session")))
        self.rows.setAccessibleName(text(say("Rows that it stands for")))
        self.summary.setAccessibleName(text(say("Summary")))
        self._say_session()
        self._fill_list()

    def export_state(self) -> dict[str, object]:
        """How wide the parts are."""
        return {name: kept.sizes for name, kept in self._sizes.items()}

    def apply_state(self, values: dict[str, Any]) -> None:
        """Put the widths back."""
        for name, kept in self._sizes.items():
            kept.put_back(values.get(name))

    def focus_panel(self) -> None:
        """The keyboard goes to the list."""
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def shown(self) -> StorySummary | None:
        """The summary whose rows and text are shown."""
        place = self.list.currentRow()
        summaries = self._report.summaries if self._report is not None else ()
        return summaries[place] if 0 <= place < len(summaries) else None

    # Inside

    def _say_session(self) -> None:
        report = self._report
        if report is None:
            return
        text = self.wording.text
        self.lines.setText("\n".join(text(line) for line in session_lines(report)))
        share = share_of(report.upcoming)
        self.nearness.setVisible(share is not None)
        self.nearness.setRange(0, 1000)
        self.nearness.setValue(round((share or 0.0) * 1000))
        self.nearness.setToolTip(tip(text(report.upcoming.told)))
        told = [f"{'✓' if attempt.succeeded else '✗'} {text(attempt.told)}" for attempt in report.attempts]
        self.attempts.setText("\n".join(told))
        self.attempts.setVisible(bool(told))

    def _fill_list(self) -> None:
        report = self._report
        if report is None:
            return
        text = self.wording.text
        with QSignalBlocker(self.list):
            self.list.clear()
            for summary in report.summaries:
                item = QListWidgetItem(f"{text(heading(summary))}\n{text(balance(summary))}")
                item.setToolTip(tip(text(summary.told)))
                self.list.addItem(item)
        self.list.setVisible(bool(report.summaries))
        self.list.fit()
        self.texts.setVisible(bool(report.summaries))
        keys = [summary.key for summary in report.summaries]
        if self._chosen not in keys:
            self._chosen = ""
        self._show_row(keys.index(self._chosen) if self._chosen else self._row_of_turn())

    def _row_of_turn(self) -> int:
        """The newest summary that was written before the turn at hand; the first one when none was."""
        report, lists, spot = self._report, self.inspector.state.here, self.inspector.state.spot
        if report is None or not report.summaries:
            return -1
        if lists is None or spot is None:
            return 0
        here = lists.position(spot.turn)
        written = [lists.position(summary.made_before_turn) for summary in report.summaries]
        known = [place for place, turn in enumerate(written) if 0 <= turn <= here]
        return known[-1] if known else 0

    def _show_row(self, place: int) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(place)
        self._show_summary()

    @Slot(int)
    def _choose(self, place: int) -> None:
        summaries = self._report.summaries if self._report is not None else ()
        self._chosen = summaries[place].key if 0 <= place < len(summaries) else ""
        self._show_summary()

    def _show_summary(self) -> None:
        summary, text, colours = self.shown, self.wording.text, self._colours
        if summary is None:
            for reader in (self.rows, self.summary):
                reader.clear()
            return
        self.rows.setHtml(rows_html(summary, text, colours))
        self.summary.setHtml(summary_html(summary, text, colours))

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        """To the row of a hint, or to the turn of a row."""
        kind, _, number = url.toString().partition(":")
        if kind == "row":
            self.rows.scrollToAnchor(f"row-{number}")
        elif kind == "turn" and self._report is not None and self.shown is not None:
            self.inspector.go_to_turn(self._report.session, self.shown.rows[int(number)].turn)

    def _arranged(self) -> QWidget:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(UNIT + 4, UNIT, UNIT, UNIT)
        column.setSpacing(UNIT)
        for widget in (self.list, self.lines, self.nearness, self.attempts):
            column.addWidget(widget)
        column.addStretch(1)
        told = DownScroll(left)
        for title, reader in ((self.rows_heading, self.rows), (self.summary_heading, self.summary)):
            half = QWidget()
            inner = QVBoxLayout(half)
            inner.setContentsMargins(UNIT, UNIT, UNIT, 0)
            inner.setSpacing(UNIT // 2)
            inner.addWidget(title)
            inner.addWidget(reader, 1)
            self.texts.addWidget(half)
        self.texts.setHandleWidth(1)
        self.texts.setChildrenCollapsible(False)
        content = self.halves
        content.setHandleWidth(1)
        content.setChildrenCollapsible(False)
        content.addWidget(told)
        content.addWidget(self.texts)
        content.setStretchFactor(0, 2)
        content.setStretchFactor(1, 5)
        content.setSizes([UNIT * 48, UNIT * 112])
        return content


class _WholeList(QListWidget):
    """As high as its summaries, up to a few: what stands around it scrolls."""

    def fit(self) -> None:
        """Take the height of the summaries that are there now."""
        height = self.fontMetrics().height() * 2 + UNIT
        for number in range(self.count()):
            self.item(number).setSizeHint(QSize(0, height))
        self.setFixedHeight(height * max(1, min(self.count(), _MOST_SUMMARIES)))

    def changeEvent(self, event: QEvent) -> None:
        """A larger font needs more room."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.fit()


def _reader() -> QTextBrowser:
    made = QTextBrowser()
    made.setOpenLinks(False)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.document().setDocumentMargin(0)
    return made


def _report(source: Source, _watch: Watch, *, session: str) -> CompactionReport:
    return source.compactions(session)
