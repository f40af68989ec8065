"""Lists to choose from by typing: all commands, and the turns and addresses of a story."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from covel_inspector.app.actions import Actions
from covel_inspector.app.commands import MENU_TITLES, without_mnemonic
from covel_inspector.app.picking import Lists
from covel_inspector.app.plain_text import label
from covel_inspector.app.state import State
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Call, Sentence, say
from covel_inspector.report.terminal import one_line

_ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
_MOST = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to choose. ``key`` is what the chooser hands back."""

    key: str
    text: str
    detail: str = ""
    right: str = ""
    enabled: bool = True

    def fits(self, words: Sequence[str]) -> bool:
        """True when every word stands somewhere in it."""
        everything = f"{self.text} {self.detail} {self.right} {self.key}".casefold()
        return all(word in everything for word in words)


class EntryModel(QAbstractListModel):
    """The entries that fit what was typed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: list[Entry] = []

    def show(self, entries: Sequence[Entry]) -> None:
        """Show other entries."""
        self.beginResetModel()
        self._shown = list(entries)
        self.endResetModel()

    def entry(self, index: QModelIndex | QPersistentModelIndex) -> Entry | None:
        """The entry at an index."""
        return self._shown[index.row()] if index.isValid() and index.row() < len(self._shown) else None

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry(index)
        if entry is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return " · ".join(filter(None, (entry.text, entry.detail, entry.right)))
        return entry if role == _ENTRY_ROLE else None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        entry = self.entry(index)
        return super().flags(index) if entry is not None and entry.enabled else Qt.ItemFlag.NoItemFlags


class _EntryDelegate(QStyledItemDelegate):
    """Text, a quiet detail behind it, and a shortcut at the right edge."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002 - Qt
        return QSize(80, option.fontMetrics.height() + UNIT + 2)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry = index.data(_ENTRY_ROLE)
        if not isinstance(entry, Entry):
            return
        colours, metrics = self._theme.colours, option.fontMetrics
        painter.save()
        painter.setFont(option.font)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(colours.selected))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(colours.hover))
        rect = option.rect.adjusted(UNIT + 4, 0, -UNIT - 4, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colours.quiet))
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, entry.right)
        if entry.right:
            rect.setRight(rect.right() - metrics.horizontalAdvance(entry.right) - UNIT * 2)
        painter.setPen(QColor(colours.text if entry.enabled else colours.disabled))
        text = metrics.elidedText(entry.text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, middle, text)
        rect.setLeft(rect.left() + metrics.horizontalAdvance(text) + UNIT)
        painter.setPen(QColor(colours.quiet if entry.enabled else colours.disabled))
        painter.drawText(rect, middle, metrics.elidedText(entry.detail, Qt.TextElideMode.ElideRight, rect.width()))
        painter.restore()


