"""The main job on the sample stories: every call listed, attributed, rebuilt and judged."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from covel_inspector.domain import Address, AddressError, Grade, Group, Kind, Status
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
NARRATORS = ("narrator", "tide-narrator")
STORIES = ("emberwatch.db", "tidewater.db")


@pytest.fixture(scope="module", params=STORIES)
def source(request: pytest.FixtureRequest) -> Iterator[CovelSource]:
    """A sample story with the folder it was recorded from."""
    opened = open_covel(str(DATA / request.param), str(DATA / "sample-root"))
    yield opened
    opened.close()


def addresses(source: CovelSource) -> list[Address]:
    return [call.address for session in source.sessions() for call in source.calls(session.id)]


def test_lists_every_recorded_call(source: CovelSource) -> None:
    expected = {"emberwatch.db": 163, "tidewater.db": 39}[Path(source.location).name]
    found = addresses(source)
    assert len(found) == len(set(found)) == expected == source.facts().calls
    assert sum(session.call_count for session in source.sessions()) == expected


def test_recorded_trees_hold_every_character_once(source: CovelSource) -> None:
    for address in addresses(source):
        tree = source.recorded(address)
        if tree is None:
            continue
        assert tree.gaps() == [], address
        payload = source.payload(address)
        assert payload is not None
        stored = request_of(payload.messages, payload.tools, payload.response_format)
        assert "".join(leaf.text for leaf in tree.leaves()) == stored.text, address


def test_rebuilt_trees_hold_every_character_once(source: CovelSource) -> None:
    for address in addresses(source):
        tree = source.rebuilt(address)
        if tree is not None:
            assert tree.gaps() == [], address


def test_narrators_are_rebuilt_to_the_letter(source: CovelSource, capsys: pytest.CaptureFixture[str]) -> None:
    statuses: dict[str, Counter[Status]] = defaultdict(Counter)
    for address in addresses(source):
        verdict = source.verdict(address)
        statuses[address.runtime][verdict.status] += 1
        if verdict.status is Status.DIFFERS:
            assert verdict.differences, address
        if verdict.status is not Status.IDENTICAL:
            assert str(verdict.reason), address
    with capsys.disabled():
        for runtime, counts in statuses.items():
            print(f"\n{runtime}: " + ", ".join(f"{status.value} {n}" for status, n in counts.items()), end="")
    for runtime in NARRATORS:
        judged = statuses[runtime]
        if judged:
            assert judged[Status.IDENTICAL] >= 0.95 * sum(judged.values()), (runtime, judged)


def test_pieces_named_by_the_rows_are_not_taken_from_the_recording(source: CovelSource) -> None:
    own = {Kind.HISTORY, Kind.NOTE, Kind.LORE, Kind.PLAYER_LINE, Kind.STORY, Kind.WORLD_LORE}
    seen: Counter[Kind] = Counter()
    for address in addresses(source):
        tree = source.rebuilt(address)
        for leaf in tree.leaves() if tree is not None else ():
            if leaf.kind in own:
                seen[leaf.kind] += 1
                assert not leaf.taken, (address, leaf.key)
            if leaf.key.startswith("literal:") or leaf.key == "body":
                assert not leaf.taken, (address, leaf.key)
                seen[Kind.BODY] += 1
    assert {Kind.HISTORY, Kind.LORE, Kind.PLAYER_LINE, Kind.BODY} <= set(seen)


def test_shares_count_system_prompt_and_messages(source: CovelSource) -> None:
    for address in addresses(source):
        tree = source.rebuilt(address)
        if tree is None:
            continue
        verdict = source.verdict(address)
        judged = [group for group in tree.groups if group.key in (Group.SYSTEM.value, Group.MESSAGES.value)]
        counted = [leaf for group in judged for leaf in group.leaves() if leaf.kind not in (Kind.MARK, Kind.SEPARATOR)]
        assert verdict.total == sum(len(leaf.text) for leaf in counted)
        assert verdict.independent + sum(taken.characters for taken in verdict.taken) == verdict.total


def test_concealed_calls_are_never_rebuilt(source: CovelSource) -> None:
    for session in source.sessions():
        for call in source.calls(session.id):
            if call.concealed:
                assert source.recorded(call.address) is None
                assert source.rebuilt(call.address) is None
                assert source.verdict(call.address).status is Status.IMPOSSIBLE


def test_addresses_may_be_shortened(source: CovelSource) -> None:
    first = addresses(source)[0]
    assert source.resolve(str(first)) == first
    assert source.resolve(f"{first.session[:8]}:{first.turn}:{first.runtime}:{first.call}") == first
    if len(source.sessions()) == 1:
        assert source.resolve(f":{first.turn}:{first.runtime}:{first.call}") == first
    else:
        with pytest.raises(AddressError, match="several sessions"):
            source.resolve(f":{first.turn}:{first.runtime}:{first.call}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x", "is no address"),
        ("{s}:1:narrator:x", "counts calls from 0"),
        ("{s}:99:narrator:0", "no turn 99"),
        ("{s}:1:nobody:0", "made no call in this turn"),
        ("nothing:1:narrator:0", "no session begins with"),
    ],
)
def test_wrong_addresses_say_what_is_wrong(source: CovelSource, text: str, says: str) -> None:
    session = source.sessions()[0].id
    with pytest.raises(AddressError, match=says):
        source.resolve(text.format(s=session))


def test_without_files_nothing_is_called_declared() -> None:
    source = open_covel(str(DATA / "tidewater.db"))
    for address in addresses(source):
        tree = source.rebuilt(address)
        if tree is not None:
            assert tree.gaps() == []
            assert not [leaf for leaf in tree.leaves() if leaf.origin.file]
        verdict = source.verdict(address)
        assert verdict.status in set(Status)
    source.close()


def test_old_schema_is_read_the_same_way() -> None:
    source = open_covel(str(DATA / "driftwood-old-schema.db"), str(DATA / "sample-root"))
    assert source.facts().generation == "late summer 2026"
    assert [turn.number for turn in source.turns(source.sessions()[0].id)] == ["1", "2", "3"]
    for address in addresses(source):
        tree = source.recorded(address)
        if tree is not None:
            assert tree.gaps() == []
    source.close()


def test_grades_are_given_to_every_leaf(source: CovelSource) -> None:
    for address in addresses(source)[:20]:
        tree = source.recorded(address)
        for leaf in tree.leaves() if tree is not None else ():
            assert (leaf.grade is Grade.UNKNOWN) == (leaf.kind is Kind.UNKNOWN), leaf.key
            assert str(leaf.reason), leaf.key
