"""One body with its caption, or the sentence that says why there is none."""

import json

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QAction, QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from covel_inspector.app.compare.hatch import HatchedNotice
from covel_inspector.app.compare.source_edit import clipboard_text
from covel_inspector.app.compare.wire_edit import WireEdit
from covel_inspector.app.figures import figure
from covel_inspector.app.pills import ElidedLine, WrappedLine
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wire_sides import WireSide
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, plain, say
from covel_inspector.domain.wire import BodySource

_INSET = 14
_SMALL = 0.88

SOURCES: dict[BodySource, Sentence] = {
    BodySource.RECORDED: say("as recorded"),
    BodySource.BUILT_FROM_RECORDED: say("built from the recorded messages"),
    BodySource.BUILT_FROM_REBUILT: say("built from the rebuilt request"),
}


class WirePane(QWidget):
    """A side of the wire view."""

    def __init__(self, letter: str, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letter, self._wording = letter, wording
        self._side: WireSide | None = None
        self._waits = False
        self.caption = ElidedLine(share=_SMALL, quiet=True)
        self.remark = WrappedLine(share=_SMALL, quiet=True)
        self.edit = WireEdit(wording)
        self.notice = HatchedNotice()
        self.pages = QStackedWidget()
        self._lay_out()
        self.edit.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.edit.customContextMenuRequested.connect(self._open_menu)

    @property
    def has_body(self) -> bool:
        """True while a body is shown."""
        return self.pages.currentWidget() is self.edit

    def show_side(self, side: WireSide | None) -> None:
        """Show a body from its beginning; None: nothing is read yet."""
        kept = self.edit.folding if self._same_shape(side) else None
        self._side = side
        self._waits = False
        if side is None:
            self.edit.show_wire(None)
        else:
            self.edit.show_wire(side.segments, kept, side.boundaries, side.lines)
        self.say_again()

    def show_waiting(self) -> None:
        """The body is being read."""
        self._waits = True
        self.say_again()

    def say_again(self) -> None:
        """Say all texts in the language in force."""
        text, side = self._wording.text, self._side
        segments = side.segments if side is not None and not self._waits else None
        self.edit.setAccessibleName(text(say("Body of {side}", side=self._letter)))
        self.caption.say(*map(text, self._captions()))
        notes = [side.note] if side is not None and side.note is not None and segments is not None else []
        notes.extend(segments.wire.body.notes if segments is not None else ())
        remark = " · ".join(text(note) for note in notes)
        self.remark.say(remark)
        self.remark.setVisible(bool(remark))
        if segments is None:
            why = side.note if side is not None and side.note is not None else say("Reading…")
            self.notice.say(text(say("Reading…") if self._waits else why))
        else:
            self.edit.say_again()
        self.pages.setCurrentWidget(self.edit if segments is not None else self.notice)

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for part in (self.edit, self.notice, self.caption, self.remark):
            part.apply_theme(colours)
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, QColor(colours.ground))
        self.setPalette(palette)
        self.setAutoFillBackground(True)

    def _same_shape(self, side: WireSide | None) -> bool:
        """True when the body is another one of the same protocol: what the reader folded stays folded."""
        before, after = self._side, side
        return (
            before is not None
            and after is not None
            and before.segments is not None
            and after.segments is not None
            and before.segments.wire.body.protocol is after.segments.wire.body.protocol
        )

    def _captions(self) -> tuple[Sentence, ...]:
        """What is shown, and shorter, because the heading above names side and call too."""
        side = self._side
        if side is None:
            return (plain(self._letter),)
        if side.segments is None or self._waits:
            return (say("{side} · {title}", side=self._letter, title=side.title),)
        wire = side.segments.wire
        source = SOURCES[wire.body.source]
        body = " ".join(filter(None, (wire.body.protocol.value, wire.body.path)))
        short = say("{source} · {body}", source=source, body=body)
        told = say("{body} · {n} characters", body=short, n=figure(len(wire.text)))
        whole = say("{side} · {title} · {body}", side=self._letter, title=side.title, body=told)
        return whole, told, short, plain(body)

    # The menu

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self.menu_actions(self.edit.cursorForPosition(at).blockNumber(), menu):
            menu.addAction(action)
        menu.popup(self.edit.viewport().mapToGlobal(at))

    def menu_actions(self, line: int, parent: QWidget) -> list[QAction]:
        """What can be done at a line."""
        drawn = self.edit.drawn
        if drawn is None or not 0 <= line < len(drawn.drawn):
            return []
        here = drawn.drawn[line].line
        wire = drawn.lines.wire
        node = here.begins or wire.node_at_line(here.start)
        value = wire.value(node.path)
        shown = value if isinstance(value, str) else wire.text[node.start : node.end]
        path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in node.path).lstrip(".")
        selected = self.edit.selected_text()
        entries = [
            (say("Copy"), selected),
            (say("Copy this value"), shown),
            (say("Copy its path: {path}", path=path), path),
            (say("Copy the whole body"), wire.text),
            (
                say("Copy the whole body in one line"),
                json.dumps(wire.body.body, ensure_ascii=False, separators=(",", ":")),
            ),
        ]
        actions = []
        for title, copied in entries:
            action = QAction(self._wording.text(title).replace("&", "&&"), parent)
            action.setEnabled(bool(copied))
            action.triggered.connect(
                lambda _checked=False, copied=copied: QGuiApplication.clipboard().setText(clipboard_text(copied))
            )
            actions.append(action)
        return actions

    def _lay_out(self) -> None:
        self.pages.addWidget(self.edit)
        self.pages.addWidget(self.notice)
        self.remark.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(_INSET, 10, 4, 4)
        column.setSpacing(2)
        column.addWidget(self.caption)
        column.addWidget(self.remark)
        column.addSpacing(4)
        column.addWidget(self.pages, 1)
