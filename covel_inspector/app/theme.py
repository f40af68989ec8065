"""Light, dark and system: palette and style sheet, and the signal when they change."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from covel_inspector.app.theme_colours import DARK, LIGHT, Colours, kind_colour
from covel_inspector.app.theme_sheet import style_sheet
from covel_inspector.domain import Kind

SYSTEM = "system"
THEME_NAMES = (SYSTEM, LIGHT.name, DARK.name)

UNIT = 8
"""Pixels of the grid: gaps and insets are multiples of it, or half of it."""


def colour(value: str, alpha: int = 255) -> QColor:
    """A colour value as Qt's; ``alpha`` 0 to 255."""
    made = QColor(value)
    made.setAlpha(alpha)
    return made


def kind_qcolour(kind: Kind) -> QColor:
    """The colour of a segment kind, for painting."""
    return QColor(kind_colour(kind))


class Theme(QObject):
    """The theme in force. ``changed`` is emitted after palette and style sheet are in place."""

    changed = Signal()

    def __init__(self, application: QApplication, name: str = SYSTEM) -> None:
        super().__init__(application)
        self._application = application
        self._name = name
        self._colours = self._resolved()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)

    @property
    def name(self) -> str:
        """``system``, ``light`` or ``dark``: what the user chose."""
        return self._name

    @property
    def colours(self) -> Colours:
        """The colours in force."""
        return self._colours

    def choose(self, name: str) -> None:
        """Switch to one of THEME_NAMES; anything else means system."""
        self._name = name if name in THEME_NAMES else SYSTEM
        self.apply()

    def apply(self) -> None:
        """Put palette and style sheet in place and tell everybody."""
        self._colours = self._resolved()
        self._application.setStyle("Fusion")
        self._application.setPalette(palette(self._colours))
        self._application.setStyleSheet(style_sheet(self._colours, self._application.font().pointSizeF()))
        self.changed.emit()

    def _resolved(self) -> Colours:
        if self._name == SYSTEM:
            dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
            return DARK if dark else LIGHT
        return DARK if self._name == DARK.name else LIGHT

    def _system_changed(self) -> None:
        if self._name == SYSTEM:
            self.apply()


def palette(colours: Colours) -> QPalette:
    """A full palette: nothing is left to the platform, so a theme looks the same everywhere."""
    role = QPalette.ColorRole
    made = QPalette()
    for which, value in {
        role.Window: colours.bar,
        role.WindowText: colours.text,
        role.Base: colours.ground,
        role.AlternateBase: colours.bar,
        role.ToolTipBase: colours.ground,
        role.ToolTipText: colours.text,
        role.PlaceholderText: colours.quiet,
        role.Text: colours.text,
        role.Button: colours.field,
        role.ButtonText: colours.text,
        role.BrightText: colours.error,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Link: colours.link,
        role.LinkVisited: colours.link,
        role.Light: colours.ground,
        role.Midlight: colours.grid,
        role.Mid: colours.border,
        role.Dark: colours.quiet,
        role.Shadow: colours.border,
        role.Accent: colours.accent,
    }.items():
        made.setColor(which, QColor(value))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.disabled))
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(colours.border))
    return made
