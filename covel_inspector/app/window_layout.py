"""Size and panels of the window, to and from the settings."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QSplitter

from covel_inspector.app.panels.dock import PanelDock
from covel_inspector.app.settings import Settings

USUAL_WIDTH, USUAL_HEIGHT = 1440, 900
USUAL_STORY, USUAL_WHY = (248, 0.13), (280, 0.15)
"""Least width in pixels, and the share of a wide window."""


def restore_layout(window: QMainWindow, panels: QSplitter, settings: Settings) -> None:
    """The size the window had, never larger than the screen; panels with the widths they had."""
    screen = QGuiApplication.primaryScreen().availableGeometry()
    width = min(settings.width or USUAL_WIDTH, screen.width())
    height = min(settings.height or USUAL_HEIGHT, screen.height())
    window.resize(width, height)
    story = settings.story_width or _usual(USUAL_STORY, width, settings)
    why = settings.why_width or _usual(USUAL_WHY, width, settings)
    panels.setSizes([story, max(width - story - why, 1), why])
    if settings.maximised:
        window.showMaximized()


def restore_bottom(window: QMainWindow, whole: QSplitter, bottom: PanelDock) -> None:
    """The panels at the bottom get the height they had."""
    height = bottom.height_in(window.height())
    whole.setSizes([max(window.height() - height, 1), height])


def keep_layout(window: QMainWindow, panels: QSplitter, settings: Settings) -> None:
    """Write size and widths down. A hidden panel keeps the width it had."""
    settings.maximised = window.isMaximized()
    if not settings.maximised:
        settings.width, settings.height = window.width(), window.height()
    story, _, why = panels.sizes()
    settings.story_width = story or settings.story_width
    settings.why_width = why or settings.why_width


def _usual(usual: tuple[int, float], window: int, settings: Settings) -> int:
    """A panel's usual width at this text size, but never more than a quarter of the window."""
    least, share = usual
    return min(max(least * settings.text_scale // 100, round(window * share)), window // 4)
