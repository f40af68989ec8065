"""Everything can be reached with the keyboard, and the lists of keys say what is there."""

import re
from pathlib import Path

import pytest
from fake_source import ENGLISH
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.commands import COMMANDS
from covel_inspector.app.dialogs import TableDialog
from covel_inspector.app.panels.registry import PANELS
from covel_inspector.app.state import Mode
from covel_inspector.app.view_keys import VIEW_KEYS
from covel_inspector.app.window import MainWindow

README = Path(__file__).parents[2] / "README.md"
SHORTCUTS = {command.shortcut for command in COMMANDS if command.shortcut}

INTERACTIVE = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
    QTabBar, QTextEdit,
)  # fmt: skip


@pytest.fixture
def window(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    made = make_window()
    with qtbot.waitSignal(made.inspector.prepared):
        made.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    return made


def test_panels_have_their_keys_in_the_order_of_their_tabs() -> None:
    keys = [command.shortcut for command in COMMANDS if command.id.startswith("panel-")]
    assert keys == [f"Ctrl+Alt+{number}" for number in range(1, len(PANELS) + 1)]


def test_keys_show_every_panel_and_give_it_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    for number, panel in enumerate(PANELS, 1):
        action = window.commands[f"panel-{panel.id}"]
        assert action.shortcut() == QKeySequence(f"Ctrl+Alt+{number}")
        action.trigger()
        assert window.bottom.current == panel.id
        focused = QApplication.focusWidget()
        assert focused is not None
        assert window.bottom.isAncestorOf(focused)


def test_the_four_parts_of_the_window_take_the_keyboard(window: MainWindow) -> None:
    parts = {"focus-story": window.story, "focus-compare": window.compare, "focus-why": window.why,
             "focus-panels": window.bottom}  # fmt: skip
    window.bottom.close_panels()
    for number, (name, part) in enumerate(parts.items(), 1):
        assert window.commands[name].shortcut() == QKeySequence(f"Ctrl+{number}")
        window.commands[name].trigger()
        focused = QApplication.focusWidget()
        assert focused is not None
        assert part.isAncestorOf(focused), name


def test_the_list_of_keys_has_all_of_them(window: MainWindow) -> None:
    window.commands["shortcuts"].trigger()
    dialog = next(child for child in window.findChildren(TableDialog) if child.isVisible())
    shown = [dialog.table.item(row, 0).text() for row in range(dialog.table.rowCount())]
    native = QKeySequence.SequenceFormat.NativeText
    wanted = [QKeySequence(keys).toString(native) for keys in SHORTCUTS]
    wanted += [", ".join(QKeySequence(one).toString(native) for one in key.keys.split(", ")) for key in VIEW_KEYS]
    assert sorted(shown) == sorted(wanted)
    assert all(shown), "a key that Qt does not know would be blank"
    dialog.reject()


def test_the_readme_names_keys_that_are_there() -> None:
    table = README.read_text(encoding="utf-8").partition("| keys | do |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([^`]+)`", table))
    assert len(named) > 15
    assert named <= SHORTCUTS
    assert f"Ctrl+Alt+{len(PANELS)}" in named


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("panel", [panel.id for panel in PANELS])
def test_whatever_can_be_clicked_can_be_reached_by_tab(
    window: MainWindow, qtbot: QtBot, panel: str, mode: Mode
) -> None:
    window.inspector.state.set_mode(mode)
    window.bottom.show_panel(panel)
    qtbot.wait(50)
    shown = [widget for widget in window.findChildren(QWidget) if widget.isVisible() and widget.isEnabled()]
    wanted = [widget for widget in shown if isinstance(widget, INTERACTIVE) and not _is_frame(widget)]
    assert len(wanted) > 10
    unreachable = [widget for widget in wanted if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert [f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}" for widget in unreachable] == []


def _is_frame(widget: QWidget) -> bool:
    """Bars that follow the keyboard by themselves, headings, and the menu of what a narrow toolbar cannot show."""
    return isinstance(widget, QScrollBar | QHeaderView) or widget.objectName() == "qt_toolbar_ext_button"
