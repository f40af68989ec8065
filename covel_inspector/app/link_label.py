"""Links in a text that wraps; the keyboard walks through them."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLabel, QWidget

from covel_inspector.app.plain_text import flowing

_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class LinkLabel(QLabel):
    """Rich text that we wrote ourselves, with links. Whoever comes by the tab key stands on its first link at once, or
    on its last one when she comes from behind."""

    def __init__(self, html: str, titles: Iterable[str], parent: QWidget | None = None) -> None:
        """``titles``: what the links say, for a screen reader."""
        super().__init__(html, parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("\n".join(titles))
        flowing(self)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt: the keyboard came."""
        super().focusInEvent(event)
        if event.reason() in _BY_TAB:
            self.focusNextPrevChild(event.reason() is Qt.FocusReason.TabFocusReason)


def anchor(link: str, shown: str, colour: str) -> str:
    """A link of a :class:`LinkLabel`; ``shown`` is escaped already."""
    return f'<a href="{link}" style="color:{colour};text-decoration:none">{shown}</a>'
