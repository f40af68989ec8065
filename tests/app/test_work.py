"""Work in the background: order, lanes, late answers, failures as values, and a clean end."""

import threading

import pytest
from fake_source import FakeSource, fake_source
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from covel_inspector.app.work import Cancelled, Desk, Failure, Settling, Ticket, failure
from covel_inspector.domain import AddressError, Source, SourceError, say


class Receiver(QObject):
    """Keeps answers, and the thread they came in."""

    def __init__(self) -> None:
        super().__init__()
        self.values: list[object] = []
        self.failures: list[Failure] = []
        self.threads: set[int] = set()

    def done(self, value: object) -> None:
        self.values.append(value)
        self.threads.add(threading.get_ident())

    def failed(self, failure: Failure) -> None:
        self.failures.append(failure)


@pytest.fixture
def source() -> FakeSource:
    return fake_source()


@pytest.fixture
def desk(source: FakeSource, qtbot: QtBot):
    made = Desk(lambda: source)
    yield made
    made.close()


def test_answers_come_in_order_and_in_the_window_thread(desk: Desk, qtbot: QtBot) -> None:
    receiver = Receiver()
    for number in range(5):
        desk.ask(lambda _source, number=number: (number, threading.get_ident()), receiver.done, receiver.failed)
    qtbot.waitUntil(lambda: len(receiver.values) == 5)
    assert [number for number, _ in receiver.values] == [0, 1, 2, 3, 4]
    assert receiver.threads == {threading.get_ident()}
    assert threading.get_ident() not in {thread for _, thread in receiver.values}


def test_source_is_opened_used_and_closed_in_one_other_thread(source: FakeSource, qtbot: QtBot) -> None:
    seen: list[int] = []
    receiver = Receiver()
    close = source.close
    source.close = lambda: (seen.append(threading.get_ident()), close())[-1]  # type: ignore[method-assign]  # Watched.

    def opener() -> Source:
        seen.append(threading.get_ident())
        return source

    desk = Desk(opener)
    desk.ask(lambda _source: seen.append(threading.get_ident()), receiver.done, receiver.failed)
    qtbot.waitUntil(lambda: len(receiver.values) == 1)
    desk.close()
    assert source.closed
    assert len(seen) == 3
    assert len(set(seen)) == 1
    assert threading.get_ident() not in seen


def test_newer_request_of_a_lane_wins_over_a_running_and_a_waiting_one(desk: Desk, qtbot: QtBot) -> None:
    receiver = Receiver()
    begun, go = threading.Event(), threading.Event()
    ran: list[str] = []

    def slow(_source: Source) -> str:
        begun.set()
        go.wait(5)
        return "late"

    def waiting(_source: Source) -> str:
        ran.append("waiting")
        return "waiting"

    desk.ask(slow, receiver.done, receiver.failed, "lane")
    assert begun.wait(5)
    desk.ask(waiting, receiver.done, receiver.failed, "lane")
    desk.ask(lambda _source: "newest", receiver.done, receiver.failed, "lane")
    go.set()
    qtbot.waitUntil(lambda: bool(receiver.values))
    assert receiver.values == ["newest"]
    assert ran == []


def test_long_job_sees_that_nobody_waits(desk: Desk, qtbot: QtBot) -> None:
    receiver = Receiver()
    begun, ended = threading.Event(), threading.Event()

    def patient(_source: Source, ticket: Ticket) -> None:
        begun.set()
        try:
            while True:
                ticket.check()
        except Cancelled:
            ended.set()
            raise

    desk.ask_patiently(patient, receiver.done, receiver.failed, "lane")
    assert begun.wait(5)
    desk.cancel("lane")
    assert ended.wait(5)
    desk.ask(lambda _source: "after", receiver.done, receiver.failed)
    qtbot.waitUntil(lambda: bool(receiver.values))
    assert receiver.values == ["after"]
    assert receiver.failures == []


