"""The Plugins panel: what is declared, what was sent, and the way between panel and request."""

from dataclasses import replace

import pytest
from fake_source import ENGLISH, fake_source
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from covel_inspector.app.page import LinkTo, Page
from covel_inspector.app.panels.listed_rows import Row
from covel_inspector.app.panels.plugins import PluginsPanel
from covel_inspector.app.panels.plugins_page import piece_page, plugin_page, runtime_page, subject_page, use_page
from covel_inspector.app.panels.plugins_rows import FATE, Piece, RuntimeOf, Use, plugin_rows
from covel_inspector.app.window import MainWindow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import (
    Address,
    DeclaredInput,
    Fate,
    Kind,
    PieceUse,
    PluginReport,
    RuntimeReport,
    Volatility,
    plain,
)

HERE = Address(ENGLISH, "2", "narrator", 0)
CLERK = Address(ENGLISH, "2", "harbor-clerk/ledger", 0)


@pytest.fixture
def wording(qapp: object) -> Wording:
    return Wording("en")


def narrator() -> PluginReport:
    return fake_source().plugins(ENGLISH, "2")[0]


def told(page: Page) -> str:
    facts = [f"{fact.label}: {fact.value or ' · '.join(str(link.text) for link in fact.links)}" for fact in page.facts]
    return "\n".join([*facts, *map(str, (*page.lead, *page.paragraphs, *page.warnings)), page.quote])


def texts(row: Row) -> list[str]:
    return [cell.text for cell in row.cells]


def test_plugin_has_its_runtime_and_pieces_below(wording: Wording) -> None:
    rows = plugin_rows(fake_source().plugins(ENGLISH, "2"), wording)
    assert texts(rows[0]) == ["Narrator", "1 of 2 pieces sent", "20", "20\u202f%"]
    runtime, body, tone = rows[0].children
    assert texts(runtime)[:2] == ["Runtime narrator", "1 call in this turn · narrative"]
    assert texts(body) == ["Runtime body", "sent: equal to the file", "20", "20\u202f%"]
    assert texts(tone)[:2] == ["Segment · tone", "trimmed: the budget left it out"]
    assert (body.is_faint, tone.is_faint) == (False, True)
    assert texts(rows[1])[1] == "nothing of it could be in a request of this turn"


def test_requests_are_counted_and_code_that_may_add_segments_is_told(wording: Wording) -> None:
    use = narrator().uses[0]
    again = replace(use, address=replace(HERE, call=1))
    loop = replace(narrator(), uses=(use, again), tokens=1040, share=0.25, requests=2)
    assert texts(plugin_rows([loop], wording)[0])[1] == "1 of 1 pieces sent, in 2 requests"
    assert "Tokens sent: 1\u202f040 in 2 requests, 25\u202f% of all requests of the turn" in told(plugin_page(loop))
    assert "20 in 1 request, 25" in told(plugin_page(replace(loop, tokens=20, requests=1)))
    code = replace(narrator(), uses=(), tokens=0, unattributed=plain("Who knows."))
    assert texts(plugin_rows([code], wording)[0])[1] == "its code may have added segments; which, cannot be told"
    assert "Who knows." in told(plugin_page(code))


def test_piece_in_several_requests_has_a_row_for_each(wording: Wording) -> None:
    use = PieceUse("segment:narrator/tone", Kind.EXTENSION, plain("Tone"), HERE, Fate.SENT, plain("equal"), 8, 0.1)
    away = replace(
        use, address=replace(CLERK, call=1), fate=Fate.AUDIENCE, tokens=0, share=0.0, why=plain("for others")
    )
    row = plugin_rows([replace(narrator(), uses=(use, away))], wording)[0].children[-1]
    assert texts(row) == ["Tone", "sent in 1 of 2 requests", "8", "10\u202f%"]
    assert [texts(child)[:2] for child in row.children] == [
        ["narrator", "sent: equal"],
        ["harbor-clerk/ledger · call 2", "for other runtimes: for others"],
    ]


def test_declared_piece_without_any_request_is_listed_last(wording: Wording) -> None:
    report = replace(narrator(), uses=(), active=False)
    row = plugin_rows([report], wording)[0]
    assert texts(row)[1] == "not active in this session"
    assert row.is_faint
    assert texts(row.children[-1])[:2] == ["tone", "not used in this turn"]


@pytest.mark.parametrize("fate", list(Fate))
def test_every_fate_has_a_word_and_a_sign(wording: Wording, fate: Fate) -> None:
    use = PieceUse("body", Kind.BODY, plain("Body"), HERE, fate, plain("because"))
    row = plugin_rows([replace(narrator(), uses=(use,))], wording)[0].children[1]
    assert texts(row)[1] == f"{FATE[fate]}: because"
    assert row.cells[1].icon
    assert f"State: {FATE[fate]}" in told(use_page(use, "letters"))


