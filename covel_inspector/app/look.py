"""How everything looks and speaks: theme, language and text size, kept in the settings."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from covel_inspector.app.settings import Settings
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording

CHINESE_FAMILIES = ("Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei")
"""Asked for by name and behind the Latin font: otherwise some systems take Japanese or traditional letter forms."""

SIZES = (70, 80, 90, 100, 110, 125, 150, 175, 200, 250)
"""Text sizes in percent of the usual one."""

_SMALLEST_USUAL = 10.0
"""Points; some systems report a size for their panels that is too small for reading prose."""


class Look(QObject):
    """Changes of look take effect at once and are kept. ``changed`` lets the menus tick what is chosen."""

    changed = Signal()

    def __init__(self, application: QApplication, settings: Settings, theme: Theme, wording: Wording) -> None:
        super().__init__(application)
        self._application, self._settings, self._theme, self._wording = application, settings, theme, wording
        system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        self._latin = system.family()
        self._usual = max(system.pointSizeF(), _SMALLEST_USUAL)

    def apply(self) -> None:
        """Put font and theme in place."""
        self._application.setFont(self._font())
        self._theme.choose(self._settings.theme)

    def choose_theme(self, name: str) -> None:
        """``system``, ``light`` or ``dark``."""
        self._settings.theme = name
        self._theme.choose(name)
        self.changed.emit()

    def choose_language(self, language: str) -> None:
        """A language tag, or the empty text for the system's language."""
        self._settings.language = language
        self._wording.choose(language)
        self.changed.emit()

    def resize_text(self, by: int) -> None:
        """One step larger (1) or smaller (-1); 0 goes back to the usual size."""
        if by == 0:
            self._settings.text_scale = 100
        else:
            larger = [size for size in SIZES if size > self._settings.text_scale]
            smaller = [size for size in SIZES if size < self._settings.text_scale]
            self._settings.text_scale = (larger or [SIZES[-1]])[0] if by > 0 else (smaller or [SIZES[0]])[-1]
        self.apply()
        self.changed.emit()

    def _font(self) -> QFont:
        font = QFont()
        font.setFamilies([self._latin, *CHINESE_FAMILIES])
        font.setPointSizeF(self._usual * self._settings.text_scale / 100)
        font.setFeature(QFont.Tag("tnum"), 1)
        return font
