"""What a panel at the bottom of the window is, and all that panels have in common.

How to write one. Subclass :class:`Panel`; build the widgets in ``__init__`` and hand them to :meth:`Panel.set_content`.
Then override what applies:

- :meth:`Panel.wanted`: from the state (``self.inspector.state``) to a :class:`Work` (a key and a job), or to a Sentence
  that explains why there is nothing to show. It is asked whenever the reader moves, and only while the tab is visible;
  equal keys mean that the answer shown is still right, so put into the key all that the answer depends on.
- the job of the Work runs in the panels' thread, on a source of its own, so that it never delays the request above. It
  must touch no widget. It gets a :class:`Watch`: call ``watch.check()`` between steps (it raises Cancelled as soon as
  nobody waits), and ``watch.tell(share)`` to move the progress bar, which shows from 300 ms on.
- :meth:`Panel.show_answer`: the job's value, in the window's thread.
- :meth:`Panel.show_place`: cheap things that follow the reader without new data, such as the outline of the turn.
- :meth:`Panel.apply_theme`, :meth:`Panel.apply_wording`: colours and language changed (both are also called once at the
  beginning, by the dock).
- :meth:`Panel.export_state`, :meth:`Panel.apply_state`: plain values that are kept in the settings.

Signals that move the rest of the window: ``address_wanted`` (text form of an address), ``place_wanted`` (address, and
a Place in its recorded request, or the key of a segment), ``command_wanted`` (a command's id), ``noticed`` (a Sentence
for the status bar), ``badge_changed`` (a short text behind the tab's title, such as a number of problems),
``link_wanted`` (a :class:`~covel_inspector.app.page.Link` of any kind).
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.plain_text import label
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.app.work import SLOW, Desk, Failure, Settling, Ticket, failure
from covel_inspector.domain import Sentence, Source, say


class Watch:
    """Handed to a panel's job, in the panels' thread."""

    def __init__(self, ticket: Ticket, told: Callable[[float], None]) -> None:
        self._ticket = ticket
        self._told = told

    @property
    def stopped(self) -> bool:
        """True as soon as nobody waits for the answer any more."""
        return self._ticket.stopped

    def check(self) -> None:
        """Raise Cancelled when nobody waits any more."""
        self._ticket.check()

    def tell(self, share: float) -> None:
        """How much is done, 0.0 to 1.0. Also checks."""
        self.check()
        self._told(share)


@dataclass(frozen=True, slots=True)
class Work:
    """What a panel wants to know. Equal keys have equal answers, as long as the same source is open."""

    key: Hashable
    job: Callable[[Source, Watch], Any]


class _Teller(QObject):
    """Lives in the window's thread; a job in another thread emits its signal."""

    told = Signal(float)


