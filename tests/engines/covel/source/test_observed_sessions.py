"""Observing a session through the source: in pieces, kept until the file changes, and never in the trees."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from covel_inspector.domain import Standing, Volatility
from covel_inspector.engines.covel.source import open_covel
from covel_inspector.engines.covel.source.source import CovelSource

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture
def source(tmp_path: Path) -> Iterator[CovelSource]:
    """A copy of the story, opened with its files."""
    copy = tmp_path / "story.db"
    copy.write_bytes((DATA / "tidewater.db").read_bytes())
    opened = open_covel(str(copy), str(DATA / "sample-root"))
    yield opened
    opened.close()


def steps(source: CovelSource, session: str, until: int = 1000) -> list[tuple[int, int]]:
    """What ``go_on`` was asked while a session was observed; it says no after so many questions."""
    asked: list[tuple[int, int]] = []

    def go_on(done: int, everything: int) -> bool:
        asked.append((done, everything))
        return len(asked) < until

    source.observed(session, go_on)
    return asked


def test_a_session_is_observed_by_turns(source: CovelSource) -> None:
    main, fork = (session.id for session in source.sessions())

    tide = source.observed(main)["segment:tide-narrator/tide-level"]

    assert (tide.seen, tide.turns, tide.changes, tide.steps) == (7, 7, 6, 6)
    assert tide.changed == ("2", "3", "4", "5", "6", "8")
    assert tide.name == "tide-level"
    assert (tide.standing, tide.volatilities) == (Standing.END, (Volatility.TURN,))
    assert source.observed(main)["segment:tide-narrator/people"].standing is Standing.TURN
    assert source.observed(fork)["segment:tide-narrator/tide-level"].changed == ("7", "8", "9")


def test_work_that_was_put_aside_goes_on_where_it_was(source: CovelSource) -> None:
    session = source.sessions()[0].id

    first = steps(source, session, until=10)
    assert [done for done, _ in first] == list(range(10))
    assert {everything for _, everything in first} == {len(source.calls(session)) - 4}
    assert source.observed(session, lambda _done, _everything: False) is None
    assert steps(source, session)[0][0] == 9

    assert steps(source, session) == []
    with closing(open_covel(source.location, str(DATA / "sample-root"))) as other:
        assert source.observed(session) == other.observed(session)


def test_nothing_is_read_again_until_the_file_changes(source: CovelSource) -> None:
    session = source.sessions()[0].id
    known = source.observed(session)
    assert source.observed(session) is known

    with closing(sqlite3.connect(source.location)) as game:
        game.execute("UPDATE sessions SET updated_at = '2030-01-01T00:00:00.000Z'")
        game.commit()

    assert steps(source, session)[0][0] == 0


def test_trees_stay_as_they_are(source: CovelSource) -> None:
    session = source.sessions()[0].id
    address = source.calls(session)[-1].address
    before = source.recorded(address)

    source.observed(session)

    with closing(open_covel(source.location, str(DATA / "sample-root"))) as other:
        other.observed(session)
        assert other.recorded(address) == before


def test_a_session_that_is_not_there_has_nothing_observed(source: CovelSource) -> None:
    assert source.observed("nowhere") == {}


def test_a_call_that_cannot_be_read_is_left_out(source: CovelSource) -> None:
    session = source.sessions()[0].id
    with closing(sqlite3.connect(source.location)) as game:
        broken = next(call for call in source.calls(session) if call.address.runtime == "tide-narrator")
        game.execute("UPDATE trace_events SET payload = '{' WHERE id = ?", (broken.row,))
        game.commit()

    seen = source.observed(session)["segment:tide-narrator/tide-level"]

    assert (seen.seen, seen.turns) == (6, 6)
