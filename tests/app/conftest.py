"""Windows for tests: built as the program builds them, closed and checked for what they leave running."""

import threading
from collections.abc import Callable, Iterator

import pytest
from fake_source import fake_source
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.settings import Settings
from covel_inspector.app.start import build_window
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Source


@pytest.fixture
def make_window(qapp: QApplication, qtbot: QtBot) -> Iterator[MakeWindow]:
    """A function that builds a shown window over an opener (the made-up story by default); nothing is open yet."""
    made: list[MainWindow] = []
    before = set(threading.enumerate())

    def make(settings: Settings | None = None, opener: Callable[[str, str | None], Source] | None = None) -> MainWindow:
        kept = settings or Settings(language="en", theme="light", width=1280, height=800)
        window = build_window(qapp, kept, opener or (lambda location, _root: fake_source(location)))
        # Without a screen Qt believes in one of 800 pixels, on which the toolbar would not fit.
        window.resize(1280, 800)
        window.show()
        qtbot.waitExposed(window)
        made.append(window)
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()
    qapp.setStyleSheet("")  # It would keep widgets of later tests from growing with their font.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
    assert set(threading.enumerate()) <= before, "a window left a thread running"


@pytest.fixture
def opened(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    """A window on the made-up story, at the narrator's second turn of the English session."""
    window = make_window()
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address="tide-01:2:narrator:0")
    return window
