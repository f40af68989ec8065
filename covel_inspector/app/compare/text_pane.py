"""One text with its caption: a side of the selected pair, or the sentence that says why there is none."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from covel_inspector.app.compare.hatch import HatchedNotice
from covel_inspector.app.compare.pane_text import SHOWN_AT_FIRST, PaneText
from covel_inspector.app.compare.source_edit import SourceEdit, Span
from covel_inspector.app.figures import figure
from covel_inspector.app.pills import ElidedLine
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say

_INSET = 14
_SMALL = 0.88


class TextPane(QWidget):
    """Caption, text, and a way to the rest of a text that is too long to be shown at once."""

    changed_ground = ""
    """Name of the colour behind changed words."""
    all_shown = Signal()
    """The reader asked for all of a long text."""

    def __init__(self, changed_ground: str, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.changed_ground = changed_ground
        self._wording = wording
        self._source = ""
        self._limit = SHOWN_AT_FIRST
        self._blanks = False
        self._shared_end: int | None = None
        self.caption = ElidedLine(share=_SMALL, quiet=True)
        self.remark = ElidedLine(share=_SMALL, quiet=True, right=True)
        self.edit = SourceEdit()
        self.notice = HatchedNotice()
        self.rest = QPushButton()
        self._pages = QStackedWidget()
        self._lay_out()

    @property
    def source(self) -> str:
        """The text that is shown, as it stands in the request."""
        return self._source

    @property
    def has_text(self) -> bool:
        """False while a notice stands here."""
        return self._pages.currentWidget() is not self.notice

    def show_source(self, caption: str, source: str, shared_end: int | None = None) -> None:
        """Show a text from its beginning; up to ``shared_end``, in code points, both requests are the same."""
        self.caption.say(caption)
        self.caption.show()
        self._source, self._limit = source, SHOWN_AT_FIRST
        self.edit.setAccessibleName(caption)
        self._shared_end = shared_end
        self._show(())
        self._pages.setCurrentIndex(0)

    def show_notice(self, caption: str, sentence: str) -> None:
        """Show hatching and a sentence instead of a text."""
        self.caption.say(caption)
        self.caption.setVisible(bool(caption))
        self._source = ""
        self.edit.show_text(PaneText(""))
        self.rest.hide()
        self.notice.say(sentence)
        self._pages.setCurrentIndex(1)

    def say_remark(self, sentence: Sentence | None) -> None:
        """A small remark at the right of the caption."""
        self.remark.say(self._wording.text(sentence) if sentence is not None else "")
        self.remark.setVisible(sentence is not None)

    def mark(self, changed: Sequence[Span]) -> None:
        """Mark changed stretches, in code points of the source."""
        if self.has_text:
            self.edit.mark(changed)

    def set_blanks(self, *, shown: bool) -> None:
        """Draw marks for blanks and tabs."""
        if shown != self._blanks:
            self._blanks = shown
            if self.has_text:
                self._show(self.edit.marked)

    @Slot()
    def show_all(self) -> None:
        """Show the whole of a long text."""
        self._limit = max(len(self._source), SHOWN_AT_FIRST)
        self._show(self.edit.marked)
        self.all_shown.emit()

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        changed = QColor(getattr(colours, self.changed_ground))
        self.edit.set_grounds(changed, QColor(colours.boundary), QColor(colours.accent))
        for part in (self.notice, self.caption, self.remark):
            part.apply_theme(colours)
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, QColor(colours.ground))
        self.setPalette(palette)
        self.setAutoFillBackground(True)

    def apply_wording(self) -> None:
        """Say the fixed texts again."""
        self._say_rest()

    def _show(self, changed: Sequence[Span]) -> None:
        text = PaneText(self._source, self._limit, self._blanks)
        self.edit.show_text(text, changed, self._shared_end)
        self.rest.setVisible(text.is_cut)
        self._say_rest()

    def _say_rest(self) -> None:
        sentence = say(
            "{shown} of {all} characters · show all", shown=figure(self._limit), all=figure(len(self._source))
        )
        self.rest.setText(self._wording.text(sentence))

    def _lay_out(self) -> None:
        self.rest.setProperty("link", "true")
        self.rest.clicked.connect(self.show_all)
        self.rest.hide()
        self._pages.addWidget(self.edit)
        self._pages.addWidget(self.notice)
        line = QHBoxLayout()
        # The remark is short and said as a whole; the caption gives way.
        self.caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        line.addWidget(self.caption, 1)
        line.addWidget(self.remark)
        column = QVBoxLayout(self)
        column.setContentsMargins(_INSET, 10, 4, 4)
        column.setSpacing(6)
        column.addLayout(line)
        column.addWidget(self._pages, 1)
        column.addWidget(self.rest, 0, Qt.AlignmentFlag.AlignLeft)
