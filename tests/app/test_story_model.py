"""The story's rows, under the eyes of Qt's own model test."""

from dataclasses import replace

import pytest
from fake_source import CHINESE, ENGLISH, FakeSource, fake_source
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester

from covel_inspector.app.picking import Lists
from covel_inspector.app.story_filter import StoryFilter, parse
from covel_inspector.app.story_model import CACHED_MEANING, Role, StoryModel, StoryRow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Usage, say

ALL = StoryFilter()


def lists_of(source: FakeSource, session: str) -> Lists:
    known = next(one for one in source.sessions() if one.id == session)
    return Lists.of(known, source.turns(session), source.calls(session))


@pytest.fixture
def source() -> FakeSource:
    return fake_source()


@pytest.fixture
def model(qapp: object) -> StoryModel:
    return StoryModel(Wording("en"))


def test_model_keeps_qt_rules_through_all_changes(
    model: StoryModel, source: FakeSource, qtmodeltester: ModelTester
) -> None:
    qtmodeltester.check(model, force_py=False)
    model.show(source.sessions(), {}, ALL)
    model.add(lists_of(source, CHINESE), ALL)
    english = lists_of(source, ENGLISH)
    model.add(english, ALL)
    model.add(english, parse("turn:2"))
    model.show(source.sessions(), {ENGLISH: english}, parse("lantern"))
    model.show((), {}, ALL)
    assert model.rowCount() == 0


def test_turns_are_asked_for_once_when_a_session_is_opened(model: StoryModel, source: FakeSource) -> None:
    wanted: list[str] = []
    model.session_wanted.connect(wanted.append)
    model.show(source.sessions(), {}, ALL)
    session = model.index(1, 0)
    assert model.hasChildren(session)
    assert model.canFetchMore(session)
    model.fetchMore(session)
    model.fetchMore(session)
    assert wanted == [CHINESE]
    model.add(lists_of(source, CHINESE), ALL)
    assert model.rowCount(session) == 3
    assert not model.canFetchMore(session)


def test_rows_are_ready_to_draw_and_to_be_spoken(model: StoryModel, source: FakeSource) -> None:
    model.show(source.sessions(), {ENGLISH: lists_of(source, ENGLISH)}, ALL)
    row: StoryRow = model.index_of(ENGLISH, "2").data(Role.ROW)
    assert (row.number, row.text, row.cached) == ("2", "I ask the clerk about the red lantern.", "80\u202f%")
    spoken = model.index_of(ENGLISH, "2").data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == (
        "turn 2, I ask the clerk about the red lantern., 80\u202f% of the input cached, a call was retried"
    )
    assert model.index_of(ENGLISH, "2+1").data(Role.ROW).text == "background"
    assert "did not fit" in model.index_of(ENGLISH, "3").data(Role.ROW).tip
    assert model.index(0, 0).data() == "The Tide Clerk"
    assert model.index_of(ENGLISH, "9") == QModelIndex()
    assert model.longest_number == 3


def test_line_of_a_stranger_stays_text(model: StoryModel, source: FakeSource) -> None:
    turns = [replace(turn, line="<img src=x>\x1b[31m\nred") for turn in source.turns(ENGLISH)]
    lists = Lists.of(source.sessions()[0], turns, source.calls(ENGLISH))
    model.show(source.sessions(), {ENGLISH: lists}, ALL)
    index = model.index_of(ENGLISH, "1")
    assert index.data(Role.ROW).text == "<img src=x>\\x1b[31m ⏎ red"
    assert "<img" not in index.data(Qt.ItemDataRole.ToolTipRole)


def test_turn_stands_out_when_its_share_is_unusual_for_its_session(model: StoryModel, source: FakeSource) -> None:
    calls = [
        replace(call, usage=Usage(100, 1, 20 if call.address.turn == "2" else 85, 0)) for call in source.calls(CHINESE)
    ]
    lists = Lists.of(source.sessions()[1], source.turns(CHINESE), calls)
    model.show(source.sessions(), {CHINESE: lists}, ALL)
    assert [model.index_of(CHINESE, turn).data(Role.ROW).low for turn in ("1", "2", "3")] == [False, True, False]


def test_filter_leaves_out_turns_and_empty_sessions(model: StoryModel, source: FakeSource) -> None:
    lists = {session: lists_of(source, session) for session in (ENGLISH, CHINESE)}
    model.show(source.sessions(), lists, parse("敲门"))
    assert model.rowCount() == 1
    assert model.shown_turns == 1
    assert model.place(ENGLISH) == -1


def test_grey_turn_says_why_it_is_grey(model: StoryModel, source: FakeSource) -> None:
    lists = lists_of(source, ENGLISH)
    lost = say("No call of this turn was found. Calls may be lost: the file is damaged.")
    first, second, *rest = (turn for turn in lists.turns)
    turns = (replace(first, line="", note=None), replace(second, call_count=0, note=lost), *rest)
    model.show(source.sessions(), {}, ALL)
    model.add(Lists.of(lists.session, turns, lists.calls), ALL)
    silent, torn = (model.data(model.index_of(ENGLISH, turn.number), Role.ROW) for turn in turns[:2])
    assert silent.quiet
    assert "No row holds what the player wrote" in silent.tip
    assert torn.quiet
    assert str(lost) in torn.tip


def test_shares_of_the_cache_are_explained_where_there_are_any(model: StoryModel, source: FakeSource) -> None:
    model.show(source.sessions(), {}, ALL)
    assert not model.has_shares
    model.add(lists_of(source, ENGLISH), ALL)
    assert model.has_shares
    row = model.data(model.index_of(ENGLISH, "2"), Role.ROW)
    assert row.cached
    assert f"{row.cached}: {CACHED_MEANING}" in row.tip
