"""What the window shows while nothing is open: ways to open a story, and why the last one failed."""

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from covel_inspector.app import icons
from covel_inspector.app.plain_text import label
from covel_inspector.app.settings import Recent
from covel_inspector.app.theme import UNIT
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say


class Welcome(QScrollArea):
    """``open_wanted`` carries a location that was chosen from the recent or the found ones."""

    open_wanted = Signal(str)

    def __init__(self, wording: Wording, open_action: QAction, sample_action: QAction) -> None:
        super().__init__()
        self._wording = wording
        self._open_action, self._sample_action = open_action, sample_action
        self._recent: Sequence[Recent] = ()
        self._found: Sequence[str] = ()
        self._trouble: Sentence | None = None
        self._location = ""
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        wording.changed.connect(self.say_again)
        self.say_again()

    def show_places(self, recent: Sequence[Recent], found: Sequence[str]) -> None:
        """The recent sources, and databases that were found where the engine keeps them."""
        self._recent = recent
        known = {entry.location for entry in recent}
        self._found = [location for location in found if location not in known]
        self.say_again()

    def show_trouble(self, location: str, trouble: Sentence | None) -> None:
        """Why a location could not be opened; None forgets it."""
        self._location, self._trouble = location, trouble
        self.say_again()

    @property
    def trouble(self) -> Sentence | None:
        """Why the last location could not be opened."""
        return self._trouble

    @Slot()
    def say_again(self) -> None:
        """Draw everything anew, in the language in force."""
        text = self._wording.text
        body = QWidget()
        body.setObjectName("whyBody")
        column = QVBoxLayout()
        column.setSpacing(UNIT)
        column.addLayout(self._heading())
        column.addSpacing(UNIT)
        if self._trouble is not None:
            name = PurePath(self._location).name or self._location
            column.addWidget(label(text(say("{name} could not be opened", name=name)), "heading"))
            column.addWidget(label(text(self._trouble), "note", selectable=True))
            column.addSpacing(UNIT)
        column.addLayout(self._buttons())
        column.addWidget(
            label(text(say("Or drop a database onto this window. It is only read, never changed.")), "quiet")
        )
        self._list(column, say("Recent"), [(entry.location, entry.address) for entry in self._recent])
        self._list(column, say("Found on this computer"), [(location, "") for location in self._found])
        column.addStretch(1)
        frame = QWidget()
        frame.setLayout(column)
        frame.setMaximumWidth(UNIT * 80)
        outer = QHBoxLayout(body)
        outer.setContentsMargins(UNIT * 4, UNIT * 8, UNIT * 4, UNIT * 4)
        outer.addStretch(1)
        outer.addWidget(frame, 8)
        outer.addStretch(1)
        self.setAccessibleName(text(say("Welcome")))
        self.setWidget(body)

    def _choose(self, location: str, _checked: bool = False) -> None:
        self.open_wanted.emit(location)

    def _heading(self) -> QHBoxLayout:
        picture = QLabel()
        picture.setPixmap(icons.application_icon().pixmap(UNIT * 8, UNIT * 8))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(label("covel-inspector", "display"))
        words.addWidget(label(self._wording.text(say("What the model saw, and why.")), "quiet"))
        words.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(UNIT * 2)
        row.addWidget(picture)
        row.addLayout(words, 1)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        for action, is_first in ((self._open_action, True), (self._sample_action, False)):
            button = QPushButton(action.text())
            button.setProperty("primary", "true" if is_first else "false")
            button.clicked.connect(action.trigger)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _list(self, column: QVBoxLayout, title: Sentence, entries: Sequence[tuple[str, str]]) -> None:
        if not entries:
            return
        column.addSpacing(UNIT)
        column.addWidget(label(self._wording.text(title), "heading"))
        for location, address in entries:
            path = PurePath(location)
            button = QPushButton(path.name or location)
            button.setProperty("link", "true")
            button.setToolTip(location)
            button.setAccessibleDescription(location)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(partial(self._choose, location))
            detail = label(" · ".join(filter(None, (str(path.parent), address))), "quiet")
            row = QHBoxLayout()
            row.setSpacing(UNIT)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(detail, 1)
            column.addLayout(row)
