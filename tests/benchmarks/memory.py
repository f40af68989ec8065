"""Resident memory of the window on a story, over that of an empty PySide6 window.

Each is a process of its own: it shows its window offscreen, lets all events pass, and tells its resident size.

    .venv/bin/python -m tests.benchmarks.memory [FILE [COVEL_ROOT]]
"""

import os
import subprocess
import sys

EMPTY = """
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(QPlainTextEdit())
window.resize(1480, 930)
window.show()
for _ in range(20):
    app.processEvents()
"""

STORY = """
import sys, time
from covel_inspector.app.start import build_window, make_application, open_source
from covel_inspector.app import settings
app = make_application(sys.argv[:1])
window = build_window(app, settings.Settings(), open_source)
window.resize(1480, 930)
window.show()
window.open(sys.argv[1], sys.argv[2] or None, "")
end = time.monotonic() + 6
while time.monotonic() < end:
    app.processEvents()
    time.sleep(0.01)
"""

TELL = """
with open("/proc/self/status") as status:
    print(next(line for line in status if line.startswith("VmRSS")).split()[1])
"""

END = """
window.close()
app.processEvents()
"""


def resident(program: str, *arguments: str) -> float:
    """Resident megabytes of a process at its end."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(
        [sys.executable, "-c", program + TELL + END, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return int(result.stdout.split()[-1]) / 1024


def main() -> None:
    """Print both sizes and the difference."""
    arguments = sys.argv[1:] or ["resources/sample/emberwatch.db", "resources/sample/covel-root"]
    file, root = arguments[0], arguments[1] if len(arguments) > 1 else ""
    empty = resident(EMPTY)
    story = resident(STORY, file, root)
    print(f"empty window {empty:.0f} MB, {file} {story:.0f} MB, difference {story - empty:.0f} MB")


if __name__ == "__main__":
    main()
