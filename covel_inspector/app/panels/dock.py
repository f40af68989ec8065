"""The bottom of the window: a row of tabs, and the panel of the chosen one."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.panel import Panel
from covel_inspector.app.panels.registry import PANELS, PanelSpec
from covel_inspector.app.plain_text import tip
from covel_inspector.app.tab_order import follow_order
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say

USUAL_HEIGHT = UNIT * 24
USUAL_SHARE = 0.24
"""Of the window's height, in windows in which that is more than the usual height."""

LEAST_HEIGHT = UNIT * 12


class PanelDock(QWidget):
    """Makes a panel when its tab is first shown, and lets only the visible one work."""

    address_wanted = Signal(str)
    place_wanted = Signal(str, object)
    command_wanted = Signal(str)
    noticed = Signal(object)
    link_wanted = Signal(object)
    changed = Signal()
    """Opened, closed, or another tab."""
    keyboard_left = Signal()
    """Closed while it had the keyboard."""

    def __init__(
        self, inspector: Inspector, wording: Wording, theme: Theme, specs: Sequence[PanelSpec] = PANELS
    ) -> None:
        super().__init__()
        self._inspector, self._wording, self._theme = inspector, wording, theme
        self._specs = specs
        self._made: dict[str, Panel] = {}
        self._kept: dict[str, dict[str, Any]] = {}
        self._badges: dict[str, str] = {}
        self._height = 0
        self.tabs = QTabBar()
        self.close_button = QToolButton()
        self.pages = QStackedWidget()
        self._arrange()
        for spec in specs:
            if spec.is_early:
                self._make(spec)
        self.tabs.currentChanged.connect(self._turn_to)
        self.close_button.clicked.connect(self.close_panels)
        wording.changed.connect(self.say_again)
        theme.changed.connect(self.apply_theme)
        self.say_again()

    # What the window calls

    @property
    def is_open(self) -> bool:
        """True while the panels are shown."""
        return not self.isHidden()

    @property
    def current(self) -> str:
        """Id of the chosen panel, shown or not."""
        return self._specs[self.tabs.currentIndex()].id

    @property
    def panel(self) -> Panel | None:
        """The chosen panel, None when it was never shown."""
        return self._made.get(self.current)

    def height_in(self, window: int) -> int:
        """Pixels in a window of a height: what the reader gave it, or what is usual there at this text size.

        Never more than half of the window.
        """
        usual = max(USUAL_HEIGHT, self.fontMetrics().height() * 11, round(window * USUAL_SHARE))
        return min(self._height or usual, window // 2)

    def show_panel(self, identifier: str) -> None:
        """Open the panels at one of them, which takes the keyboard."""
        self.tabs.setCurrentIndex(next(number for number, spec in enumerate(self._specs) if spec.id == identifier))
        self.set_open(is_open=True)
        if (panel := self.panel) is not None:
            panel.focus_panel()

    def focus_current(self) -> None:
        """Open the panels at the chosen one, which takes the keyboard."""
        self.show_panel(self.current)

    def show_item(self, identifier: str, item: str) -> None:
        """Open the panels at one of them, and in it at an item."""
        self.show_panel(identifier)
        if item and (panel := self.panel) is not None:
            panel.choose_item(item)

    def turn(self, identifier: str) -> None:
        """Show a panel; close the panels when it is the one that is shown."""
        if self.is_open and self.current == identifier:
            self.set_open(is_open=False)
        else:
            self.show_panel(identifier)

    def set_open(self, *, is_open: bool) -> None:
        """Show or hide the panels."""
        if not is_open and self.isVisible():
            self._height = self.height()
        focused = QApplication.focusWidget()
        had_keyboard = not is_open and focused is not None and self.isAncestorOf(focused)
        self.setVisible(is_open)
        if had_keyboard:
            self.keyboard_left.emit()
        self._wake()
        self.changed.emit()

    @Slot()
    def close_panels(self) -> None:
        """Hide the panels."""
        self.set_open(is_open=False)

    def export_state(self) -> dict[str, object]:
        """What is kept in the settings."""
        states = self._kept | {identifier: panel.export_state() for identifier, panel in self._made.items()}
        height = self.height() if self.isVisible() else self._height
        return {"open": self.is_open, "tab": self.current, "height": height, "panels": states}

    def apply_state(self, values: object) -> None:
        """Put back what :meth:`export_state` gave; anything damaged is left as usual."""
        kept = values if isinstance(values, Mapping) else {}
        height, states = kept.get("height"), kept.get("panels")
        if type(height) is int and LEAST_HEIGHT <= height <= 20_000:
            self._height = height
        if isinstance(states, Mapping):
            self._kept = {str(name): dict(state) for name, state in states.items() if isinstance(state, Mapping)}
        for name, panel in self._made.items():
            panel.apply_state(self._kept.get(name, {}))
        for number, spec in enumerate(self._specs):
            if spec.id == kept.get("tab"):
                self.tabs.setCurrentIndex(number)
        self.set_open(is_open=kept.get("open") is not False)

    @Slot()
    def say_again(self) -> None:
        """Say all texts again."""
        text = self._wording.text
        self.tabs.setAccessibleName(text(say("Panels")))
        for number in range(len(self._specs)):
            self._say_tab(number)
        self.close_button.setText("×")
        self.close_button.setAccessibleName(text(say("Close the panels")))
        self.close_button.setToolTip(tip(text(say("Close the panels"))))
        for panel in self._made.values():
            panel.say_again()

    @Slot()
    def apply_theme(self) -> None:
        """Paint in the colours in force."""
        for panel in self._made.values():
            panel.apply_theme(self._theme.colours)

    # Inside

    def _say_tab(self, number: int) -> None:
        spec = self._specs[number]
        title = self._wording.text(spec.title)
        badge = self._badges.get(spec.id, "")
        self.tabs.setTabText(number, f"{title} {badge}".strip().replace("&", "&&"))

    @Slot(int)
    def _turn_to(self, _number: int) -> None:
        self._wake()
        self.changed.emit()

    def _wake(self) -> None:
        """Let the visible panel work, and no other; make it when it is not there."""
        wanted = self.current if self.is_open else ""
        if wanted and wanted not in self._made:
            self._make(self._specs[self.tabs.currentIndex()])
        for identifier, panel in self._made.items():
            if identifier != wanted:
                panel.set_active(active=False)
        if wanted:
            self.pages.setCurrentWidget(self._made[wanted])
            self._made[wanted].set_active(active=True)

    def _make(self, spec: PanelSpec) -> None:
        panel = spec.make(self._inspector, self._wording, self._theme)
        panel.setObjectName(f"panel-{spec.id}")
        self._made[spec.id] = panel
        self.pages.addWidget(panel)
        follow_order(self.close_button, *panel.key_order())
        panel.apply_theme(self._theme.colours)
        panel.say_again()
        if spec.id in self._kept:
            panel.apply_state(self._kept[spec.id])
        panel.address_wanted.connect(self.address_wanted)
        panel.place_wanted.connect(self.place_wanted)
        panel.command_wanted.connect(self.command_wanted)
        panel.noticed.connect(self.noticed)
        panel.link_wanted.connect(self.link_wanted)
        panel.badge_changed.connect(partial(self._take_badge, spec.id))

    def _take_badge(self, identifier: str, badge: str) -> None:
        self._badges[identifier] = badge
        self._say_tab(next(number for number, spec in enumerate(self._specs) if spec.id == identifier))

    def _arrange(self) -> None:
        self.setObjectName("panelDock")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.tabs.setObjectName("panelTabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for _ in self._specs:
            self.tabs.addTab("")
        self.close_button.setProperty("flat", "true")
        row = QHBoxLayout()
        row.setContentsMargins(UNIT, 0, UNIT, 0)
        row.setSpacing(0)
        row.addWidget(self.tabs, 1)
        row.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.pages, 1)
