"""What can be turned in "what if": window, reserve, protected turns, history, summaries, language, model; and the list
of what was changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from covel_inspector.app.flow_layout import FlowLayout
from covel_inspector.app.panels.choice_button import ChoiceButton
from covel_inspector.app.panels.number_fields import NumberField, TokenSlider
from covel_inspector.app.plain_text import breakable_label, label, tip
from covel_inspector.app.state import AS_IT_WAS
from covel_inspector.app.theme import UNIT
from covel_inspector.app.what_if.changing import NO_WINDOW, listed
from covel_inspector.app.wording import Wording
from covel_inspector.domain import BudgetRun, Changes, Sentence, say

_MOST_TOKENS = 100_000_000
_MOST_TURNS = 9999

_USUAL = -2
"""Stands for "as it was" in the field of the history, where -1 means all turns."""

_WINDOW, _RESERVE, _PROTECTED = say("Window"), say("Reserve"), say("Protected turns")
_HISTORY, _SUMMARIES, _LANGUAGE, _MODEL = say("History turns"), say("Summaries"), say("Language"), say("Model")
_AS_IT_WAS = say("as it was")


@dataclass(frozen=True, slots=True)
class Offer:
    """How it was, and what can be chosen from: the run without changes, locales and models that occur, and the titles
    of segments for the list of changes."""

    usual: BudgetRun | None = None
    locales: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    names: Mapping[str, Sentence] = field(default_factory=dict)


class BudgetControls(QWidget):
    """Shows changes, and tells wishes: ``changes_wanted`` carries all changes as they should be."""

    changes_wanted = Signal(object)
    command_wanted = Signal(str)

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._changes = AS_IT_WAS
        self._offer = Offer()
        self.window_slider = TokenSlider(is_steep=True)
        self.window_field = NumberField(0, _MOST_TOKENS)
        self.reserve_slider = TokenSlider(is_steep=False)
        self.reserve_field = NumberField(-1, _MOST_TOKENS)
        self.protected = NumberField(-1, _MOST_TURNS)
        self.history = NumberField(_USUAL, _MOST_TURNS)
        self.summaries, self.language, self.model = ChoiceButton(), ChoiceButton(), ChoiceButton()
        self.reset, self.save, self.open = QPushButton(), QPushButton(), QPushButton()
        self._labels: list[tuple[QLabel, Sentence]] = []
        self._list = QWidget()
        self._rows = QVBoxLayout(self._list)
        self._arrange()
        self._connect()
        self.apply_wording()

    # What the panel calls

    def show_changes(self, changes: Changes, offer: Offer) -> None:
        """Show what is changed, beside how it was."""
        is_new = changes != self._changes or offer.names != self._offer.names
        self._changes, self._offer = changes, offer
        self._show_numbers()
        self._say_choices()
        if is_new:
            self._say_list()

    def apply_wording(self) -> None:
        """Say all texts again."""
        text = self._wording.text
        for shown, sentence in self._labels:
            shown.setText(text(sentence))
        usual = text(_AS_IT_WAS)
        self.window_field.set_words({0: text(say("unknown"))})
        self.reserve_field.set_words({-1: text(say("unknown"))})
        self.protected.set_words({-1: usual})
        self.history.set_words({_USUAL: usual, NO_WINDOW: text(say("all"))})
        for field_, sentence in (
            (self.window_field, _WINDOW), (self.window_slider, _WINDOW), (self.reserve_field, _RESERVE),
            (self.reserve_slider, _RESERVE), (self.protected, _PROTECTED), (self.history, _HISTORY),
        ):  # fmt: skip
            field_.setAccessibleName(text(sentence))
        self.protected.setToolTip(tip(text(say("The newest turns that history pruning leaves alone"))))
        self.history.setToolTip(tip(text(say("Turns of history that the runtime asks for; 0: none"))))
        self.reset.setText(text(say("Take all changes back")))
        self.save.setText(text(say("Save as a draft…")))
        self.open.setText(text(say("Open a draft…")))
        self._say_choices()
        self._say_list()

    # Inside

    def _show_numbers(self) -> None:
        changes, usual = self._changes, self._offer.usual
        was_window = usual.window if usual is not None else None
        was_reserve = usual.reserve if usual is not None else None
        before = max(usual.before, 64) if usual is not None else 4096
        window = changes.window if changes.window is not None else was_window
        reserve = changes.reserve if changes.reserve is not None else was_reserve
        high = max(was_window or 0, changes.window or 0, before) * 4
        self.window_slider.set_span(max(16, before // 8), high, was_window)
        self.window_slider.show_tokens(window or high)
        self.window_field.show_number(window or 0)
        self.reserve_slider.set_span(0, max(1, (window or high) - 1), was_reserve)
        self.reserve_slider.show_tokens(reserve or 0)
        self.reserve_field.show_number(-1 if reserve is None else reserve)
        self.protected.show_number(-1 if changes.protected_turns is None else changes.protected_turns)
        self.history.show_number(_USUAL if changes.max_turns is None else max(NO_WINDOW, changes.max_turns))
        self.reset.setEnabled(changes != AS_IT_WAS)
        self.save.setEnabled(changes != AS_IT_WAS)

    def _say_choices(self) -> None:
        text, changes, offer = self._wording.text, self._changes, self._offer
        usual = (text(_AS_IT_WAS), None)
        with_without = ((text(say("with")), True), (text(say("without")), False))
        self.summaries.offer((usual, *with_without), changes.include_summaries, text(_SUMMARIES))
        locales = dict.fromkeys((*offer.locales, "zh-CN", "en-US"))
        self.language.offer((usual, *((one, one) for one in locales)), changes.locale, text(_LANGUAGE))
        models = dict.fromkeys((*offer.models, *filter(None, (changes.model,))))
        self.model.offer((usual, *((one, one) for one in models)), changes.model, text(_MODEL))

    def _say_list(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        text = self._wording.text
        changes = listed(self._changes, self._offer.names)
        if not changes:
            hint = say("Turn a value, or use the menu of a segment: the changed request appears at the right.")
            self._rows.addWidget(breakable_label(text(hint), "quiet"))
        for change in changes:
            self._rows.addWidget(self._row(text(change.told), change.taken_back))

    def _row(self, told: str, taken_back: Changes) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(UNIT // 2)
        remove = QToolButton()
        remove.setText("×")
        remove.setProperty("flat", "true")
        remove.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        remove.setAccessibleName(self._wording.text(say("Take back: {change}", change=told)))
        remove.setToolTip(tip(self._wording.text(say("Take back"))))
        remove.clicked.connect(partial(self._want, taken_back))
        line.addWidget(remove, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(breakable_label(told), 1)
        return row

    def _want(self, changes: Changes, _checked: bool = False) -> None:
        self.changes_wanted.emit(changes)

    @Slot(int)
    def _want_window(self, tokens: int) -> None:
        usual = self._offer.usual.window if self._offer.usual is not None else None
        self._want(replace(self._changes, window=None if tokens in (usual, 0) else tokens))

    @Slot(int)
    def _want_reserve(self, tokens: int) -> None:
        usual = self._offer.usual.reserve if self._offer.usual is not None else None
        self._want(replace(self._changes, reserve=None if tokens == usual or tokens < 0 else tokens))

    @Slot(int)
    def _want_protected(self, turns: int) -> None:
        self._want(replace(self._changes, protected_turns=None if turns < 0 else turns))

    @Slot(int)
    def _want_history(self, turns: int) -> None:
        self._want(replace(self._changes, max_turns=None if turns == _USUAL else turns))

    @Slot(object)
    def _want_summaries(self, wanted: bool | None) -> None:
        self._want(replace(self._changes, include_summaries=wanted))

    @Slot(object)
    def _want_language(self, tag: str | None) -> None:
        self._want(replace(self._changes, locale=tag))

    @Slot(object)
    def _want_model(self, name: str | None) -> None:
        self._want(replace(self._changes, model=name))

    def _connect(self) -> None:
        self.window_slider.dragged.connect(self._want_window)
        self.window_field.chosen.connect(self._want_window)
        self.reserve_slider.dragged.connect(self._want_reserve)
        self.reserve_field.chosen.connect(self._want_reserve)
        self.protected.chosen.connect(self._want_protected)
        self.history.chosen.connect(self._want_history)
        self.summaries.chosen.connect(self._want_summaries)
        self.language.chosen.connect(self._want_language)
        self.model.chosen.connect(self._want_model)
        for button, command in ((self.reset, "reset-what-if"), (self.save, "save-draft"), (self.open, "open-draft")):
            button.clicked.connect(partial(self._want_command, command))

    def _want_command(self, command: str, _checked: bool = False) -> None:
        self.command_wanted.emit(command)

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(UNIT // 2)
        grid.setColumnStretch(1, 1)
        for row, (sentence, slider, field_) in enumerate((
            (_WINDOW, self.window_slider, self.window_field),
            (_RESERVE, self.reserve_slider, self.reserve_field),
        )):  # fmt: skip
            grid.addWidget(self._label(sentence), row, 0)
            grid.addWidget(slider, row, 1, 1, 2)
            grid.addWidget(field_, row, 3)
        turns = FlowLayout(UNIT * 2, UNIT // 2)
        for sentence, field_ in ((_PROTECTED, self.protected), (_HISTORY, self.history)):
            turns.addWidget(_together(self._label(sentence), field_))
        choices = FlowLayout(UNIT, UNIT // 2)
        for button in (self.summaries, self.language, self.model):
            choices.addWidget(button)
        links = FlowLayout(UNIT * 2, 0)
        for link in (self.reset, self.save, self.open):
            link.setProperty("link", "true")
            links.addWidget(link)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(UNIT, UNIT // 2, UNIT, UNIT)
        column.setSpacing(UNIT // 2)
        for part in (grid, turns, choices):
            column.addLayout(part)
        column.addWidget(self._list)
        column.addLayout(links)
        column.addStretch(1)

    def _label(self, sentence: Sentence) -> QLabel:
        made = label(tone="quiet")
        made.setWordWrap(False)
        self._labels.append((made, sentence))
        return made


def _together(*widgets: QWidget) -> QWidget:
    """Widgets that stay in one line."""
    frame = QWidget()
    row = QHBoxLayout(frame)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(UNIT)
    for widget in widgets:
        row.addWidget(widget)
    return frame
