"""No text of the panels is cut or elided in a window of 1280 by 800, in either language."""

from pathlib import Path

import pytest
from cut_texts import cut_texts
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.compare.hatch import HatchedNotice
from covel_inspector.app.panels.registry import PANELS
from covel_inspector.app.pills import ElidedLine, WrappedLine
from covel_inspector.app.settings import Settings
from covel_inspector.app.start import open_source
from covel_inspector.app.state import Mode
from covel_inspector.app.window import MainWindow

DATA = Path(__file__).parent.parent / "data"
STORIES = {"tidewater": ":8:tide-narrator:0", "emberwatch": ":13:narrator:0"}


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the panel has its answer and the layout came to rest."""
    qtbot.waitUntil(lambda: window.bottom.panel is not None and not window.bottom.panel.is_waiting, timeout=20_000)
    qtbot.wait(20)


@pytest.fixture(params=["en", "zh-CN"])
def window(make_window: MakeWindow, request: pytest.FixtureRequest) -> MainWindow:
    settings = Settings(language=request.param, theme="light", width=1280, height=800)
    return make_window(settings, open_source)


@pytest.mark.parametrize("story", STORIES)
def test_panels_show_their_texts_whole(window: MainWindow, qtbot: QtBot, story: str) -> None:
    session = "fdec65" if story == "tidewater" else ""
    with qtbot.waitSignal(window.inspector.prepared, timeout=20_000):
        window.open(str(DATA / f"{story}.db"), str(DATA / "sample-root"), session + STORIES[story])
    found = []
    for spec in PANELS:
        window.bottom.show_panel(spec.id)
        settle(window, qtbot)
        found += [f"{spec.id}: {line}" for line in cut_texts(window.bottom)]
    assert not found, "\n".join(found)


def test_the_toolbar_and_the_bodies_show_their_texts_whole(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.inspector.prepared, timeout=20_000):
        window.open(str(DATA / "tidewater.db"), str(DATA / "sample-root"), "fdec65:8:harbor-clerk/ledger:0")
    with qtbot.waitSignal(window.wire.read, timeout=20_000):
        window.inspector.state.set_mode(Mode.WIRE)
    window.bottom.set_open(is_open=False)
    qtbot.wait(20)
    for width in (1280, 1024):
        window.resize(width, 800)
        qtbot.wait(20)
        assert not cut_texts(window.tool_bar)
        assert window.tool_bar.wire.mapTo(window, window.tool_bar.wire.rect().bottomRight()).x() < width
        assert not cut_texts(window.compare.wire)


def test_cut_texts_are_found(qtbot: QtBot) -> None:
    frame = QWidget()
    qtbot.addWidget(frame)
    column = QVBoxLayout(frame)
    label, line = QLabel("a text that needs rather much room"), ElidedLine()
    line.say("a line that needs rather much room")
    label.setMinimumWidth(0)
    label.setFixedWidth(40)
    line.setFixedWidth(40)
    column.addWidget(label)
    column.addWidget(line)
    frame.show()
    found = cut_texts(frame)
    assert len(found) == 2
    assert "is elided" in found[1]
    line.say("a line that needs rather much room", "ok")
    assert not line.is_elided
    assert "rather much" in line.toolTip()


def test_a_wrapped_line_is_as_high_as_its_text(qtbot: QtBot) -> None:
    line = WrappedLine()
    qtbot.addWidget(line)
    line.say("several words that do not fit into one line of so little width")
    assert line.heightForWidth(2000) == line.sizeHint().height()
    assert line.heightForWidth(120) > 2 * line.sizeHint().height()


def test_a_notice_in_a_low_pane_begins_at_its_beginning_and_has_a_tip(qtbot: QtBot) -> None:
    notice = HatchedNotice()
    qtbot.addWidget(notice)
    notice.say("Side A has no such segment.\nleft out: no key stands in the player's line or the last two messages")
    notice.resize(400, 200)
    notice.show()
    assert not notice.is_cut
    assert not notice.toolTip()
    notice.resize(200, 30)
    assert notice.is_cut
    assert "no key stands" in notice.toolTip()