class Chooser(QFrame):
    """A field and a list, laid over the window until something is chosen or the keyboard goes elsewhere.

    ``chosen`` carries the key of an entry, or the typed text where free text is allowed. It goes away by itself.
    """

    chosen = Signal(str)

    def __init__(
        self, window: QWidget, wording: Wording, theme: Theme, title: Sentence, hint: Sentence, *, free: bool = False
    ) -> None:
        super().__init__(window)
        self._back_to: QWidget | None = window.focusWidget()
        self._entries: Sequence[Entry] = ()
        self._free = free
        self._left = False
        self._window = window
        self._nothing = wording.text(say("Press Enter to use what is typed.") if free else say("Nothing fits."))
        self.setAccessibleName(wording.text(title))
        self.field = QLineEdit()
        self.field.setPlaceholderText(wording.text(hint))
        self.field.setAccessibleName(wording.text(title))
        self.field.installEventFilter(self)
        self.model = EntryModel(self)
        self.view = QListView()
        self.view.setModel(self.model)
        self.view.setItemDelegate(_EntryDelegate(theme, self))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setAccessibleName(wording.text(title))
        self.empty = label(self._nothing, "quiet")
        self.empty.setContentsMargins(UNIT + 4, UNIT, UNIT, UNIT)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        layout.setSpacing(UNIT)
        layout.addWidget(self.field)
        layout.addWidget(self.empty)
        layout.addWidget(self.view, 1)
        self.field.textChanged.connect(self._filter)
        self.view.clicked.connect(self._take)
        self.setObjectName("chooser")

    def open_with(self, entries: Sequence[Entry], current: str = "") -> None:
        """Show the list over the upper middle of the window."""
        self._entries = entries
        self.field.clear()
        self._filter()
        for row in range(self.model.rowCount()):
            entry = self.model.entry(self.model.index(row))
            if entry is not None and entry.key == current:
                self.view.setCurrentIndex(self.model.index(row))
                self.view.scrollTo(self.model.index(row), QListView.ScrollHint.PositionAtCenter)
        window = self._window
        width = min(UNIT * 76, window.width() - UNIT * 4)
        self.resize(width, self._height(most=min(UNIT * 56, window.height() - UNIT * 12)))
        self.move((window.width() - width) // 2, UNIT * 6)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field keeps the keyboard; up and down move in the list, Enter chooses, Escape leaves."""
        if watched is self.field and event.type() is QEvent.Type.FocusOut and self.isVisible():
            if not self.view.underMouse():
                self._leave()
        elif watched is self.field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}
            if event.key() in steps:
                self._move(steps[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._enter()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self._leave()
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def _filter(self) -> None:
        words = self.field.text().casefold().split()
        fitting = [entry for entry in self._entries if entry.fits(words)][:_MOST]
        self.model.show(fitting)
        self.view.setVisible(bool(fitting))
        self.empty.setVisible(not fitting)
        if fitting:
            first = next((row for row, entry in enumerate(fitting) if entry.enabled), 0)
            self.view.setCurrentIndex(self.model.index(first))

    def _move(self, by: int) -> None:
        row = self.view.currentIndex().row() + by
        while 0 < row < self.model.rowCount() - 1 and not self.model.index(row).flags() & Qt.ItemFlag.ItemIsEnabled:
            row += 1 if by > 0 else -1
        row = max(0, min(row, self.model.rowCount() - 1))
        self.view.setCurrentIndex(self.model.index(row))

    def _enter(self) -> None:
        if self.model.rowCount():
            self._take(self.view.currentIndex())
        elif self._free and self.field.text().strip():
            typed = self.field.text().strip()
            self._leave()
            self.chosen.emit(typed)

    @Slot(QModelIndex)
    def _take(self, index: QModelIndex) -> None:
        entry = self.model.entry(index)
        if entry is not None and entry.enabled:
            self._leave()
            self.chosen.emit(entry.key)

    def _height(self, most: int) -> int:
        """As many whole rows as fit."""
        row = max(self.view.sizeHintForRow(0), 1)
        around = self.field.sizeHint().height() + UNIT * 3 + 2
        return around + max((most - around) // row, 1) * row

    def _leave(self) -> None:
        """Go away, and give the keyboard back."""
        if self._left:
            return
        self._left = True
        had_keyboard = self.field.hasFocus()
        self.hide()
        if had_keyboard and self._back_to is not None and isValid(self._back_to):
            self._back_to.setFocus(Qt.FocusReason.OtherFocusReason)
        self.deleteLater()


def command_entries(actions: Actions, wording: Wording) -> list[Entry]:
    """All commands, with their menu and shortcut."""
    entries = []
    for command, action in actions.commands():
        if command.id == "palette":
            continue
        places = [MENU_TITLES[command.menu]] + ([command.submenu] if command.submenu is not None else [])
        entries.append(
            Entry(
                key=command.id,
                text=without_mnemonic(action.text()),
                detail=" › ".join(without_mnemonic(wording.text(place)) for place in places),
                right=action.shortcut().toString(action.shortcut().SequenceFormat.NativeText),
                enabled=action.isEnabled(),
            )
        )
    return entries


def _requests(lists: Lists) -> list[Call]:
    """All calls of a session, those that were never sent at their turn."""
    if not lists.unsent:
        return list(lists.calls)
    places = {turn.number: place for place, turn in enumerate(lists.turns)}
    return sorted((*lists.calls, *lists.unsent), key=lambda call: places.get(call.address.turn, len(places)))


def address_entries(state: State, wording: Wording) -> list[Entry]:
    """The calls of the sessions that are read, turn by turn, the session the reader is in first."""
    here = state.spot.session if state.spot else ""
    entries = []
    for session in sorted(state.lists.values(), key=lambda lists: lists.session.id != here):
        lines = {turn.number: turn.line for turn in session.turns}
        for call in _requests(session):
            address = call.address
            name = say(
                "turn {turn} · {runtime} · call {n}", turn=address.turn, runtime=address.runtime, n=address.call + 1
            )
            if not call.is_sent:
                name = say("turn {turn} · {runtime} · never sent", turn=address.turn, runtime=address.runtime)
            right = one_line(session.session.title) if len(state.lists) > 1 else ""
            entries.append(Entry(str(address), wording.text(name), one_line(lines.get(address.turn, "")), right))
    return entries
