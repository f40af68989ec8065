"""The context menu of the tree: copy, what is shown, and the way to the calls on both sides."""

from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from covel_inspector.app.compare.pane_text import segment_text
from covel_inspector.app.compare.row_building import RowOptions
from covel_inspector.app.compare.rows import PairRow
from covel_inspector.app.compare.source_edit import clipboard_text
from covel_inspector.app.sides import Prepared
from covel_inspector.app.what_if.changing import FIXED, has_one_text
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Kind, Segment, Sentence, say

_LEAVE_OUT = say("What if: without the segment")
_PUT_BACK = say("What if: put the segment back")


class ViewMenu(QObject):
    """Actions on the current row. ``quiet`` and ``absent`` are checkable and can be put into other menus too."""

    options_wanted = Signal(object)
    """:class:`RowOptions` as the reader wants them now."""
    expand_wanted = Signal()
    collapse_wanted = Signal()
    address_wanted = Signal(str)
    experiment_wanted = Signal(str)
    """A change of the request for "what if": leave-out, edit-text, lore-on, lore-off, lore-usual, lore-depth."""

    def __init__(self, wording: Wording, parent: QWidget) -> None:
        super().__init__(parent)
        self._wording = wording
        self._row: PairRow | None = None
        self._addresses = ("", "")
        self._texts: list[tuple[QAction, Sentence]] = []
        self.menu = QMenu(parent)
        self.copy_a = self._action(say("Copy the text of A"))
        self.copy_b = self._action(say("Copy the text of B"))
        self.copy_key = self._action(say("Copy the key"))
        self.menu.addSeparator()
        self.go_a = self._action(say("Go to the call of A"))
        self.go_b = self._action(say("Go to the call of B"))
        self.menu.addSeparator()
        self.leave_out = self._wish(_LEAVE_OUT, "leave-out")
        self.edit_text = self._wish(say("What if: edit the text…"), "edit-text")
        self.lore_on = self._wish(say("What if: the entry is in"), "lore-on")
        self.lore_off = self._wish(say("What if: the entry is out"), "lore-off")
        self.lore_usual = self._wish(say("What if: the entry as its keys say"), "lore-usual")
        self.lore_depth = self._wish(say("What if: the entry at a depth…"), "lore-depth")
        self.menu.addSeparator()
        self.absent = self._action(say("Show what was left out"), checkable=True)
        self.quiet = self._action(say("Show blanks and cache marks"), checkable=True)
        self.menu.addSeparator()
        expand = self._action(say("Expand all"))
        collapse = self._action(say("Collapse all"))
        self.copy_a.triggered.connect(self._copy_a)
        self.copy_b.triggered.connect(self._copy_b)
        self.copy_key.triggered.connect(self._copy_key)
        self.go_a.triggered.connect(self._go_a)
        self.go_b.triggered.connect(self._go_b)
        for action in (self.absent, self.quiet):
            action.triggered.connect(self._want_options)
        expand.triggered.connect(self.expand_wanted)
        collapse.triggered.connect(self.collapse_wanted)
        self.take_options(RowOptions())

    def take_options(self, options: RowOptions) -> None:
        """Check what is shown."""
        self.absent.setChecked(options.absent)
        self.quiet.setChecked(options.quiet)

    def apply_wording(self) -> None:
        """Say all texts again."""
        for action, sentence in self._texts:
            action.setText(self._wording.text(sentence))

    def prepare_for(self, row: PairRow | None, prepared: Prepared | None) -> None:
        """Enable what makes sense for a row."""
        self._row = row
        a, b = (prepared.a, prepared.b) if prepared is not None else (None, None)
        self._addresses = (a.address_text if a is not None else "", b.address_text if b is not None else "")
        pair = row.pair if row is not None else None
        self.copy_a.setEnabled(pair is not None and pair.a is not None)
        self.copy_b.setEnabled(pair is not None and pair.b is not None)
        self.copy_key.setEnabled(row is not None)
        self.go_a.setEnabled(bool(self._addresses[0]))
        self.go_b.setEnabled(bool(self._addresses[1]))
        self._prepare_wishes(row, prepared)

    def _prepare_wishes(self, row: PairRow | None, prepared: Prepared | None) -> None:
        """What can be tried out with a row: only with what belongs to the call at hand."""
        pair = row.pair if row is not None else None
        absent = row.absent if row is not None else None
        is_changed = prepared is not None and prepared.b is not None and prepared.b.changed
        segment = None
        if pair is not None:
            segment = pair.a or pair.b if is_changed else pair.b
        can_change = segment is not None and segment.kind not in FIXED
        is_out = is_changed and pair is not None and pair.b is None
        self.leave_out.setText(self._wording.text(_PUT_BACK if is_out else _LEAVE_OUT))
        self.leave_out.setEnabled(can_change)
        self.edit_text.setEnabled(can_change and segment is not None and has_one_text(segment))
        is_lore = (segment is not None and segment.kind is Kind.LORE) or (
            absent is not None and absent.kind is Kind.LORE
        )
        for action in (self.lore_on, self.lore_off, self.lore_usual, self.lore_depth):
            action.setVisible(is_lore)

    def open_for(self, row: PairRow | None, prepared: Prepared | None, at: QPoint) -> None:
        """Open the menu at a place of the screen."""
        self.prepare_for(row, prepared)
        self.menu.popup(at)

    def copy_shown(self, row: PairRow | None) -> None:
        """Copy the text of B, else of A; of something left out its own text."""
        if row is not None and row.pair is not None:
            self._copy_text(row.pair.shown)
        elif row is not None and row.absent is not None:
            QGuiApplication.clipboard().setText(clipboard_text(row.absent.text))

    def _action(self, sentence: Sentence, *, checkable: bool = False) -> QAction:
        action = self.menu.addAction(str(sentence))
        action.setCheckable(checkable)
        self._texts.append((action, sentence))
        return action

    def _wish(self, sentence: Sentence, wish: str) -> QAction:
        action = self._action(sentence)
        action.triggered.connect(partial(self._want_experiment, wish))
        return action

    def _want_experiment(self, wish: str, _checked: bool = False) -> None:
        self.experiment_wanted.emit(wish)

    @Slot()
    def _want_options(self) -> None:
        self.options_wanted.emit(RowOptions(quiet=self.quiet.isChecked(), absent=self.absent.isChecked()))

    @Slot()
    def _copy_a(self) -> None:
        self._copy_text(self._row.pair.a if self._row is not None and self._row.pair is not None else None)

    @Slot()
    def _copy_b(self) -> None:
        self._copy_text(self._row.pair.b if self._row is not None and self._row.pair is not None else None)

    @Slot()
    def _copy_key(self) -> None:
        if self._row is not None:
            QGuiApplication.clipboard().setText(clipboard_text(self._row.key))

    @Slot()
    def _go_a(self) -> None:
        self.address_wanted.emit(self._addresses[0])

    @Slot()
    def _go_b(self) -> None:
        self.address_wanted.emit(self._addresses[1])

    def _copy_text(self, segment: Segment | None) -> None:
        if segment is not None:
            text, _ = segment_text(segment)
            QGuiApplication.clipboard().setText(clipboard_text(text))