class Panel(QWidget):
    """Base of all panels; the module's text says how to write one."""

    address_wanted = Signal(str)
    place_wanted = Signal(str, object)
    command_wanted = Signal(str)
    noticed = Signal(object)
    badge_changed = Signal(str)
    link_wanted = Signal(object)

    keeps_content = False
    """True for a panel that shows what it knows already while it waits for more."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspector, self.wording, self.theme = inspector, wording, theme
        self._active = False
        self._shown: Hashable = None
        self._asked: Work | None = None
        self._notice: Sentence | None = None
        self._desk: Desk | None = None
        self._focused: QWidget | None = None
        """What had the keyboard when a notice took the place of the content; it gets it back."""
        self.notice = label(tone="quiet")
        self.notice.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedHeight(UNIT // 2)
        self.pages = QStackedWidget()
        self.content: QWidget = QWidget()
        self._teller = _Teller(self)
        self._settling = Settling(self)
        self._slow = QTimer(self, singleShot=True, interval=SLOW)
        self._arrange()
        self._teller.told.connect(self._show_share)
        self._settling.settled.connect(self._ask)
        self._slow.timeout.connect(self._show_waiting)
        state = inspector.state
        state.source_changed.connect(self.forget)
        for signal in (state.spot_changed, state.target_changed, inspector.prepared):
            signal.connect(self.follow)
        state.lists_changed.connect(self.follow)
        for signal in (inspector.prepared, inspector.preparing_failed):
            signal.connect(self._ask_after_request)

    # To override

    def wanted(self) -> Work | Sentence | None:
        """What is to be asked for the place; a Sentence when nothing can be; None: nothing is asked, all is there."""
        return None

    def show_answer(self, answer: Any) -> None:
        """Show the value that the job gave."""

    def show_place(self) -> None:
        """Follow the reader with what is known already."""

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""

    def apply_wording(self) -> None:
        """Say all texts again."""

    def export_state(self) -> dict[str, object]:
        """Plain values to be kept in the settings."""
        return {}

    def apply_state(self, values: dict[str, Any]) -> None:
        """Put back what :meth:`export_state` gave; anything damaged or unknown is left as it is."""

    def choose_item(self, item: str) -> None:
        """Show the item that a link from elsewhere names, now or as soon as it is known."""

    def key_order(self) -> tuple[QWidget, ...]:
        """The parts that the tab key walks through, where that is another order than the one they were made in."""
        return ()

    def focus_panel(self) -> None:
        """Take the keyboard."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # For subclasses

    def set_content(self, content: QWidget) -> None:
        """The widget that shows answers."""
        self.pages.removeWidget(self.content)
        self.content = content
        self.pages.addWidget(content)

    def say_nothing(self, why: Sentence) -> None:
        """Show a sentence in place of the content, until the next answer."""
        focused = QApplication.focusWidget()
        if focused is not None and self.content.isAncestorOf(focused):
            self._focused = focused
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._notice = why
        self.notice.setText(self.wording.text(why))
        self.pages.setCurrentIndex(0)

    def show_content(self) -> None:
        """Show the content again."""
        self._notice = None
        self.pages.setCurrentWidget(self.content)
        if self._focused is not None and self.hasFocus():
            self._focused.setFocus(Qt.FocusReason.OtherFocusReason)
        self._focused = None

    # What the dock calls

    @property
    def is_active(self) -> bool:
        """True while the panel's tab is the visible one."""
        return self._active

    @property
    def is_waiting(self) -> bool:
        """True while an answer is on its way."""
        return self._slow.isActive() or not self.bar.isHidden()

    def set_active(self, *, active: bool) -> None:
        """The panel's tab became visible, or is hidden now. A hidden panel asks for nothing."""
        if active is self._active:
            return
        self._active = active
        if active:
            self.follow()
        else:
            self._stop()

    def say_again(self) -> None:
        """The language changed."""
        if self._notice is not None:
            self.notice.setText(self.wording.text(self._notice))
        self.apply_wording()

    @Slot()
    def forget(self) -> None:
        """Whatever was answered holds no longer: another source is open, or the file has changed."""
        self._stop()
        self._shown = None
        self.follow()

    @Slot()
    def follow(self) -> None:
        """The reader moved, or something was read: show it, and ask what is not known yet."""
        if not self._active:
            return
        self.show_place()
        wanted = self.wanted() if self.inspector.desk is not None else say("Nothing is open.")
        if isinstance(wanted, Sentence):
            self._stop()
            self._shown = None
            self.say_nothing(wanted)
        elif wanted is None or wanted.key == self._shown:
            self._stop()
            self.show_content()
        elif self._asked is None or wanted.key != self._asked.key:
            self._stop()
            if self.keeps_content:
                self.show_content()
            self._asked = wanted
            self._settling.touch()
            self._slow.start()

    # Inside

    @property
    def _lane(self) -> str:
        return f"panel {type(self).__name__}"

    def _stop(self) -> None:
        self._settling.stop()
        self._slow.stop()
        self.bar.hide()
        self._asked = None
        if self._desk is not None and self._desk is self.inspector.opened_panel_desk:
            self._desk.cancel(self._lane)
        self._desk = None

    @Slot()
    def _ask_after_request(self) -> None:
        """A question that waited for the request to be prepared is asked now."""
        if self._asked is not None and self._desk is None and self.is_waiting:
            self._settling.touch()

    @Slot()
    def _ask(self) -> None:
        if self.inspector.is_preparing:
            return  # The request comes first; when it is there, so is our turn.
        wanted, desk = self._asked, self.inspector.panel_desk()
        if wanted is None or desk is None or self._desk is not None:
            return
        self._desk = desk
        job = partial(_do, work=wanted, told=self._teller.told.emit)
        desk.ask_patiently(job, partial(self._take, wanted.key), self._fail, self._lane)

    def _take(self, key: Hashable, answer: object) -> None:
        self._stop()
        self._shown = key
        self.show_content()
        try:
            self.show_answer(answer)
            self.show_place()
        except Exception as error:  # noqa: BLE001 - an answer that cannot be shown must not look like an empty one
            self._tell_failure(key, failure(error))

    @Slot(object)
    def _fail(self, trouble: Failure) -> None:
        key = self._asked.key if self._asked is not None else None
        self._stop()
        self._tell_failure(key, trouble)

    def _tell_failure(self, key: Hashable, trouble: Failure) -> None:
        self._shown = None
        self._asked = Work(key, _nothing)  # The same question is not asked again and again.
        self.say_nothing(trouble.sentence)

    @Slot()
    def _show_waiting(self) -> None:
        if self._asked is not None:
            self.bar.setRange(0, 0)
            self.bar.show()
            if not self.keeps_content:
                self.say_nothing(say("Reading…"))

    @Slot(float)
    def _show_share(self, share: float) -> None:
        if self._asked is not None:
            self.bar.setRange(0, 100)
            self.bar.setValue(round(share * 100))

    def _arrange(self) -> None:
        first = QWidget()
        column = QVBoxLayout(first)
        column.setContentsMargins(UNIT * 2, UNIT * 2, UNIT * 2, UNIT)
        column.addWidget(self.notice, 1)
        self.pages.addWidget(first)
        self.pages.addWidget(self.content)
        self.bar.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.pages, 1)


def _nothing(_source: Source, _watch: Watch) -> None:
    return None


def _do(source: Source, ticket: Ticket, *, work: Work, told: Callable[[float], None]) -> Any:
    watch = Watch(ticket, told)
    watch.check()
    return work.job(source, watch)
