"""Recorded tool loops that a budget thinned out, and calls that failed in the middle of a run."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.domain import AbsenceReason, Absent, Address, BudgetOutcome, Grade
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
LEDGER = "harbor-clerk/ledger"

Edit = Callable[[dict[str, Any]], None]


def edited(path: Path, step: int, edit: Edit) -> tuple[CovelSource, Address]:
    """The story with one recorded request changed: that of a step of the ledger's run in turn 2."""
    shutil.copy(DATA / "tidewater.db", path)
    original = open_covel(str(path))
    session = original.sessions()[0].id
    call = [one for one in original.calls(session, "2") if one.address.runtime == LEDGER][step]
    original.close()
    with sqlite3.connect(path) as connection:
        payload = json.loads(
            connection.execute("select payload from trace_events where id = ?", (call.row,)).fetchone()[0]
        )
        edit(payload)
        connection.execute("update trace_events set payload = ? where id = ?", (json.dumps(payload), call.row))
    connection.close()
    return open_covel(str(path), str(DATA / "sample-root")), call.address


def absent(source: CovelSource, address: Address, reason: AbsenceReason) -> list[Absent]:
    tree = source.recorded(address)
    assert tree is not None
    assert tree.gaps() == []
    return [one for one in tree.absent if one.reason is reason]


def fold_first_group(payload: dict[str, Any]) -> None:
    messages = payload["messages"]
    first = next(number for number, message in enumerate(messages) if message.get("toolCalls"))
    call = messages[first]["toolCalls"][0]
    text = f"Earlier calls:\n- {call['name']} {call['arguments']} -> failed: E"
    messages[first : first + 2] = [{"role": "system", "content": text}]


def omit_first_data(payload: dict[str, Any]) -> None:
    for message in payload["messages"]:
        if message["role"] == "tool":
            value = json.loads(message["content"])
            if "data" in value:
                message["content"] = json.dumps({**value, "data": "(left out)"})
                return
    pytest.fail("no result with data")


def test_a_folded_group_is_named_behind_its_list(tmp_path: Path) -> None:
    source, address = edited(tmp_path / "folded.db", 2, fold_first_group)
    found = absent(source, address, AbsenceReason.FOLDED)
    tree = source.recorded(address)
    assert tree is not None
    lists = [leaf.key for leaf in tree.leaves() if leaf.text.startswith("Earlier calls:")]
    assert len(found) == 1
    assert [found[0].after] == lists
    assert found[0].origin.table == "tool_calls"
    assert found[0].grade is Grade.STRUCTURAL
    source.close()


def test_data_that_was_left_out_is_named_at_its_result(tmp_path: Path) -> None:
    source, address = edited(tmp_path / "omitted.db", 2, omit_first_data)
    (found,) = absent(source, address, AbsenceReason.OMITTED)
    tree = source.recorded(address)
    assert tree is not None
    leaf = next(leaf for leaf in tree.leaves() if leaf.key == found.key)
    assert found.after == leaf.key
    assert "(left out)" in leaf.text
    assert "Ines Calder/70" in found.text
    assert "Ines Calder/70" not in leaf.text
    source.close()


def test_a_whole_loop_has_nothing_folded(tmp_path: Path) -> None:
    source, address = edited(tmp_path / "whole.db", 2, lambda payload: None)
    for reason in (AbsenceReason.FOLDED, AbsenceReason.OMITTED, AbsenceReason.CUT):
        assert absent(source, address, reason) == []
    source.close()


def overflow_in_turn_two(path: Path) -> CovelSource:
    """The story in which the ledger's run of turn 2 ended in an overflow after its calls."""
    shutil.copy(DATA / "tidewater.db", path)
    error = (
        "[provider: openai, model: gpt-5.2-mini, slot: fast] overflow: it needs 900 input tokens, limit 800 "
        "(fixed=500, system=263, tools=200, responseFormat=0, messages=420, toolResultSaved=15, summarySaved=5)"
    )
    with sqlite3.connect(path) as connection:
        rows = connection.execute("select id, runtime_results from turn_results order by created_at").fetchall()
        for row, results in rows[1:2]:
            changed = json.loads(results)
            for result in changed:
                if result["runtimeId"] == LEDGER:
                    result |= {"status": "failed", "error": error}
            connection.execute(
                "update turn_results set runtime_results = ?, commit_status = 'failed' where id = ?",
                (json.dumps(changed), row),
            )
    connection.close()
    return open_covel(str(path), str(DATA / "sample-root"))


def test_an_overflow_in_the_middle_of_a_run_is_its_next_call(tmp_path: Path) -> None:
    source = overflow_in_turn_two(tmp_path / "middle.db")
    session = source.sessions()[0].id
    (unsent,) = source.unsent(session, "2")
    made = [call for call in source.calls(session, "2") if call.address.runtime == LEDGER]
    assert unsent.address == Address(session, "2", LEDGER, len(made))
    assert unsent.step == max(call.step for call in made) + 1
    tree = source.rebuilt(unsent.address)
    assert tree is not None
    assert tree.gaps() == []
    run = source.budget(unsent.address)
    assert run is not None
    assert dict(run.figures)["estimated"] == 900
    assert run.limit == 800
    assert any("the rebuilt request gives others for" in str(note) for note in run.notes)
    source.close()


def test_an_error_of_another_kind_after_a_call_is_no_unsent_call(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    shutil.copy(DATA / "tidewater.db", path)
    with sqlite3.connect(path) as connection:
        for row, results in connection.execute("select id, runtime_results from turn_results").fetchall():
            changed = json.loads(results)
            for result in changed:
                result |= {"status": "failed", "error": "the model said nothing"}
            connection.execute(
                "update turn_results set runtime_results = ?, commit_status = 'failed' where id = ?",
                (json.dumps(changed), row),
            )
    connection.close()
    source = open_covel(str(path), str(DATA / "sample-root"))
    seen = 0
    for session in source.sessions():
        called = {(call.address.turn, call.address.runtime) for call in source.calls(session.id)}
        for one in source.unsent(session.id):
            assert (one.address.turn, one.address.runtime) not in called
            assert one.error == "the model said nothing"
            run = source.budget(one.address)
            assert run is None or run.outcome is not BudgetOutcome.OVERFLOW
            seen += 1
    assert seen > 2
    source.close()
