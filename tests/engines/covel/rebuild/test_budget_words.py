"""The words of a budget: one name for one thing, and step sentences that count in whole sentences."""

from pathlib import Path

import pytest

from covel_inspector.domain import BudgetRun
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture(scope="module")
def tidewater() -> CovelSource:
    return open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))


def _runs(source: CovelSource) -> list[BudgetRun]:
    runs = []
    for session in source.sessions():
        for call in (*source.calls(session.id), *source.unsent(session.id)):
            run = source.budget(call.address)
            if run is not None:
                runs.append(run)
    return runs


def test_a_message_of_unknown_source_is_called_by_the_block_it_is_in(tidewater: CovelSource) -> None:
    run = tidewater.budget(tidewater.resolve("fdec:7:tide-narrator:0"))
    assert run is not None
    (share,) = (share for share in run.shares if share.name == "inserted")
    assert str(share.title) == "Segments between the messages"
    named = {str(item.title) for step in run.steps for item in step.protected if item.share == "inserted"}
    assert named == {"Segment between the messages (source unknown)"}


def test_no_item_is_only_called_unknown(tidewater: CovelSource) -> None:
    titles = {
        str(item.title) for run in _runs(tidewater) for step in run.steps for item in (*step.touched, *step.protected)
    }
    assert titles
    assert "Unknown" not in titles


def test_what_is_not_touched_is_told_in_a_sentence_of_its_own(tidewater: CovelSource) -> None:
    told = [str(step.told) for run in _runs(tidewater) for step in run.steps if step.name == "prune"]
    assert told
    for sentence in told:
        assert "messages are not touched: the last user turns and their turn context are kept." in sentence
        assert "(messages:" not in sentence
        assert ".." not in sentence
