"""Work in the background: one thread for one opened source, numbered requests, late answers dropped.

A source belongs to the thread that opened it, so the thread opens it, does every job on it, and closes it.
Jobs are plain functions of the source; they must not touch a widget. Answers arrive in the window's thread.
"""

import itertools
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot
from shiboken6 import isValid

from covel_inspector.domain import AddressError, Sentence, Source, SourceError, say

SLOW = 300
"""Milliseconds after which the reader is told that something is being worked on."""

PAUSE = 120
"""Milliseconds a reader must rest before a step through a list starts a load."""

_log = logging.getLogger(__name__)


class Cancelled(Exception):  # noqa: N818 - not an error: the reader moved on
    """Raised inside a job to stop it early; nobody is told."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A job that did not come to an answer. ``expected`` means the world's fault; otherwise it is a mistake of ours."""

    sentence: Sentence
    expected: bool = True


class Ticket:
    """Handed to whoever started a job. ``stop`` makes its answer unwanted; a long job may look at ``stopped``."""

    def __init__(self, lane: str) -> None:
        self.lane = lane
        self._stopped = threading.Event()

    @property
    def stopped(self) -> bool:
        """True as soon as nobody waits for the answer any more."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Give up the answer."""
        self._stopped.set()

    def check(self) -> None:
        """Raise Cancelled when stopped."""
        if self.stopped:
            raise Cancelled


@dataclass(slots=True)
class _Request:
    number: int
    job: Callable[..., Any]
    done: Callable[[Any], None]
    failed: Callable[[Failure], None]
    ticket: Ticket
    takes_ticket: bool = field(default=False)


class _Thread(QThread):
    """Opens the source, then takes one request after the other until it is given None."""

    answered = Signal(int, object)
    """Number of the request and its outcome: a value or a Failure in an ``_Outcome``."""

    def __init__(self, opener: Callable[[], Source]) -> None:
        super().__init__()
        self._opener = opener
        self._source: Source | None = None
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()

    def put(self, request: _Request | None) -> None:
        self._requests.put(request)

    def interrupt(self) -> None:
        """Stop the read that runs, so that the thread can end."""
        source = self._source
        if source is not None:
            source.interrupt()

    def run(self) -> None:
        source: Source | None = None
        trouble: Failure | None = None
        try:
            source = self._source = self._opener()
        except BaseException as error:  # noqa: BLE001 - whatever it was, it becomes an answer
            trouble = failure(error)
        while (request := self._requests.get()) is not None:
            if request.ticket.stopped:
                outcome = _Outcome(failure=None, stopped=True)
            elif source is None:
                outcome = _Outcome(failure=trouble)
            else:
                outcome = _do(request, source)
            self.answered.emit(request.number, outcome)
        if source is not None:
            _close(source)


def _close(source: Source) -> None:
    try:
        source.close()
    except Exception as error:  # noqa: BLE001 - nobody waits any more; the thread must end in order
        failure(error)


@dataclass(frozen=True, slots=True)
class _Outcome:
    value: Any = None
    failure: Failure | None = None
    stopped: bool = False


def _do(request: _Request, source: Source) -> _Outcome:
    try:
        value = request.job(source, request.ticket) if request.takes_ticket else request.job(source)
    except Cancelled:
        return _Outcome(stopped=True)
    except BaseException as error:  # noqa: BLE001 - a tokenizer may panic with a BaseException; the thread lives on
        return _Outcome(failure=failure(error))
    return _Outcome(value=value)


def failure(error: BaseException) -> Failure:
    """An error as a value: the world's fault as it says itself, ours with a trace in the log."""
    if isinstance(error, SourceError | AddressError):
        return Failure(error.sentence)
    _log.error("A job failed", exc_info=error)
    return Failure(
        say(
            "Something went wrong in the inspector itself ({kind}: {text}). The log has the details.",
            kind=type(error).__name__,
            text=str(error),
        ),
        expected=False,
    )


