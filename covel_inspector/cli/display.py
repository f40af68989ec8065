"""Whether a window can be shown here, and if not, why: asked before Qt, which would end the process."""

import json
import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from covel_inspector.domain import Sentence, say

_UNSEEN = ("offscreen", "minimal", "vkkhrdisplay")


def why_no_window(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Sentence | None:
    """None when a window can be shown, else the reason."""
    environment = os.environ if environment is None else environment
    chosen = environment.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if chosen in _UNSEEN:
        return say("QT_QPA_PLATFORM={platform} draws where nobody can see it", platform=chosen)
    if platform in ("win32", "darwin") or (chosen and chosen not in ("xcb", "wayland", "wayland-egl")):
        return None
    wayland, x11 = environment.get("WAYLAND_DISPLAY", ""), environment.get("DISPLAY", "")
    if not wayland and not x11:
        return say("there is no display")
    if wayland and _answers(_wayland_socket(wayland, environment)):
        return None
    if x11 and _x11_answers(x11):
        return None
    return say("the display {name} does not answer", name=x11 or wayland)


@contextmanager
def unseen_screen(width: int = 1600, height: int = 1000) -> Iterator[None]:
    """Qt draws on a screen of this size, in pixels, that nobody can see; for windows made inside."""
    screen = {"name": "unseen", "x": 0, "y": 0, "width": width, "height": height}
    screen |= {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    before = os.environ.get("QT_QPA_PLATFORM")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "screens.json"
        file.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"
        try:
            yield
        finally:
            del os.environ["QT_QPA_PLATFORM"]
            if before is not None:
                os.environ["QT_QPA_PLATFORM"] = before


def _wayland_socket(name: str, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("XDG_RUNTIME_DIR", "/nowhere")) / name


def _x11_answers(display: str) -> bool:
    """Try the socket of an X display: ``:0``, ``unix:0``, ``localhost:10.0``."""
    host, _, rest = display.rpartition(":")
    number = rest.partition(".")[0]
    if not number.isdigit():
        return Path(display).exists()
    if host in ("", "unix") or host.startswith("unix/"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - the X server's own place
        return _answers(Path(path)) or _answers_abstract(path)
    try:
        with socket.create_connection((host.strip("[]"), 6000 + int(number)), timeout=2):
            return True
    except OSError:
        return False


def _answers(path: Path) -> bool:
    return _connects(str(path))


def _answers_abstract(path: str) -> bool:
    return sys.platform == "linux" and _connects(f"\0{path}")


def _connects(address: str) -> bool:
    if not hasattr(socket, "AF_UNIX"):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(2)
        try:
            connection.connect(address)
        except OSError:
            return False
        return True
