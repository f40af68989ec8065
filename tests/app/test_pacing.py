"""A drag is followed all the way: one piece of work at a time, always the latest, and no answer is starved."""

from pytestqt.qtbot import QtBot

from covel_inspector.app.pacing import Pacing


def pacing(due: list[int]) -> Pacing:
    made = Pacing(beat=1)
    made.due.connect(lambda: due.append(len(due)))
    return made


def test_many_touches_give_one_piece(qtbot: QtBot) -> None:
    due: list[int] = []
    made = pacing(due)
    with qtbot.waitSignal(made.due):
        for _ in range(20):
            made.touch()
    qtbot.wait(20)
    assert due == [0]


def test_a_touch_during_work_gives_another_piece_when_it_is_done(qtbot: QtBot) -> None:
    due: list[int] = []
    made = pacing(due)
    with qtbot.waitSignal(made.due):
        made.touch()
    made.touch()
    made.touch()
    qtbot.wait(20)
    assert due == [0]
    with qtbot.waitSignal(made.due):
        made.finish()
    made.finish()
    qtbot.wait(20)
    assert due == [0, 1]


def test_stopping_forgets_both(qtbot: QtBot) -> None:
    due: list[int] = []
    made = pacing(due)
    made.touch()
    made.stop()
    qtbot.wait(20)
    assert due == []
    with qtbot.waitSignal(made.due):
        made.touch()
    made.touch()
    made.stop()
    made.finish()
    qtbot.wait(20)
    assert due == [0]
