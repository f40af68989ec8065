"""What was committed when a call was made."""

from covel_inspector.engines.covel.rebuild.moment import Moment, history_at
from covel_inspector.engines.covel.records.executions import Executions
from covel_inspector.engines.covel.records.rows import SummaryRow, TurnMessageRow, TurnResultRow


def at(second: int) -> str:
    return f"2026-05-01T10:00:{second:02d}.000Z"


def row(name: str, turn: str, second: int, source: str = "runtime", mark: str = "") -> TurnMessageRow:
    return TurnMessageRow(
        id=name,
        session_id="s",
        turn_id=turn,
        source_type=source,
        role="user" if source == "player" else "assistant",
        content=name,
        created_at=at(second),
        summary_id=mark,
    )


def settled(turn: str, second: int, seq: int = 0) -> TurnResultRow:
    return TurnResultRow(id=f"{turn}-{second}", session_id="s", turn_id=turn, created_at=at(second), seq=seq)


def moment(turn: str, second: int) -> Moment:
    return Moment(turn, "narrator", "narrator", at(second))


def names(rows: tuple[TurnMessageRow, ...]) -> list[str]:
    return [found.id for found in rows]


def test_rows_of_a_settled_turn_are_history_and_those_of_a_running_one_are_not() -> None:
    executions = Executions([settled("t1", 9), settled("t2", 30)])
    rows = [row("line", "t1", 1, "player"), row("story", "t1", 5), row("own", "t2", 20)]
    history = history_at(rows, [], executions, moment("t2", 22))
    assert names(history.live) == ["line", "story"]
    assert names(history.later) == ["own"]


def test_a_row_counts_from_its_commit_and_not_from_its_own_time() -> None:
    executions = Executions([settled("t1", 9)])
    history = history_at([row("story", "t1", 5)], [], executions, moment("t2", 7))
    assert names(history.live) == []
    assert names(history_at([row("story", "t1", 5)], [], executions, moment("t2", 10)).live) == ["story"]


def test_rows_copied_by_a_fork_were_there_from_the_start() -> None:
    history = history_at([row("copy", "t0", 50)], [], Executions([settled("t9", 60)]), moment("t9", 1))
    assert names(history.live) == ["copy"]


def test_the_current_line_is_no_history_even_in_a_retry() -> None:
    executions = Executions([settled("t1", 9), settled("t1", 40)])
    rows = [row("line", "t1", 1, "player"), row("story", "t1", 5)]
    history = history_at(rows, [], executions, moment("t1", 30))
    assert names(history.live) == ["story"]


def test_a_mark_counts_from_the_moment_its_summary_was_made() -> None:
    summary = SummaryRow(id="sum", session_id="s", content="…", created_at=at(20))
    executions = Executions([settled("t1", 9)])
    rows = [row("old", "t1", 1, mark="sum")]
    before = history_at(rows, [summary], executions, moment("t2", 15))
    after = history_at(rows, [summary], executions, moment("t2", 25))
    assert names(before.live) == ["old"]
    assert before.live[0].summary_id == ""
    assert before.summaries == ()
    assert names(after.compacted) == ["old"]
    assert after.summaries == (summary,)


def test_the_execution_of_a_call_is_the_first_one_settled_after_it() -> None:
    first, second = settled("t1", 9), settled("t1", 40)
    executions = Executions([second, first])
    assert executions.of("t1", at(3)) is first
    assert executions.of("t1", at(9)) is first
    assert executions.of("t1", at(10)) is second
    assert executions.of("t1", at(41)) is None
    assert executions.of("t7", at(1)) is None
