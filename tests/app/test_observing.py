"""What the window tells of a segment over the session: behind the request, once, and never as a declaration."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import pytest
from fake_explaining import CLOCK, TONE
from fake_source import CHINESE, ENGLISH, FakeSource, fake_source
from inspecting import inspecting
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app import session_work
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.observing import LOOKING, SessionObservations, is_observed, observation_of, with_observation
from covel_inspector.app.page import Fact, Page
from covel_inspector.app.panels.plugins import PluginsPanel
from covel_inspector.app.window import MainWindow
from covel_inspector.app.work import Cancelled, Ticket
from covel_inspector.domain import GoOn, Kind, Observation, Segment, SourceError, Standing, plain, say

PAGE = Page(
    plain("Segment · dimensions"),
    facts=(Fact(say("Kind"), plain("extension")), Fact(say("Role"), plain("system")), Fact(say("Tokens"), plain("9"))),
)


class Counted(FakeSource):
    """Reads one call a slice, and counts the questions; a session has three calls, or as many as ``calls_of`` says."""

    asked = 0
    read: ClassVar[dict[str, int]] = {}
    calls_of: ClassVar[dict[str, int]] = {}

    def observed(self, session: str, go_on: GoOn | None = None) -> Mapping[str, Observation] | None:
        type(self).asked += 1
        self._check(session)
        done, everything = self.read.get(session, 0), self.calls_of.get(session, 3)
        if done < everything:
            assert go_on is not None
            go_on(done, everything)
            self.read[session] = done + 1
            return None
        return super().observed(session)

    def _check(self, session: str) -> None:
        self._known(session)


def counted(location: str) -> Counted:
    made = fake_source(location)
    made.__class__ = Counted
    return made  # type: ignore[return-value]  # It is one now.


@pytest.fixture(autouse=True)
def _nothing_read() -> None:
    Counted.asked = 0
    Counted.read.clear()
    Counted.calls_of.clear()


def facts(page: Page) -> list[tuple[str, str]]:
    return [(str(fact.label), str(fact.value)) for fact in page.facts]


def shown(window: MainWindow) -> str:
    return "\n".join(label.text() for label in window.why.findChildren(QLabel) if label.isVisible())


# Pages


def test_an_observation_stands_behind_what_is_assumed() -> None:
    page = with_observation(PAGE, CLOCK)
    assert facts(page) == [
        ("Kind", "extension"),
        ("Role", "system"),
        ("Observed", "Seen in 4 of 5 turns. From one turn to the next the text changed 2 of 3 times."),
        ("Suggests", "per turn, audience story"),
        ("Tokens", "9"),
    ]
    details, reasons = map(str, page.paragraphs)
    assert details == "Turns without it: 3. Turns with another text than before: 2, 5."
    assert reasons.startswith("By observation: It stands with the text of the turn and changes")


def test_until_it_is_there_the_page_says_so() -> None:
    page = with_observation(PAGE, None)
    assert facts(page)[2] == ("Observed", "the calls of the session are being read")
    assert (page.paragraphs, page.warnings) == ((), ())


def test_a_declared_segment_is_told_of_without_a_suggestion() -> None:
    page = with_observation(PAGE, TONE)
    assert ("Observed", "Seen in 5 of 5 turns. The text was the same each time.") in facts(page)
    assert "Suggests" not in dict(facts(page))
    assert page.paragraphs == ()


def test_what_contradicts_is_a_warning() -> None:
    page = with_observation(PAGE, replace(TONE, standing=Standing.KEPT, texts=5, changes=4))
    (warning,) = map(str, page.warnings)
    assert warning.startswith("It stands in the part that a cache should keep, yet its text changed 4 of 4 times")


def test_a_page_about_several_segments_stays_as_it_is() -> None:
    page = replace(PAGE, facts=(Fact(plain("Segment · dimensions"), plain("9 characters")),))
    assert with_observation(page, CLOCK) is page


def test_a_second_segment_of_a_name_has_the_same_observation() -> None:
    segment = Segment(f"{CLOCK.key}#2", Kind.EXTENSION, plain("x"))
    assert observation_of(segment, {CLOCK.key: CLOCK}) is CLOCK
    assert observation_of(segment, None) is None
    assert is_observed(segment)
    assert not is_observed(replace(segment, key="body"))


# Reading the session


@pytest.fixture
def inspector(qtbot: QtBot) -> Iterator[Inspector]:
    with inspecting(counted) as made:
        with qtbot.waitSignal(made.prepared):
            made.open("fake-story.db")
        yield made


def test_a_session_is_read_slice_by_slice_and_once(inspector: Inspector, qtbot: QtBot) -> None:
    observations = SessionObservations.of(inspector)
    assert SessionObservations.of(inspector) is observations
    moves: list[str] = []
    observations.moved.connect(lambda: moves.append(str(observations.looking())))
    assert Counted.asked == 0, "opening a file reads nothing"
    with qtbot.waitSignal(observations.found) as found:
        assert observations.want(ENGLISH) is None
        assert observations.want(ENGLISH) is None
    assert found.args[0] == {CLOCK.key: CLOCK, TONE.key: TONE}
    assert moves == [f"{done} of 3 calls of the session are read" for done in range(3)]
    assert observations.want(ENGLISH) == found.args[0]
    assert Counted.asked == 4


def test_a_request_comes_first(inspector: Inspector, qtbot: QtBot) -> None:
    observations = SessionObservations.of(inspector)
    with qtbot.waitSignal(observations.found):
        observations.want(ENGLISH)
        qtbot.waitUntil(lambda: Counted.asked == 1)
        inspector.step(-1)
        assert inspector.is_preparing
        qtbot.waitUntil(lambda: observations._waiting is not None)
        assert Counted.asked <= 2


def test_another_session_takes_the_place_of_one_that_is_half_read(inspector: Inspector, qtbot: QtBot) -> None:
    observations = SessionObservations.of(inspector)
    observations.want(ENGLISH)
    Counted.calls_of[ENGLISH] = 1_000_000
    qtbot.waitUntil(lambda: Counted.asked >= 2)
    with qtbot.waitSignal(observations.found):
        observations.want(CHINESE)
    read = Counted.read[ENGLISH]
    qtbot.wait(100)
    assert Counted.read[ENGLISH] == read
    assert observations.want(CHINESE) is not None


def test_a_reader_who_moves_on_asks_for_nothing(
    inspector: Inspector, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_work, "REST", 3_600_000)
    observations = SessionObservations.of(inspector)
    for _ in range(8):
        observations.want(ENGLISH)
        qtbot.wait(10)
    assert (Counted.asked, inspector.opened_panel_desk) == (0, None)


def test_what_was_known_is_forgotten_with_the_file(inspector: Inspector, qtbot: QtBot) -> None:
    observations = SessionObservations.of(inspector)
    with qtbot.waitSignal(observations.found):
        observations.want(ENGLISH)
    with qtbot.waitSignal(inspector.prepared):
        inspector.reload()
    with qtbot.waitSignal(observations.found):
        assert observations.want(ENGLISH) is None


def test_trouble_leaves_the_place_empty(inspector: Inspector, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_source: Counted, _session: str) -> None:
        raise SourceError("gone")

    monkeypatch.setattr(Counted, "_check", fail)
    observations = SessionObservations.of(inspector)
    with qtbot.waitSignal(observations.found):
        observations.want(ENGLISH)
    assert observations.want(ENGLISH) == {}
    assert Counted.asked == 1, "the same question is not asked again and again"


def test_work_stops_when_nobody_waits(inspector: Inspector) -> None:
    ticket = Ticket("x")
    ticket.stop()
    job = SessionObservations.of(inspector).first(ENGLISH)
    with pytest.raises(Cancelled):
        job(fake_source("x"), ticket)


# In the window


def test_why_tells_it_when_it_is_there(make_window: MakeWindow, qtbot: QtBot) -> None:
    window = make_window(opener=lambda location, _root: counted(location))
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    window.compare.choose_place("body")
    assert Counted.asked == 0, "a body is not observed"
    with qtbot.waitSignal(SessionObservations.of(window.inspector).found):
        window.compare.choose_place(CLOCK.key)
        assert ("Observed", str(LOOKING)) in facts(window.why.page)
    assert ("Suggests", "per turn, audience story") in facts(window.why.page)
    assert "Seen in 4 of 5 turns." in (window.why.area, shown(window))[1]
    window.inspector.step(-1)
    qtbot.waitUntil(lambda: not window.inspector.is_preparing)
    assert Counted.asked == 4, "a step to another turn reads nothing again"


def test_progress_is_told_in_place(make_window: MakeWindow, qtbot: QtBot) -> None:
    window = make_window(opener=lambda location, _root: counted(location))
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    observations = SessionObservations.of(window.inspector)
    told: list[str] = []
    observations.moved.connect(lambda: told.append((window.why.area, shown(window))[1]))
    with qtbot.waitSignal(observations.found):
        window.compare.choose_place(CLOCK.key)
    assert "of 3 calls of the session are read" in told[-1]


def test_a_segment_of_a_rebuilt_request_that_was_never_seen_has_none(opened: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(SessionObservations.of(opened.inspector).found):
        opened.compare.choose_place(CLOCK.key)
    SessionObservations.of(opened.inspector)._known[ENGLISH] = {}
    opened.why.refresh()
    assert "Observed" not in dict(facts(opened.why.page))


def test_the_plugins_panel_tells_it_too(opened: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(SessionObservations.of(opened.inspector).found):
        opened.bottom.show_panel("plugins")
        panel = opened.bottom.panel
        assert isinstance(panel, PluginsPanel)
        qtbot.waitUntil(lambda: panel._reports is not None)
        tone = panel.list.first_row(lambda row: row.key == TONE.key)
        panel.list.choose(tone)
        assert dict(facts(panel.page_view.page))["Observed"] == str(LOOKING)
    told = facts(panel.page_view.page)
    assert told[2][0] == "Declared"
    assert told[3] == ("Observed", "Seen in 5 of 5 turns. The text was the same each time.")
    panel.list.choose(panel.list.first_row(lambda row: row.key == "body"))
    assert "Observed" not in dict(facts(panel.page_view.page))
