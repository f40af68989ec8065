"""The Why panel: answers in sentences about the selected segment, or about the whole call."""

from dataclasses import dataclass
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from covel_inspector.analysis.pairs import Pair
from covel_inspector.analysis.tokens import tokenizer
from covel_inspector.app.figures import figure
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.left_out import LeftOutList
from covel_inspector.app.plain_text import breakable, breakable_label, flowing, label
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import kind_colour
from covel_inspector.app.why_content import NOTHING, Fact, Link, Page, absent_page, call_page, segment_page
from covel_inspector.app.wording import Wording
from covel_inspector.app.work import Failure
from covel_inspector.domain import Sentence, Source, say


@dataclass(frozen=True, slots=True)
class _Counted:
    text: str
    tokens: int
    counter: str
    note: Sentence


class WhyPanel(QWidget):
    """Follows the selection. ``link_wanted`` carries a Link for the window to follow."""

    link_wanted = Signal(object)

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inspector = inspector
        self._wording = wording
        self._theme = theme
        self._links: list[Link] = []
        self._page = NOTHING
        self._counted: _Counted | None = None
        self._tokens_line: QLabel | None = None
        self.title = label()
        self.title.setObjectName("panelTitle")
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.title)
        layout.addWidget(self.area, 1)
        self.setMinimumWidth(200)
        wording.changed.connect(self.say_again)
        theme.changed.connect(self.say_again)
        inspector.state.selection_changed.connect(self.refresh)
        inspector.state.source_changed.connect(self.refresh)
        inspector.prepared.connect(self.refresh)
        self.say_again()

    @property
    def page(self) -> Page:
        """What is shown."""
        return self._page

    def focus_page(self) -> None:
        """Put the keyboard into the panel."""
        self.area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def refresh(self) -> None:
        """Answer for the selection as it is now."""
        prepared, selected = self._inspector.latest, self._inspector.state.selected
        if prepared is None:
            page = NOTHING
        elif isinstance(selected, Pair):
            page = segment_page(selected, prepared)
        elif selected is not None:
            page = absent_page(selected, prepared)
        else:
            page = call_page(prepared)
        if page != self._page:
            self._page = page
            self._draw()
            self._ask_tokens()

    @Slot()
    def say_again(self) -> None:
        """Say all texts in the language and colours in force."""
        self.title.setText(self._wording.text(say("Why")))
        self.area.setAccessibleName(self._wording.text(say("Why: about the selection")))
        self._draw()

    # Drawing

    def _draw(self) -> None:
        text = self._wording.text
        page = self._page
        self._links = []
        self._tokens_line = None
        body = QWidget()
        body.setObjectName("whyBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(UNIT + 4, UNIT + 4, UNIT + 4, UNIT * 2)
        column.setSpacing(UNIT)
        column.addLayout(self._heading(page))
        if page.facts:
            column.addLayout(self._table(page.facts))
        for sentence in page.paragraphs:
            column.addWidget(breakable_label(text(sentence)))
        for sentence in page.warnings:
            column.addWidget(breakable_label(text(sentence), "note"))
        if page.left_out:
            column.addWidget(LeftOutList(page.left_out, self._wording, body))
        for link in page.links:
            column.addWidget(self._link_label((link,)))
        column.addStretch(1)
        self.area.setWidget(body)
        self._show_tokens()

    def _heading(self, page: Page) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        if page.kind is not None:
            dot = QLabel()
            dot.setFixedSize(UNIT + 2, UNIT + 2)
            dot.setStyleSheet(f"background: {kind_colour(page.kind)}; border-radius: 2px;")
            row.addWidget(dot, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(breakable_label(self._wording.text(page.title), "title"), 1)
        return row

    def _table(self, facts: tuple[Fact, ...]) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(UNIT + 4)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        row = 0
        for fact in facts:
            name = label(self._wording.text(fact.label), "quiet")
            name.setWordWrap(False)
            grid.addWidget(name, row, 0, top)
            if fact.value is not None:
                value = breakable_label(self._wording.text(fact.value))
                grid.addWidget(value, row, 1, top)
                if fact.label == _TOKENS:
                    self._tokens_line = value
                row += 1
            if fact.links:
                grid.addWidget(self._link_label(fact.links), row, 1, top)
                row += 1
        return grid

    def _link_label(self, links: tuple[Link, ...]) -> QLabel:
        """Links as one label, so that they wrap; the keyboard walks through them."""
        pieces = []
        for link in links:
            shown = escape(breakable(self._wording.text(link.text)))
            colour = self._theme.colours.link
            pieces.append(f'<a href="{len(self._links)}" style="color:{colour};text-decoration:none">{shown}</a>')
            self._links.append(link)
        made = flowing(QLabel("<br>".join(pieces)))
        made.setTextFormat(Qt.TextFormat.RichText)
        made.setWordWrap(True)
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.setAccessibleName("\n".join(self._wording.text(link.text) for link in links))
        made.linkActivated.connect(self._follow)
        return made

    @Slot(str)
    def _follow(self, number: str) -> None:
        self.link_wanted.emit(self._links[int(number)])

    # Tokens by a tokenizer

    def _ask_tokens(self) -> None:
        desk, page = self._inspector.desk, self._page
        if desk is None:
            return
        desk.cancel("tokens")
        if page.count_text and (self._counted is None or self._counted.text != page.count_text):
            self._counted = None
            desk.ask(
                partial(_count, text=page.count_text, model=page.model), self._take_count, self._no_count, "tokens"
            )

    @Slot(object)
    def _take_count(self, counted: _Counted) -> None:
        self._counted = counted
        self._show_tokens()

    @Slot(object)
    def _no_count(self, trouble: Failure) -> None:
        """The estimate stays alone; the log has the reason."""

    def _show_tokens(self) -> None:
        counted, line = self._counted, self._tokens_line
        if counted is None or line is None or counted.text != self._page.count_text or not counted.text:
            return
        more = say("{n} counted with {counter}", n=figure(counted.tokens), counter=counted.counter)
        estimate = next(fact.value for fact in self._page.facts if fact.label == _TOKENS)
        line.setText(breakable(f"{self._wording.text(estimate or say('–'))}\n{self._wording.text(more)}"))
        line.setToolTip(self._wording.text(counted.note))


_TOKENS = say("Tokens")


def _count(_source: Source, *, text: str, model: str) -> _Counted:
    counter = tokenizer(model)
    return _Counted(text, counter.count(text), counter.name, counter.note)
