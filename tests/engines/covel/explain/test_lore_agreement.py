"""The explanation of the lorebook agrees with the assembler and with the truth, in both directions."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from covel_inspector.domain import AbsenceReason, Kind, LoreOutcome, LoreState, SegmentTree
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
CASES = [(name, root) for name in ("emberwatch", "tidewater", "driftwood-old-schema") for root in ("sample-root", None)]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]} {'with' if case[1] else 'without'} files")
def source(request: pytest.FixtureRequest) -> Iterator[CovelSource]:
    name, root = request.param
    opened = open_covel(str(DATA / f"{name}.db"), str(DATA / root) if root else None)
    yield opened
    opened.close()


def keys_in(tree: SegmentTree) -> set[str]:
    return {segment.key.partition("#")[0] for segment in tree.walk() if segment.kind is Kind.LORE}


def test_every_entry_of_every_call_agrees_with_the_assembler(source: CovelSource) -> None:
    calls = states = 0
    for session in source.sessions():
        for call in source.calls(session.id):
            rebuilt, recorded = source.rebuilt(call.address), source.recorded(call.address)
            found = source.lorebook(call.address)
            if rebuilt is None or recorded is None:
                assert found == () or call.concealed is False, call.address
                continue
            calls += 1
            states += len(found)
            told_in = {state.key for state in found if state.is_in}
            assert told_in == keys_in(rebuilt) == keys_in(recorded), call.address
            if any(absent.kind is Kind.LORE for absent in rebuilt.absent):  # A frozen request tells of none.
                left_out = {absent.key: absent.reason for absent in rebuilt.absent if absent.kind is Kind.LORE}
                told_out = {state.key: _reason(state) for state in found if not state.is_in}
                told_out = {key: reason for key, reason in told_out.items() if reason is not None}
                assert told_out == left_out, call.address
            for state in found:
                assert state.sent is state.is_in, (call.address, state.entry)
                assert state.notes == (), (call.address, state.entry)
    assert calls
    assert states == calls * len(found)


def _reason(state: LoreState) -> AbsenceReason | None:
    return {
        LoreOutcome.DISABLED: AbsenceReason.DISABLED,
        LoreOutcome.NO_KEY: AbsenceReason.NO_KEY,
        LoreOutcome.KEYLESS: AbsenceReason.NO_KEY,
        LoreOutcome.PRUNED: AbsenceReason.PRUNED,
    }.get(state.outcome)


def test_hits_and_outcomes_tell_the_same_story(source: CovelSource) -> None:
    for session in source.sessions():
        record = source._record(session.id)
        texts = {row.id: row.content for row in record.evidence.rows}
        for call in source.calls(session.id):
            line = next((row.content for row in record.evidence.rows if row.turn_id == call.turn_id), "")
            for state in source.lorebook(call.address):
                if state.outcome is LoreOutcome.KEY:
                    assert state.hits, (call.address, state.entry)
                if state.outcome in (LoreOutcome.NO_KEY, LoreOutcome.KEYLESS):
                    assert not state.hits, (call.address, state.entry)
                for hit in (*state.hits, *([state.near] if state.near else [])):
                    text = line if hit.row is None else texts[hit.row]
                    assert text[hit.start : hit.end].lower() == hit.key.lower(), (call.address, hit)
                    assert (hit.back == 0) is (hit.row is None)
                assert all(hit.back <= state.scan_depth for hit in state.hits)
                assert (
                    state.near is None or state.near.back > state.scan_depth or "whole words" in str(state.nearest_miss)
                )


def test_the_history_of_an_entry_is_that_of_its_calls(source: CovelSource) -> None:
    for session in source.sessions():
        for runtime in sorted({call.address.runtime for call in source.calls(session.id) if not call.concealed}):
            history = source.lorebook_history(session.id, runtime)
            assert history.addresses == tuple(
                call.address
                for call in source.calls(session.id)
                if call.address.runtime == runtime and call.address.call == 0
            )
            for number, address in enumerate(history.addresses):
                by_key = {state.key: state for state in source.lorebook(address)}
                assert set(by_key) == {row.key for row in history.rows}
                for row in history.rows:
                    state = by_key[row.key]
                    assert row.outcomes[number] is state.outcome
                    woken_by = state.hits[0].key if state.outcome is LoreOutcome.KEY else ""
                    assert row.woken_by[number] == woken_by


@pytest.mark.parametrize("name", ["emberwatch", "tidewater"])
def test_every_entry_agrees_with_the_truth_files(name: str) -> None:
    truth = json.loads((DATA / f"{name}.truth.json").read_text(encoding="utf-8"))
    source = open_covel(str(DATA / f"{name}.db"), str(DATA / "sample-root"))
    address_of = {call.row: call.address for session in source.sessions() for call in source.calls(session.id)}
    checked = 0
    for call in truth["calls"]:
        if call.get("concealed"):
            assert source.lorebook(address_of[call["event"]]) == ()
            continue
        spans = [*call["system"], *call["messages"]]
        true = {span["entry"] for span in spans if span["kind"] in ("lore", "lore-depth")}
        told = {state.entry for state in source.lorebook(address_of[call["event"]]) if state.is_in}
        assert told == true, address_of[call["event"]]
        checked += 1
    source.close()
    assert checked == {"emberwatch": 163, "tidewater": 33}[name]


def test_a_tried_line_wakes_what_the_assembler_wakes(source: CovelSource) -> None:
    from covel_inspector.domain import Changes

    lines = ("", "海铃响了，雾市和沉船都在。", "A storm, the ferry, three bells and a ledger.", "lamplight", "chalks!")
    for session in source.sessions():
        for call in source.calls(session.id)[::7]:
            for line in lines:
                tree = source.rebuilt(call.address, Changes(player_line=line))
                if tree is None or not any(absent.kind is Kind.LORE for absent in tree.absent):
                    continue
                states = source.try_line(call.address, line)
                assert {state.key for state in states if state.is_in} == keys_in(tree), (call.address, line)
                assert all(state.sent is None for state in states)
