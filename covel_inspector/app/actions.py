"""The commands as Qt actions: made once, shown in the menus, borrowed by toolbar and palette."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu

from covel_inspector.app.commands import COMMANDS, MENU_TITLES, Command, Menu, Needs
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence

_ROLES = {"about": QAction.MenuRole.AboutRole, "quit": QAction.MenuRole.QuitRole}
"""Where macOS keeps these; it would otherwise guess from English titles."""


class Actions(QObject):
    """One QAction for each command. ``run`` maps every command's id to what it does."""

    def __init__(self, window: QMainWindow, wording: Wording, run: Mapping[str, Callable[[], object]]) -> None:
        super().__init__(window)
        self._window = window
        self._wording = wording
        self._groups: dict[str, QActionGroup] = {}
        self._menus: list[tuple[QMenu, Sentence]] = []
        self._menu_of: dict[Menu, QMenu] = {}
        self._submenus: dict[Sentence, QMenu] = {}
        self._actions = {command.id: self._made(command, run[command.id]) for command in COMMANDS}
        self._fill_menus()
        wording.changed.connect(self.say_again)
        self.say_again()

    def __getitem__(self, identifier: str) -> QAction:
        return self._actions[identifier]

    def menu(self, menu: Menu) -> QMenu:
        """A menu, for entries that are no commands (recent files)."""
        return self._menu_of[menu]

    def submenu(self, title: Sentence) -> QMenu:
        """The submenu with this title."""
        return self._submenus[title]

    def commands(self) -> Iterable[tuple[Command, QAction]]:
        """All commands with their actions, in the order of the menus."""
        return [(command, self._actions[command.id]) for command in COMMANDS]

    def enable(self, *, source: bool, call: bool) -> None:
        """Switch the commands off that make no sense now."""
        there = {Needs.NOTHING: True, Needs.SOURCE: source, Needs.CALL: call}
        for command, action in self.commands():
            action.setEnabled(there[command.needs])

    def say_again(self) -> None:
        """Say all titles in the language in force."""
        for command, action in self.commands():
            action.setText(self._wording.text(command.title))
        for menu, title in self._menus:
            menu.setTitle(self._wording.text(title))

    def _made(self, command: Command, run: Callable[[], object]) -> QAction:
        action = QAction(self._window)
        action.setObjectName(command.id)
        action.setMenuRole(_ROLES.get(command.id, QAction.MenuRole.NoRole))
        if command.shortcut:
            action.setShortcuts(_shortcuts(command.shortcut))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            self._stop_keys(action)
        action.setCheckable(command.checkable or bool(command.choice))
        if command.choice:
            group = self._groups.setdefault(command.choice, QActionGroup(self._window))
            group.addAction(action)
        action.triggered.connect(lambda _checked=False: run())
        return action

    def _stop_keys(self, action: QAction) -> None:
        """A command that is off still takes its keys: a list below would do something else with them."""
        stopper = QShortcut(self._window)
        stopper.setKeys(action.shortcuts())
        stopper.setEnabled(not action.isEnabled())
        action.enabledChanged.connect(lambda enabled: stopper.setEnabled(not enabled))

    def _fill_menus(self) -> None:
        bar = self._window.menuBar()
        for menu, title in MENU_TITLES.items():
            made = bar.addMenu(self._wording.text(title))
            made.setObjectName(f"menu-{menu.value}")
            self._menus.append((made, title))
            self._menu_of[menu] = made
        for command, action in self.commands():
            place = self._menu_of[command.menu]
            if command.line_before:
                place.addSeparator()
            if command.submenu is not None:
                place = self._submenu(place, command.submenu)
            place.addAction(action)

    def _submenu(self, parent: QMenu, title: Sentence) -> QMenu:
        if title not in self._submenus:
            made = parent.addMenu(self._wording.text(title))
            self._submenus[title] = made
            self._menus.append((made, title))
        return self._submenus[title]


def _shortcuts(portable: str) -> list[QKeySequence]:
    sequences = [QKeySequence(portable, QKeySequence.SequenceFormat.PortableText)]
    if portable == "Ctrl++":
        # The plus sits above the equals sign on many keyboards.
        sequences.append(QKeySequence("Ctrl+=", QKeySequence.SequenceFormat.PortableText))
    return sequences
