"""Small facts in a rounded frame, and lines that are elided or wrapped instead of cut."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from covel_inspector.app.painted import PaintedText, PaintedWidget
from covel_inspector.app.plain_text import tip as as_tip

_BETWEEN_PARTS = " · "
_LONG_PART, _LEAST_OF_NAME = 12, 5
"""Letters: a part with more is shortened whatever it is; what is left at least of a shortened one."""


class Pill(PaintedWidget):
    """One fact: "8 214 tok". ``tone`` is the name of a colour in :class:`Colours`: quiet, good, warning, error."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._tone = "quiet"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text

    @property
    def tone(self) -> str:
        """The name of its colour."""
        return self._tone

    def say(self, text: str, tone: str = "quiet", tip: str = "") -> None:
        """Show a fact; an empty text hides the pill."""
        self._text, self._tone = text, tone
        self.setToolTip(as_tip(tip))
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The text with half a line's height on each side."""
        return QSize(self.width_of(self._text), QFontMetrics(self._font()).height() + 4)

    def width_of(self, text: str) -> int:
        """Pixels that a text would take."""
        return QFontMetrics(self._font()).horizontalAdvance(text) + 16

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A rounded frame around the text."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tone = QColor(getattr(self.colours, self._tone))
        frame = QColor(self.colours.border) if self._tone == "quiet" else tone
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(frame, 1))
        painter.setBrush(QColor(self.colours.ground))
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        painter.setFont(self._font())
        painter.setPen(tone)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()

    def _font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 0.88)
        return font


class _Line(PaintedText):
    """A painted text. ``share`` is its size against the font around it; a ``quiet`` line is grey, a ``right`` one ends
    at its right edge."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        bold: bool = False,
        share: float = 1.0,
        quiet: bool = False,
        right: bool = False,
    ) -> None:
        super().__init__(parent)
        self._bold, self._share, self._quiet = bold, share, quiet
        self._side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Room for the whole text in one line."""
        metrics = QFontMetrics(self._font())
        return QSize(metrics.horizontalAdvance(self._text) + 2, metrics.height() + 4)

    def _painter(self) -> QPainter:
        painter = QPainter(self)
        painter.setFont(self._font())
        painter.setPen(QColor(self.colours.quiet if self._quiet else self.colours.text))
        return painter

    def _font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * self._share)
        font.setBold(self._bold)
        return font


class ElidedLine(_Line):
    """One line that says less, or ends in an ellipsis, when there is too little room; its tooltip has all of it."""

    _shorter: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What there is room for: the whole line, or the longest of the shorter ones that fits, else the last."""
        room, metrics = self.width(), QFontMetrics(self._font())
        lines = (self._text, *self._shorter)
        return next((line for line in lines if metrics.horizontalAdvance(line) <= room), lines[-1])

    @property
    def is_elided(self) -> bool:
        """True while there is too little room even for the shortest line."""
        return QFontMetrics(self._font()).horizontalAdvance(self.shown) > self.width()

    def say(self, text: str, *shorter: str) -> None:
        """Show a text; where there is too little room one of the ``shorter`` ones, which come longest first."""
        self._shorter = shorter
        super().say(text)
        self._offer_tip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width elides more or less."""
        super().resizeEvent(event)
        self._offer_tip()

    def changeEvent(self, event: QEvent) -> None:
        """Another font elides more or less."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._offer_tip()

    def _offer_tip(self) -> None:
        """A tip only where it tells more than the line."""
        is_whole = self.shown == self._text and not self.is_elided
        self.setToolTip("" if is_whole else as_tip(self._text))

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return QSize(min(48, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line, elided to the width."""
        painter = self._painter()
        text = painter.fontMetrics().elidedText(self.shown, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | self._side, text)
        painter.end()


class ElidedParts(ElidedLine):
    """A line of several parts, of which names are shortened, the longest first: "B · turn 7 · tide-n… · never sent"."""

    _parts: tuple[str, ...] = ()
    _names: frozenset[str] = frozenset()

    def say_parts(self, parts: Sequence[str], names: Collection[str] = ()) -> None:
        """Show parts with dots between them; those that are ``names``, or very long, may be shortened."""
        long = {part for part in parts if len(part) > _LONG_PART}
        self._parts, self._names = tuple(parts), frozenset({*names} | long)
        self.say(_BETWEEN_PARTS.join(parts))

    @property
    def shown(self) -> str:
        """All, or as much of the names as there is room for."""
        room, metrics = self.width(), QFontMetrics(self._font())
        longest = max((len(part) for part in self._parts if part in self._names), default=0)
        lines = (self._with_names_of(letters) for letters in range(longest, _LEAST_OF_NAME - 1, -1))
        return next((line for line in lines if metrics.horizontalAdvance(line) <= room), self.least)

    @property
    def least(self) -> str:
        """With names as short as they may be."""
        return self._with_names_of(_LEAST_OF_NAME)

    def least_width(self) -> int:
        """Pixels for :attr:`least`."""
        return QFontMetrics(self._font()).horizontalAdvance(self.least) + 2

    def _with_names_of(self, letters: int) -> str:
        """With at most so many letters of each name, the ellipsis counted."""
        shortened = (
            f"{part[: letters - 1].rstrip()}…" if part in self._names and len(part) > letters else part
            for part in self._parts
        )
        return _BETWEEN_PARTS.join(shortened)


class WrappedLine(_Line):
    """A text that goes on in the next line when there is too little room."""

    def __init__(
        self, parent: QWidget | None = None, *, bold: bool = False, share: float = 1.0, quiet: bool = False
    ) -> None:
        super().__init__(parent, bold=bold, share=share, quiet=quiet)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Qt: narrower is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Qt: the height of all lines at a width."""
        room = QRect(0, 0, max(1, width), 1 << 16)
        return QFontMetrics(self._font()).boundingRect(room, self._flags(), self._text).height() + 4

    def minimumSizeHint(self) -> QSize:
        """Qt: narrow, and at least one line."""
        return QSize(min(96, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """All lines."""
        painter = self._painter()
        painter.drawText(self.rect().adjusted(0, 2, 0, -2), self._flags(), self._text)
        painter.end()

    def _flags(self) -> int:
        return int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop | self._side)
