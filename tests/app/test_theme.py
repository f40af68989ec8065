"""Colours: complete, readable, and put in place at once."""

import dataclasses
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from covel_inspector.app.theme import Theme, palette
from covel_inspector.app.theme_colours import DARK, LIGHT, Colours, kind_colour
from covel_inspector.domain import Kind

BOTH = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


def luminance(value: str) -> float:
    parts = [int(value[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    bright, dim = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@BOTH
def test_every_colour_is_a_colour(colours: Colours) -> None:
    for entry in dataclasses.fields(colours):
        if entry.type is str and entry.name != "name":
            assert re.fullmatch("#[0-9a-f]{6}", getattr(colours, entry.name)), entry.name


TINTS = ("changed", "added", "removed", "moved", "what_if", "note")
PLAIN = ("ground", "bar", "field", "hover", "selected", "boundary")

READ_ON = {
    "text": (*PLAIN, *TINTS, "word_added", "word_removed"),
    "quiet": (*PLAIN, *TINTS),
    "link": (*PLAIN, *TINTS),
    "good": ("ground", "bar", "selected", "hover"),
    "warning": ("ground", "bar", "selected", "hover", "note"),
    "error": ("ground", "bar", "selected", "hover"),
    "changed_mark": ("ground", "changed", "selected"),
    "added_mark": ("ground", "added", "selected"),
    "removed_mark": ("ground", "removed", "selected"),
    "moved_mark": ("ground", "moved", "selected"),
    "what_if_mark": ("what_if",),
    "on_accent": ("accent",),
}
"""What is written in a colour, and on which grounds it comes to stand."""

DRAWN_ON = {
    "accent": ("ground", "bar", "field", "selected", "hover", "track", *TINTS),
    "map_mark": ("track", "ground"),
    "error": ("track", "ground"),
    "changed_mark": ("track",),
}
"""The same for lines and bars."""


@BOTH
@pytest.mark.parametrize(("ink", "ground"), [(ink, ground) for ink, grounds in READ_ON.items() for ground in grounds])
def test_text_can_be_read_on_its_ground(colours: Colours, ink: str, ground: str) -> None:
    assert contrast(getattr(colours, ink), getattr(colours, ground)) >= 4.5


@BOTH
@pytest.mark.parametrize(("ink", "ground"), [(ink, ground) for ink, grounds in DRAWN_ON.items() for ground in grounds])
def test_lines_can_be_seen_on_their_ground(colours: Colours, ink: str, ground: str) -> None:
    assert contrast(getattr(colours, ink), getattr(colours, ground)) >= 3.0


@BOTH
def test_every_kind_has_a_colour_that_shows_on_the_ground(colours: Colours) -> None:
    for kind in Kind:
        assert contrast(kind_colour(kind), colours.ground) >= 3.0, kind


def test_kinds_that_stand_side_by_side_differ() -> None:
    usual = (Kind.TOOL, Kind.PREAMBLE, Kind.BODY, Kind.WORLD_LORE, Kind.LORE, Kind.EXTENSION, Kind.SUMMARY)
    usual += (Kind.HISTORY, Kind.TURN_CONTEXT, Kind.PLAYER_LINE, Kind.TOOL_CALL)
    colours = [kind_colour(kind) for kind in usual]
    assert len(set(colours)) == len(colours)


@BOTH
def test_palette_leaves_nothing_to_the_platform(colours: Colours) -> None:
    made = palette(colours)
    assert made.color(QPalette.ColorRole.Base).name() == colours.ground
    assert made.color(QPalette.ColorRole.Text).name() == colours.text
    assert made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text).name() == colours.disabled


def test_choosing_a_theme_takes_effect_and_is_told(qapp: QApplication) -> None:
    theme = Theme(qapp, "light")
    told: list[str] = []
    theme.changed.connect(lambda: told.append(theme.colours.name))
    theme.choose("dark")
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == DARK.ground
    assert DARK.accent in qapp.styleSheet()
    theme.choose("light")
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == LIGHT.ground
    theme.choose("mauve")
    assert theme.name == "system"
    assert told[:2] == ["dark", "light"]
    theme.choose("light")
    theme.deleteLater()


def test_system_theme_follows_the_system_live(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    theme = Theme(qapp, "system")
    chosen = Theme(qapp, "light")
    monkeypatch.setattr(Theme, "_resolved", lambda _theme: DARK)
    told: list[Theme] = []
    theme.changed.connect(lambda: told.append(theme))
    chosen.changed.connect(lambda: told.append(chosen))
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.colours is DARK
    assert theme in told
    assert chosen not in told
    monkeypatch.undo()
    theme.choose("light")
    theme.deleteLater()
    chosen.deleteLater()


def test_window_library_survives_many_void_calls(qapp: QApplication) -> None:
    """A release of the Qt binding lost a reference to None with every call that returns nothing, and died of it."""
    from PySide6.QtGui import QTextCursor, QTextDocument

    document = QTextDocument("words")
    cursor = QTextCursor(document)
    for number in range(200_000):
        cursor.setPosition(number % 5)
    assert cursor.position() == 4
