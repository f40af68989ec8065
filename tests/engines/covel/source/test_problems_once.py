"""A broken row is one problem, whoever stumbled over it."""

from covel_inspector.domain import Address, Problem, Severity, say
from covel_inspector.engines.covel.source.unreadable import told_once

ROW = "trace_events 7"
WHY = say("column {column} holds no readable JSON object", column="payload")


def test_the_graver_telling_of_a_row_stays() -> None:
    warning = Problem(Severity.WARNING, ROW, WHY)
    error = Problem(Severity.ERROR, ROW, WHY, Address("s", "1", "narrator", 0))
    other = Problem(Severity.WARNING, ROW, say("it names no runtime"))
    assert told_once((warning, other, error)) == (error, other)
    assert told_once((error, warning)) == (error,)


def test_of_equal_tellings_the_one_with_a_call_stays() -> None:
    bare = Problem(Severity.ERROR, ROW, WHY)
    placed = Problem(Severity.ERROR, ROW, WHY, Address("s", "1", "narrator", 0))
    assert told_once((bare, placed)) == (placed,)
    assert told_once(()) == ()
