"""Rows beside the summary that replaced them, what it no longer mentions, and when the next one is due."""

from dataclasses import replace

import pytest
from fake_compaction import compaction_report, summary
from fake_source import CHINESE, ENGLISH
from fake_what_if import WhatIfSource
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot
from window_making import MakeWindow

from covel_inspector.app.panels import compaction_content as content
from covel_inspector.app.panels.compaction import CompactionPanel
from covel_inspector.app.settings import Settings
from covel_inspector.app.theme_colours import LIGHT
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import HintKind, NextCompaction, Sentence, plain

REPORT = compaction_report(ENGLISH)
ONE = REPORT.summaries[0]


def english(sentence: Sentence) -> str:
    return str(sentence)


def test_a_summary_says_what_it_replaced_and_what_that_saved() -> None:
    assert str(content.heading(ONE)) == "turns 1 to 2"
    assert str(content.heading(replace(ONE, last_turn="1"))) == "turn 1"
    assert str(content.balance(ONE)) == "3 rows, 27 → 14 tokens, 48\u202f% saved"
    lines = [str(line) for line in content.remarks(ONE)]
    assert "2 older summaries went into it." in lines
    assert "The engine's own report: 13 tokens saved." in lines
    assert "It was asked to keep: left hand." in lines
    assert len(content.remarks(replace(ONE, made_before_turn="", reported_saved=None, merged=0, shortened=False,
                                       focus=()))) == 1  # fmt: skip


def test_rows_are_text_and_never_markup() -> None:
    html = content.rows_html(ONE, english, LIGHT)
    assert "The bell &lt;rings&gt;." in html
    assert html.count("Marta</span>") == 2
    assert 'name="row-1"' in html
    assert "&amp; heard a bell" in content.summary_html(ONE, english, LIGHT)


def test_hints_are_called_hints_and_lead_to_their_row() -> None:
    html = content.hints_html(ONE, english, LIGHT)
    assert "a hint" in html
    assert html.count('href="row:1"') == 2
    assert content.hints_html(replace(ONE, hints=()), english, LIGHT) == ""


@pytest.mark.parametrize("kind", HintKind)
def test_every_kind_of_hint_has_a_name(kind: HintKind) -> None:
    told = replace(ONE, hints=(replace(ONE.hints[0], kind=kind),))
    assert f"{content.HINTS[kind]}: " in content.hints_html(told, english, LIGHT)


def test_very_long_rows_are_cut_and_the_rest_is_counted() -> None:
    long = replace(ONE.rows[0], text="x" * 500_000)
    html = content.rows_html(replace(ONE, rows=(long,) * 60), english, LIGHT)
    assert len(html) < 2 * content.MOST_OF_ALL
    assert "… and 26 more rows" in html


@pytest.mark.parametrize(
    ("estimated", "trigger", "share"), [(1920, 3840, 0.5), (5000, 3840, 1.0), (None, 3840, None), (10, None, None)]
)
def test_how_near_the_next_one_is(estimated: int | None, trigger: int | None, share: float | None) -> None:
    upcoming = NextCompaction(estimated, trigger, 9, 5, plain(""))
    assert content.share_of(upcoming) == share
    assert upcoming.distance == (None if estimated is None or trigger is None else trigger - estimated)


@pytest.fixture
def window(make_window: MakeWindow, qtbot: QtBot) -> MainWindow:
    kept = Settings(language="en", theme="light", width=1280, height=800)
    kept.panels = {"open": True, "tab": "compaction", "height": 300}
    made = make_window(kept, lambda _location, _root: WhatIfSource())
    with qtbot.waitSignal(made.inspector.prepared):
        made.open("fake-story.db", address=f"{ENGLISH}:2:narrator:0")
    qtbot.waitUntil(lambda: panel_of(made).shown is not None)
    return made


def panel_of(window: MainWindow) -> CompactionPanel:
    panel = window.bottom.panel
    assert isinstance(panel, CompactionPanel)
    return panel


def test_the_summary_that_the_turn_was_sent_is_shown_first(window: MainWindow) -> None:
    panel = panel_of(window)
    assert panel.shown == summary("summary:a", 1, 2, "2")
    assert panel.list.count() == 2
    assert "The next compaction is 840 tokens away." in panel.lines.text()
    assert panel.nearness.value() == round(3000 / 3840 * 1000)
    assert "✗ Turn 3: the model's answer was no JSON" in panel.attempts.text()
    assert "counts 17 ropes" in panel.rows.toPlainText()
    assert "met somebody" in panel.summary.toPlainText()


def test_another_summary_can_be_chosen_and_stays_chosen(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    panel.list.setCurrentRow(1)
    assert panel.shown is not None
    assert panel.shown.key == "summary:b"
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.step(-1)
    assert panel.shown.key == "summary:b"


def test_a_row_leads_to_its_turn(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    with qtbot.waitSignal(window.inspector.prepared):
        panel.rows.anchorClicked.emit(QUrl("turn:0"))
    assert window.inspector.state.spot is not None
    assert window.inspector.state.spot.turn == "1"
    panel.summary.anchorClicked.emit(QUrl("row:1"))
    assert panel.rows.verticalScrollBar().value() >= 0


def test_another_session_is_read_and_the_language_changes(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    with qtbot.waitSignal(window.inspector.prepared):
        window.inspector.go(f"{CHINESE}:2:narrator:0")
    qtbot.waitUntil(lambda: panel._report is not None and panel._report.session == CHINESE)
    window.look.choose_language("zh-CN")
    assert panel.list.item(0).text().startswith("回合 1 至 2")
