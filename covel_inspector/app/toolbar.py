"""The toolbar: where the reader is, what it is compared with, and how it is shown."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from covel_inspector.app import icons
from covel_inspector.app.actions import Actions
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.picking import Lists, requests_of, runtimes
from covel_inspector.app.plain_text import label, tip
from covel_inspector.app.state import Spot
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Call, Sentence, Turn, TurnKind, plain, say

_LEAST_NAME = 64
"""Pixels that are left of a runtime's name."""


class ToolBar(QToolBar):
    """Follows the state; its buttons are the commands of the menus, or menus of what is there to choose."""

    def __init__(self, inspector: Inspector, actions: Actions, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._inspector, self._actions, self._wording, self._theme = inspector, actions, wording, theme
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.open = self._command("open")
        self.back = self._command("previous-turn")
        self.turn = self._command("quick-open")
        self.forward = self._command("next-turn")
        self.runtime = self._menu_button()
        self.call = self._menu_button()
        self.with_label = label(tone="quiet")
        self.with_label.setWordWrap(False)
        self.target = self._menu_button()
        self.read = self._command("read", "first")
        self.structure = self._command("structure", "middle")
        self.wire = self._command("wire", "last")
        self._arrange()
        state = inspector.state
        for signal in (state.source_changed, state.spot_changed, state.target_changed, state.mode_changed):
            signal.connect(self.say_again)
        state.lists_changed.connect(self.say_again)
        wording.changed.connect(self.say_again)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()
        self.say_again()

    @Slot()
    def apply_theme(self) -> None:
        """Icons in the colours in force."""
        colours, size = self._theme.colours, self.fontMetrics().height()
        self.setIconSize(QSize(size, size))
        for button, name in ((self.open, "open"), (self.back, "back"), (self.forward, "forward")):
            button.setIcon(icons.icon(name, colours.text, colours.disabled))

    @Slot()
    def say_again(self) -> None:
        """Say everything anew: another place, another language."""
        text, state = self._wording.text, self._inspector.state
        self.setWindowTitle(text(say("Toolbar")))
        spot, lists, call = state.spot, state.here, state.call
        self.with_label.setText(text(say("compare with")))
        self._say(self.open, None, say("Open a story database…"))
        self._say(self.back, None, say("Previous turn"))
        self._say(self.forward, None, say("Next turn"))
        self._say(self.read, say("Read"), say("The request as flowing text"))
        self._say(self.structure, say("Structure"), say("The request as a tree of segments"))
        self._say(self.wire, say("Wire"), say("The request as the JSON body that the provider gets"))
        count = len(lists.turns) if lists else 0
        self._say(self.turn, _place(spot, lists), _turn_meaning(state.turn))
        position = lists.position(spot.turn) if lists and spot else -1
        self._actions["previous-turn"].setEnabled(position > 0)
        self._actions["next-turn"].setEnabled(0 <= position < count - 1)
        runtime = say("{runtime} ▾", runtime=call.address.runtime) if call else say("no runtime ▾")
        self._say(self.runtime, runtime, say("Runtime whose request is shown"))
        made = requests_of(lists, call.address.turn, call.address.runtime) if lists and call else ()
        if call is not None and made:
            self._say(self.call, _number(call, made), _meaning(call))
        self._call_place.setVisible(bool(made))
        self._say(self.target, say("{target} ▾", target=state.target.title), say("What the call is compared with"))
        self._fit()
        self.runtime.setEnabled(call is not None)
        self.call.setEnabled(len(made) > 1)
        self.target.setEnabled(state.facts is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Less room, fewer words."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """No button may fall off the right end: words that others tell too go first, then a runtime's long name."""
        call = self._inspector.state.call
        self._with_place.setVisible(True)
        if call is not None:
            self._say_runtime(call.address.runtime)
        if self._lacking() > 0:
            self._with_place.setVisible(False)
        if call is not None and (lacking := self._lacking()) > 0:
            name, metrics = call.address.runtime, self.runtime.fontMetrics()
            room = max(_LEAST_NAME, metrics.horizontalAdvance(name) - lacking)
            self._say_runtime(metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room))

    def _lacking(self) -> int:
        """Pixels that the buttons need more than there are; none before the first showing."""
        return self.sizeHint().width() - self.width() if self.isVisible() else 0

    def _say_runtime(self, name: str) -> None:
        self.runtime.setText(self._wording.text(say("{runtime} ▾", runtime=name)).replace("&", "&&"))

    def _say(self, button: QToolButton, shown: Sentence | None, meaning: Sentence) -> None:
        spoken = self._wording.text(meaning)
        if shown is not None:
            told = self._wording.text(shown)
            button.setText(told.replace("&", "&&"))
            spoken = f"{spoken}: {told}" if shown != meaning else spoken
        keys = button.shortcut_text() if isinstance(button, _Button) else ""
        button.setToolTip(tip("  ".join(filter(None, (self._wording.text(meaning), keys)))))
        button.setAccessibleName(spoken)

    def _arrange(self) -> None:
        for widget in (self.open, _gap(8), self.back, self.turn, self.forward, _gap(8), self.runtime):
            self.addWidget(widget)
        # A tool bar shows and hides the action that holds a widget, not the widget.
        self._call_place = self.addWidget(self.call)
        self.addWidget(_gap(8))
        self._with_place = self.addWidget(self.with_label)
        self.addWidget(self.target)
        self.addWidget(_gap(8))
        self.addWidget(_joined(self.read, self.structure, self.wire))
        rest = QWidget()
        rest.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(rest)
        self.runtime.menu().aboutToShow.connect(self._fill_runtimes)
        self.call.menu().aboutToShow.connect(self._fill_calls)
        self.target.menu().aboutToShow.connect(self._fill_targets)

    def _command(self, identifier: str, segment: str = "") -> QToolButton:
        """A button for a command; its text is ours, so that an icon needs none."""
        button = _Button(self._actions[identifier])
        if segment:
            button.setProperty("segment", segment)
        return button

    def _menu_button(self) -> QToolButton:
        button = QToolButton()
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setMenu(QMenu(button))
        return button

    @Slot()
    def _fill_runtimes(self) -> None:
        menu, lists, call = self.runtime.menu(), self._inspector.state.here, self._inspector.state.call
        menu.clear()
        if lists is None or call is None:
            return
        for runtime in runtimes(lists, call.address.turn):
            count = len(requests_of(lists, call.address.turn, runtime))
            shown = say("{runtime} · {n} calls", runtime=runtime, n=count) if count > 1 else plain(runtime)
            self._choice(menu, shown, runtime == call.address.runtime, partial(self._inspector.choose_runtime, runtime))

    @Slot()
    def _fill_calls(self) -> None:
        menu, lists, call = self.call.menu(), self._inspector.state.here, self._inspector.state.call
        menu.clear()
        if lists is None or call is None:
            return
        for place, made in enumerate(requests_of(lists, call.address.turn, call.address.runtime)):
            shown = say("call {n} · step {step} of the tool loop", n=place + 1, step=made.step + 1)
            if made.attempt:
                shown = say("call {n} · attempt {attempt}", n=place + 1, attempt=made.attempt + 1)
            if not made.is_sent:
                shown = say("call {n} · not sent", n=place + 1)
            self._choice(menu, shown, made == call, partial(self._inspector.choose_call, place))

    @Slot()
    def _fill_targets(self) -> None:
        menu = self.target.menu()
        menu.clear()
        for command, action in self._actions.commands():
            if command.choice == "target":
                menu.addAction(action)

    def _choice(self, menu: QMenu, shown: Sentence, is_current: bool, run: partial[None]) -> None:
        action = QAction(self._wording.text(shown).replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(is_current)
        action.triggered.connect(lambda _checked=False: run())
        menu.addAction(action)


def _place(spot: Spot | None, lists: Lists | None) -> Sentence:
    """Where the reader is, among the turns that players began."""
    if spot is None or lists is None:
        return say("No turn")
    players = [turn.number for turn in lists.turns if turn.kind is TurnKind.PLAYER]
    return say("Turn {turn} of {count}", turn=spot.turn, count=players[-1] if players else "–")


def _turn_meaning(turn: Turn | None) -> Sentence:
    """What the button does; what a number such as 5+1 means."""
    if turn is None or turn.kind is not TurnKind.BACKGROUND:
        return say("Go to a turn or address…")
    return say(
        "Go to a turn or address… {number} is background work after turn {turn}",
        number=turn.number,
        turn=turn.number.partition("+")[0],
    )


def _number(call: Call, made: Sequence[Call]) -> Sentence:
    """Which of a runtime's calls in this turn is shown, or that it never became one."""
    if not call.is_sent and len(made) == 1:
        return say("not sent")
    number = made.index(call) + 1
    if not call.is_sent:
        return say("call {n} of {count} · not sent ▾", n=number, count=len(made))
    return say("call {n} of {count} ▾", n=number, count=len(made))


def _meaning(call: Call) -> Sentence:
    return say("Call of this runtime") if call.is_sent else say("The runtime failed before its request was sent")


class _Button(QToolButton):
    """A button that triggers a command and is on and off with it, but keeps its own text and icon."""

    def __init__(self, command: QAction) -> None:
        super().__init__()
        self._command = command
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCheckable(command.isCheckable())
        self.clicked.connect(self._trigger)
        command.changed.connect(self._follow)
        self._follow()

    def shortcut_text(self) -> str:
        """The command's shortcut as the system writes it."""
        keys = self._command.shortcut()
        return keys.toString(keys.SequenceFormat.NativeText)

    @Slot()
    def _trigger(self) -> None:
        self._command.trigger()
        self._follow()

    @Slot()
    def _follow(self) -> None:
        self.setEnabled(self._command.isEnabled())
        self.setChecked(self._command.isChecked())


def _joined(*buttons: QToolButton) -> QWidget:
    """Buttons of one choice, side by side without a gap."""
    frame = QWidget()
    row = QHBoxLayout(frame)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    for button in buttons:
        row.addWidget(button)
    return frame


def _gap(width: int) -> QLabel:
    gap = QLabel()
    gap.setFixedWidth(width)
    return gap
