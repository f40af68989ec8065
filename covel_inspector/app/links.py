"""What following a link does: to a call, a place in a request, a panel, a file, a command, or the clipboard."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from covel_inspector.app.page import Link, LinkTo
from covel_inspector.domain import say

if TYPE_CHECKING:
    from covel_inspector.app.window import MainWindow


class Links(QObject):
    """Follows the links of the Why panel and of the panels at the bottom."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window

    @Slot(object)
    def follow(self, link: Link) -> None:
        """Do what a link says."""
        window = self._window
        if link.to is LinkTo.ADDRESS:
            window.inspector.go(link.target)
        elif link.to is LinkTo.PLACE:
            window.inspector.go_to_place(link.target, link.place)
        elif link.to is LinkTo.PANEL:
            window.bottom.show_item(link.target, str(link.place))
        elif link.to is LinkTo.COPY:
            self.copy(link.target)
        elif link.to is LinkTo.FILE:
            self._open_file(link.target)
        elif link.target == "clear-selection":
            window.inspector.state.select(None)
        else:
            window.choosers.run(link.target)

    def copy(self, text: str) -> None:
        """Put a text into the clipboard, and say so."""
        if text:
            QGuiApplication.clipboard().setText(text)
            self._window.status.notice(say("Copied: {text}", text=text.replace("\n", " ")))

    def _open_file(self, name: str) -> None:
        """Show a file of the Covel folder with the system's own program for it."""
        file = Path(self._window.inspector.covel_root, name)
        if file.is_file():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))
        else:
            self.copy(name)
