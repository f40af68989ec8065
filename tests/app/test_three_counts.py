"""Three counts of a request, each with its name, and how a session's reports relate to the estimate."""

from dataclasses import replace

import pytest
from fake_source import ENGLISH, fake_source
from fake_trees import TIDE, narrator
from inspecting import inspecting
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.session_counts import MOST_CALLS, SessionCounts, SessionReports, _begin, _look, _spread
from covel_inspector.app.settings import Settings
from covel_inspector.app.sides import Figures, Side
from covel_inspector.app.three_counts import Counted, three_counts
from covel_inspector.app.token_counts import SideCounts
from covel_inspector.app.why_content import call_page
from covel_inspector.app.window import MainWindow
from covel_inspector.app.work import Ticket
from covel_inspector.domain import (
    Address,
    BudgetExtra,
    BudgetOutcome,
    BudgetRun,
    Call,
    Kind,
    Status,
    TooLong,
    Usage,
    Verdict,
    plain,
)

CALL = Call(Address(ENGLISH, "3", "narrator", 0), "row", "turn", model="gpt-4o", usage=Usage(900, 10))
SIDE = Side("tide-01:3:narrator:0", plain("turn 3"), narrator(TIDE, 3), CALL, figures=Figures("letters / 4", 600))
ESTIMATE = "600 tokens by the engine's estimate (letters / 4), segment by segment"
NEAREST = Counted(700, "o200k_base", exact=False, note=plain("nearest"))


def lines(side: Side, counted: Counted | None = None) -> list[str]:
    return [str(line) for line in three_counts(side, counted).lines()]


def test_each_count_says_who_made_it() -> None:
    assert lines(SIDE, NEAREST) == [
        ESTIMATE,
        "700 tokens counted with o200k_base, which is not the model's own tokenizer",
        "900 tokens reported by the provider",
        "The report is 1.50 times the estimate.",
    ]
    own = replace(NEAREST, exact=True)
    assert "700 tokens counted with o200k_base, the model's own tokenizer" in lines(SIDE, own)


def test_a_report_belongs_to_what_was_sent() -> None:
    assert lines(replace(SIDE, rebuilt=True)) == [ESTIMATE]
    assert lines(replace(SIDE, call=None)) == [ESTIMATE]
    assert lines(Side("", plain("nothing"))) == []


RUN = BudgetRun(
    BudgetOutcome.FITS, 4000, 1000, 3000, plain("made up"), 640, 640, (),
    extras=(BudgetExtra(plain("a frame"), 25), BudgetExtra(plain("room for a hint"), 20)),
)  # fmt: skip


def test_the_budget_s_count_is_made_out_of_the_segments() -> None:
    identical = Verdict(Status.IDENTICAL, plain("the same"))
    told = lines(replace(SIDE, budget=RUN, verdict=identical))[1]
    assert told == (
        "The token budget counts 640 = 600 of the segments + 25 (a frame) + 20 (room for a hint) − 5 (it rounds up "
        "once for each message, not for each segment)."
    )
    other = lines(replace(SIDE, budget=RUN, verdict=replace(identical, status=Status.DIFFERS)))[1]
    assert "which differs from this one" in other
    same = replace(RUN, after=600, extras=())
    assert lines(replace(SIDE, budget=same, verdict=identical))[1] == "The token budget counts the same: 600."


def test_pictures_have_the_engine_s_own_count() -> None:
    request = narrator(TIDE, 3)
    leaf = next(request.leaves())
    picture = replace(leaf, kind=Kind.PICTURES, fixed_tokens=1500)
    tree = replace(request, groups=(replace(request.groups[0], children=(picture,)),))
    told = lines(replace(SIDE, tree=tree), replace(NEAREST, left_out=1))
    assert told[0] == f"{ESTIMATE}; 1\u202f500 of them are the engine's fixed count for pictures (1)"
    assert told[1].endswith("; 1 pieces that are no text are not counted")


def test_a_request_that_was_never_sent_begins_with_the_engine_s_own_numbers() -> None:
    unsent = replace(CALL, usage=None, error="too long", too_long=TooLong(2125, 1280, 670))
    told = lines(replace(SIDE, call=unsent, rebuilt=True))
    assert told[0] == "2\u202f125 tokens by the engine's own error, 845 more than the limit of 1\u202f280"
    assert told[1:] == [ESTIMATE]


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
    with inspecting(fake_source) as inspector:
        with qtbot.waitSignal(inspector.prepared):
            inspector.open("fake-story.db")
        reports = SessionReports(inspector)
        with qtbot.waitSignal(reports.found) as found:
            assert reports.want(ENGLISH) is None
            assert reports.want(ENGLISH) is None
        assert reports.want(ENGLISH) == found.args[0]
        inspector.close()
        assert reports._known == {}


def test_there_is_one_counter_for_each_inspector(qapp: object) -> None:
    with inspecting(fake_source) as inspector:
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
