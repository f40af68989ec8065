"""A thin veil over what is shown while something else is on its way, with a word about what."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from covel_inspector.app.theme import UNIT, Theme

DELAY = 50
"""Milliseconds before the veil falls: a step that is answered by then does not flicker."""

_ALPHA = 165


class Veil(QWidget):
    """Lies over a widget, as large as it, and lets the mouse through."""

    def __init__(self, over: QWidget, theme: Theme) -> None:
        super().__init__(over)
        self._theme = theme
        self._text = ""
        self._falling = QTimer(self, singleShot=True, interval=DELAY)
        self._falling.timeout.connect(self._fall)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        over.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        """What is on its way, in words; empty when nothing is."""
        return self._text

    def fall(self, text: str) -> None:
        """What is shown is out of date; ``text`` says what is on its way, empty: nothing is said."""
        self._text = text
        self.setAccessibleName(text)
        if self.isHidden() and not self._falling.isActive():
            self._falling.start()
        self.update()

    def lift(self) -> None:
        """What is shown is right again."""
        self._falling.stop()
        self._text = ""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """As large as what lies below."""
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._cover()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground shines through; the words stand where the eye is, at the top."""
        colours = self._theme.colours
        ground = QColor(colours.ground)
        painter = QPainter(self)
        veil = QColor(ground)
        veil.setAlpha(_ALPHA)
        painter.fillRect(self.rect(), veil)
        if self._text:
            metrics = QFontMetrics(self.font())
            width = metrics.horizontalAdvance(self._text) + 4 * UNIT
            sign = QRectF((self.width() - width) / 2, 12 * UNIT, width, metrics.height() + 2 * UNIT)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border), 1))
            painter.setBrush(ground)
            painter.drawRoundedRect(sign, UNIT, UNIT)
            painter.setPen(QColor(colours.text))
            painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()

    def _fall(self) -> None:
        self._cover()
        self.show()
        self.raise_()

    def _cover(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
