"""The tab key walks in the order of reading, stops at every control, and each stop can be seen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from covel_inspector.app.link_label import LinkLabel
from covel_inspector.app.state import Mode
from covel_inspector.app.tab_order import follow_order
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Changes


def stops(window: MainWindow, qtbot: QtBot, first: QWidget) -> list[QWidget]:
    """Where the tab key leads, from a widget on until it comes back."""
    first.setFocus(Qt.FocusReason.TabFocusReason)
    found: list[QWidget] = []
    for _ in range(200):
        widget = QApplication.focusWidget()
        if widget in found[:1]:
            return found
        if not found or widget is not found[-1]:
            found.append(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    raise AssertionError([type(one).__name__ for one in found])


def show_panel(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.bottom.show_panel(name)
    qtbot.waitUntil(lambda: window.bottom.panel is not None and not window.bottom.panel.is_waiting)


def bring_into_sight(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()


def in_order(found: list[QWidget], *wanted: QWidget) -> bool:
    places = [found.index(one) for one in wanted]
    return places == sorted(places)


def test_links_of_the_reasons_come_before_the_panels(opened: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(opened.why.findChildren(LinkLabel)))
    found = stops(opened, qtbot, opened.story.view)
    links = [one for one in found if isinstance(one, LinkLabel) and opened.why.isAncestorOf(one)]
    assert links
    assert in_order(found, opened.compare.tree, *links, opened.bottom.tabs, opened.bottom.close_button)


def test_fields_above_a_list_come_before_it(opened: MainWindow, qtbot: QtBot) -> None:
    show_panel(opened, qtbot, "lorebook")
    panel = opened.bottom.panel
    found = stops(opened, qtbot, opened.story.view)
    assert in_order(found, opened.bottom.close_button, panel.line, panel.filter, panel.list, panel.page_view)


def test_steps_of_the_budget_come_before_its_controls(opened: MainWindow, qtbot: QtBot) -> None:
    show_panel(opened, qtbot, "budget")
    with qtbot.waitSignal(opened.inspector.prepared):
        opened.inspector.state.set_changes(Changes(window=1010, reserve=1000))
    panel = opened.bottom.panel
    qtbot.waitUntil(lambda: bool(panel.steps.rows) and panel.steps.rows[0].isVisible())
    found = stops(opened, qtbot, opened.story.view)
    assert in_order(found, opened.bottom.close_button, panel.steps.rows[0], panel.controls.window_slider)


def test_choosers_and_both_bodies_are_reached(opened: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(opened.wire.read):
        opened.inspector.state.set_mode(Mode.WIRE)
    wire = opened.compare.wire
    found = stops(opened, qtbot, opened.story.view)
    assert in_order(found, opened.story.view, wire.source, wire.protocol, wire.a.edit, wire.b.edit)


def test_both_sides_of_read_are_reached(opened: MainWindow, qtbot: QtBot) -> None:
    opened.inspector.state.set_mode(Mode.READ)
    found = stops(opened, qtbot, opened.story.view)
    assert in_order(found, opened.story.view, opened.compare.read.a, opened.compare.read.b)


@pytest.mark.parametrize("panel", ["cache", "budget", "lorebook", "plugins", "problems"])
def test_every_stop_can_be_seen(opened: MainWindow, qtbot: QtBot, panel: str) -> None:
    show_panel(opened, qtbot, panel)
    window = opened
    for stop in stops(window, qtbot, window.story.view):
        if not isValid(stop):
            continue  # A page was drawn anew meanwhile, because more is known.
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        bring_into_sight(stop)
        qtbot.wait(1)
        focused = window.grab().toImage()
        stop.clearFocus()
        qtbot.wait(1)
        assert window.grab().toImage() != focused, (type(stop).__name__, stop.accessibleName())


def test_tab_comes_to_the_first_link_and_back_to_the_last(qtbot: QtBot) -> None:
    frame = QWidget()
    qtbot.addWidget(frame)
    field = QLineEdit(frame)
    label = LinkLabel('<a href="1">one</a> <a href="2">two</a>', ("one", "two"), frame)
    frame.show()
    frame.activateWindow()
    qtbot.waitUntil(frame.isActiveWindow)
    field.setFocus()
    label.setFocus(Qt.FocusReason.TabFocusReason)
    assert label.selectedText() == "one"
    field.setFocus()
    label.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert label.selectedText() == "two"
    assert label.accessibleName() == "one\ntwo"


def test_parts_of_two_windows_keep_their_orders(qtbot: QtBot) -> None:
    first, second = QWidget(), QWidget()
    for window in (first, second):
        qtbot.addWidget(window)
    before = first.nextInFocusChain()
    follow_order(first, second)
    assert first.nextInFocusChain() is before
