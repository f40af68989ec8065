"""A button that opens a short list to choose from, and shows what is chosen."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget


class ChoiceButton(QToolButton):
    """``chosen`` carries the value the reader took. The first choice is the one that changes nothing."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[tuple[str, object], ...] = ()
        self._value: object = None
        self._name = ""
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._fill)

    @property
    def choices(self) -> tuple[tuple[str, object], ...]:
        """Titles and values."""
        return self._choices

    def offer(self, choices: Sequence[tuple[str, object]], value: object, name: str) -> None:
        """Titles with their values, and the one in force (None: as usual); ``name`` says what is chosen."""
        self._choices, self._value, self._name = tuple(choices), value, name
        title = next((title for title, one in self._choices if one == value), self._choices[0][0] if choices else "")
        shown = name if value is None else f"{name}: {title}"
        self.setText(f"{shown} ▾".replace("&", "&&"))
        self.setAccessibleName(f"{name}: {title}")

    @Slot()
    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        for title, value in self._choices:
            action = QAction(title.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(value == self._value)
            action.triggered.connect(partial(self._choose, value))
            menu.addAction(action)

    def _choose(self, value: object, _checked: bool = False) -> None:
        self.chosen.emit(value)
