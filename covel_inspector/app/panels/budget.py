"""The Budget panel: what a request weighs, what its token budget did to it step by step, and what would be if."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.budget_bar import BudgetBar
from covel_inspector.app.panels.budget_content import BudgetView, budget_view
from covel_inspector.app.panels.budget_controls import BudgetControls, Offer
from covel_inspector.app.panels.budget_figures import BudgetFigures
from covel_inspector.app.panels.budget_head import BudgetHead
from covel_inspector.app.panels.budget_steps import BudgetSteps
from covel_inspector.app.panels.panel import Panel, Work
from covel_inspector.app.panels.silence import no_budget
from covel_inspector.app.plain_text import label
from covel_inspector.app.scrolling import DownScroll
from covel_inspector.app.session_counts import SessionReports
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.tab_order import follow_order
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.three_counts import Counted, three_counts
from covel_inspector.app.token_counts import SideCounts
from covel_inspector.app.what_if.changing import names_of
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Changes, Sentence, say


class BudgetPanel(Panel):
    """Follows what the compare view shows: its sides carry their budgets, so nothing is asked twice."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme)
        self.head = BudgetHead()
        self.heading, self.limit_line = self.head.heading, self.head.limit_line
        self.bar_a, self.bar_b = BudgetBar(wording), BudgetBar(wording)
        self.caption_a, self.caption_b = label(tone="quiet"), label(tone="quiet")
        self.figures = BudgetFigures(wording)
        self.steps = BudgetSteps(wording)
        self.controls = BudgetControls(wording)
        self._counts = SideCounts.of(inspector)
        self._reports = SessionReports(inspector)
        self._counted: Counted | None = None
        self._divider = [QFrame(), QFrame()]
        self._was: BudgetView | None = None
        self._now: BudgetView | None = None
        self.set_content(self._arranged())
        self.steps.keys_wanted.connect(self._want_keys)
        self.controls.changes_wanted.connect(self._take_changes)
        self.controls.command_wanted.connect(self.command_wanted)
        inspector.state.changes_changed.connect(self.follow)
        self._counts.counted.connect(self._take_counts)
        self._reports.found.connect(self._take_report)

    def wanted(self) -> Work | Sentence | None:
        """Nothing is asked for: the prepared sides have it all; without a budget a sentence says why."""
        prepared = self.inspector.latest
        if prepared is None or prepared.b is None:
            return say("Choose a turn to see its token budget.")
        if prepared.b.budget is None and _original(prepared) is None:
            if not prepared.b.address_text:
                return no_budget(self.inspector.state.turn)
            return say("Nothing is known of the token budget of this call.")
        return None

    def show_place(self) -> None:
        """Follow the prepared sides and the changes."""
        prepared = self.inspector.latest
        if prepared is None or prepared.b is None:
            return
        original = _original(prepared)
        changed = prepared.b if prepared.b.changed else None
        self._was = budget_view(original) if original is not None else None
        self._now = budget_view(changed) if changed is not None else None
        self._show_views()
        self._show_counts()
        self.controls.show_changes(self.inspector.state.changes, self._offer(prepared, original))

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for part in (self.bar_a, self.bar_b, self.head, self.figures):
            part.apply_theme(colours)
        self.steps.apply_theme(colours)
        for line in self._divider:
            line.setStyleSheet(f"background: {colours.border};")

    def apply_wording(self) -> None:
        """Say all texts again."""
        text = self.wording.text
        self.caption_a.setText(text(say("as it was")))
        self.caption_b.setText(text(say("what if")))
        for part in (self.figures, self.steps, self.controls):
            part.apply_wording()
        self._show_views()

    def focus_panel(self) -> None:
        """The keyboard goes to the first step, or to the window's slider."""
        target = self.steps.rows[0] if self.steps.rows else self.controls.window_slider
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # Inside

    def _show_views(self) -> None:
        text = self.wording.text
        shown = self._now or self._was
        if shown is None:
            return
        has_two = self._now is not None and self._was is not None
        heading = say("What if: {told}", told=shown.heading) if self._now else shown.heading
        self.head.say(text(heading), text(shown.limit_line))
        reach = max(view.bar.reach for view in (self._was, self._now) if view is not None)
        views = ((self.bar_a, self._was, self.caption_a), (self.bar_b, self._now, self.caption_b))
        for bar, view, caption in views:
            bar.setVisible(view is not None)
            caption.setVisible(view is not None and has_two)
            if view is not None:
                bar.show_bar(view.bar, reach, caption.text() if has_two else "")
        self.figures.show_views(self._was, self._now)
        self.steps.show_view(shown)
        follow_order(self.steps, self.controls)

    def _show_counts(self) -> None:
        """The three counts of the call as it was, and what its session's reports are to the estimate."""
        prepared, spot = self.inspector.latest, self.inspector.state.spot
        side = _original(prepared) if prepared is not None else None
        report = self._reports.want(spot.session) if spot is not None and self.is_active else None
        told = report.told() if report is not None else None
        lines = three_counts(side, self._counted).lines() if side is not None else ()
        self.figures.show_counts((*lines, told) if told is not None else lines)

    @Slot(object, object)
    def _take_counts(self, a: Counted | None, b: Counted | None) -> None:
        prepared = self.inspector.latest
        is_changed = prepared is not None and prepared.b is not None and prepared.b.changed
        self._counted = a if is_changed else b
        if self.is_active:
            self._show_counts()

    @Slot(object)
    def _take_report(self, _found: object) -> None:
        if self.is_active:
            self._show_counts()

    def _offer(self, prepared: Prepared, original: Side | None) -> Offer:
        lists = self.inspector.state.here
        trees = [side.tree for side in (prepared.a, prepared.b) if side is not None and side.tree is not None]
        names = names_of(segment for tree in trees for segment in tree.walk())
        names.update({absent.key: absent.title for tree in trees for absent in tree.absent if absent.key not in names})
        return Offer(
            original.budget if original is not None else None,
            (lists.session.locale,) if lists is not None and lists.session.locale else (),
            tuple(dict.fromkeys(call.model for call in lists.calls if call.model)) if lists is not None else (),
            names,
        )

    @Slot(object)
    def _want_keys(self, keys: tuple[str, ...]) -> None:
        """The first of them is selected in the tree, all are marked."""
        self.place_wanted.emit(self.inspector.address_text, keys)

    @Slot(object)
    def _take_changes(self, changes: Changes) -> None:
        self.inspector.state.set_changes(changes)

    def _arranged(self) -> QWidget:
        """The controls at the right have the whole height, so that they need the least scrolling."""
        told = QHBoxLayout()
        told.setSpacing(0)
        told.addWidget(DownScroll(self.figures), 3)
        told.addWidget(self._divider[0])
        told.addWidget(DownScroll(self.steps), 4)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addLayout(self._top())
        left.addLayout(told, 1)
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(left, 7)
        row.addWidget(self._divider[1])
        row.addWidget(DownScroll(self.controls), 4)
        for line in self._divider:
            line.setFixedWidth(1)
        return content

    def _top(self) -> QVBoxLayout:
        top = QVBoxLayout()
        top.setContentsMargins(UNIT + 4, UNIT // 2, UNIT + 4, UNIT // 2)
        top.setSpacing(UNIT // 2)
        top.addWidget(self.head)
        bars = QGridLayout()
        bars.setHorizontalSpacing(UNIT)
        bars.setVerticalSpacing(0)
        bars.setColumnStretch(1, 1)
        for row, (caption, bar) in enumerate(((self.caption_a, self.bar_a), (self.caption_b, self.bar_b))):
            caption.setWordWrap(False)
            bars.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignVCenter)
            bars.addWidget(bar, row, 1)
        top.addLayout(bars)
        return top


def _original(prepared: Prepared) -> Side | None:
    """The side of the call at hand as it was: A beside a changed request, B otherwise."""
    side = prepared.a if prepared.b is not None and prepared.b.changed else prepared.b
    return side if side is not None and side.budget is not None else None
