"""The list of what is not in a request, and why: part of the Why panel."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from covel_inspector.app.figures import figure
from covel_inspector.app.page import LeftOut
from covel_inspector.app.plain_text import breakable_label, label
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import kind_colour
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say
from covel_inspector.report.terminal import visible

MOST = 60
"""Entries that are listed; more are counted."""

_MOST_TEXT = 4000


class LeftOutList(QWidget):
    """A heading and one entry each: a dot of its kind, its title, the reason, and its text on demand."""

    def __init__(self, entries: tuple[LeftOut, ...], wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, UNIT, 0, 0)
        column.setSpacing(UNIT)
        heading = label(wording.text(say("Left out · {n}", n=len(entries))))
        heading.setProperty("tone", "heading")
        column.addWidget(heading)
        for entry in entries[:MOST]:
            column.addLayout(_entry(entry, wording, self))
        if len(entries) > MOST:
            more = say("… and {n} more", n=figure(len(entries) - MOST))
            column.addWidget(label(wording.text(more), "quiet"))


class _Unfolding(QObject):
    """Shows and hides a text at a button's click."""

    def __init__(self, button: QPushButton, text: QLabel, wording: Wording) -> None:
        super().__init__(button)
        self._button, self._text, self._wording = button, text, wording
        button.clicked.connect(self._turn)
        self._say()

    @Slot()
    def _turn(self) -> None:
        self._text.setVisible(self._text.isHidden())
        self._say()

    def _say(self) -> None:
        hidden = self._text.isHidden()
        self._button.setText(self._wording.text(say("Show its text") if hidden else say("Hide its text")))


def _entry(entry: LeftOut, wording: Wording, parent: QWidget) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(UNIT)
    grid.setVerticalSpacing(2)
    grid.setColumnStretch(1, 1)
    dot = QLabel(parent)
    dot.setFixedSize(UNIT, UNIT)
    dot.setStyleSheet(f"border: 2px solid {kind_colour(entry.colour_of)}; border-radius: 2px;")
    grid.addWidget(dot, 0, 0)
    title = breakable_label(wording.text(entry.title))
    title.setToolTip(wording.text(entry.kind))
    grid.addWidget(title, 0, 1)
    grid.addWidget(breakable_label(wording.text(entry.why), "quiet"), 1, 1)
    if entry.text:
        cut = entry.text[:_MOST_TEXT] + ("…" if len(entry.text) > _MOST_TEXT else "")
        text = breakable_label(visible(cut), "quote")
        text.hide()
        button = QPushButton(parent)
        button.setProperty("link", "true")
        button.setAccessibleDescription(wording.text(entry.title))
        _Unfolding(button, text, wording)
        grid.addWidget(button, 2, 1)
        grid.addWidget(text, 3, 1)
    return grid
