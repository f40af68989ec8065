"""The right half of the Cache panel: what happened to one request, why, and what can be done."""

from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from covel_inspector.analysis.cache_rows import CacheReport, CacheRow
from covel_inspector.analysis.causes import CauseKind
from covel_inspector.app.link_label import LinkLabel, anchor
from covel_inspector.app.panels.cache_words import boundaries_told, cost, headline, measured, predicted, reported
from covel_inspector.app.plain_text import breakable_label, label
from covel_inspector.app.tab_order import follow_order
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.what_if.changing import TRIED_DEPTH
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say

_LONGEST = 160
"""Code points of a value that are quoted."""


class CacheDetail(QScrollArea):
    """Headline, cause, remedy, figures, links and boundaries of one request."""

    link_activated = Signal(str)
    """``place``, ``same``, ``compare`` or ``depth``."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._colours = LIGHT
        self._row: CacheRow | None = None
        self._report: CacheReport | None = None
        self._elsewhere: Sentence | None = None
        self._trial: Sentence | None = None
        self._links: tuple[tuple[str, Sentence], ...] = ()
        self._shown: tuple[object, ...] = ()
        self._nothing = say("Choose a turn to see what became of its prefix.")
        self.setProperty("page", "true")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def text(self) -> str:
        """All that is said, line by line."""
        widget = self.widget()
        return "\n".join(one.text() for one in widget.findChildren(QLabel)) if widget is not None else ""

    def show_row(
        self,
        row: CacheRow | None,
        report: CacheReport | None,
        same: int,
        nothing: Sentence,
        elsewhere: Sentence | None = None,
        *,
        is_compared: bool,
        trial: Sentence | None = None,
        is_at_depth: bool = False,
    ) -> None:
        """Tell of a request; ``same`` others broke for the same cause. Without a row, ``nothing`` says why.

        ``elsewhere`` tells what the same request counts in its heading and in the provider's report, ``trial`` what
        the reader's changes keep; ``is_at_depth``: the guilty entry is shown at the depth that would be offered.
        """
        links = []
        if row is not None and (row.cause.place is not None or row.cause.key):
            links.append(("place", say("Go to the place")))
        if row is not None and row.against is not None and not is_compared:
            links.append(("compare", say("Compare with the request before it")))
        if row is not None and row.cause.kind is CauseKind.LORE and row.cause.key and not is_at_depth:
            links.append(("depth", say("Try it at depth {n}", n=TRIED_DEPTH)))
        if row is not None and row.cause.is_break and same > 1:
            links.append(("same", say("Show turns with the same cause ({n})", n=same)))
        shown = (self._wording.language, nothing, tuple(links), elsewhere, trial)
        if self._row is row and self._report is report and self._shown == shown:
            return
        self._shown = shown
        self._row, self._report, self._nothing, self._links = row, report, nothing, tuple(links)
        self._elsewhere, self._trial = elsewhere, trial
        self.draw()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self.draw()

    def draw(self) -> None:
        """Write everything anew: other data, language or colours."""
        body = QWidget()
        body.setObjectName("whyBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(UNIT * 2, UNIT, UNIT * 2, UNIT)
        column.setSpacing(UNIT // 2)
        text = self._wording.text
        row, report = self._row, self._report
        if row is None or report is None:
            column.addWidget(label(text(self._nothing), "quiet"))
        else:
            column.addWidget(breakable_label(text(headline(row)), "title"))
            if self._trial is not None:
                column.addWidget(breakable_label(text(self._trial), "note"))
            told = [row.cause.sentence] + ([row.cause.remedy] if row.cause.remedy is not None else [])
            column.addWidget(breakable_label(" ".join(map(text, told))))
            if self._links:
                column.addWidget(self._link_line())
            column.addWidget(self._figures(row, report))
            self._add_small(column, [self._elsewhere] if self._elsewhere is not None else [])
            if row.disagreement is not None:
                column.addWidget(breakable_label(text(row.disagreement), "note"))
            if row.cause.old or row.cause.new:
                column.addWidget(breakable_label(self._values(row), "quote"))
            self._add_small(column, [*row.cause.notes, *boundaries_told(row, report)])
        column.addStretch(1)
        self.setWidget(body)
        follow_order(self)

    def _values(self, row: CacheRow) -> str:
        text = self._wording.text
        old, new = (one if len(one) <= _LONGEST else f"{one[:_LONGEST]}…" for one in (row.cause.old, row.cause.new))
        nothing = text(say("not there"))
        return f"{old or nothing}  →  {new or nothing}"

    def _figures(self, row: CacheRow, report: CacheReport) -> QLabel:
        text = self._wording.text
        told = (measured(row), reported(row), predicted(row), cost(row))
        made = breakable_label(" · ".join(text(one) for one in told if one is not None), "quiet")
        more = [row.predicted.why, row.predicted.rule] if row.predicted is not None else []
        if row.cost is not None:
            more += [say("Price computed from the counts {basis}.", basis=row.cost.basis), row.cost.price]
        made.setToolTip("\n".join(text(one) for one in (report.estimator, *more, *report.notes)))
        return made

    def _link_line(self) -> LinkLabel:
        titles = [self._wording.text(title) for _, title in self._links]
        names = [name for name, _ in self._links]
        links = [anchor(name, escape(title), self._colours.link) for name, title in zip(names, titles, strict=True)]
        made = LinkLabel("&nbsp;&nbsp;&nbsp; ".join(links), titles)
        made.linkActivated.connect(self._follow)
        return made

    def _add_small(self, column: QVBoxLayout, sentences: list[Sentence]) -> None:
        for sentence in sentences:
            column.addWidget(breakable_label(self._wording.text(sentence), "quiet"))

    @Slot(str)
    def _follow(self, name: str) -> None:
        self.link_activated.emit(name)
