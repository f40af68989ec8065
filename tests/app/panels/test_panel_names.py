"""Everything in the explaining panels that takes the keyboard has a name, in both languages."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QLineEdit
from pytestqt.qtbot import QtBot

from covel_inspector.app.window import MainWindow

PANELS = ("lorebook", "plugins", "template", "problems")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("identifier", PANELS)
def test_everything_has_a_name(opened: MainWindow, qtbot: QtBot, identifier: str, language: str) -> None:
    opened.look.choose_language(language)
    opened.bottom.show_panel(identifier)
    panel = opened.bottom.panel
    qtbot.waitUntil(lambda: panel.pages.currentWidget() is panel.content and panel.bar.isHidden())
    named = 0
    for kind in (QAbstractButton, QLineEdit, QAbstractScrollArea):
        for widget in panel.findChildren(kind):
            if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                assert widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()), widget
                named += 1
    assert named >= 2


@pytest.mark.parametrize("identifier", PANELS)
def test_the_keyboard_reaches_the_page_and_comes_back(opened: MainWindow, qtbot: QtBot, identifier: str) -> None:
    opened.bottom.show_panel(identifier)
    panel = opened.bottom.panel
    qtbot.waitUntil(lambda: bool(panel.list.listed.rows))
    panel.focus_panel()
    assert panel.list.hasFocus()
    seen = set()
    for _ in range(60):
        focused = opened.focusWidget()
        seen.add(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        if opened.focusWidget() is panel.list:
            break
    assert opened.focusWidget() is panel.list
    beside = panel.text if identifier == "template" else panel.page_view
    assert any(widget is beside or beside.isAncestorOf(widget) for widget in seen)
