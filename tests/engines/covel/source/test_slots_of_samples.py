"""The slots of the samples' input blocks: the same in both trees of a call, named after rows and lines that hold."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.analysis.compare import PairState, compare
from covel_inspector.domain import Changes, Grade, Kind, Segment, SegmentTree, Status
from covel_inspector.engines.covel.assembler.escaping import unescape
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
SLOTS = {"emberwatch.db": 130, "tidewater.db": 18}
"""Recorded requests with a block of inputs: each has one slot."""

BY_HAND = "fdec65fe-7212-4737-a222-d7283ab5a383:6:harbor-clerk/ledger:1"
"""The retry by hand: the story is in its history, so the slot holds it in full."""


@pytest.fixture(scope="module", params=SLOTS)
def source(request: pytest.FixtureRequest) -> Iterator[CovelSource]:
    """A sample story with its files."""
    opened = open_covel(str(DATA / request.param), str(DATA / "sample-root"))
    yield opened
    opened.close()


def blocks(tree: SegmentTree | None) -> list[Segment]:
    return [found for found in tree.walk() if found.key in ("inputs", "exports")] if tree is not None else []


def slots(block: Segment) -> list[Segment]:
    return [child for child in block.children if child.key.startswith(("input:", "export:"))]


def results_of(name: str) -> dict[str, list[dict[str, Any]]]:
    """The results of each execution by the id of its row."""
    connection = sqlite3.connect(f"{(DATA / name).as_uri()}?mode=ro&immutable=1", uri=True)
    rows = connection.execute("SELECT id, runtime_results FROM turn_results").fetchall()
    connection.close()
    return {row: json.loads(text) for row, text in rows}


def test_both_trees_have_the_same_slots(source: CovelSource) -> None:
    count = 0
    for session in source.sessions():
        for call in source.calls(session.id):
            recorded, rebuilt = source.recorded(call.address), source.rebuilt(call.address)
            ours, theirs = blocks(recorded), blocks(rebuilt)
            assert [block.whole_text for block in ours] == [block.whole_text for block in theirs]
            for here, there in zip(ours, theirs, strict=True):
                assert [child.key for child in here.children] == [child.key for child in there.children]
                assert [child.text for child in here.children] == [child.text for child in there.children]
                count += len(slots(here))
            pairs = [pair for pair in compare(recorded, rebuilt).walk() if pair.kind is Kind.INPUTS] if ours else []
            assert {pair.state for pair in pairs} <= {PairState.EQUAL}
    assert count == SLOTS[Path(source.location).name]


def test_a_slot_names_the_result_and_the_line_that_declares_it(source: CovelSource) -> None:
    results = results_of(Path(source.location).name)
    for session in source.sessions():
        for call in source.calls(session.id):
            for tree in (source.recorded(call.address), source.rebuilt(call.address)):
                for slot in (slot for block in blocks(tree) for slot in slots(block)):
                    name = slot.key.partition(":")[2]
                    lines = (DATA / "sample-root" / slot.origin.file).read_text(encoding="utf-8").splitlines()
                    assert lines[slot.origin.line - 1].lstrip().startswith(f"{name}:")
                    assert slot.origin.file.startswith(f"plugins/{call.plugin}/")
                    assert slot.origin.table == "turn_results"
                    (row,) = slot.origin.rows
                    assert slot.origin.runtime in [result["runtimeId"] for result in results[row]]


def test_only_a_slot_that_holds_the_value_is_exact(source: CovelSource) -> None:
    results = results_of(Path(source.location).name)
    exact = []
    for session in source.sessions():
        for call in source.calls(session.id):
            for slot in (slot for block in blocks(source.recorded(call.address)) for slot in slots(block)):
                value = json.loads("{" + unescape(slot.text) + "}")[slot.key.partition(":")[2]]["value"]
                (told,) = {
                    result["output"]["narrative"]
                    for result in results[slot.origin.rows[0]]
                    if result["runtimeId"] == slot.origin.runtime
                }
                assert (slot.grade is Grade.EXACT) == (value == told)
                if slot.grade is Grade.EXACT:
                    exact.append(str(call.address))
    assert exact == ([BY_HAND] if source.location.endswith("tidewater.db") else [])


def test_without_a_slot_the_engine_writes_no_block() -> None:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    address = source.resolve(BY_HAND)

    alone = source.rebuilt(address, Changes(without=("input:narrative",)))
    whole = source.rebuilt(address, Changes(without=("inputs",)))

    assert alone is not None
    assert whole is not None
    assert blocks(alone) == blocks(whole) == []
    assert alone.request.text == whole.request.text
    assert "inputs" in {left_out.key for left_out in alone.absent}
    assert source.verdict(address).status is Status.IDENTICAL
    source.close()
