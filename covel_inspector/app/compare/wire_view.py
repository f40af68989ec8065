"""Both requests as the JSON bodies that a provider gets, side by side."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QToolButton, QVBoxLayout, QWidget

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.compare.passages import partners_of
from covel_inspector.app.compare.wire_pane import SOURCES, WirePane
from covel_inspector.app.plain_text import label, tip
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wire_sides import WireChoice, WireSides
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Segment, Sentence, plain, say
from covel_inspector.domain.wire import BodySource, Protocol


class WireView(QWidget):
    """Choosers for the bodies and two panes. ``choice_wanted`` asks for other bodies."""

    segment_clicked = Signal(object)
    """A leaf of one of the trees."""
    choice_wanted = Signal(object)
    """A :class:`WireChoice`."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._choice = WireChoice()
        self._pair: Pair | None = None
        self._sides: WireSides | None = None
        self.a = WirePane("A", wording)
        self.b = WirePane("B", wording)
        self.source_label = label(tone="quiet")
        self.protocol_label = label(tone="quiet")
        self.source = _button()
        self.protocol = _button()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._fill_menus()
        for pane in (self.a, self.b):
            pane.edit.segment_chosen.connect(self.segment_clicked)

    @property
    def choice(self) -> WireChoice:
        """What is to be seen."""
        return self._choice

    def choose(self, choice: WireChoice) -> None:
        """See other bodies."""
        self._choice = choice
        self.apply_wording()
        self.choice_wanted.emit(choice)

    def show_sides(self, sides: WireSides | None) -> None:
        """Show what was read; None: nothing yet."""
        self._sides = sides
        a, b = (sides.a, sides.b) if sides is not None else (None, None)
        self.a.show_side(a)
        self.b.show_side(b)
        self.a.setVisible(sides is None or a is not None)
        self._mark(unfold=False)

    @Slot()
    def show_waiting(self) -> None:
        """The bodies are being read."""
        for pane in (self.a, self.b):
            pane.show_waiting()

    def mark_selected(self, pair: Pair | None) -> None:
        """Mark the text of a pair in both bodies, and bring it into sight unless it was clicked there."""
        self._pair = pair
        self._mark(unfold=True)

    def _mark(self, *, unfold: bool) -> None:
        pair = self._pair
        for pane, segment in ((self.a, pair.a if pair else None), (self.b, pair.b if pair else None)):
            leaves = list(segment.leaves()) if segment is not None else []
            pane.edit.choose_leaves(leaves, reveal=not pane.edit.hasFocus(), unfold=unfold)
        if pair is not None and (pair.a is None or pair.b is None):
            self._show_near(pair)

    def _show_near(self, pair: Pair) -> None:
        """On the side that lacks a segment, bring what stands before it into sight."""
        comparison = self._sides.prepared.comparison if self._sides is not None else None
        if comparison is None or comparison.a is None or comparison.b is None:
            return
        has, lacks = (comparison.a, self.b) if pair.b is None else (comparison.b, self.a)
        partners = partners_of(comparison)
        first = next(pair.shown.leaves(), None)
        near: Segment | None = None
        for leaf in has.leaves():
            if leaf is first:
                break
            near = partners.get(id(leaf), near)
        spans = lacks.edit.segments.of_leaves([near]) if near is not None and lacks.edit.segments is not None else []
        if spans and not lacks.edit.hasFocus():
            lacks.edit.reveal(spans[-1][1] - 1, unfold=False)

    def switch_side(self) -> None:
        """Move the keyboard to the other body."""
        other = self.b if self.a.edit.hasFocus() or not self.a.isVisible() else self.a
        other.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def fold_all(self) -> None:
        """Fold everything below the first level, on both sides."""
        for pane in (self.a, self.b):
            pane.edit.fold_all()

    def unfold_all(self) -> None:
        """Unfold everything, on both sides."""
        for pane in (self.a, self.b):
            pane.edit.unfold_all()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for pane in (self.a, self.b):
            pane.apply_theme(colours)

    def apply_wording(self) -> None:
        """Say all texts again."""
        text = self._wording.text
        self.source_label.setText(text(say("Body")))
        self.protocol_label.setText(text(say("Protocol")))
        self._say(self.source, SOURCES[self._choice.source], say("Where the body is from"))
        self._say(self.protocol, _protocol_title(self._choice.protocol), say("For which protocol the body is built"))
        for button, wanted in ((self.source, self._choice.source.value), (self.protocol, self._choice.protocol or "")):
            for action in button.menu().actions():
                value, title = action.data()
                action.setText(text(title))
                action.setChecked(value == wanted)
        for pane in (self.a, self.b):
            pane.say_again()

    def export_state(self) -> dict[str, object]:
        """The choice, as plain values."""
        return {"source": self._choice.source.value, "protocol": self._choice.protocol or ""}

    def apply_state(self, values: object) -> None:
        """Put back what :meth:`export_state` gave; anything damaged is as usual."""
        kept = values if isinstance(values, Mapping) else {}
        source, protocol = kept.get("source"), kept.get("protocol")
        self.choose(
            WireChoice(
                BodySource(source) if source in tuple(BodySource) else BodySource.RECORDED,
                Protocol(protocol) if protocol in tuple(Protocol) else None,
            )
        )

    def _say(self, button: QToolButton, chosen: Sentence, meaning: Sentence) -> None:
        text = self._wording.text
        button.setText(f"{text(chosen)} ▾")
        button.setToolTip(tip(text(meaning)))
        button.setAccessibleName(f"{text(meaning)}: {text(chosen)}")

    def _fill_menus(self) -> None:
        for source, title in SOURCES.items():
            self._entry(self.source, source.value, title)
        for protocol in (None, *Protocol):
            self._entry(self.protocol, protocol or "", _protocol_title(protocol))

    def _entry(self, button: QToolButton, value: str, title: Sentence) -> None:
        menu = button.menu()
        group = menu.findChild(QActionGroup) or QActionGroup(menu)
        action = QAction(menu)
        action.setData((str(value), title))
        action.setCheckable(True)
        group.addAction(action)
        action.triggered.connect(self._take_choice)
        menu.addAction(action)

    @Slot()
    def _take_choice(self) -> None:
        chosen = [
            next((action.data()[0] for action in button.menu().actions() if action.isChecked()), "")
            for button in (self.source, self.protocol)
        ]
        self.choose(WireChoice(BodySource(chosen[0]), Protocol(chosen[1]) if chosen[1] else None))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(UNIT + 4, UNIT // 2, UNIT, UNIT // 2)
        row.setSpacing(UNIT)
        for widget in (self.source_label, self.source, self.protocol_label, self.protocol):
            row.addWidget(widget)
        for widget in (self.source_label, self.protocol_label):
            widget.setWordWrap(False)
        row.addStretch(1)
        for pane in (self.a, self.b):
            self.splitter.addWidget(pane)
        self.splitter.setSizes([1000, 1000])
        self.splitter.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.splitter, 1)


def _protocol_title(protocol: Protocol | None) -> Sentence:
    return plain(protocol.value) if protocol is not None else say("that of the call")


def _button() -> QToolButton:
    button = QToolButton()
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setMenu(QMenu(button))
    return button
