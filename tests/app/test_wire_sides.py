"""The bodies of both sides: which one is shown for what was chosen, and why there is none."""

from dataclasses import replace

import pytest
from fake_source import CHINESE, ENGLISH, FakeSource, fake_source

from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Counts, Question, prepare
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.wire_sides import WireChoice, WireSides, wire_sides
from covel_inspector.app.work import Cancelled, Ticket
from covel_inspector.domain import Address, Changes, SourceError, WireBody
from covel_inspector.domain.wire import BodySource, Protocol

DIFFERENT = Address(ENGLISH, "2", "narrator", 0)


def prepared_at(source: FakeSource, address: Address, kind: TargetKind = TargetKind.PREVIOUS_TURN) -> Prepared:
    session = next(one for one in source.sessions() if one.id == address.session)
    lists = Lists.of(session, source.turns(session.id), source.calls(session.id))
    return prepare(source, Question(Spot(session.id, address.turn, address), lists, Target(kind)), Counts(), bool)


def shown(source: FakeSource, prepared: Prepared, choice: WireChoice | None = None) -> WireSides:
    return wire_sides(source, Ticket("wire"), prepared=prepared, choice=choice or WireChoice())


def test_both_sides_have_the_segments_of_their_own_trees() -> None:
    source = fake_source()
    prepared = prepared_at(source, Address(CHINESE, "2", "narrator", 0))
    sides = shown(source, prepared)
    for wire, side in ((sides.a, prepared.a), (sides.b, prepared.b)):
        assert wire is not None
        assert side is not None
        assert wire.segments is not None
        assert side.tree is not None
        assert wire.note is None
        assert wire.segments.wire.body.source is BodySource.RECORDED
        leaves = {id(leaf) for leaf in side.tree.leaves()}
        assert {id(span.leaf) for span in wire.segments.spans} <= leaves
        assert len(wire.segments.spans) >= 5


def test_another_protocol_is_built_and_says_so() -> None:
    source = fake_source()
    sides = shown(source, prepared_at(source, DIFFERENT), WireChoice(protocol=Protocol.GOOGLE))
    assert sides.b is not None
    assert sides.b.segments is not None
    assert sides.b.segments.wire.body.source is BodySource.BUILT_FROM_RECORDED
    assert "built from the recorded messages" in str(sides.b.note)


def test_a_body_of_the_rebuilt_request_leads_to_the_recorded_segments() -> None:
    source = fake_source()
    prepared = prepared_at(source, DIFFERENT)
    sides = shown(source, prepared, WireChoice(BodySource.BUILT_FROM_REBUILT))
    assert sides.b is not None
    assert sides.b.segments is not None
    assert prepared.b is not None
    assert prepared.b.tree is not None
    recorded = {id(leaf): leaf.key for leaf in prepared.b.tree.leaves()}
    known = [recorded[id(span.leaf)] for span in sides.b.segments.spans if id(span.leaf) in recorded]
    assert {"body", "player-line", "lore:night"} <= set(known)
    assert len(sides.b.segments.spans) == len(known)


def test_beside_a_rebuilt_side_stands_a_body_of_the_rebuilt_request() -> None:
    source = fake_source()
    sides = shown(source, prepared_at(source, DIFFERENT, TargetKind.REBUILT))
    assert sides.a is not None
    assert sides.b is not None
    assert sides.a.segments is not None
    assert sides.b.segments is not None
    assert sides.a.segments.wire.body.source is BodySource.RECORDED
    assert sides.b.segments.wire.body.source is BodySource.BUILT_FROM_REBUILT


def test_no_body_has_a_reason() -> None:
    source = fake_source()
    concealed = shown(source, prepared_at(source, Address(ENGLISH, "2+1", "omens/quiet", 0)))
    assert concealed.b is not None
    assert concealed.b.segments is None
    assert "Choose a protocol" in str(concealed.b.note)
    chosen = WireChoice(protocol=Protocol.ANTHROPIC)
    named = shown(source, prepared_at(source, Address(ENGLISH, "2+1", "omens/quiet", 0)), chosen)
    assert named.b is not None
    assert "anthropic-messages-v1" in str(named.b.note)
    ledger = Address(ENGLISH, "2", "harbor-clerk/ledger", 0)
    rebuilt = shown(source, prepared_at(source, ledger), WireChoice(BodySource.BUILT_FROM_REBUILT))
    assert rebuilt.b is not None
    assert "could not be rebuilt" in str(rebuilt.b.note)
    first = shown(source, prepared_at(source, Address(ENGLISH, "1", "narrator", 0)))
    assert first.a is not None
    assert "first call" in str(first.a.note)


def test_a_changed_request_has_the_body_that_would_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    source = fake_source()
    prepared = prepared_at(source, DIFFERENT)
    changes = Changes(without=("body",))
    assert prepared.b is not None
    asked: list[tuple[object, Changes | None]] = []
    ask = source.wire

    def listened(
        address: Address, protocol: object = None, of: BodySource = BodySource.RECORDED, given: Changes | None = None
    ) -> WireBody | None:
        asked.append((of, given))
        return ask(address, None, of, given)

    monkeypatch.setattr(source, "wire", listened)
    sides = shown(source, replace(prepared, b=replace(prepared.b, rebuilt=True, changes=changes)))
    assert sides.b is not None
    assert sides.b.segments is not None
    assert asked == [(BodySource.RECORDED, None), (BodySource.BUILT_FROM_REBUILT, changes)]


def test_trouble_of_one_side_is_said_there(monkeypatch: pytest.MonkeyPatch) -> None:
    source = fake_source()
    prepared = prepared_at(source, DIFFERENT)

    def broken(address: Address, protocol: object, of: object, changes: object) -> WireBody | None:
        raise SourceError(f"row of {address.turn} is gone")

    monkeypatch.setattr(source, "wire", broken)
    sides = shown(source, prepared)
    assert sides.a is not None
    assert sides.b is not None
    assert (str(sides.a.note), str(sides.b.note)) == ("row of 1 is gone", "row of 2 is gone")


def test_nobody_waits_any_more() -> None:
    source = fake_source()
    ticket = Ticket("wire")
    ticket.stop()
    with pytest.raises(Cancelled):
        wire_sides(source, ticket, prepared=prepared_at(source, DIFFERENT), choice=WireChoice())
