"""A part of a panel that scrolls downwards only."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from covel_inspector.app.theme import UNIT


class DownScroll(QScrollArea):
    """Never narrower than what it holds, so that nothing is cut at its right edge."""

    def __init__(self, widget: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._held = widget
        self.setWidget(widget)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        """Room for the width of the widget and for the scroll bar."""
        width = self._held.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, UNIT * 6)
