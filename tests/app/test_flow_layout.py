"""Widgets in lines that go on below each other."""

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from covel_inspector.app.flow_layout import FlowLayout


def frame_with(qtbot: QtBot, count: int) -> tuple[QWidget, list[QPushButton]]:
    frame = QWidget()
    qtbot.addWidget(frame)
    flow = FlowLayout(8, 4, frame)
    buttons = []
    for number in range(count):
        button = QPushButton(f"button {number}")
        button.setFixedSize(100, 20)
        flow.addWidget(button)
        buttons.append(button)
    return frame, buttons


def test_what_does_not_fit_goes_on_in_the_next_line(qtbot: QtBot) -> None:
    frame, buttons = frame_with(qtbot, 3)
    frame.resize(220, 60)
    frame.show()
    assert [(button.x(), button.y()) for button in buttons] == [(0, 0), (108, 0), (0, 24)]
    frame.resize(400, 60)
    qtbot.waitUntil(lambda: buttons[2].y() == 0)
    assert buttons[2].x() == 216


def test_a_narrow_row_asks_for_more_height(qtbot: QtBot) -> None:
    frame, _ = frame_with(qtbot, 3)
    flow = frame.layout()
    assert flow.sizeHint().width() == 316
    assert flow.heightForWidth(400) == 20
    assert flow.heightForWidth(220) == 44
    assert flow.heightForWidth(100) == 68
    assert flow.minimumSize().width() == 100


def test_hidden_widgets_take_no_room(qtbot: QtBot) -> None:
    frame, buttons = frame_with(qtbot, 3)
    frame.resize(400, 60)
    frame.show()
    buttons[0].hide()
    qtbot.waitUntil(lambda: buttons[1].x() == 0)


def test_widgets_can_be_taken_out(qtbot: QtBot) -> None:
    frame, buttons = frame_with(qtbot, 2)
    flow = frame.layout()
    flow.removeWidget(buttons[0])
    assert flow.count() == 1
    assert flow.itemAt(0).widget() is buttons[1]
    assert flow.itemAt(5) is None
    assert flow.takeAt(5) is None