@pytest.mark.parametrize("error", [SourceError("The file is torn."), AddressError("The file is torn.")])
def test_world_fault_is_an_answer(desk: Desk, qtbot: QtBot, error: Exception) -> None:
    receiver = Receiver()

    def job(_source: Source) -> None:
        raise error

    desk.ask(job, receiver.done, receiver.failed)
    qtbot.waitUntil(lambda: bool(receiver.failures))
    assert receiver.failures[0].expected
    assert str(receiver.failures[0].sentence) == "The file is torn."


def test_own_mistake_is_an_answer_and_the_thread_lives_on(
    desk: Desk, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    receiver = Receiver()

    class Panic(BaseException):
        pass

    def job(_source: Source) -> None:
        raise Panic("deep inside")

    desk.ask(job, receiver.done, receiver.failed)
    desk.ask(lambda _source: "still here", receiver.done, receiver.failed)
    qtbot.waitUntil(lambda: bool(receiver.values))
    assert not receiver.failures[0].expected
    assert "deep inside" in str(receiver.failures[0].sentence)
    assert "deep inside" in caplog.text


def test_file_that_cannot_be_opened_answers_every_request(qtbot: QtBot) -> None:
    receiver = Receiver()

    def opener() -> Source:
        raise SourceError("'story.db' is no database.")

    desk = Desk(opener)
    desk.ask(lambda source: source.facts(), receiver.done, receiver.failed)
    desk.ask(lambda source: source.sessions(), receiver.done, receiver.failed)
    qtbot.waitUntil(lambda: len(receiver.failures) == 2)
    desk.close()
    assert receiver.values == []


def test_close_drops_what_waits_and_is_idempotent(source: FakeSource, qtbot: QtBot) -> None:
    receiver = Receiver()
    desk = Desk(lambda: source)
    begun, go = threading.Event(), threading.Event()
    desk.ask(lambda _source: (begun.set(), go.wait(5)), receiver.done, receiver.failed)
    desk.ask(lambda _source: "never", receiver.done, receiver.failed)
    assert begun.wait(5)
    go.set()
    desk.close()
    desk.close()
    assert desk.ask(lambda _source: "too late", receiver.done, receiver.failed).stopped
    qtbot.wait(20)
    assert receiver.values == []
    assert source.closed


def test_busy_is_told_after_a_while_and_taken_back(desk: Desk, qtbot: QtBot) -> None:
    receiver = Receiver()
    go = threading.Event()
    with qtbot.waitSignal(desk.busy_changed, check_params_cb=lambda busy: busy):
        desk.ask(lambda _source: go.wait(5), receiver.done, receiver.failed)
    with qtbot.waitSignal(desk.busy_changed, check_params_cb=lambda busy: not busy):
        go.set()


def test_many_touches_settle_once(qtbot: QtBot) -> None:
    settling = Settling(pause=30)
    counted: list[int] = []
    settling.settled.connect(lambda: counted.append(1))
    for _ in range(20):
        settling.touch()
    with qtbot.waitSignal(settling.settled):
        settling.touch()
    qtbot.wait(60)
    assert len(counted) == 1
    settling.touch()
    settling.stop()
    qtbot.wait(60)
    assert len(counted) == 1


def test_closing_stops_a_read_that_runs(source: FakeSource, qtbot: QtBot) -> None:
    desk = Desk(lambda: source)
    running = threading.Event()
    receiver = Receiver()

    def endless(opened: Source) -> None:
        running.set()
        while not source.interrupted:
            pass
        raise SourceError(str(opened.location))

    desk.ask(endless, receiver.done, receiver.failed)
    assert running.wait(5)
    desk.close()
    assert source.closed


def test_world_fault_keeps_its_sentence_for_translation() -> None:
    for error in (SourceError(say("no {what}", what="file")), AddressError(say("no {what}", what="file"))):
        assert failure(error).sentence == say("no {what}", what="file")