def test_pages_tell_what_is_declared() -> None:
    report = replace(
        narrator(),
        points=("prompt.segment@1 · x",),
        hooks=("PreToolUse",),
        events=("storm",),
        settings=(("tone", "dry"),),
        user_copy=True,
    )
    page = told(plugin_page(report))
    for words in ("Hangs on: prompt.segment@1 · x", "Hooks: PreToolUse", "May emit: storm", "Settings: tone = dry",
                  "Active: yes", "File: plugins/narrator/PLUGIN.md:1", "of the same name"):  # fmt: skip
        assert words in page
    unknown = told(plugin_page(PluginReport("codex", "codex", is_declared=False, active=None)))
    assert "the session does not say" in unknown
    assert "Only the database names it" in unknown


def test_page_of_a_runtime() -> None:
    runtime = RuntimeReport(
        "clerk/ledger", True, "post-turn", "type: auto", "plugin", "", "fast", max_turns=2, include_summaries=True,
        inputs=(DeclaredInput("narrative", "contract: story", "turn", True),), own_data=("lines",), tools=("write",),
        calls=(CLERK,), concealed=True, advertise_events=True,
    )  # fmt: skip
    page = runtime_page(runtime)
    for words in ("Stage: post-turn", "History: the last 2 turns, with summaries", "Tools: write", "Own data: lines",
                  "Input: narrative from contract: story, turn, required", "concealed", "event directory"):  # fmt: skip
        assert words in told(page)
    link = next(fact for fact in page.facts if str(fact.label) == "Calls").links[0]
    assert (link.to, link.target) == (LinkTo.ADDRESS, str(CLERK))
    code = told(runtime_page(RuntimeReport("gossip", False)))
    assert "It is code" in code
    assert "none in this turn" in code
    assert "whole history" in told(runtime_page(RuntimeReport("narrator", True)))


def test_page_of_a_piece_tells_declaration_and_requests() -> None:
    report = narrator()
    page = piece_page(Piece(report, report.segments[0], report.uses[1:]), "letters")
    for words in ("Declared: position post-history, changes stable, audience self, role system", "Keep it short.",
                  "the budget left it out", "Requests: narrator: trimmed", "text in its files"):  # fmt: skip
        assert words in told(page)
    seen = replace(report.segments[0], is_static=False, volatility=Volatility.TURN, role="", audience="")
    assert "Assumed: position post-history, changes per turn" in told(piece_page(Piece(report, seen, ()), "letters"))
    assert subject_page(Use(report, report.uses[0]), "letters") == use_page(report.uses[0], "letters")
    assert subject_page(RuntimeOf(report, report.runtimes[0]), "letters") == runtime_page(report.runtimes[0])
    assert subject_page(None, "letters").facts == ()


@pytest.fixture
def panel(opened: MainWindow, qtbot: QtBot) -> PluginsPanel:
    opened.bottom.show_panel("plugins")
    made = opened.bottom.panel
    assert isinstance(made, PluginsPanel)
    qtbot.waitUntil(lambda: bool(made.list.listed.rows))
    return made


def test_chosen_piece_is_chosen_in_the_request_and_back(opened: MainWindow, panel: PluginsPanel) -> None:
    opened.compare.choose_place("player-line")
    body = panel.list.first_row(lambda row: row.key == "body")
    panel.list.choose(body)
    assert opened.inspector.state.selected.key == "body"
    assert str(panel.page_view.page.title) == "Runtime body"
    panel.list.choose(panel.list.listed.rows[1])
    opened.compare.choose_place("player-line")
    opened.compare.choose_place("body")
    assert panel.list.current_row() is body


def test_enter_goes_to_the_request_of_a_piece(opened: MainWindow, panel: PluginsPanel, qtbot: QtBot) -> None:
    opened.inspector.choose_runtime("harbor-clerk/ledger")
    qtbot.waitUntil(lambda: opened.inspector.latest is not None and "ledger" in opened.inspector.latest.b.address_text)
    panel.list.choose(panel.list.first_row(lambda row: row.key == "body"))
    assert opened.inspector.address_text == f"{ENGLISH}:2:harbor-clerk/ledger:0", "walking over rows moves nobody"
    with qtbot.waitSignal(opened.inspector.place_reached):
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert opened.inspector.address_text == f"{ENGLISH}:2:narrator:0"
    assert opened.inspector.state.selected.key == "body"


def test_why_leads_to_the_plugin(opened: MainWindow, panel: PluginsPanel, qtbot: QtBot) -> None:
    opened.bottom.show_panel("problems")
    opened.compare.choose_place("body")
    link = next(link for link in opened.why.area.links if link.to is LinkTo.PANEL)
    panel.list.choose(panel.list.listed.rows[1], quietly=True)
    opened.links.follow(link)
    assert opened.bottom.current == "plugins"
    assert panel.list.current_row().path == ("narrator", "body")
    panel.choose_item("codex\nno such piece")
    assert panel.list.current_row().path == ("codex",)
    panel.choose_item("nobody")
    assert panel.list.current_row().path == ("codex",)


def test_turn_without_a_call_still_has_its_plugins(opened: MainWindow, panel: PluginsPanel, qtbot: QtBot) -> None:
    opened.inspector.go_to_turn(ENGLISH, "3")
    qtbot.waitUntil(lambda: panel._shown == (ENGLISH, "3"))
    assert panel.list.isVisible()
