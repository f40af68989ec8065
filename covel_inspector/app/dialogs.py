"""Small windows of their own: shortcuts, the filter's language, about."""

import platform
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMessageBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from covel_inspector import __version__
from covel_inspector.app.actions import Actions
from covel_inspector.app.commands import without_mnemonic
from covel_inspector.app.plain_text import label, tip
from covel_inspector.app.story_filter import OPERATORS, PLAIN_HELP
from covel_inspector.app.theme import UNIT
from covel_inspector.app.view_keys import VIEW_KEYS
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table dialog; ``address`` is where Enter or a double click goes, empty for nowhere."""

    cells: tuple[str, ...]
    address: str = ""


class TableDialog(QDialog):
    """A title, a sentence, and a table to read with the arrow keys. ``address_wanted`` carries a chosen row's."""

    address_wanted = Signal(str)

    def __init__(
        self, window: QWidget, wording: Wording, title: Sentence, intro: Sentence | None, headings: Sequence[Sentence]
    ) -> None:
        super().__init__(window)
        self._lines: Sequence[Line] = ()
        text = wording.text
        self.setWindowTitle(text(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT * 2, UNIT * 2, UNIT * 2, UNIT * 2)
        layout.setSpacing(UNIT)
        if intro is not None:
            layout.addWidget(label(text(intro), "quiet"))
        self.table = QTableWidget(0, len(headings))
        self.table.setAccessibleName(text(title))
        self.table.setHorizontalHeaderLabels([text(heading) for heading in headings])
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(True)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.cellActivated.connect(self._activate)
        layout.addWidget(self.table, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(text(say("Close")))
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.setMinimumWidth(UNIT * 60)

    def fill(self, lines: Sequence[Line]) -> None:
        """Show these rows."""
        self._lines = lines
        self.table.setVisible(bool(lines))
        self.table.setRowCount(len(lines))
        for row, line in enumerate(lines):
            for column, cell in enumerate(line.cells):
                item = QTableWidgetItem(cell)
                item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                item.setToolTip(tip(cell))
                self.table.setItem(row, column, item)
        last = self.table.columnCount() - 1
        for column in range(last):
            self.table.resizeColumnToContents(column)
            self.table.setColumnWidth(column, min(self.table.columnWidth(column) + UNIT * 2, UNIT * 38))
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        if lines:
            self.table.setCurrentCell(0, 0)
            self.resize(UNIT * 90, UNIT * 64)

    @Slot(int, int)
    def _activate(self, row: int, _column: int) -> None:
        address = self._lines[row].address
        if address:
            self.address_wanted.emit(address)
            self.accept()


def shortcuts_dialog(window: QWidget, wording: Wording, actions: Actions) -> TableDialog:
    """All commands that have keys, and the keys of single parts of the window."""
    made = TableDialog(
        window,
        wording,
        say("Keyboard shortcuts"),
        say("Every command is also in the list of all commands."),
        (say("Keys"), say("Command")),
    )
    lines = []
    for _, action in actions.commands():
        keys = action.shortcut()
        if not keys.isEmpty():
            lines.append(Line((keys.toString(keys.SequenceFormat.NativeText), without_mnemonic(action.text()))))
    lines.extend(
        Line((_native(key.keys), f"{wording.text(key.told)} ({wording.text(key.where)})")) for key in VIEW_KEYS
    )
    made.fill(lines)
    return made


def _native(keys: str) -> str:
    """Keys as this system writes them."""
    sequences = (QKeySequence(one, QKeySequence.SequenceFormat.PortableText) for one in keys.split(", "))
    return ", ".join(one.toString(QKeySequence.SequenceFormat.NativeText) for one in sequences)


def filter_dialog(window: QWidget, wording: Wording) -> TableDialog:
    """The language of the story filter."""
    made = TableDialog(
        window,
        wording,
        say("The filter's language"),
        say("Terms stand apart by blanks; a turn is shown when all of them fit."),
        (say("Term"), say("Finds")),
    )
    lines = [Line((example, wording.text(meaning))) for example, meaning in PLAIN_HELP]
    lines.extend(Line((operator.example, wording.text(operator.help))) for operator in OPERATORS)
    made.fill(lines)
    return made


def not_opened_dialog(window: QWidget, wording: Wording, tried: str, still_open: str, trouble: Sentence) -> QMessageBox:
    """Why a source could not be opened, while another one stays open."""
    text = wording.text
    made = QMessageBox(window)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    made.setIcon(QMessageBox.Icon.Warning)
    made.setWindowTitle("covel-inspector")
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(text(say("{name} could not be opened", name=PurePath(tried).name or tried)))
    stays = say("{name} is still open.", name=PurePath(still_open).name or still_open)
    made.setInformativeText(f"{text(trouble)}\n\n{text(stays)}")
    made.setStandardButtons(QMessageBox.StandardButton.Close)
    made.button(QMessageBox.StandardButton.Close).setText(text(say("Close")))
    return made


def about_dialog(window: QWidget, wording: Wording) -> QDialog:
    """Versions, ready to copy, and the promises."""
    text = wording.text
    made = QDialog(window)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    made.setWindowTitle(text(say("About covel-inspector")))
    layout = QVBoxLayout(made)
    layout.setContentsMargins(UNIT * 3, UNIT * 3, UNIT * 3, UNIT * 2)
    layout.setSpacing(UNIT)
    layout.addWidget(label(f"covel-inspector {__version__}", "title", selectable=True))
    layout.addWidget(label(text(say("What the model saw, why, and what the cache could keep."))))
    promise = say("A story is only read: never changed, never locked, never sent anywhere. No plugin's code is run.")
    layout.addWidget(label(text(promise)))
    versions = f"Python {platform.python_version()} · PySide6 {pyside_version} · SQLite {sqlite3.sqlite_version}"
    layout.addWidget(label(f"{versions}\n{platform.platform()}", "quiet", selectable=True))
    layout.addWidget(label(text(say("MIT licence")), "quiet"))
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.button(QDialogButtonBox.StandardButton.Close).setText(text(say("Close")))
    buttons.rejected.connect(made.reject)
    layout.addWidget(buttons)
    made.setMinimumWidth(UNIT * 52)
    return made
