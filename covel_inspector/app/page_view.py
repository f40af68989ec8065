"""Draws a page of answers: title, table of facts, sentences, what was left out, links."""

from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from covel_inspector.app.left_out import LeftOutList
from covel_inspector.app.link_label import LinkLabel, anchor
from covel_inspector.app.page import NOTHING, Fact, Link, Page
from covel_inspector.app.plain_text import breakable, breakable_label, label
from covel_inspector.app.tab_order import follow_order
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import kind_colour
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence
from covel_inspector.report.terminal import visible

_MOST_QUOTED = 4000
"""Characters of a quotation that are shown."""

_NEXT = "↳ "
"""Before each link of a chain but the first."""


class PageView(QScrollArea):
    """Shows one :class:`Page`. The keyboard walks through its links; ``link_wanted`` carries the followed one."""

    link_wanted = Signal(object)

    def __init__(self, wording: Wording, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording, self._theme = wording, theme
        self._page = NOTHING
        self._links: list[Link] = []
        self._values: dict[Sentence, QLabel] = {}
        self.setProperty("page", "true")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def page(self) -> Page:
        """What is shown."""
        return self._page

    @property
    def links(self) -> list[Link]:
        """All links, in the order in which they stand on the page."""
        return self._links

    def show_page(self, page: Page) -> None:
        """Show another page from its beginning; the same one stays where it is scrolled to."""
        if page != self._page or self.widget() is None:
            self._page = page
            self.draw()

    def draw(self) -> None:
        """Draw the page again: in another language, or in other colours."""
        text = self._wording.text
        page = self._page
        self._links = []
        self._values = {}
        body = QWidget()
        body.setObjectName("whyBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(UNIT + 4, UNIT + 4, UNIT + 4, UNIT * 2)
        column.setSpacing(UNIT)
        column.addLayout(self._heading(page))
        for sentence in page.lead:
            column.addWidget(breakable_label(text(sentence)))
        if page.facts:
            column.addLayout(self._table(page.facts))
        for sentence in page.paragraphs:
            column.addWidget(breakable_label(text(sentence)))
        for sentence in page.warnings:
            column.addWidget(breakable_label(text(sentence), "note"))
        if page.quote:
            cut = page.quote[:_MOST_QUOTED] + ("…" if len(page.quote) > _MOST_QUOTED else "")
            column.addWidget(breakable_label(visible(cut), "quote"))
        if page.left_out:
            column.addWidget(LeftOutList(page.left_out, self._wording, body))
        for link in page.links:
            column.addWidget(self._link_label((link,)))
        column.addStretch(1)
        self.setWidget(body)
        follow_order(self)

    def value_label(self, of: Sentence) -> QLabel | None:
        """The label that shows the value of a fact, by the fact's label."""
        return self._values.get(of)

    # Inside

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
            column, span = (0, 2) if fact.is_above else (1, 1)
            if fact.is_above:
                grid.addWidget(breakable_label(self._wording.text(fact.label), "heading"), row, 0, 1, 2)
                row += 1
            else:
                name = label(self._wording.text(fact.label), "quiet")
                name.setWordWrap(False)
                grid.addWidget(name, row, 0, top)
            if fact.value is not None:
                value = breakable_label(self._wording.text(fact.value))
                grid.addWidget(value, row, column, 1, span, top)
                self._values[fact.label] = value
                row += 1
            if fact.links:
                grid.addWidget(self._link_label(fact.links, is_chain=fact.is_chain), row, column, 1, span, top)
                row += 1
        return grid

    def _link_label(self, links: tuple[Link, ...], *, is_chain: bool = False) -> LinkLabel:
        pieces = []
        for place, link in enumerate(links):
            shown = escape(breakable(self._wording.text(link.text)))
            before = _NEXT if is_chain and place else ""
            pieces.append(before + anchor(str(len(self._links)), shown, self._theme.colours.link))
            self._links.append(link)
        made = LinkLabel("<br>".join(pieces), (self._wording.text(link.text) for link in links))
        made.linkActivated.connect(self._follow)
        return made

    @Slot(str)
    def _follow(self, number: str) -> None:
        self.link_wanted.emit(self._links[int(number)])
