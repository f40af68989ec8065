"""History steps: what looks structured, and where a window begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.assembler.history_steps import (
    BranchReply,
    looks_structured,
    view_history,
    window_rows,
)
from covel_inspector.engines.covel.assembler.params import HistoryRow

ROWS = st.lists(
    st.builds(
        HistoryRow,
        role=st.sampled_from(["user", "assistant"]),
        content=st.sampled_from(["prose", "", "{}", "[1]"]),
        id=st.uuids().map(str),
        turn_id=st.sampled_from(["t1", "t2", "t3", "t4"]),
        source_type=st.sampled_from(["player", "runtime", "system", "form"]),
        source_runtime_id=st.sampled_from(["me", "other"]),
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("text", "structured"),
    [
        ("{}", True),
        ("  [1]", True),
        ("```json\n{}\n```", True),
        ("```\n[1]\n```", True),
        ("```json\n{}\n``` and more", False),
        ("```\nprose\n```", False),
        ("`{}`", True),
        ("`word`", False),
        ("`", False),
        ("<tool-call>", True),
        ("<TOOL >", True),
        ("<tool>", True),
        ("<tools>", False),
        ("", False),
        ("prose {}", False),
    ],
)
def test_structured_answers_are_told_from_prose(text: str, structured: bool) -> None:
    assert looks_structured(text) is structured


@given(ROWS, st.none() | st.integers(0, 5))
def test_every_row_is_either_seen_or_left_out(rows: list[HistoryRow], window: int | None) -> None:
    view = view_history(rows, "me", (), window)
    seen = [row.id for row in view.rows]
    left_out = [found.key.partition(":")[2] for found in view.left_out]
    assert sorted(seen + left_out) == sorted(row.id for row in rows)
    assert seen == [row.id for row in rows if row.id in set(seen)]


@given(ROWS, st.integers(1, 5))
def test_a_window_holds_so_many_turns(rows: list[HistoryRow], window: int) -> None:
    turns = {row.turn_id for row in window_rows(rows, window).rows if row.source_type != "system"}
    every = {row.turn_id for row in rows if row.source_type != "system"}
    assert len(turns) <= window
    if len(every) <= window:
        assert len(window_rows(rows, window).rows) == len(rows)


def test_a_chosen_reply_says_that_it_was_chosen() -> None:
    rows = [HistoryRow("assistant", "stored", id="r", turn_id="t", source_type="runtime", source_runtime_id="me")]
    reply = BranchReply("t", {"status": "accepted", "acceptedText": " chosen "}, "2031")
    row = view_history(rows, "me", [reply]).rows[0]
    assert row.content == "chosen"
    assert "chosen for this turn" in str(row.provenance.notes[0])
    broken = BranchReply("t", {"status": "accepted", "candidates": "no list", "acceptedCandidateId": 1})
    assert view_history(rows, "me", [broken]).rows[0].content == "stored"
