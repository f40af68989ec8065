"""An inspector without a window, given back in the thread that made it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QObject

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.state import State
from covel_inspector.domain import Source


@contextmanager
def inspecting(opener: Callable[[str], Source]) -> Iterator[Inspector]:
    """An inspector whose sources the opener opens; nothing is open yet.

    It is deleted at the end: left to the garbage collector, its timers could die in the thread of another source.
    """
    owner = QObject()
    inspector = Inspector(State(owner), lambda location, _root: opener(location), owner)
    try:
        yield inspector
    finally:
        inspector.close()
        owner.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
