"""The first of several quick steps is shown at once, the last one when the reader rests."""

from pytestqt.qtbot import QtBot

from covel_inspector.app.pacing import Steps


def test_single_step_is_due_at_once(qtbot: QtBot) -> None:
    steps = Steps(burst=10_000)
    with qtbot.waitSignal(steps.due, timeout=1_000):
        steps.touch()
        assert steps.is_waiting
    assert not steps.is_waiting


def test_what_is_changed_in_one_go_is_one_step(qtbot: QtBot) -> None:
    steps, due = Steps(burst=20), []
    steps.due.connect(lambda: due.append(1))
    for _ in range(20):
        steps.touch()
    qtbot.wait(80)
    assert due == [1]


def test_steps_that_follow_quickly_are_shown_at_rest(qtbot: QtBot) -> None:
    steps, due = Steps(burst=60), []
    steps.due.connect(lambda: due.append(1))
    with qtbot.waitSignal(steps.due):
        steps.touch()
    for _ in range(10):
        steps.touch()
        qtbot.wait(5)
    assert due == [1]
    assert steps.is_waiting
    with qtbot.waitSignal(steps.due):
        pass
    qtbot.wait(100)
    assert due == [1, 1]


def test_step_after_a_rest_is_a_first_one_again(qtbot: QtBot) -> None:
    steps = Steps(burst=20)
    with qtbot.waitSignal(steps.due):
        steps.touch()
    qtbot.wait(60)
    with qtbot.waitSignal(steps.due):
        steps.touch()


def test_stopped_steps_are_forgotten(qtbot: QtBot) -> None:
    steps, due = Steps(burst=10), []
    steps.due.connect(lambda: due.append(1))
    steps.touch()
    steps.stop()
    assert not steps.is_waiting
    qtbot.wait(40)
    assert due == []
