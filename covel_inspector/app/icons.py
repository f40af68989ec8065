"""Our drawings from ``resources/icons``, in the colour that the theme wants."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from covel_inspector.resource_files import resource_path

_PLACEHOLDER = "currentColor"


@cache
def icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """The drawing ``name`` in a colour, sharp at 1×, 1.5×, 2× and 3×; with another colour where it is disabled."""
    made = QIcon()
    for pixels in (16, 20, 24, 32, 40, 48, 64, 96):
        made.addPixmap(_pixmap(name, colour, pixels))
        if disabled:
            made.addPixmap(_pixmap(name, disabled, pixels), QIcon.Mode.Disabled)
    return made


@cache
def renderer(name: str, colour: str) -> QSvgRenderer:
    """The drawing for a delegate that paints at any size."""
    drawing = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8").replace(_PLACEHOLDER, colour)
    return QSvgRenderer(QByteArray(drawing.encode()))


def application_icon() -> QIcon:
    """The icon of the program."""
    made = QIcon()
    for pixels in (16, 24, 32, 48, 64, 128, 256):
        made.addPixmap(_pixmap("covel-inspector", "#000000", pixels))
    return made


def _pixmap(name: str, colour: str, pixels: int) -> QPixmap:
    pixmap = QPixmap(QSize(pixels, pixels))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer(name, colour).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    return pixmap
