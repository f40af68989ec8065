"""Bodies of the sample stories: recorded, built from the recorded messages, built from the rebuilt request."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from covel_inspector.domain import Address, BodySource, Group, Place, Protocol, Setter, Status, WireBody
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.source import CovelSource, open_covel
from covel_inspector.engines.covel.source.wires import WireQuestion, built_wire, recorded_wire, with_provider_boundaries
from covel_inspector.engines.covel.textpack import default_pack
from covel_inspector.engines.covel.wire.observation import observe
from covel_inspector.engines.covel.wire.places import holds, value_at

DATA = Path(__file__).parents[3] / "data"
RECORDED = {"emberwatch.db": 163, "tidewater.db": 33, "driftwood-old-schema.db": 11}


@pytest.fixture(scope="module", params=RECORDED)
def source(request: pytest.FixtureRequest) -> Iterator[CovelSource]:
    opened = open_covel(str(DATA / request.param), str(DATA / "sample-root"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def tower() -> Iterator[CovelSource]:
    """The Anthropic story, without the folder it was recorded from."""
    opened = open_covel(str(DATA / "emberwatch.db"))
    yield opened
    opened.close()


def addresses(source: CovelSource) -> list[Address]:
    return [call.address for session in source.sessions() for call in source.calls(session.id)]


def recorded(source: CovelSource) -> Iterator[tuple[Address, WireBody]]:
    for address in addresses(source):
        body = source.wire(address)
        if body is not None:
            yield address, body


def test_bodies_from_recorded_messages_are_the_recorded_ones(
    source: CovelSource, capsys: pytest.CaptureFixture[str]
) -> None:
    same = whole = 0
    for address, body in recorded(source):
        built = source.wire(address, source=BodySource.BUILT_FROM_RECORDED)
        assert built is not None
        assert built.protocol is body.protocol
        kept = observe(built.body)
        whole += 1
        same += json.dumps(kept.body) == json.dumps(body.body)  # Key order included.
        payload = source.payload(address)
        assert payload is not None
        assert kept.complete == payload.is_complete, address
    name = Path(source.location).name
    with capsys.disabled():
        print(f"\n{name}: {same} of {whole} bodies equal the recorded ones, key order included", end="")
    assert same == whole == RECORDED[name]


def test_bodies_from_rebuilt_requests_are_the_recorded_ones_where_the_requests_are(source: CovelSource) -> None:
    compared = 0
    for address, body in recorded(source):
        if source.verdict(address).status is Status.IDENTICAL:
            built = source.wire(address, source=BodySource.BUILT_FROM_REBUILT)
            assert built is not None
            assert observe(built.body).body == body.body, address
            compared += 1
    assert compared > 0.9 * RECORDED[Path(source.location).name]


def test_every_message_of_a_recorded_body_leads_to_its_request(source: CovelSource) -> None:
    for address, body in recorded(source):
        tree = source.recorded(address)
        assert tree is not None
        for trace in body.traces:
            assert holds(trace, body.body, tree.request)
        reached = {trace.place.part for trace in body.traces}
        empty = {number for number, part in enumerate(tree.request.parts) if not part.text.replace(SENTINEL, "")}
        formats = {n for n, part in enumerate(tree.request.parts) if part.group is Group.RESPONSE_FORMAT}
        assert reached | empty | formats == set(range(len(tree.request.parts))), address


@pytest.mark.parametrize("protocol", Protocol)
def test_each_call_can_be_shown_on_each_wire(source: CovelSource, protocol: Protocol) -> None:
    for address, body in list(recorded(source))[::5]:
        built = source.wire(address, protocol, BodySource.BUILT_FROM_RECORDED)
        assert built is not None
        assert built.protocol is protocol
        if not built.body:
            assert protocol is Protocol.GOOGLE
            assert "refuses" in str(built.notes[0])
            continue
        assert built.path.startswith("/v1")
        tree = source.recorded(address)
        assert tree is not None
        assert all(holds(trace, built.body, tree.request) for trace in built.traces)
        if protocol is not body.protocol:
            assert source.wire(address, protocol) is None
            assert any(protocol.value in str(note) for note in built.notes)


def test_boundaries_of_both_setters_stand_in_order_without_doubles(source: CovelSource) -> None:
    for address, body in recorded(source):
        for tree in (source.recorded(address), source.rebuilt(address)):
            if tree is None:
                continue
            places = [boundary.place for boundary in tree.boundaries]
            assert places == sorted(set(places))
            assert [boundary.number for boundary in tree.boundaries] == list(range(1, len(places) + 1))
            assert all(place.start == place.end for place in places)
            setters = [boundary.setter for boundary in tree.boundaries]
            if body.protocol is Protocol.ANTHROPIC:
                assert setters.count(Setter.PROVIDER) == len(body.marks)
                assert Setter.PREFIX not in setters
            else:
                assert Setter.PROVIDER not in setters
                assert setters[-1] is Setter.PREFIX
        recorded_tree, rebuilt_tree = source.recorded(address), source.rebuilt(address)
        if source.verdict(address).status is Status.IDENTICAL:
            assert recorded_tree is not None
            assert rebuilt_tree is not None
            assert [one.place for one in recorded_tree.boundaries] == [one.place for one in rebuilt_tree.boundaries]


def test_four_marks_and_who_can_read_them(tower: CovelSource) -> None:
    tree = tower.recorded(tower.resolve(":5:narrator:0"))
    assert tree is not None
    notes = {boundary.number: str(boundary.note) for boundary in tree.boundaries}
    setters = [boundary.setter for boundary in tree.boundaries]
    engine, provider = Setter.ENGINE, Setter.PROVIDER
    assert setters == [provider, engine, engine, provider, provider, provider]
    assert "preamble" in notes[1]
    assert "provider" in notes[1]
    assert "The next turn's request can read it." in notes[5]
    assert "Only the next step of this turn" in notes[6]
    history, last = tree.boundaries[4].place, tree.boundaries[5].place
    assert tree.request.parts[history.part + 1].role == "system"
    assert last == Place(len(tree.request.parts) - 1, history_end := len(tree.request.parts[-1].text), history_end)


def test_without_history_the_last_mark_is_for_the_next_turn_too(tower: CovelSource) -> None:
    tree = tower.recorded(tower.resolve(":5:codex:0"))
    assert tree is not None
    assert "the next turn's request as well" in str(tree.boundaries[-1].note)


def test_a_depth_segment_pulls_the_history_mark_forward(tower: CovelSource) -> None:
    tree = tower.recorded(tower.resolve(":4:narrator:0"))
    assert tree is not None
    history = tree.boundaries[-2].place
    behind = tree.request.parts[history.part + 1]
    assert behind.role == "system"
    assert any(part.role == "assistant" for part in tree.request.parts[history.part + 2 :])


def question(source: CovelSource, text: str) -> WireQuestion:
    address = source.resolve(text)
    payload, tree = source.payload(address), source.recorded(address)
    assert payload is not None
    assert tree is not None
    return WireQuestion(address.session, payload, tree, default_pack())


def test_the_sentence_in_front_of_a_schema_is_the_recorded_one(tower: CovelSource) -> None:
    built = tower.wire(tower.resolve(":5:guide:0"), source=BodySource.BUILT_FROM_RECORDED)
    assert built is not None
    assert "Answer with a single JSON value" in built.body["system"][-1]["text"]


def test_a_recorded_body_that_no_wire_would_build_keeps_what_can_be_traced(tower: CovelSource) -> None:
    asked = question(tower, ":5:narrator:0")
    body = json.loads(json.dumps(asked.payload.answered_body))
    body["messages"][1]["content"][0]["text"] = "another text"
    body["messages"].pop()
    requests = (asked.payload.provider_requests[0].model_copy(update={"body": body, "complete": False}),)
    changed = replace(asked, payload=asked.payload.model_copy(update={"provider_requests": requests}))
    shown = recorded_wire(changed, None)
    assert shown is not None
    assert shown.body == body
    assert any("left out fields" in str(note) for note in shown.notes)
    assert shown.traces
    assert all(holds(trace, body, asked.tree.request) for trace in shown.traces)
    assert not [trace for trace in shown.traces if trace.path[:2] == ("messages", 1)]
    for mark in shown.marks:
        assert value_at(body, mark.path)["cache_control"]


def test_a_transport_that_failed_twice_shows_the_body_that_was_answered(tower: CovelSource) -> None:
    asked = question(tower, ":16:narrator:0")
    assert [request.body is None for request in asked.payload.provider_requests] == [False, True]
    shown = recorded_wire(asked, None)
    assert shown is not None
    assert shown.body == asked.payload.provider_requests[0].body


def test_nothing_recorded_is_no_body_but_can_be_built_for_a_named_protocol(tower: CovelSource) -> None:
    asked = question(tower, ":5:narrator:0")
    bare = replace(asked, payload=asked.payload.model_copy(update={"provider_requests": ()}))
    assert recorded_wire(bare, None) is None
    assert built_wire(bare, None, BodySource.BUILT_FROM_RECORDED) is None
    built = built_wire(bare, Protocol.ANTHROPIC, BodySource.BUILT_FROM_RECORDED)
    assert built is not None
    assert built.body["max_tokens"] == bare.payload.max_output_tokens
    assert any("no body was recorded" in str(note) for note in built.notes)


def test_a_request_that_an_adapter_refuses_has_an_empty_body_and_boundaries_all_the_same(tower: CovelSource) -> None:
    asked = question(tower, ":5:narrator:0")
    lost = request_of(
        [KernelMessage(role="user", content="x"), KernelMessage(role="tool", content="y", toolCallId="z")]
    )
    refused = replace(asked, tree=replace(asked.tree, request=lost, groups=(), boundaries=()))
    built = built_wire(refused, Protocol.GOOGLE, BodySource.BUILT_FROM_RECORDED)
    assert built is not None
    assert built.body == {}
    assert "a call that was not made" in str(built.notes[0])
    requests = tuple(
        request.model_copy(update={"protocol": Protocol.GOOGLE.value}) for request in asked.payload.provider_requests
    )
    sent = replace(refused, payload=asked.payload.model_copy(update={"provider_requests": requests}))
    assert [one.setter for one in with_provider_boundaries(sent).boundaries] == [Setter.PREFIX]
    unknown = replace(refused, payload=asked.payload.model_copy(update={"provider_requests": ()}))
    assert with_provider_boundaries(unknown) is unknown.tree