class Desk(QObject):
    """One opened source and the work done on it. Lives in the window's thread."""

    busy_changed = Signal(bool)
    """True when work has taken longer than SLOW; False when the last request is answered."""

    def __init__(self, opener: Callable[[], Source], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._open: dict[int, _Request] = {}
        self._busy = False
        self._slow = QTimer(self, singleShot=True, interval=SLOW)
        self._slow.timeout.connect(self._report_busy)
        self._thread: _Thread | None = _Thread(opener)
        self._thread.answered.connect(self._deliver)
        self._thread.start()

    def ask(
        self,
        job: Callable[[Source], Any],
        done: Callable[[Any], None],
        failed: Callable[[Failure], None],
        lane: str = "",
    ) -> Ticket:
        """Do ``job`` in the source's thread, then call ``done`` with its value or ``failed`` with a Failure, here.

        A request in a named lane makes the earlier ones of that lane unwanted: those not begun are skipped, and the
        answer of a running one is dropped. Requests without a lane are all answered.
        """
        return self._put(job, done, failed, lane, takes_ticket=False)

    def ask_patiently(
        self,
        job: Callable[[Source, Ticket], Any],
        done: Callable[[Any], None],
        failed: Callable[[Failure], None],
        lane: str,
    ) -> Ticket:
        """Like :meth:`ask`, for a long job that looks at its ticket and stops when nobody waits any more."""
        return self._put(job, done, failed, lane, takes_ticket=True)

    @property
    def is_idle(self) -> bool:
        """True while nothing is asked."""
        return not self._open

    def cancel(self, lane: str) -> None:
        """Make everything asked in a lane unwanted."""
        for request in self._open.values():
            if request.ticket.lane == lane:
                request.ticket.stop()

    def close(self) -> None:
        """Drop all requests, close the source and wait until its thread has ended. Idempotent."""
        if self._thread is None:
            return
        for request in self._open.values():
            request.ticket.stop()
        self._thread.put(None)
        self._thread.interrupt()
        self._thread.wait()
        self._thread.answered.disconnect(self._deliver)
        self._thread = None
        self._open.clear()
        self._slow.stop()
        self._set_busy(busy=False)

    def _put(
        self,
        job: Callable[..., Any],
        done: Callable[[Any], None],
        failed: Callable[[Failure], None],
        lane: str,
        *,
        takes_ticket: bool,
    ) -> Ticket:
        if lane:
            self.cancel(lane)
        request = _Request(next(self._numbers), job, done, failed, Ticket(lane), takes_ticket)
        if self._thread is None:
            request.ticket.stop()
            return request.ticket
        self._open[request.number] = request
        self._thread.put(request)
        if not self._busy and not self._slow.isActive():
            self._slow.start()
        return request.ticket

    @Slot(int, object)
    def _deliver(self, number: int, outcome: _Outcome) -> None:
        request = self._open.pop(number, None)
        if not self._open:
            self._slow.stop()
            self._set_busy(busy=False)
        if request is None or outcome.stopped or request.ticket.stopped:
            return
        if outcome.failure is not None:
            _call(request.failed, outcome.failure)
        else:
            _call(request.done, outcome.value)

    @Slot()
    def _report_busy(self) -> None:
        self._set_busy(busy=True)

    def _set_busy(self, *, busy: bool) -> None:
        if busy is not self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)


def _call(receiver: Callable[[Any], None], value: object) -> None:
    """A widget that was closed in the meantime gets nothing."""
    owner = getattr(receiver, "__self__", None)
    if isinstance(owner, QObject) and not isValid(owner):
        return
    receiver(value)


class Settling(QObject):
    """Waits until the reader rests: many ``touch`` calls in a row give one ``settled``."""

    settled = Signal()

    def __init__(self, parent: QObject | None = None, pause: int = PAUSE) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True, interval=pause)
        self._timer.timeout.connect(self.settled)

    @property
    def is_waiting(self) -> bool:
        """True between a touch and the settling that follows it."""
        return self._timer.isActive()

    def touch(self) -> None:
        """Something changed; start waiting anew."""
        self._timer.start()

    def stop(self) -> None:
        """Forget what changed."""
        self._timer.stop()
