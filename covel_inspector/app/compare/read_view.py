"""Both requests as prose, side by side; B alone when there is no A."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from covel_inspector.analysis.compare import Pair, PairState
from covel_inspector.app.compare.passages import Passage, leaves_of, partners_of, passages, states_of
from covel_inspector.app.compare.read_alignment import anchors, paddings
from covel_inspector.app.compare.read_page import ReadPage
from covel_inspector.app.compare.word_diff import changed_words
from covel_inspector.app.picked_text import PickedText
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say

MEASURE = 96
"""Average letters of a line, about half as many Chinese ones: longer lines are hard to find back from."""

ALIGNED_AT_ONCE = 60_000
"""Code points of both documents up to which they are laid out side by side before they are painted."""


class ReadView(QWidget):
    """The request for writers. Nothing is written into the documents while the view is hidden."""

    segment_clicked = Signal(object)
    """A leaf of one of the trees."""
    text_picked = Signal(object)
    """The :class:`PickedText` that the reader selected."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._prepared: Prepared | None = None
        self._pair: Pair | None = None
        self._unfolded: set[str] = set()
        self._is_stale = False
        self._is_writing = False
        self._is_following = False
        self._top = ""
        self._aligned_width = 0
        self._aligning = QTimer(self, singleShot=True, interval=0)
        self._aligning.timeout.connect(self._align)
        self.a = ReadPage("word_removed", wording)
        self.b = ReadPage("word_added", wording)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for page in (self.a, self.b):
            self.splitter.addWidget(page)
            page.passage_chosen.connect(self._choose)
            page.unfold_wanted.connect(self._unfold)
            page.written.connect(self._align_soon)
        self.a.verticalScrollBar().valueChanged.connect(self._follow_a)
        self.b.verticalScrollBar().valueChanged.connect(self._follow_b)
        self.a.text_picked.connect(self._pick_a)
        self.b.text_picked.connect(self.text_picked)
        self.splitter.setSizes([1000, 1000])
        self.splitter.splitterMoved.connect(self._hold_measure)
        self.splitter.setChildrenCollapsible(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt: another width."""
        super().resizeEvent(event)
        self._hold_measure()

    def changeEvent(self, event: QEvent) -> None:
        """Qt: larger letters make wider lines."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._hold_measure()

    @Slot()
    def _hold_measure(self) -> None:
        """Lines end where they can still be read, however wide the window is, and on both sides at the same place."""
        bar = self.b.verticalScrollBar().sizeHint().width()
        rooms = {page: page.width() - (bar if page is self.b else 0) for page in (self.a, self.b)}
        measure = self.fontMetrics().averageCharWidth() * MEASURE
        widest = min([measure, *(room for page, room in rooms.items() if not page.isHidden())])
        for page, room in rooms.items():
            page.setViewportMargins(0, 0, max(0, room - widest), 0)

    def show_sides(self, prepared: Prepared | None) -> None:
        """Show a prepared comparison."""
        self._prepared = prepared
        self._is_stale = True
        if self.isVisible():
            self._write()

    def mark_selected(self, pair: Pair | None) -> None:
        """Mark a pair in both documents and bring it into sight."""
        self._pair = pair
        if self.isVisible() and not self._is_stale:
            self._mark()

    def switch_side(self) -> None:
        """Move the keyboard to the other document."""
        (self.b if self.a.hasFocus() or not self.a.isVisible() else self.a).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for page in (self.a, self.b):
            page.apply_theme(colours)

    def apply_wording(self) -> None:
        """Say all texts again."""
        self.a.setAccessibleName(self._wording.text(say("Request A as prose")))
        self.b.setAccessibleName(self._wording.text(say("Request B as prose")))
        self.show_sides(self._prepared)

    def showEvent(self, event: QShowEvent) -> None:
        """Write what was prepared while the view was hidden."""
        super().showEvent(event)
        if self._is_stale:
            self._write()

    def _write(self) -> None:
        self._is_stale = False
        prepared = self._prepared
        a, b = (prepared.a, prepared.b) if prepared is not None else (None, None)
        comparison = prepared.comparison if prepared is not None else None
        states = states_of(comparison)
        ours, theirs = self._passages(a, states), self._passages(b, states)
        words_a, words_b = changed_words(ours, theirs, partners_of(comparison))
        self._is_writing = True
        self.a.show_passages(ours, words_a)
        self.b.show_passages(theirs, words_b)
        self.a.setVisible(a is not None and a.tree is not None)
        self._is_writing = False
        # One scroll bar for both: what lies side by side moves together.
        usual, off = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.a.setVerticalScrollBarPolicy(off if self._is_aligned else usual)
        if sum(len(passage.text) for passage in (*ours, *theirs)) <= ALIGNED_AT_ONCE:
            self._align()
        else:
            self._aligning.start()
        self._mark()

    @property
    def _is_aligned(self) -> bool:
        """Whether both documents are shown, and belong side by side."""
        return not self.a.isHidden() and self._prepared is not None and self._prepared.comparison is not None

    @Slot()
    def _align_soon(self) -> None:
        if not self._is_writing and self._is_aligned:
            self._aligning.start()

    @Slot()
    def _align(self) -> None:
        """Pad both documents so that the same segment stands at the same height, and keep what is at the top there."""
        self._aligning.stop()
        if not self._is_aligned or self._prepared is None:
            return
        is_other_width = self._aligned_width not in (0, self.b.viewport().width())
        top = self._top if is_other_width else self.b.key_at_top()
        self._aligned_width = self.b.viewport().width()
        pairs = anchors(self.a.passages, self.b.passages, partners_of(self._prepared.comparison))
        pages = self.a.padding, self.b.padding
        tops_a, tops_b = (page.tops() for page in pages)
        for page, padding in zip(pages, paddings(pairs, tops_a, tops_b, *(page.end() for page in pages)), strict=True):
            page.apply(padding)
        self.b.scroll_to_key(top)
        self._follow_b(self.b.verticalScrollBar().value())

    @Slot(int)
    def _follow_a(self, value: int) -> None:
        self._follow(self.b, value)

    @Slot(int)
    def _follow_b(self, value: int) -> None:
        self._follow(self.a, value)

    def _follow(self, page: ReadPage, value: int) -> None:
        if self._is_following or self._is_writing or not self._is_aligned:
            return
        self._is_following = True
        bar = page.verticalScrollBar()
        bar.setMaximum(max(bar.maximum(), value))
        bar.setValue(value)
        self._is_following = False
        if self.b.viewport().width() == self._aligned_width:
            # A resize moves the text under the upper edge before anybody is told.
            self._top = self.b.key_at_top()

    def _passages(self, side: Side | None, states: dict[int, PairState] | None) -> list[Passage]:
        if side is None or side.tree is None:
            return []
        return passages(side.tree, states, frozenset(self._unfolded))

    def _mark(self) -> None:
        leaves = leaves_of(self._pair)
        is_in_b = self.b.number_of(leaves) is not None
        for page in (self.a, self.b):
            # Side by side one of them leads, the other one follows.
            leads = not self._is_aligned or (page is self.b) is is_in_b
            page.mark_chosen(leaves, scroll=leads)
        if self._is_aligned:
            return
        for page, other in ((self.a, self.b), (self.b, self.a)):
            there = other.number_of(leaves)
            if there is not None and page.number_of(leaves) is None:
                page.show_near(other, there)

    @Slot(object)
    def _choose(self, passage: Passage) -> None:
        self.segment_clicked.emit(passage.segment)

    @Slot(object)
    def _pick_a(self, picked: PickedText) -> None:
        self.text_picked.emit(replace(picked, is_a=True))

    @Slot(str)
    def _unfold(self, key: str) -> None:
        self._unfolded.add(key)
        self._write()
