"""The Problems panel: what lint finds in the session, and rows and files that could not be read."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from covel_inspector.analysis.lint.lint import lint
from covel_inspector.analysis.lint.rules.unreadable import RULE as UNREADABLE
from covel_inspector.app.figures import figure
from covel_inspector.app.icons import icon
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.page import NOTHING, LinkTo, Page
from covel_inspector.app.panels.list_panel import ListPanel
from covel_inspector.app.panels.listed_rows import Row
from covel_inspector.app.panels.panel import Watch, Work
from covel_inspector.app.panels.problems_rows import (
    COLUMNS,
    ICONS,
    TONES,
    finding_page,
    found_of,
    problem_rows,
)
from covel_inspector.app.theme import Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Finding, Place, Problem, Sentence, Severity, Source, say

_BESIDE = Qt.ToolButtonStyle.ToolButtonTextBesideIcon


@dataclass(frozen=True, slots=True)
class _Answer:
    session: str
    problems: tuple[Problem, ...]
    findings: tuple[Finding, ...]


class ProblemsPanel(ListPanel):
    """Counts what is known before it is opened; lint runs when it is. The badge is "3+" until then."""

    keeps_content = True

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme, COLUMNS)
        self._answer: _Answer | None = None
        self._problems: tuple[Problem, ...] = ()
        self._found: list[Finding] = []
        self._hidden: set[Severity] = set()
        self._buttons: dict[Severity, QToolButton] = {}
        for severity in Severity:
            button = QToolButton()
            button.setCheckable(True)
            button.setChecked(True)
            button.setProperty("filter", "true")
            button.setToolButtonStyle(_BESIDE)
            button.toggled.connect(partial(self._turn, severity))
            self._buttons[severity] = button
            self.head.addWidget(button)
        self.head.addStretch(1)
        inspector.problems_read.connect(self._take_problems)

    def wanted(self) -> Work | Sentence | None:
        """What lint finds in this session, and what was unreadable so far."""
        spot = self.inspector.state.spot
        if spot is None:
            return None if self._problems else self._why_nothing()
        return Work(spot.session, partial(_read, session=spot.session))

    def key_order(self) -> tuple[QWidget, ...]:
        """The buttons above the list come before it."""
        return (*self._buttons.values(), self.list, self.page_view)

    def show_answer(self, answer: _Answer) -> None:
        """What was found."""
        self._answer = answer
        self._collect()

    def forget(self) -> None:
        """Another source, or the file has changed."""
        self._answer, self._problems = None, ()
        self._collect()
        super().forget()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        super().apply_theme(colours)
        for severity, button in self._buttons.items():
            button.setIcon(icon(ICONS[severity], getattr(colours, TONES[severity])))

    def apply_wording(self) -> None:
        """Say all texts again."""
        super().apply_wording()
        self.list.setAccessibleName(self.wording.text(say("Problems")))
        self._collect()

    def page_of(self, row: Row) -> Page:
        """About a problem."""
        return finding_page(row.subject) if isinstance(row.subject, Finding) else NOTHING

    def place_of(self, row: Row) -> tuple[str, Place | str] | None:
        """The call and segment it was seen in."""
        place = row.subject.place if isinstance(row.subject, Finding) else None
        return (str(place.address), place.segment) if place is not None and place.address is not None else None

    @Slot(object)
    def _activate_row(self, row: Row) -> None:
        """Enter goes to the place: the call where there is one, else the first link of the page."""
        if self.place_of(row) is not None:
            super()._activate_row(row)
            return
        page = self.page_of(row)
        links = [link for fact in page.facts for link in fact.links if link.to in (LinkTo.FILE, LinkTo.COPY)]
        if links:
            self.follow_link(links[0])

    # Inside

    def _why_nothing(self) -> Sentence | None:
        """Why nothing can be looked through; None while the turns are still being read."""
        state = self.inspector.state
        if state.facts is None:
            return say("Nothing is open, so there are no problems.")
        if not state.sessions or state.lists:
            return say("This file holds no turn, so there is nothing in which problems could be looked for.")
        return None

    @Slot(object)
    def _take_problems(self, problems: Sequence[Problem]) -> None:
        if tuple(problems) != self._problems:
            self._problems = tuple(problems)
            self._collect()
            self.follow()

    def _turn(self, severity: Severity, shown: bool) -> None:
        if shown:
            self._hidden.discard(severity)
        else:
            self._hidden.add(severity)
        self._list()

    def _collect(self) -> None:
        answer = self._answer
        known = dict.fromkeys((*self._problems, *(answer.problems if answer is not None else ())))
        self._found = found_of(tuple(known), answer.findings if answer is not None else ())
        text = self.wording.text
        for severity, button in self._buttons.items():
            count = sum(finding.severity is severity for finding in self._found)
            button.setText(text(_number(severity, count)))
            button.setToolTip(text(say("Show or hide these")))
        count = len(self._found)
        more = "+" if answer is None and self.inspector.state.facts is not None else ""
        self.badge_changed.emit(f"{figure(count)}{more}" if count else "")
        self._list()

    def _list(self) -> None:
        shown = frozenset(Severity) - self._hidden
        rows = problem_rows(self._found, shown, self.wording)
        if self._found and not rows:
            empty = say("All problems are hidden by the filter above.")
        elif self._answer is None:
            empty = say("Looking for problems in this session…")
        else:
            empty = say("No problem was found: every row and file could be read, and lint has nothing to say.")
        self.show_rows(rows, empty)


def _number(severity: Severity, count: int) -> Sentence:
    shown = figure(count)
    if severity is Severity.ERROR:
        return say("1 error") if count == 1 else say("{n} errors", n=shown)
    if severity is Severity.WARNING:
        return say("1 warning") if count == 1 else say("{n} warnings", n=shown)
    return say("1 hint") if count == 1 else say("{n} hints", n=shown)


def _read(source: Source, watch: Watch, *, session: str) -> _Answer:
    chosen = [one for one in source.sessions() if one.id == session]
    findings = lint(source, chosen, off=(UNREADABLE.id,), progress=lambda done, all_: watch.tell(done / max(1, all_)))
    return _Answer(session, tuple(source.problems()), findings)
