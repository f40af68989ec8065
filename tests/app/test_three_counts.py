"""Three counts of a request, each with its name, and how a session's reports relate to the estimate."""

from dataclasses import replace

import pytest
from fake_source import ENGLISH, fake_source
from fake_trees import TIDE, narrator
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.session_counts import MOST_CALLS, SessionCounts, SessionReports, _begin, _look, _spread
from covel_inspector.app.settings import Settings
from covel_inspector.app.sides import Figures, Side
from covel_inspector.app.state import State
from covel_inspector.app.three_counts import Counted, three_counts
from covel_inspector.app.token_counts import SideCounts
from covel_inspector.app.why_content import call_page
from covel_inspector.app.window import MainWindow
from covel_inspector.app.work import Ticket
from covel_inspector.domain import Address, Call, Usage, plain

CALL = Call(Address(ENGLISH, "3", "narrator", 0), "row", "turn", model="gpt-4o", usage=Usage(900, 10))
SIDE = Side("tide-01:3:narrator:0", plain("turn 3"), narrator(TIDE, 3), CALL, figures=Figures("letters / 4", 600))
NEAREST = Counted(700, "o200k_base", exact=False, note=plain("nearest"))


def lines(side: Side, counted: Counted | None = None) -> list[str]:
    return [str(line) for line in three_counts(side, counted).lines()]


def test_each_count_says_who_made_it() -> None:
    assert lines(SIDE, NEAREST) == [
        "600 tokens by the engine's estimate (letters / 4)",
        "700 tokens counted with o200k_base, which is not the model's own tokenizer",
        "900 tokens reported by the provider",
        "The report is 1.50 times the estimate.",
    ]
    own = replace(NEAREST, exact=True)
    assert "700 tokens counted with o200k_base, the model's own tokenizer" in lines(SIDE, own)


def test_a_report_belongs_to_what_was_sent() -> None:
    assert lines(replace(SIDE, rebuilt=True)) == ["600 tokens by the engine's estimate (letters / 4)"]
    assert lines(replace(SIDE, call=None)) == ["600 tokens by the engine's estimate (letters / 4)"]
    assert lines(Side("", plain("nothing"))) == []


def test_the_session_tells_over_how_many_calls() -> None:
    assert SessionCounts("s").told() is None
    whole = SessionCounts("s", 4, 4, 1000, 1250)
    assert str(whole.told()) == "In this session the provider reports 1.25 times the estimate (over 4 calls)."
    assert "(over 4 of 9 calls)" in str(replace(whole, of=9).told())


def test_long_sessions_are_looked_at_evenly() -> None:
    calls = [(Address(ENGLISH, str(number), "narrator", 0), 1) for number in range(1000)]
    picked = [int(address.turn) for address, _ in _spread(calls)]
    assert len(picked) == MOST_CALLS
    assert picked == list(range(0, 1000, 5))
    assert _spread(calls[:3]) == calls[:3]


def test_only_calls_with_both_numbers_are_added_up() -> None:
    source = fake_source()
    progress = _begin(source, Ticket("x"), session=ENGLISH)
    reporting = [call for call in source.calls(ENGLISH) if call.usage is not None]
    assert progress.sums.of == len(reporting)
    while progress.waiting:
        progress = _look(source, Ticket("x"), progress=progress)
    readable = [call for call in reporting if source.recorded(call.address) is not None]
    assert progress.sums.calls == len(readable)
    assert progress.sums.reported == 800 * len(readable)
    assert progress.sums.estimated > 0


def test_a_session_is_added_up_once(qtbot: QtBot) -> None:
    inspector = Inspector(State(), lambda location, _root: fake_source(location))
    with qtbot.waitSignal(inspector.prepared):
        inspector.open("fake-story.db")
    reports = SessionReports(inspector)
    with qtbot.waitSignal(reports.found) as found:
        assert reports.want(ENGLISH) is None
        assert reports.want(ENGLISH) is None
    assert reports.want(ENGLISH) == found.args[0]
    inspector.close()
    assert reports._known == {}


def test_there_is_one_counter_for_each_inspector() -> None:
    inspector = Inspector(State(), lambda location, _root: fake_source(location))
    assert SideCounts.of(inspector) is SideCounts.of(inspector)


@pytest.fixture
def opened_at_narrator(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    window = make_window(Settings(language="en", theme="light", count_tokens=True))
    counted = SideCounts.of(window.inspector).counted
    with qtbot.waitSignal(counted, timeout=20_000):
        window.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    return window


def test_the_heading_has_all_three_in_its_tooltip(opened_at_narrator: MainWindow) -> None:
    tip = opened_at_narrator.compare.card_b.tokens.toolTip()
    assert "letters / 4" in tip
    assert "o200k_base" in tip
    assert "reported by the provider" in tip


def test_the_whole_calls_page_has_the_text_to_count_and_the_ratio(opened_at_narrator: MainWindow) -> None:
    prepared = opened_at_narrator.inspector.latest
    assert prepared is not None
    page = call_page(prepared)
    assert prepared.b is not None
    assert prepared.b.tree is not None
    assert page.count_text == prepared.b.tree.request.text
    assert page.model == "imaginary-large"
    assert any("times the estimate" in str(line) for line in page.paragraphs)
