"""Texts of strangers in widgets that would otherwise read them as rich text."""

import re
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

_LONG = re.compile(r"[!-~]{12}")
_RANGE = re.compile(r"(\d–)(?=\d)")
_SIGNS = re.compile(r"([/\\_.:@-])(?=[^\s])")


def tip(text: str) -> str:
    """A text as a tool tip that shows it as it is; long ones wrap."""
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if text else ""


def label(text: str = "", tone: str = "", *, selectable: bool = False) -> QLabel:
    """A label that never reads its text as markup. ``tone`` is one of the style sheet's."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    made.setIndent(0)
    if tone:
        made.setProperty("tone", tone)
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        made.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    return made


def flowing(made: QLabel) -> QLabel:
    """The label as wide as its place, however long its words are."""
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return made


def breakable(text: str) -> str:
    """The text with invisible places where long names, paths and ranges may break: to be shown, never copied out."""
    text = _RANGE.sub("\\1\u200b", text)
    return _SIGNS.sub("\\1\u200b", text) if _LONG.search(text) else text


def breakable_label(text: str, tone: str = "") -> QLabel:
    """A label in which long names may break. It can be selected only where nothing invisible was put in."""
    shown = breakable(text)
    return flowing(label(shown, tone, selectable=shown == text))
