"""The submenu of recent files."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from covel_inspector.app.settings import Recent
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say


class RecentMenu(QObject):
    """Stands in a menu before an action. ``open_wanted`` carries a location."""

    open_wanted = Signal(str)

    def __init__(self, parent: QMenu, before: QAction, wording: Wording) -> None:
        super().__init__(parent)
        self._wording = wording
        self._menu = QMenu(parent)
        parent.insertMenu(before, self._menu)
        wording.changed.connect(self.say_again)
        self.say_again()
        self.show_places(())

    def show_places(self, recent: Sequence[Recent]) -> None:
        """List these, latest first."""
        self._menu.clear()
        for entry in recent:
            action = QAction(entry.location.replace("&", "&&"), self._menu)
            action.triggered.connect(partial(self._choose, entry.location))
            self._menu.addAction(action)
        self._menu.setEnabled(bool(recent))

    @Slot()
    def say_again(self) -> None:
        """Say the title in the language in force."""
        self._menu.setTitle(self._wording.text(say("Recent files")))

    def _choose(self, location: str, _checked: bool = False) -> None:
        self.open_wanted.emit(location)
