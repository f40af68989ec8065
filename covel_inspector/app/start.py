"""Starts the window. Imported by the command line only when a window is wanted."""

import logging
import sys
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QMessageBox

from covel_inspector import __version__
from covel_inspector.app import settings as stored
from covel_inspector.app.camera import Camera
from covel_inspector.app.icons import application_icon
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.look import Look
from covel_inspector.app.opening import OpenSource
from covel_inspector.app.state import State
from covel_inspector.app.theme import Theme
from covel_inspector.app.window import MainWindow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Source, SourceError, say

_log = logging.getLogger(__name__)


def run(
    location: str | None,
    covel_root: str | None = None,
    language: str | None = None,
    theme: str | None = None,
    address: str | None = None,
    screenshot: str | None = None,
) -> int:
    """Show the window until it is closed; returns the exit status.

    ``language`` and ``theme`` hold for this run only. With ``screenshot`` the window is painted into that PNG as soon
    as the place is shown, and closed again; raises SourceError when there is nothing to paint.
    """
    application = make_application(sys.argv[:1])
    kept = stored.load(stored.settings_file())
    keeper = _Keeper(kept, language, theme)
    window = build_window(application, kept, open_source)
    if screenshot is None:
        window.inspector.state.source_changed.connect(keeper.save)
    net = _install_net(window)
    window.show()
    if location is not None:
        window.open(location, covel_root, address or "")
    camera = Camera(window, screenshot) if screenshot is not None else None
    status = application.exec()
    net.remove()
    if camera is None:
        keeper.save()
    elif camera.trouble is not None:
        raise SourceError(camera.trouble)
    return status


def make_application(arguments: list[str]) -> QApplication:
    """The one application object, named as the system wants it."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
        application = QApplication(arguments)
    application.setApplicationName("covel-inspector")
    application.setApplicationDisplayName("covel-inspector")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("covel-inspector")
    application.setWindowIcon(application_icon())
    return application


def build_window(application: QApplication, kept: stored.Settings, opener: OpenSource) -> MainWindow:
    """The window with everything it stands on; nothing is opened yet."""
    wording = Wording(kept.language, application)
    theme = Theme(application, kept.theme)
    look = Look(application, kept, theme, wording)
    look.apply()
    inspector = Inspector(State(), opener)
    window = MainWindow(inspector, kept, wording, theme, look)
    inspector.setParent(window)
    inspector.state.setParent(inspector)
    return window


def open_source(location: str, covel_root: str | None) -> Source:
    """A source by the engine that knows its location; imported late, for a quick start."""
    from covel_inspector.engines.opening import open_source as opening

    return opening(location, covel_root)


class _Keeper(QObject):
    """Writes the settings down; what was asked for on the command line holds for this run and is not kept."""

    def __init__(self, kept: stored.Settings, language: str | None, theme: str | None) -> None:
        super().__init__()
        self._kept = kept
        self._usual = (kept.language, kept.theme)
        self._asked = (language or kept.language, theme or kept.theme)
        kept.language, kept.theme = self._asked

    @Slot()
    def save(self) -> None:
        """Write them now: after opening a file, and at the end."""
        kept, now = self._kept, (self._kept.language, self._kept.theme)
        usual = [
            before if here == asked else here for before, asked, here in zip(self._usual, self._asked, now, strict=True)
        ]
        kept.language, kept.theme = usual
        stored.save(kept, stored.settings_file())
        kept.language, kept.theme = now


class _Net(QObject):
    """The last net: a mistake of ours is logged, and shown once, ready to copy. The program goes on."""

    caught = Signal(str)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._shown = False
        self._before = sys.excepthook
        self.caught.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """What ``sys.excepthook`` calls, in whatever thread it happened."""
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        _log.error("Not caught: %s", text)
        self._before(kind, error, trace)
        self.caught.emit(text)

    def remove(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._before

    @Slot(str)
    def _show(self, text: str) -> None:
        if self._shown:
            return
        self._shown = True
        said = self._window.said
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("covel-inspector")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(said(say("Something went wrong in the inspector itself. You can go on; the story is safe.")))
        box.setInformativeText(said(say("A report with these details would help.")))
        box.setDetailedText(f"covel-inspector {__version__}\n{text}")
        box.open()


def _install_net(window: MainWindow) -> _Net:
    net = _Net(window)
    sys.excepthook = net.hook
    return net
