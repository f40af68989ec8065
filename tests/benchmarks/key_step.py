"""From a key to the painted turn, through the whole window. Run by hand, from the project's folder.

Presses the key for the next turn in the program's window on a sample story, rests after each step as a reader does,
and prints the wall-clock time from the key until the new rows are painted: median, slowest, and every step. The first
walk goes forwards through turns that nobody has seen, the second one back. ``--quick`` does not rest between steps.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from covel_inspector.app.settings import Settings
from covel_inspector.app.start import build_window, make_application, open_source
from covel_inspector.app.state import Mode
from covel_inspector.app.window import MainWindow

DATA = Path(__file__).parent.parent / "data"
REST = 0.6
"""Seconds between two steps of a reader who reads."""


class Painted(QObject):
    """Notes when a widget was painted with what is wanted."""

    def __init__(self, window: MainWindow, watched: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.at = 0.0
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        inspector = self._window.inspector
        b = inspector.latest.b if inspector.latest is not None else None
        is_there = b is not None and b.address_text == inspector.address_text
        if inspector.state.mode is Mode.WIRE:
            # Bodies are read after the request: what is painted before is the one of the turn before.
            sides = self._window.compare.wire._sides
            is_there = is_there and sides is not None and sides.prepared is inspector.latest
        if event.type() is QEvent.Type.Paint and is_there and not self.at:
            self.at = time.perf_counter()
        return False


def main() -> None:
    """Print the figures for one sample database and one mode."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name", nargs="?", default="emberwatch")
    parser.add_argument("--mode", default="structure", choices=("structure", "read", "wire"))
    parser.add_argument("--quick", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COVEL_INSPECTOR_SETTINGS"] = folder
        application = make_application(["key_step"])
        window = build_window(application, Settings(language="en", theme="light", mode=wanted.mode), open_source)
        window.resize(1600, 1000)
        window.show()
        window.open(str(DATA / f"{wanted.name}.db"), str(DATA / "sample-root"))
        _wait(application, lambda: window.inspector.latest is not None)
        window.inspector.go_to_end(last=False)
        _rest(application, 1.5)
        print(f"{wanted.name}, {wanted.mode}; milliseconds from the key to the painted turn")
        for name, key in (("forwards", Qt.Key.Key_Right), ("back", Qt.Key.Key_Left)):
            steps = list(_walk(application, window, key, 0.0 if wanted.quick else REST))
            every = " ".join(f"{step:.0f}" for step in steps)
            print(f"  {name:9} median {statistics.median(steps):.0f}, slowest {max(steps):.0f}: {every}")
        window.close()


def _walk(application: QApplication, window: MainWindow, key: Qt.Key, rest: float):
    inspector, view = window.inspector, window.compare
    shown = {Mode.READ: view.read.b, Mode.WIRE: view.wire.b.edit}.get(inspector.state.mode, view.tree)
    while True:
        before = inspector.state.spot
        painted = Painted(window, shown.viewport())
        began = time.perf_counter()
        QTest.keyClick(window, key, Qt.KeyboardModifier.AltModifier)
        if inspector.state.spot == before:
            return
        if inspector.address_text:
            _wait(application, lambda painted=painted: painted.at > 0)
            yield (painted.at - began) * 1000
        _rest(application, rest)


def _wait(application: QApplication, is_done, seconds: float = 20.0) -> None:
    end = time.perf_counter() + seconds
    while not is_done():
        application.processEvents()
        if time.perf_counter() > end:
            raise SystemExit("Nothing came within the time.")


def _rest(application: QApplication, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        application.processEvents()
        time.sleep(0.002)


if __name__ == "__main__":
    main()
