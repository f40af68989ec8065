"""Pictures of the window, for the manual and for a look at one's own work.

    python packaging/screenshots.py OUT_FOLDER [FILE] [--root DIR] [--address ADDRESS …] [--size 1280x800 …]

Opens a story (the sample by default) once for every theme, language, size and address asked for, waits until the place
is shown, and paints the window into a PNG. Runs without a screen.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QEventLoop

    from covel_inspector.app.window import MainWindow

PROJECT = Path(__file__).resolve().parent.parent
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))


def main() -> int:
    """One process for each size, because the screen is chosen at its start."""
    wanted = _arguments()
    if len(wanted.size) > 1:
        import subprocess

        rest = [argument for argument in sys.argv[1:] if argument not in ("--size", *wanted.size)]
        return max(subprocess.call([sys.executable, __file__, *rest, "--size", size]) for size in wanted.size)
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        _take_screen(wanted.size[0], Path(scratch))
        os.environ["COVEL_INSPECTOR_SETTINGS"] = scratch
        from covel_inspector.app.places import sample

        location, root = (wanted.file, wanted.root) if wanted.file else sample()
        for theme, language, address in itertools.product(wanted.theme, wanted.language, wanted.address):
            _picture(wanted, location, root, theme, language, address)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", nargs="?", default="")
    parser.add_argument("--root", default=None)
    parser.add_argument("--address", nargs="+", default=[""])
    parser.add_argument("--size", nargs="+", default=["1280x800"])
    parser.add_argument("--theme", nargs="+", default=["light", "dark"])
    parser.add_argument("--language", nargs="+", default=["en", "zh-CN"])
    parser.add_argument("--mode", default="structure")
    parser.add_argument("--target", default="previous-turn")
    parser.add_argument("--select", default="", help="title or key of a segment to select")
    parser.add_argument("--panel", default="", help="id of a panel, or id and view (cache:strip); none: no panel")
    parser.add_argument("--scale", type=int, default=100, help="text size in percent")
    return parser.parse_args()


def _take_screen(size: str, scratch: Path) -> None:
    width, height = map(int, size.split("x"))
    screen = {"name": "A", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    file = scratch / "screen.json"
    file.write_text(json.dumps({"screens": [screen | {"logicalDpi": 96, "logicalBaseDpi": 96}]}), encoding="utf-8")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"


def _picture(
    wanted: argparse.Namespace, location: str, root: str | None, theme: str, language: str, address: str
) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    from covel_inspector.app.settings import Settings
    from covel_inspector.app.start import build_window, make_application, open_source

    application = make_application(sys.argv[:1])
    width, height = map(int, wanted.size[0].split("x"))
    kept = Settings(theme=theme, language=language, width=width, height=height, mode=wanted.mode)
    kept.target, kept.text_scale = wanted.target, wanted.scale
    if wanted.panel:
        panel, _, view = wanted.panel.partition(":")
        kept.panels = {"open": panel != "none", "tab": panel, "panels": {panel: {"view": view}}}
    window = build_window(application, kept, open_source)
    window.show()
    loop = QEventLoop()
    for signal in (window.inspector.prepared, window.inspector.preparing_failed, window.inspector.open_failed):
        signal.connect(loop.quit)
    if location != "none":
        window.open(location, root, address)
        QTimer.singleShot(60_000, loop.quit)
        loop.exec()
    if wanted.select:
        _select(window, wanted.select)
    _wait_for_panel(window, loop)
    place = address.replace("/", "_").replace(":", "-").strip("-")
    name = "-".join(
        filter(
            None,
            (Path(location).stem, place, wanted.mode, wanted.panel.replace(":", "-"), theme, language, wanted.size[0]),
        )
    )
    window.grab().save(str(wanted.folder / f"{name}.png"))
    print(wanted.folder / f"{name}.png")
    window.close()


def _wait_for_panel(window: "MainWindow", loop: "QEventLoop") -> None:
    """A little while, and for as long as the panel at the bottom still reads, up to a minute."""
    from PySide6.QtCore import QTimer

    for _ in range(60):
        QTimer.singleShot(1000, loop.quit)
        loop.exec()
        panel = window.bottom.panel
        if panel is None or not panel.is_waiting:
            return


def _select(window: "MainWindow", wanted: str) -> None:
    latest = window.inspector.latest
    tree = latest.b.tree if latest is not None and latest.b is not None else None
    for segment in tree.walk() if tree is not None else ():
        if wanted in (segment.key, str(segment.title)):
            window.compare.choose_segment(segment)
            return


if __name__ == "__main__":
    sys.exit(main())
