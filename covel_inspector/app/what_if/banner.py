"""The line above a changed request that says what it is: nothing that ever was, and nothing that is written."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from covel_inspector.app.plain_text import label
from covel_inspector.app.sides import Prepared
from covel_inspector.app.theme import UNIT
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Changes, say


class WhatIfBanner(QWidget):
    """Shown exactly while side B is a changed request."""

    reset_wanted = Signal()
    leave_wanted = Signal()

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._is_changed = True
        self.setObjectName("whatIfBanner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = label()
        self.leave = QPushButton()
        self.reset = QPushButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(UNIT + 4, UNIT // 2, UNIT, UNIT // 2)
        row.setSpacing(UNIT)
        row.addWidget(self.text, 1)
        row.addWidget(self.leave)
        row.addWidget(self.reset)
        self.reset.clicked.connect(self.reset_wanted)
        self.leave.clicked.connect(self.leave_wanted)
        self.hide()
        self.apply_wording()

    def show_sides(self, prepared: Prepared | None) -> None:
        """Follow what is shown."""
        changes = prepared.b.changes if prepared is not None and prepared.b is not None else None
        self.setVisible(changes is not None)
        if changes is not None and self._is_changed is (changes == Changes()):
            self._is_changed = not self._is_changed
            self.apply_wording()

    def apply_wording(self) -> None:
        """Say all texts again."""
        text = self._wording.text
        told = (
            say("What if: the right side was never sent. It is rebuilt with your changes, and nothing is written.")
            if self._is_changed
            else say(
                "What if: nothing is changed yet. Change a segment with its menu (right click), or a number in the "
                "Budget panel: the changed request appears at the right, and nothing is written."
            )
        )
        self.text.setText(text(told))
        leave = say("Keep the changes, compare as before") if self._is_changed else say("Compare as before")
        self.leave.setText(text(leave))
        self.reset.setVisible(self._is_changed)
        self.reset.setText(text(say("Take all changes back")))
