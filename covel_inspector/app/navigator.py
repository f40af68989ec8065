"""The story panel: sessions and turns, with a filter."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QTreeView, QVBoxLayout, QWidget

from covel_inspector.app.in_sight import keep_in_sight
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.plain_text import label, tip
from covel_inspector.app.state import State
from covel_inspector.app.story_delegate import StoryDelegate
from covel_inspector.app.story_filter import OPERATORS, PLAIN_HELP, StoryFilter, parse
from covel_inspector.app.story_model import CACHED_MEANING, StoryModel
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say


class Navigator(QWidget):
    """Shows the state's lists, moves the reader when a turn is chosen, follows when something else moves her."""

    turn_wanted = Signal(str, str)
    """Session and number of the turn."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inspector = inspector
        self._state: State = inspector.state
        self._wording = wording
        self._filter = StoryFilter()
        self._following = False
        self.model = StoryModel(wording, self)
        self.title = label()
        self.title.setObjectName("panelTitle")
        self.cached_title = label(tone="quiet")
        self.cached_title.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cached_title.setContentsMargins(0, 0, UNIT * 3, 0)
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.hint = label(tone="quiet")
        self.hint.setContentsMargins(UNIT + 4, 0, UNIT, UNIT)
        self._delegate = StoryDelegate(theme, self)
        self.view = _view(self.model, self._delegate)
        self._pause = QTimer(self, singleShot=True, interval=150)
        self._arrange()
        self._connect(theme)
        self.say_again()

    def focus_filter(self) -> None:
        """Put the cursor into the filter."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def focus_list(self) -> None:
        """Put the keyboard into the list."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def say_again(self) -> None:
        """Say all texts in the language in force."""
        text = self._wording.text
        self.title.setText(text(say("Story")))
        self.cached_title.setText(text(say("all calls, from cache")))
        self.cached_title.setToolTip(tip(text(CACHED_MEANING)))
        self.field.setPlaceholderText(text(say("Filter: words, runtime:…")))
        self.field.setAccessibleName(text(say("Filter of the story")))
        lines = [f"{example}  ·  {text(meaning)}" for example, meaning in PLAIN_HELP]
        lines.extend(f"{operator.example}  ·  {text(operator.help)}" for operator in OPERATORS)
        self.field.setToolTip(tip("\n".join(lines)))
        self.view.setAccessibleName(text(say("Sessions and turns")))
        self._show_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down in the filter goes into the list; Escape empties the filter."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down:
                self.focus_list()
                return True
            if event.key() == Qt.Key.Key_Escape and self.field.text():
                self.field.clear()
                return True
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        box = QVBoxLayout()
        box.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        box.addWidget(self.field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.title)
        layout.addLayout(box)
        layout.addWidget(self.hint)
        layout.addWidget(self.cached_title)
        layout.addWidget(self.view, 1)
        self.hint.hide()
        self.setMinimumWidth(160)

    def _connect(self, theme: Theme) -> None:
        state = self._state
        state.source_changed.connect(self._show_all)
        state.lists_changed.connect(self._add)
        state.spot_changed.connect(self._follow)
        self._wording.changed.connect(self.say_again)
        theme.changed.connect(self.view.viewport().update)
        self.model.session_wanted.connect(self._inspector.want_session)
        self.view.selectionModel().currentChanged.connect(self._moved)
        self.view.resized.connect(self._show_headings)
        self.field.textChanged.connect(self._typed)
        self._pause.timeout.connect(self._filter_now)
        self.turn_wanted.connect(self._inspector.go_to_turn)

    @Slot()
    def _typed(self) -> None:
        self._pause.start()

    @Slot()
    def _filter_now(self) -> None:
        self._filter = parse(self.field.text())
        self._state.set_filter(self.field.text())
        if self._filter.active:
            for session in self._state.sessions:
                self._inspector.want_session(session.id)
        self._show_all()

    @Slot()
    def _show_all(self) -> None:
        opened = self._opened_sessions()
        self._following = True
        self.model.show(self._state.sessions, self._state.lists, self._filter)
        self._delegate.set_number_length(self.model.longest_number)
        self._following = False
        for row in range(self.model.rowCount()):
            index = self.model.index(row, 0)
            shown = self.model.row(index)
            if self._filter.active or (shown is not None and shown.session in opened):
                self.view.expand(index)
        self._follow()
        self._say_hint()
        self._show_headings()

    @Slot(str)
    def _add(self, session: str) -> None:
        lists = self._state.lists.get(session)
        if lists is None:
            return
        if self._filter.active:
            self._show_all()
            return
        self.model.add(lists, self._filter)
        self._delegate.set_number_length(self.model.longest_number)
        self._follow()
        self._show_headings()

    @Slot()
    def _follow(self) -> None:
        spot = self._state.spot
        index = self.model.index_of(spot.session, spot.turn) if spot else QModelIndex()
        self._following = True
        if index.isValid():
            self.view.expand(index.parent())
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        else:
            self.view.clearSelection()
        self._following = False

    @Slot(QModelIndex, QModelIndex)
    def _moved(self, current: QModelIndex, _previous: QModelIndex) -> None:
        row = self.model.row(current)
        if row is not None and row.number and not self._following:
            self.turn_wanted.emit(row.session, row.number)

    def _opened_sessions(self) -> set[str]:
        opened = set()
        for row in range(self.model.rowCount()):
            index = self.model.index(row, 0)
            shown = self.model.row(index)
            if shown is not None and self.view.isExpanded(index):
                opened.add(shown.session)
        return opened

    @Slot()
    def _show_headings(self) -> None:
        """A column without figures needs no heading, and has none where the lines take their room."""
        has_room = self._delegate.has_room_for_shares(self.view.viewport().width(), self.view.font())
        self.cached_title.setVisible(self.model.has_shares and has_room)

    def _say_hint(self) -> None:
        problem, hint = self._filter.problem, self.hint
        if problem is not None:
            hint.setText(self._wording.text(problem))
        elif self._filter.active and self.model.shown_turns == 0:
            hint.setText(self._wording.text(say("No turn fits this filter.")))
        hint.setVisible(problem is not None or (self._filter.active and self.model.shown_turns == 0))


class _StoryView(QTreeView):
    """Keeps the turn at hand in sight."""

    resized = Signal()
    """Its rows have another width, or other letters."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt: other panels took room, or gave it back."""
        super().resizeEvent(event)
        keep_in_sight(self, event)
        self.resized.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Qt: letters of another size need more room, or less."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.resized.emit()


def _view(model: StoryModel, delegate: StoryDelegate) -> _StoryView:
    view = _StoryView()
    view.setModel(model)
    view.setItemDelegate(delegate)
    view.setHeaderHidden(True)
    view.setUniformRowHeights(True)
    view.setIndentation(UNIT * 2)
    view.setMouseTracking(True)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    return view
