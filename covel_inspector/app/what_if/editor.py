"""A plain editor for the text of one segment."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextOption
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from covel_inspector.app.plain_text import label
from covel_inspector.app.theme import UNIT
from covel_inspector.app.what_if.splicing import spliced
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say

_APPLY = "Ctrl+Return"


class TextEditor(QDialog):
    """Shows a text to be changed. ``applied`` carries the new text; ``external_wanted`` the text as it is now.

    Texts travel as Python objects: a signal of Qt's own string type would drop lone surrogates.
    """

    applied = Signal(object)
    external_wanted = Signal(object)

    def __init__(self, window: QWidget, wording: Wording, title: Sentence, source: str, remark: Sentence) -> None:
        super().__init__(window)
        self._source = source
        text = wording.text
        self.setWindowTitle(text(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.edit = _Edit()
        self.edit.setPlainText(source)
        self.edit.setAccessibleName(text(title))
        self.buttons = QDialogButtonBox()
        apply = self.buttons.addButton(text(say("Apply")), QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = self.buttons.addButton(text(say("Cancel")), QDialogButtonBox.ButtonRole.RejectRole)
        external = self.buttons.addButton(
            text(say("Open in an external editor")), QDialogButtonBox.ButtonRole.ActionRole
        )
        apply.setDefault(True)
        apply.setToolTip(QKeySequence(_APPLY).toString(QKeySequence.SequenceFormat.NativeText))
        cancel.setAutoDefault(False)
        external.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT * 2, UNIT * 2, UNIT * 2, UNIT * 2)
        layout.setSpacing(UNIT)
        layout.addWidget(label(text(title), "title"))
        layout.addWidget(label(text(remark), "whatif"))
        layout.addWidget(self.edit, 1)
        layout.addWidget(self.buttons)
        self.buttons.accepted.connect(self.apply)
        self.buttons.rejected.connect(self.reject)
        external.clicked.connect(self._want_external)
        self.edit.finished.connect(self.apply)
        self.resize(UNIT * 90, UNIT * 60)
        self.edit.setFocus()

    @property
    def text(self) -> str:
        """The text as it is now; what was not touched is as it was, whatever the widget made of it."""
        return spliced(self._source, self.edit.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n"))

    @Slot()
    def apply(self) -> None:
        """Hand the text over and close."""
        self.applied.emit(self.text)
        self.accept()

    @Slot()
    def _want_external(self) -> None:
        self.external_wanted.emit(self.text)
        self.reject()


class _Edit(QPlainTextEdit):
    """Tab moves on, as everywhere in the window; Ctrl+Tab writes one. Ctrl+Enter ends the editing."""

    finished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("editor")
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys with Ctrl that mean something here."""
        key, with_ctrl = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if with_ctrl and key == Qt.Key.Key_Tab:
            self.insertPlainText("\t")
        elif with_ctrl and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finished.emit()
        else:
            super().keyPressEvent(event)
