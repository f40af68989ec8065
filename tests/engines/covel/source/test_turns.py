"""Turns get numbers, calls get places."""

import pytest

from covel_inspector.domain import Event, TurnKind, say
from covel_inspector.engines.covel.records.rows import CallRow, TurnResultRow
from covel_inspector.engines.covel.source.turns import Mark, PlayerLine, list_turns, place_calls


def at(second: int) -> str:
    return f"2026-05-01T10:00:{second:02d}.000Z"


def result(turn: str, second: int, origin: str = "player", status: str = "committed", ms: int = 1000) -> TurnResultRow:
    return TurnResultRow(
        id=f"{turn}{second}",
        session_id="s",
        turn_id=turn,
        origin=origin,
        commit_status=status,
        duration_ms=ms,
        created_at=at(second),
    )


def call(name: str, turn: str, second: int, attempt: int = 0, trace: str = "", runtime: str = "narrator") -> CallRow:
    return CallRow(
        id=name,
        session_id="s",
        turn_id=turn,
        trace_id=trace,
        runtime_id=runtime,
        attempt=attempt,
        started_at=at(second),
    )


def test_numbers_follow_time_and_background_work_hangs_behind_its_turn() -> None:
    turns = list_turns(
        "s",
        [result("b", 20), result("job", 12, origin="follower"), result("a", 10), result("job2", 13, origin="follower")],
        [PlayerLine("a", "first", at(8)), PlayerLine("b", "second", at(18))],
        [],
        [],
    )
    assert [(turn.id, turn.number, turn.kind) for turn in turns] == [
        ("a", "1", TurnKind.PLAYER),
        ("job", "1+1", TurnKind.BACKGROUND),
        ("job2", "1+2", TurnKind.BACKGROUND),
        ("b", "2", TurnKind.PLAYER),
    ]
    assert turns[0].line == "first"


def test_a_failed_turn_without_rows_keeps_its_number_and_says_why() -> None:
    turns = list_turns("s", [result("a", 10), result("f", 20, status="failed")], [PlayerLine("a", "x", at(8))], [], [])
    assert [turn.number for turn in turns] == ["1", "2"]
    assert turns[1].events == (Event.FAILED,)
    assert turns[1].note == say(
        "The turn failed. No request of it is recorded: none was sent, or its calls are no longer kept."
    )
    told = list_turns("s", [result("f", 20, status="failed")], [], [], [Mark("f", Event.FAILED, say("because"))])
    assert told[0].note == say("because")


def test_copied_turns_say_that_their_calls_are_elsewhere() -> None:
    (turn,) = list_turns("s", [], [PlayerLine("a", "x", at(1))], [], [])
    assert turn.number == "1"
    assert turn.note is not None
    assert "fork" in str(turn.note)


@pytest.mark.parametrize("torn", [{"turn_results"}, {"turn_results", "trace_events"}])
def test_a_damaged_table_proves_nothing_about_a_turn_without_calls(torn: set[str]) -> None:
    (turn,) = list_turns("s", [], [PlayerLine("a", "x", at(1))], [], [], frozenset(torn))
    assert turn.note is not None
    assert "fork" not in str(turn.note)
    assert "Calls may be lost: the file is damaged." in str(turn.note)


def test_a_turn_without_executions_may_be_a_copy_even_if_calls_are_lost() -> None:
    (turn,) = list_turns("s", [], [PlayerLine("a", "x", at(1))], [], [], frozenset({"trace_events"}))
    assert "a fork copied it, or its calls are lost" in str(turn.note)
    (turn,) = list_turns("s", [result("a", 10)], [PlayerLine("a", "x", at(1))], [], [], frozenset({"trace_events"}))
    assert "Calls may be lost" in str(turn.note)


def test_executions_that_are_there_prove_something_even_if_others_are_lost() -> None:
    (turn,) = list_turns("s", [result("a", 10)], [], [], [], frozenset({"turn_results"}))
    assert turn.note == say("No model was called, or the calls are no longer kept.")


def test_a_lost_line_is_not_taken_for_none() -> None:
    calls = [call("c", "a", 9)]
    (turn,) = list_turns("s", [result("a", 10)], [], calls, [], frozenset({"turn_messages"}))
    assert "line may be lost" in str(turn.note)
    (turn,) = list_turns("s", [result("a", 10)], [PlayerLine("a", "x", at(1))], calls, [], frozenset({"turn_messages"}))
    assert turn.note is None


def test_a_call_alone_makes_a_turn() -> None:
    (turn,) = list_turns("s", [], [], [call("c", "running", 5)], [])
    assert (turn.number, turn.kind, turn.call_count, turn.note) == ("1", TurnKind.PLAYER, 1, None)
    assert turn.runtimes == ("narrator",)


def test_a_first_attempt_opens_the_next_step_and_a_new_execution_starts_over() -> None:
    calls = [
        call("a", "t", 1, trace="x"),
        call("b", "t", 2, attempt=1, trace="x"),
        call("c", "t", 3, trace="x"),
        call("d", "t", 4, trace="y"),
        call("e", "t", 2, trace="x", runtime="codex"),
    ]
    places = {place.row.id: place for place in place_calls(calls, {"t": "7"})}
    assert [(places[name].index, places[name].step) for name in "abcd"] == [(0, 0), (1, 0), (2, 1), (3, 0)]
    assert (places["e"].index, places["e"].step) == (0, 0)
    assert {place.turn for place in places.values()} == {"7"}


def test_broken_times_do_not_stop_the_list() -> None:
    broken = TurnResultRow(id="r", session_id="s", turn_id="t", origin="player", created_at="not a time", duration_ms=5)
    assert [turn.number for turn in list_turns("s", [broken], [], [], [])] == ["1"]
