"""The status bar: what is open and how, who counts the tokens, and that something is being worked on."""

from pathlib import PurePath

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from covel_inspector.app.figures import figure
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.plain_text import label, tip
from covel_inspector.app.theme import UNIT
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Problem, Sentence, say
from covel_inspector.report.names import estimator_name, generation_name
from covel_inspector.report.terminal import clip, one_line

NOTICE_TIME = 8000
"""Milliseconds a notice stays."""

NOTICE_LENGTH = 110
"""Columns of a notice; the whole is in its tool tip."""


class StatusBar(QStatusBar):
    """Follows the inspector. ``problems`` is the button that opens the list of problems."""

    def __init__(self, inspector: Inspector, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inspector = inspector
        self._wording = wording
        self._problem_count = 0
        self.place = _quiet()
        self.counts = _quiet()
        self.estimator = _quiet()
        self.notices = _quiet()
        self.notices.setObjectName("notice")
        self._fading = QTimer(self, singleShot=True, interval=NOTICE_TIME)
        self._fading.timeout.connect(self.notices.clear)
        self.busy_text = _quiet()
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setFixedSize(UNIT * 12, UNIT)
        self.problems = QToolButton()
        self.problems.setProperty("flat", "true")
        self.setSizeGripEnabled(False)
        self.setContentsMargins(UNIT, 0, UNIT, 0)
        for widget in (self.place, self.counts, self.estimator):
            self.addWidget(widget)
        self.addWidget(self.notices, 1)
        self.addPermanentWidget(self.busy_text)
        self.addPermanentWidget(self.busy)
        self.addPermanentWidget(self.problems)
        inspector.state.source_changed.connect(self.say_again)
        inspector.state.source_changed.connect(self.notices.clear)
        inspector.opening.connect(self._say_opening)
        inspector.open_failed.connect(self._stop_opening)
        inspector.busy_changed.connect(self._show_busy)
        inspector.noticed.connect(self.notice)
        inspector.problems_read.connect(self._count_problems)
        wording.changed.connect(self.say_again)
        self._show_busy(busy=False)
        self.say_again()

    @Slot()
    def say_again(self) -> None:
        """Say everything anew."""
        text, facts = self._wording.text, self._inspector.state.facts
        self.busy_text.setText(text(say("Reading…")))
        self.busy.setAccessibleName(text(say("Reading…")))
        for widget in (self.place, self.counts, self.estimator):
            widget.setVisible(facts is not None)
        if facts is None:
            self._problem_count = 0
        else:
            shown = say(
                "{name} · read only · schema {generation}",
                name=PurePath(facts.location).name or facts.location,
                generation=generation_name(facts.generation),
            )
            self.place.setText(text(shown))
            self.place.setToolTip(tip(f"{facts.location}\n{text(facts.access)}"))
            counts = say("{calls} calls, {runtimes} runtimes", calls=figure(facts.calls), runtimes=facts.runtimes)
            if facts.calls and not facts.runtimes:
                # Their rows are there but cannot be read: nobody knows whose they are.
                counts = say("{n} calls", n=figure(facts.calls))
            self.counts.setText(text(counts))
            self.estimator.setText(text(say("estimate: {name}", name=estimator_name(self._inspector.state.estimator))))
        self._show_problems()

    @Slot(object)
    def notice(self, sentence: Sentence) -> None:
        """Something small that the reader should know; it goes away by itself."""
        told = one_line(self._wording.text(sentence))
        self.notices.setText(clip(told, NOTICE_LENGTH))
        self.notices.setToolTip(tip(told))
        self._fading.start()

    @Slot(str)
    def _say_opening(self, location: str) -> None:
        self.notice(say("Opening {name} …", name=PurePath(location).name or location))

    @Slot(object)
    def _stop_opening(self, _failure: object) -> None:
        self.notices.clear()

    @Slot(bool)
    def _show_busy(self, busy: bool) -> None:
        self.busy.setVisible(busy)
        self.busy_text.setVisible(busy)

    @Slot(object)
    def _count_problems(self, problems: tuple[Problem, ...]) -> None:
        self._problem_count = len(problems)
        self._show_problems()

    def _show_problems(self) -> None:
        count = self._problem_count
        self.problems.setVisible(count > 0)
        one = say("1 problem")
        self.problems.setText(self._wording.text(one if count == 1 else say("{n} problems", n=figure(count))))
        self.problems.setToolTip(self._wording.text(say("Show what in this file could not be read as it should")))


def _quiet() -> QLabel:
    made = label(tone="quiet")
    made.setWordWrap(False)
    made.setContentsMargins(0, 0, UNIT * 2, 0)
    return made
