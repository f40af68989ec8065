"""Reasons of lorebook entries name messages as people do: by turn and speaker, never by the id of a row."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from covel_inspector.domain import Kind, LoreState, SegmentTree, Sentence
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}")


@pytest.fixture(scope="module", params=["emberwatch", "tidewater"])
def source(request: pytest.FixtureRequest) -> CovelSource:
    return open_covel(str(DATA / f"{request.param}.db"), str(DATA / "sample-root"))


def _sentences(states: list[LoreState]) -> Iterator[Sentence]:
    for state in states:
        yield state.why
        yield from state.notes
        if state.nearest_miss is not None:
            yield state.nearest_miss


def _lore_notes(tree: SegmentTree | None) -> Iterator[Sentence]:
    for segment in tree.walk() if tree is not None else ():
        if segment.kind is Kind.LORE:
            yield segment.reason
            yield from segment.notes
    for absent in tree.absent if tree is not None else ():
        if absent.kind is Kind.LORE:
            yield absent.note


def test_no_reason_names_the_id_of_a_row(source: CovelSource) -> None:
    rows: set[str] = set()
    told: set[str] = set()
    for session in source.sessions():
        for call in list(source.calls(session.id))[::3]:
            states = list(source.lorebook(call.address))
            rows.update(hit.row for state in states for hit in state.hits if hit.row)
            rows.update(state.entry for state in states if _ID.search(state.entry))
            told.update(map(str, _sentences(states)))
            told.update(map(str, _lore_notes(source.recorded(call.address))))
            told.update(map(str, _lore_notes(source.rebuilt(call.address))))
    assert rows
    assert told
    assert [sentence for sentence in told if any(row in sentence for row in rows)] == []


def test_a_hit_in_a_message_names_turn_and_speaker() -> None:
    source = open_covel(str(DATA / "emberwatch.db"), str(DATA / "sample-root"))
    (session,) = source.sessions()
    said = {
        (hit.back, str(hit.message), call.address.turn): str(state.why)
        for call in source.calls(session.id)
        for state in source.lorebook(call.address)
        if state.is_in and (hit := next(iter(state.hits), None)) is not None and hit.row is not None and not hit.crosses
    }
    assert said
    for (back, message, turn), why in said.items():
        found = re.fullmatch(r"turn (\d+), (player|reply of [\w/-]+)", message)
        assert found, message
        assert int(found[1]) <= int(turn.partition("+")[0])
        assert why.endswith(f"({message}).")
        assert ("the message just before" if back == 1 else f"{back} messages back") in why


def test_the_rebuilt_request_gives_the_same_reason_in_the_same_words() -> None:
    source = open_covel(str(DATA / "emberwatch.db"), str(DATA / "sample-root"))
    (session,) = source.sessions()
    seen = 0
    for call in source.calls(session.id):
        states = {state.key: state for state in source.lorebook(call.address)}
        tree = source.rebuilt(call.address)
        for segment in tree.walk() if tree is not None else ():
            state = states.get(segment.key)
            if segment.kind is Kind.LORE and state is not None and state.is_in and segment.notes:
                seen += 1
                assert str(state.why) in map(str, segment.notes)
    assert seen > 20
