"""A request that was never sent in the window: one telling in the toolbar, headings, reasons, panels and lists."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from fake_source import ENGLISH, fake_source
from fake_trees import TIDE, narrator
from fake_what_if import UNSENT, WhatIfSource
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.compare.remark import Remark
from covel_inspector.app.compare.row_texts import excerpt
from covel_inspector.app.palette import address_entries
from covel_inspector.app.panels import silence
from covel_inspector.app.panels.plugins_page import plugin_page
from covel_inspector.app.panels.plugins_rows import plugin_rows
from covel_inspector.app.picking import Lists, calls_of, first_call, requests_of, runtimes
from covel_inspector.app.state import Mode
from covel_inspector.app.theme_colours import DARK
from covel_inspector.app.unsent import never_sent, rebuilt_only, told_unsent
from covel_inspector.app.window import MainWindow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import AbsenceReason, Absent, Fate, Kind, SegmentTree, Turn, plain, say


@pytest.fixture
def source() -> WhatIfSource:
    return WhatIfSource()


@pytest.fixture
def window(make_window: MakeWindow, source: WhatIfSource, qtbot: QtBot) -> MainWindow:
    """At the turn whose request was never sent."""
    made = make_window(opener=lambda _location, _root: source)
    with qtbot.waitSignal(made.inspector.prepared):
        made.open("fake-story.db", address=str(UNSENT))
    return made


@pytest.fixture
def lists(source: WhatIfSource) -> Lists:
    return Lists.of(source.sessions()[0], source.turns(ENGLISH), source.calls(ENGLISH), source.unsent(ENGLISH))


def without_line(tree: SegmentTree, tokens: int | None) -> SegmentTree:
    """The tree as if its player line were stored nowhere."""
    line = next(leaf for leaf in tree.leaves() if leaf.kind is Kind.PLAYER_LINE)
    absent = Absent(line.key, line.kind, line.title, AbsenceReason.NOT_STORED, plain("stored nowhere"), after=line.key)
    groups = tuple(
        replace(
            group, children=tuple(replace(one, fixed_tokens=tokens) if one is line else one for one in group.children)
        )
        for group in tree.groups
    )
    return replace(tree, groups=groups, absent=(absent,))


# Which call is meant


def test_it_is_found_beside_the_calls_and_never_among_them(lists: Lists) -> None:
    assert lists.call(UNSENT) is lists.unsent[0]
    assert calls_of(lists, "3", "narrator") == ()
    assert requests_of(lists, "3", "narrator") == lists.unsent
    assert runtimes(lists, "3") == ("narrator",)
    assert first_call(lists, "3", "somebody else") is lists.unsent[0]
    assert UNSENT not in {call.address for call in lists.calls}


# Words


def test_the_failure_is_told_whatever_is_known_of_it(lists: Lists) -> None:
    call = lists.unsent[0]
    assert str(replace(call, failure=None, problem=say("broken")).why_unsent) == "broken"
    assert str(replace(call, failure=None).why_unsent) == "It failed before it was sent."
    told = str(told_unsent(call, None, plain("no rows.")))
    assert told == "The player's text did not fit. It cannot be rebuilt either: no rows."
    assert told_unsent(call, None, None) == call.failure


@pytest.mark.parametrize(("tokens", "size"), [(1311, "1\u202f311 tokens long"), (None, "")])
def test_what_the_player_wrote_is_told_as_missing(lists: Lists, tokens: int | None, size: str) -> None:
    call, tree = lists.unsent[0], narrator(TIDE, 3)
    assert "stored nowhere" not in str(told_unsent(call, tree, None))
    assert str(rebuilt_only(tree)) == "○ rebuilt only"
    missing = without_line(tree, tokens)
    told = str(told_unsent(call, missing, None))
    assert "what the player wrote is stored nowhere" in told
    assert ("tokens long" in told, size in told) == (bool(size), True)
    assert str(rebuilt_only(missing)) == "○ rebuilt without the player's text"
    assert str(rebuilt_only(None))[0] == "∅"


def test_a_piece_of_it_never_claims_a_recording() -> None:
    body = next(segment for segment in narrator(TIDE, 3).walk() if segment.key == "body")
    taken = replace(body, taken=True, children=())
    for piece, words in ((body, "rebuilt from rows and files"), (taken, "taken over from other calls")):
        told = str(never_sent(piece))
        assert told.startswith("The request was never sent.")
        assert words in told
        assert "recording" not in told


def test_its_mark_is_no_excerpt() -> None:
    line = next(leaf for leaf in narrator(TIDE, 3).leaves() if leaf.kind is Kind.PLAYER_LINE)
    assert excerpt(line)
    assert excerpt(replace(line, fixed_tokens=1311)) == ""


@pytest.mark.parametrize("told", [silence.no_lorebook, silence.no_body, silence.no_pieces, silence.no_budget])
def test_a_turn_without_a_request_explains_itself(told: Callable[[Turn | None], object]) -> None:
    copied = Turn("s", "1", "t", note=say("Copied by a fork."))
    assert str(told(copied)).startswith("Copied by a fork. So ")
    assert "or the calls are no longer kept. So " in str(told(None))


# The window


def test_toolbar_heading_and_banner_say_the_same(window: MainWindow) -> None:
    bar, card = window.tool_bar, window.compare.card_b
    assert (bar.turn.text(), bar.runtime.text(), bar.call.text()) == ("Turn 3 of 3", "narrator ▾", "not sent")
    assert bar.runtime.isEnabled()
    assert not bar.call.isEnabled()
    assert "failed before its request was sent" in bar.call.toolTip()
    assert card.title.text == "B · turn 3 · narrator · never sent"
    assert card.tokens.text.startswith("5\u202f000 > 4\u202f000")
    assert "own error, 1\u202f000 more than the limit" in card.tokens.toolTip()
    assert "rebuilt only" in card.verdict.toolTip()
    assert window.compare.card_a.title.text == "A · turn 2 · narrator"
    assert window.compare.remark.told.startswith("The player's text did not fit.")
    assert "imaginary" not in window.compare.remark.text()


def test_the_reasons_say_would_have_been_sent(window: MainWindow, qtbot: QtBot) -> None:
    window.inspector.state.select(None)
    qtbot.waitUntil(lambda: any(str(fact.label) == "Needed" for fact in window.why.page.facts))
    labels = [str(fact.label) for fact in window.why.page.facts]
    assert "Reported" not in labels
    known = {str(fact.label): str(fact.value) for fact in window.why.page.facts}
    assert known["Sent"].startswith("never; it would have been sent ")
    assert known["Needed"] == "5\u202f000 tokens, 1\u202f000 more than the limit of 4\u202f000"
    assert known["Error"] == "[imaginary] 5000 of 4000"


def test_panels_tell_of_it(window: MainWindow, qtbot: QtBot) -> None:
    window.bottom.show_panel("lorebook")
    panel = window.bottom.panel
    qtbot.waitUntil(lambda: "never sent: by the rules alone" in panel.count.text())
    window.bottom.show_panel("plugins")
    panel = window.bottom.panel
    qtbot.waitUntil(panel.remark.isVisible)
    assert panel.remark.text() == "The player's text did not fit. What is told here is of the rebuilt request."
    window.bottom.show_panel("cache")
    detail = window.bottom.panel.detail
    qtbot.waitUntil(lambda: "So no cache was read or written." in detail.text)
    window.bottom.show_panel("problems")
    rows = window.bottom.panel.list.listed
    qtbot.waitUntil(lambda: any("Request that was never sent" in row.cells[1].text for row in rows.rows))


def test_its_body_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    window.inspector.state.set_mode(Mode.WIRE)
    qtbot.waitUntil(lambda: bool(window.compare.wire.b.edit.toPlainText()))
    assert window.compare.wire.b.edit.toPlainText().startswith("{")


def test_it_is_in_the_list_of_places(window: MainWindow) -> None:
    entries = address_entries(window.inspector.state, Wording("en"))
    at = next(number for number, entry in enumerate(entries) if entry.key == str(UNSENT))
    assert entries[at].text == "turn 3 · narrator · never sent"
    assert [entry.key.split(":")[1] for entry in entries][: at + 1] == sorted(
        entry.key.split(":")[1] for entry in entries[: at + 1]
    )


def test_stepping_from_the_next_turn_comes_back_to_it(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.step(-1)
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.step(1)
    assert window.inspector.address_text == str(UNSENT)


# The remark


def test_details_are_a_link_away(qtbot: QtBot) -> None:
    remark = Remark(Wording("en"))
    qtbot.addWidget(remark)
    remark.say(say("It failed."), "raw <error> & more\nsecond line")
    assert remark.told == "It failed."
    assert "raw" not in remark.text()
    assert remark.focusPolicy() is Qt.FocusPolicy.StrongFocus
    remark.linkActivated.emit("details")
    assert remark.told == "It failed.\nraw <error> & more\nsecond line"
    assert "raw &lt;error&gt; &amp; more<br>second line" in remark.text()
    remark.apply_theme(DARK)
    assert DARK.link in remark.text()
    remark.say(say("It failed."), "another error")
    assert remark.told == "It failed."
    remark.say(say("<b>Plain</b>"))
    assert (remark.text(), remark.textFormat()) == ("<b>Plain</b>", Qt.TextFormat.PlainText)
    remark.say(say("It needed 2 125 tokens, 12 3 and 4 567 890."))
    assert remark.told == "It needed 2\u00a0125 tokens, 12 3 and 4\u00a0567\u00a0890."
    remark.say(None)
    assert remark.isHidden()


# Plugins


def test_pieces_in_it_are_not_told_as_sent(qapp: object) -> None:
    report = fake_source().plugins(ENGLISH, "2")[0]
    uses = tuple(replace(use, fate=Fate.UNSENT) if use.fate is Fate.SENT else use for use in report.uses)
    runtime = replace(report.runtimes[0], calls=())
    made = replace(report, uses=uses, runtimes=(runtime,))
    (row,) = plugin_rows((made,), Wording("en"), {runtime.id})
    assert row.cells[1].text == "1 of 2 pieces would have been sent"
    assert row.children[0].cells[1].text.startswith("failed before its request was sent")
    body = row.children[1]
    assert body.cells[1].text == "in a request that was never sent: equal to the file"
    assert body.cells[2].text == "20"
    assert "Tokens, not sent" in [str(fact.label) for fact in plugin_page(made).facts]
    (row,) = plugin_rows((made,), Wording("en"), is_silent=True)
    assert row.cells[1].text == "no call of this turn is recorded"
    assert row.children[0].cells[1].text.startswith("no call in this turn is recorded")
