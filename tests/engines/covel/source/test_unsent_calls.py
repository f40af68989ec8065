"""Calls that were never sent: how they are told of, what of them is known, and what nobody may claim."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from covel_inspector.analysis.lint.lint import lint
from covel_inspector.domain import AbsenceReason, BodySource, Call, Grade, Kind, Protocol, Setter, Severity, TooLong
from covel_inspector.engines.covel.source import CovelSource, open_covel
from covel_inspector.engines.covel.source.unsent import told_failure

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture(scope="module")
def source() -> Iterator[CovelSource]:
    opened = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def unsent(source: CovelSource) -> Call:
    (call,) = source.unsent(source.sessions()[0].id)
    return call


def failed(path: Path, error: str, *, without_traces: bool = False) -> CovelSource:
    """The story in which every runtime of turn 7 failed with an error of another kind."""
    shutil.copy(DATA / "tidewater.db", path)
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "select id, turn_id, runtime_results from turn_results where commit_status = 'failed'"
        )
        for row, turn, results in rows.fetchall():
            changed = [result | {"error": error} for result in json.loads(results)]
            connection.execute("update turn_results set runtime_results = ? where id = ?", (json.dumps(changed), row))
            if without_traces:
                connection.execute("delete from trace_events where turn_id = ?", (turn,))
    connection.close()
    return open_covel(str(path), str(DATA / "sample-root"))


def test_it_is_told_in_a_sentence_with_the_engine_s_own_numbers(source: CovelSource, unsent: Call) -> None:
    assert unsent.too_long == TooLong(2125, 1280, 670)
    assert unsent.too_long.over == 845
    assert not unsent.is_sent
    told = (
        "The request of tide-narrator did not fit, so the engine sent nothing: it needed 2 125 tokens, 845 more than "
        "its limit of 1 280."
    )
    assert str(unsent.failure) == told
    turn = next(turn for turn in source.turns(unsent.address.session) if turn.number == "7")
    assert str(turn.note) == told
    assert "context-overflow" in unsent.error
    reason = str(source.verdict(unsent.address).reason)
    assert "its 2 125 tokens are 845 more than its limit of 1 280" in reason
    assert "[provider" not in reason


def test_all_other_calls_are_sent(source: CovelSource) -> None:
    assert all(call.is_sent for session in source.sessions() for call in source.calls(session.id))


def test_lint_names_it_with_place_reason_and_remedy(source: CovelSource, unsent: Call) -> None:
    (found,) = [finding for finding in lint(source) if finding.rule == "never-sent"]
    assert found.severity is Severity.ERROR
    assert (found.place.table, found.place.row, found.place.address) == ("turn_results", unsent.row, unsent.address)
    assert found.sentence == unsent.failure
    assert "larger window" in str(found.remedy)


def test_a_body_is_built_for_the_protocol_of_the_call_before(source: CovelSource, unsent: Call) -> None:
    assert source.wire(unsent.address) is None
    body = source.wire(unsent.address, source=BodySource.BUILT_FROM_REBUILT)
    assert body is not None
    assert body.protocol is Protocol.OPENAI_CHAT
    notes = " ".join(map(str, body.notes))
    assert "never sent" in notes
    assert "call of turn 6" in notes
    assert "stands where the player's text was" in notes
    assert body.body["messages"][-1]["content"] == "\ufffc"
    tree = source.rebuilt(unsent.address)
    assert tree is not None
    assert {boundary.setter for boundary in tree.boundaries} == {Setter.ENGINE}  # No provider ever saw it.


def test_a_key_may_have_stood_in_the_text_that_is_not_stored(source: CovelSource, unsent: Call) -> None:
    tree = source.rebuilt(unsent.address)
    assert tree is not None
    out = [one for one in tree.absent if one.kind is Kind.LORE and one.reason is AbsenceReason.NO_KEY]
    assert out
    assert all(one.grade is Grade.GUESS and "player's text is not known" in str(one.note) for one in out)
    states = [state for state in source.lorebook(unsent.address) if not state.is_in]
    assert states
    assert all("stored nowhere" in str(state.why) for state in states)
    tried = source.try_line(unsent.address, "I open the ledger.")
    assert any(state.is_in and state.entry == states[0].entry for state in tried)
    assert not any("stored nowhere" in str(state.why) for state in tried)


def test_values_are_compared_with_the_turn_before_and_not_with_a_later_one(source: CovelSource, unsent: Call) -> None:
    report = source.template(unsent.address)
    assert report is not None
    assert report.previous is not None
    assert report.previous.turn == "6"


def test_an_error_that_is_no_overflow_is_told_by_its_first_line(tmp_path: Path) -> None:
    source = failed(tmp_path / "other.db", "[provider: p, model: m, slot: s] the hook gave up\nat line 7")
    (call,) = source.unsent(source.sessions()[0].id)
    assert call.too_long is None
    assert str(call.failure) == "tide-narrator failed: the hook gave up"
    assert "line 7" in call.error
    (found,) = [finding for finding in lint(source) if finding.rule == "never-sent"]
    assert "Mend what the error names" in str(found.remedy)
    source.close()


def test_nobody_says_never_sent_of_a_turn_whose_traces_are_gone(tmp_path: Path) -> None:
    source = failed(tmp_path / "gone.db", "the model said nothing", without_traces=True)
    session = source.sessions()[0].id
    assert source.unsent(session) == ()
    assert [finding for finding in lint(source) if finding.rule == "never-sent"] == []
    source.close()


@pytest.mark.parametrize("error", ["", "\n\n", "[provider: p, model: m, slot: s]", "x" * 1000])
def test_odd_errors_are_told_too(error: str) -> None:
    told = str(told_failure("narrator", error))
    assert told.startswith("narrator failed:")
    assert len(told) < 250
