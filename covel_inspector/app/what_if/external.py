"""A text in an editor of the reader's own: a temporary file that is watched for saves."""

import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from covel_inspector.app.what_if.splicing import as_shown, from_file, spliced
from covel_inspector.domain import Sentence, say

OpenFile = Callable[[Path], bool]
"""Shows a file in the system's own program for it; False when that fails."""

_REST = 120
"""Milliseconds after which a file that changed is read: editors write in several steps."""

_MOST_BYTES = 20_000_000
_NOT_A_NAME = re.compile(r"[^\w.-]+")


class ExternalDraft(QObject):
    """One text outside. ``saved`` carries it whenever the file was saved with something new in it."""

    saved = Signal(object)
    failed = Signal(object)
    """Sentence: what is wrong with the file."""

    def __init__(self, name: str, text: str, parent: QObject | None = None) -> None:
        """``text`` is what is edited; what is not touched in the file stays as it is in the text. Raises OSError."""
        super().__init__(parent)
        self._text = self._last = text
        self._shown, _ = as_shown(text)
        self._folder = Path(tempfile.mkdtemp(prefix="covel-inspector-"))
        self.file = self._folder / f"{_NOT_A_NAME.sub('-', name).strip('-.')[:60] or 'draft'}.md"
        self.file.write_bytes(self._shown.encode())
        self._watcher = QFileSystemWatcher([str(self.file), str(self._folder)], self)
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self._read)
        self._watcher.fileChanged.connect(self._touch)
        self._watcher.directoryChanged.connect(self._touch)

    def show(self, open_file: OpenFile | None = None) -> bool:
        """Open it in the reader's editor; False when the system has none."""
        return (open_file or _open_file)(self.file)

    def close(self) -> None:
        """Stop watching and take the file away."""
        self._rest.stop()
        for path in (*self._watcher.files(), *self._watcher.directories()):
            self._watcher.removePath(path)
        shutil.rmtree(self._folder, ignore_errors=True)

    @Slot()
    def _touch(self) -> None:
        self._rest.start()

    @Slot()
    def _read(self) -> None:
        if not self.file.exists():
            return
        # An editor that replaces the file takes it out of the watcher's hands.
        if str(self.file) not in self._watcher.files():
            self._watcher.addPath(str(self.file))
        try:
            if self.file.stat().st_size > _MOST_BYTES:
                self.failed.emit(say("{file} is too large to be a segment.", file=self.file.name))
                return
            saved = from_file(self._shown, self.file.read_bytes().decode("utf-8"))
        except UnicodeDecodeError:
            self.failed.emit(_not_utf8(self.file.name))
            return
        except OSError as error:
            self.failed.emit(say("{file} cannot be read: {why}", file=self.file.name, why=str(error)))
            return
        text = spliced(self._text, saved)
        if text != self._last:
            self._last = text
            self.saved.emit(text)


def _not_utf8(name: str) -> Sentence:
    return say("{file} was not saved as UTF-8; save it again in that encoding.", file=name)


def _open_file(file: Path) -> bool:
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))
