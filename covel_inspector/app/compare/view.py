"""The centre of the window: two requests side by side."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from covel_inspector.app.compare.empty_states import layout_of
from covel_inspector.app.compare.hatch import HatchedNotice
from covel_inspector.app.compare.header_card import NO_CACHED, NO_TOKENS, VERDICT_SHORT, HeaderCard
from covel_inspector.app.compare.pairs_tree import PairsTree
from covel_inspector.app.compare.read_view import ReadView
from covel_inspector.app.compare.remark import Remark
from covel_inspector.app.compare.request_map import map_content
from covel_inspector.app.compare.row_building import RowOptions, build_rows
from covel_inspector.app.compare.rows import Column, PairRow, row_over, walk
from covel_inspector.app.compare.text_panes import TextPanes
from covel_inspector.app.compare.view_menu import ViewMenu
from covel_inspector.app.compare.view_state import ViewState
from covel_inspector.app.compare.wire_view import WireView
from covel_inspector.app.picked_text import PickedText
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.state import Mode
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.three_counts import Counted
from covel_inspector.app.what_if.banner import WhatIfBanner
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Place, Segment, say


class CompareView(QWidget):
    """Cards and maps, the aligned tree and texts; or prose; or a sentence that says why there is nothing."""

    segment_selected = Signal(object)
    """A :class:`Pair`, an :class:`Absent`, or None: what the reader is at."""
    text_picked = Signal(object)
    """The :class:`PickedText` that the reader selected in what is selected; None: no text any more."""
    address_wanted = Signal(str)
    """The reader asked to go to the call of a side; its address."""
    experiment_wanted = Signal(str)
    """A change of the request, as :attr:`ViewMenu.experiment_wanted` names it, for what is selected."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._colours = LIGHT
        self._prepared: Prepared | None = None
        self._options = RowOptions()
        self._one_sided = False
        self._keeps_panes = False
        self._mode = Mode.STRUCTURE
        self.card_a = HeaderCard("A", wording)
        self.card_b = HeaderCard("B", wording)
        self.banner = WhatIfBanner(wording)
        self.remark = Remark(wording)
        self.tree = PairsTree()
        self.panes = TextPanes(wording)
        self.structure = QSplitter(Qt.Orientation.Vertical)
        self.read = ReadView(wording)
        self.wire = WireView(wording)
        self.notice = HatchedNotice()
        self.pages = QStackedWidget()
        self.menu = ViewMenu(wording, self)
        self._divider = QFrame()
        self._line = QFrame()
        self._lay_out()
        self._connect()
        self.apply_wording()

    # What the shell calls

    def show_sides(self, prepared: Prepared | None) -> None:
        """Show a prepared comparison; None: nothing is open or chosen."""
        if _address(prepared) != _address(self._prepared):
            self.tree.mark_keys(())
        self._prepared = prepared
        layout = layout_of(prepared)
        self._one_sided = layout.one_sided
        self.banner.show_sides(prepared)
        self._show_cards()
        self.remark.say(layout.remark, layout.details)
        if layout.page is not None or prepared is None:
            self.notice.say(self._wording.text(layout.page) if layout.page is not None else "")
            self.tree.show_rows([], self._headings(), one_sided=False)
            self.read.show_sides(None)
            self.wire.show_sides(None)
        else:
            self._fill_tree()
            self.read.show_sides(prepared)
        self._show_page()

    @Slot(object, object)
    def show_counts(self, a: Counted | None, b: Counted | None) -> None:
        """What tokenizers counted for the two sides that are shown."""
        self.card_a.show_count(a)
        self.card_b.show_count(b)

    def offer_counts(self, *, is_offered: bool) -> None:
        """Say, or no longer, how to have tokens counted with a tokenizer."""
        self.card_a.offer_count(is_offered=is_offered)
        self.card_b.offer_count(is_offered=is_offered)

    def set_mode(self, mode: Mode | str) -> None:
        """``structure``, ``read`` or ``wire``."""
        self._mode = Mode(mode)
        self._show_page()

    @Slot()
    def next_difference(self) -> bool:
        """To the next difference; False when there is none below."""
        return self.tree.choose_difference(1)

    @Slot()
    def previous_difference(self) -> bool:
        """To the previous difference; False when there is none above."""
        return self.tree.choose_difference(-1)

    @Slot()
    def switch_side(self) -> None:
        """Move the keyboard from the tree to the text of A, of B, and back."""
        if self._mode is Mode.READ:
            self.read.switch_side()
            return
        if self._mode is Mode.WIRE:
            self.wire.switch_side()
            return
        order = [self.tree, self.panes.b.edit] if self._one_sided else [self.tree, self.panes.a.edit, self.panes.b.edit]
        usable = [widget for widget in order if widget.isVisible()]
        at = next((number for number, widget in enumerate(usable) if widget.hasFocus()), len(usable) - 1)
        if usable:
            usable[(at + 1) % len(usable)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def expand_all(self) -> None:
        """Open all rows; all of a body while bodies are shown."""
        if self._mode is Mode.WIRE:
            self.wire.unfold_all()
        else:
            self.tree.expand_everything()

    @Slot()
    def collapse_all(self) -> None:
        """Close all rows; all of a body while bodies are shown."""
        if self._mode is Mode.WIRE:
            self.wire.fold_all()
        else:
            self.tree.collapse_everything()

    def focus_tree(self) -> None:
        """Give the keyboard to what is shown."""
        shown: dict[Mode, QWidget] = {Mode.READ: self.read.b, Mode.WIRE: self.wire.b.edit}
        shown.get(self._mode, self.tree).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        for widget in (self.card_a, self.card_b, self.remark, self.tree, self.panes, self.read, self.wire, self.notice):
            widget.apply_theme(colours)
        for line in (self._divider, self._line):
            palette = QPalette(line.palette())
            palette.setColor(QPalette.ColorRole.Window, QColor(colours.border))
            line.setPalette(palette)

    def apply_wording(self) -> None:
        """Say all texts again."""
        self.tree.setAccessibleName(self._wording.text(say("Segments of both requests")))
        for part in (self.banner, self.card_a, self.card_b, self.panes, self.read, self.wire, self.menu):
            part.apply_wording()
        self.show_sides(self._prepared)

    def export_state(self) -> dict[str, object]:
        """Splitters, options and what is open, as plain values that can be kept in the settings."""
        kept = ViewState.of(self.structure, self.panes.splitter, self.tree, self._options).as_values()
        return kept | {"wire": self.wire.export_state()}

    def apply_state(self, values: object) -> None:
        """Put back what :meth:`export_state` gave; anything damaged is left as it is."""
        state = ViewState.from_values(values)
        state.put_back(self.structure, self.panes.splitter, self.tree)
        self.set_options(state.options)
        self.wire.apply_state(values.get("wire") if isinstance(values, Mapping) else None)

    # Options

    @property
    def options(self) -> RowOptions:
        """What is shown besides segments."""
        return self._options

    def set_options(self, options: RowOptions) -> None:
        """Show or hide blanks and marks, and what was left out."""
        self.menu.take_options(options)
        if options == self._options:
            return
        self._options = options
        self.panes.set_blanks(shown=options.quiet)
        if self._prepared is not None:
            self._fill_tree()

    @Slot(object)
    def choose_place(self, place: object) -> None:
        """Make the row of a place in the request of B current, or that of what has a key, left out or not."""
        b = self._prepared.b if self._prepared is not None else None
        if b is None or b.tree is None:
            return
        if isinstance(place, Place):
            leaf = b.tree.leaf_at(place.part, place.start)
            if leaf is not None:
                self.choose_segment(leaf)
                self._point_out(leaf, place)
        else:
            self.choose_keys(place if isinstance(place, tuple) else (str(place),))

    def choose_keys(self, keys: tuple[str, ...]) -> bool:
        """Mark the rows of segments, or of things left out, by their keys, and make the first one current.

        Without keys nothing is marked any more. False when the first one has no row.
        """
        self.tree.mark_keys(keys if len(keys) > 1 else ())
        if not keys or self.tree.choose_key(keys[0]):
            return True
        if self._options.absent:
            return False
        self.set_options(replace(self._options, absent=True))
        return self.tree.choose_key(keys[0])

    def choose_segment(self, segment: Segment) -> None:
        """Make the row of a segment (of either tree) current; its nearest visible branch when it is hidden."""
        rows = walk(self.tree.pairs.rows)
        wanted = next((row for row in rows if _stands_for(row, segment)), None)
        if wanted is not None:
            self.tree.choose(wanted)

    # Inside

    def _point_out(self, leaf: Segment, place: Place) -> None:
        """Show which stretch of a leaf is meant, unless it is all of it."""
        if leaf.place is not None and 0 < len(place) < len(leaf.place):
            start = place.start - leaf.place.start
            self.panes.point_out(leaf, start, min(start + len(place), len(leaf.text)))

    @Slot(object)
    def _pick(self, picked: PickedText) -> None:
        """The tree goes to the segment of a selected text; the panes stay, or the selection would vanish."""
        wanted = row_over(walk(self.tree.pairs.rows), [span.leaf for span in picked.spans])
        self._keeps_panes = True
        if wanted is not None and wanted is not self.tree.current_row():
            self.tree.choose(wanted)
        elif wanted is not None:
            self._row_chosen(wanted)
        self._keeps_panes = False
        self.text_picked.emit(picked if picked.text else None)

    def _fill_tree(self) -> None:
        short = {Column.A_TITLE: self._heading("A", None), Column.B_TITLE: self._heading("B", None)}
        self.tree.show_rows(self._rows(), self._headings(), one_sided=self._one_sided, short=short)

    def _rows(self) -> list[PairRow]:
        return build_rows(self._prepared, self._wording, self._options) if self._prepared is not None else []

    def _headings(self) -> tuple[str, ...]:
        text = self._wording.text
        tokens = text(say("tokens"))
        a, b = (self._prepared.a, self._prepared.b) if self._prepared is not None else (None, None)
        return (self._heading("A", a), tokens, "", self._heading("B", b), "", tokens)

    def _heading(self, letter: str, side: Side | None) -> str:
        if side is None:
            return self._wording.text(say("Segment {side}", side=letter))
        return self._wording.text(say("Segment {side} · {title}", side=letter, title=side.title))

    def _show_cards(self) -> None:
        a, b = (self._prepared.a, self._prepared.b) if self._prepared is not None else (None, None)
        scale = max(map_content(side, side.limit).reach if side is not None else 0 for side in (a, b))
        self.card_a.show_side(a, scale)
        self.card_b.show_side(b, scale)
        self.card_a.setVisible(not self._one_sided and a is not None)
        self.card_b.setVisible(b is not None)
        self._divider.setVisible(self.card_a.isVisibleTo(self))
        self._fit_cards()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Less room, fewer words."""
        super().resizeEvent(event)
        self._fit_cards()

    def _fit_cards(self) -> None:
        """Both cards say as much as there is room for, and the same."""
        cards = [card for card in (self.card_a, self.card_b) if card.isVisibleTo(self)]
        room = self.width() // max(1, len(cards))
        steps = ((0, True), (VERDICT_SHORT, True), (VERDICT_SHORT, False), (NO_CACHED, False))
        fitting = (
            step for step, whole in steps if all(card.wanted_width(step, names_whole=whole) <= room for card in cards)
        )
        narrowness = next(fitting, NO_TOKENS)
        for card in cards:
            card.set_narrowness(narrowness)

    def _show_page(self) -> None:
        if self._prepared is None or self._prepared.b is None or self._prepared.b.tree is None:
            self.pages.setCurrentWidget(self.notice)
        elif self._mode is Mode.READ:
            self.pages.setCurrentWidget(self.read)
        elif self._mode is Mode.WIRE:
            self.pages.setCurrentWidget(self.wire)
        else:
            self.pages.setCurrentWidget(self.structure)

    def _lay_out(self) -> None:
        cards = QHBoxLayout()
        cards.setSpacing(0)
        cards.addWidget(self.card_a, 1)
        cards.addWidget(self._divider)
        cards.addWidget(self.card_b, 1)
        for line in (self._divider, self._line):
            line.setAutoFillBackground(True)
        self._divider.setFixedWidth(1)
        self._line.setFixedHeight(1)
        self.structure.addWidget(self.tree)
        self.structure.addWidget(self.panes)
        self.structure.setStretchFactor(0, 3)
        self.structure.setStretchFactor(1, 1)
        self.structure.setChildrenCollapsible(False)
        self.panes.setMinimumHeight(UNIT * 7)
        self.tree.setMinimumHeight(UNIT * 9)
        for page in (self.structure, self.read, self.wire, self.notice):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addLayout(cards)
        column.addWidget(self._line)
        column.addWidget(self.remark)
        column.addWidget(self.pages, 1)

    def _connect(self) -> None:
        self.tree.row_chosen.connect(self._row_chosen)
        self.tree.difference_wanted.connect(self._step)
        self.tree.copy_wanted.connect(self._copy)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._open_menu)
        self.card_a.segment_clicked.connect(self.choose_segment)
        self.card_b.segment_clicked.connect(self.choose_segment)
        self.read.segment_clicked.connect(self.choose_segment)
        self.read.text_picked.connect(self._pick)
        self.panes.text_picked.connect(self._pick)
        self.wire.segment_clicked.connect(self.choose_segment)
        self.menu.options_wanted.connect(self.set_options)
        self.menu.expand_wanted.connect(self.expand_all)
        self.menu.collapse_wanted.connect(self.collapse_all)
        self.menu.address_wanted.connect(self.address_wanted)
        self.menu.experiment_wanted.connect(self.experiment_wanted)

    @Slot(object)
    def _row_chosen(self, row: PairRow | None) -> None:
        if not self._keeps_panes:
            self.panes.show_row(row, one_sided=self._one_sided)
        pair = row.pair if row is not None else None
        self.card_a.map.mark_selected(pair.a if pair is not None else None)
        self.card_b.map.mark_selected(pair.b if pair is not None else None)
        self.read.mark_selected(pair)
        self.wire.mark_selected(pair)
        self.segment_selected.emit(pair if pair is not None else row.absent if row is not None else None)

    @Slot(int)
    def _step(self, step: int) -> None:
        self.tree.choose_difference(step)

    @Slot()
    def _copy(self) -> None:
        self.menu.copy_shown(self.tree.current_row())

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        self.menu.open_for(self.tree.current_row(), self._prepared, self.tree.viewport().mapToGlobal(at))


def _address(prepared: Prepared | None) -> str:
    return prepared.b.address_text if prepared is not None and prepared.b is not None else ""


def _stands_for(row: PairRow, segment: Segment) -> bool:
    return row.pair is not None and (row.pair.a is segment or row.pair.b is segment)
