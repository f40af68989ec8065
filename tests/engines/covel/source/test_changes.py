"""What if: every change of a request is followed, and nothing else changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from covel_inspector.domain import AbsenceReason, Address, Changes, Group, Kind, SegmentTree
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
GROUPS = {group.value for group in Group}
MADE_BY_BUDGET = {"prune-marker"}


@pytest.fixture(scope="module", params=["emberwatch", "tidewater"])
def source(request: pytest.FixtureRequest) -> Iterator[CovelSource]:
    opened = open_covel(str(DATA / f"{request.param}.db"), str(DATA / "sample-root"))
    yield opened
    opened.close()


def call_of(source: CovelSource, turn: str, number: int = 0) -> Address:
    """A call of the narrator."""
    for call in source.calls(source.sessions()[0].id, turn):
        if "narrator" in call.address.runtime and call.address.call == number:
            return call.address
    raise LookupError(turn)


def rebuilt(source: CovelSource, address: Address, changes: Changes | None = None) -> SegmentTree:
    tree = source.rebuilt(address, changes)
    assert tree is not None
    assert tree.gaps() == []
    return tree


def texts(tree: SegmentTree) -> list[str]:
    return [part.text for part in tree.request.parts]


def pieces(tree: SegmentTree) -> list[str]:
    """Keys of everything that can be switched off or edited."""
    return [
        segment.key
        for segment in tree.walk()
        if segment.key not in GROUPS | MADE_BY_BUDGET and segment.kind is not Kind.SEPARATOR
    ]


@pytest.mark.parametrize("turn", ["4", "8"])
def test_every_piece_can_be_switched_off(source: CovelSource, turn: str) -> None:
    for number in (0, 1) if turn == "4" else (0,):
        address = call_of(source, turn, number)
        for key in pieces(rebuilt(source, address)):
            tree = rebuilt(source, address, Changes(without=(key,)))
            assert key not in {segment.key for segment in tree.walk()}, key
            off = [one for one in tree.absent if one.reason is AbsenceReason.DISABLED and one.key == key]
            assert off, key
            assert not any(message_without_call(tree)), key


def message_without_call(tree: SegmentTree) -> Iterator[str]:
    """Ids of tool results whose call is not in the message before them."""
    asked: set[str] = set()
    for part in tree.request.parts:
        if part.group is not Group.MESSAGES:
            continue
        if part.role == "tool" and not any(part.name in call for call in asked):
            yield part.name
        elif part.role == "assistant":
            asked.add(part.text)


def test_every_piece_can_be_edited(source: CovelSource) -> None:
    address = call_of(source, "4")
    for key in pieces(rebuilt(source, address)):
        tree = rebuilt(source, address, Changes(texts=((key, '{"changed": "by hand"}'),)))
        changed = [leaf for leaf in tree.leaves() if "by hand" in leaf.text]
        if key in ("history", "loop"):
            # A branch over several messages has no one text.
            assert changed == []
            continue
        assert len(changed) == 1, key
        assert not changed[0].taken or changed[0].kind in (Kind.TOOL, Kind.RESPONSE_FORMAT)


def test_nothing_else_changes(source: CovelSource) -> None:
    address = call_of(source, "4")
    before = rebuilt(source, address)
    key = next(leaf.key for leaf in before.leaves() if leaf.kind is Kind.HISTORY)
    after = rebuilt(source, address, Changes(texts=((key, "Another line."),)))
    old, new = texts(before), texts(after)
    assert len(old) == len(new)
    assert [n for n, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]] == [
        next(leaf.place.part for leaf in before.leaves() if leaf.key == key and leaf.place is not None)
    ]
    assert rebuilt(source, address) == before


def test_marks_stay_behind_their_segments(source: CovelSource) -> None:
    address = call_of(source, "8")
    before = rebuilt(source, address)
    for key in ("preamble:language", "world-lore"):
        after = rebuilt(source, address, Changes(without=(key,)))
        marks = [leaf.place.end for leaf in after.leaves() if leaf.kind is Kind.MARK and leaf.place is not None]
        placed = [boundary.place.end for boundary in after.boundaries if boundary.setter.value == "engine"]
        assert set(placed) <= set(marks)
        assert len(placed) == len([one for one in before.boundaries if one.setter.value == "engine"])


def test_window_of_turns_and_summaries(source: CovelSource) -> None:
    address = call_of(source, "14" if "ember" in source.location else "5")
    whole = rebuilt(source, address)
    counts = []
    for turns in (-1, 3, 1, 0):
        tree = rebuilt(source, address, Changes(max_turns=turns, window=100_000, reserve=10))
        counts.append(sum(leaf.kind is Kind.HISTORY for leaf in tree.leaves()))
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == sum(leaf.kind is Kind.HISTORY for leaf in whole.leaves())
    assert counts[-1] == 0
    has_summary = any(leaf.kind is Kind.SUMMARY for leaf in whole.leaves())
    windowed = rebuilt(source, address, Changes(max_turns=1))
    assert not any(leaf.kind is Kind.SUMMARY for leaf in windowed.leaves())
    with_summaries = rebuilt(source, address, Changes(max_turns=1, include_summaries=True))
    assert any(leaf.kind is Kind.SUMMARY for leaf in with_summaries.leaves()) == has_summary


def test_lorebook_entries_are_forced_on_and_off(source: CovelSource) -> None:
    address = call_of(source, "3")
    tree = rebuilt(source, address)
    silent = [one.key for one in tree.absent if one.kind is Kind.LORE]
    active = [leaf.key for leaf in tree.leaves() if leaf.kind is Kind.LORE]
    assert silent
    assert active
    on = rebuilt(source, address, Changes(lore_on=tuple(silent)))
    assert set(silent) <= {leaf.key for leaf in on.leaves()}
    off = rebuilt(source, address, Changes(lore_off=tuple(active)))
    assert not set(active) & {leaf.key for leaf in off.leaves()}
    assert set(active) <= {one.key for one in off.absent}


def test_lore_is_tried_at_another_depth(source: CovelSource) -> None:
    address = call_of(source, "3")
    tree = rebuilt(source, address)
    entries = [leaf for leaf in tree.group(Group.SYSTEM).leaves() if leaf.kind is Kind.LORE]
    assert entries
    key = entries[0].key
    for depth in (0, 2):
        tried = rebuilt(source, address, Changes(lore_depth=((key, depth),)))
        assert key not in {leaf.key for leaf in tried.group(Group.SYSTEM).leaves()}
        messages = list(tried.group(Group.MESSAGES).leaves())
        place = next(number for number, leaf in enumerate(messages) if leaf.key == key)
        assert messages[place].text.endswith(entries[0].text.partition("\n")[2])
        if depth == 0:
            assert not any(leaf.kind is Kind.HISTORY for leaf in messages[place:])
    silent = next(one.key for one in tree.absent if one.kind is Kind.LORE)
    out = rebuilt(source, address, Changes(lore_depth=((silent, 2),)))
    assert silent in {one.key for one in out.absent}
    both = Changes(lore_depth=((silent, 2),), lore_on=(silent,))
    assert silent in {leaf.key for leaf in rebuilt(source, address, both).group(Group.MESSAGES).leaves()}


def test_another_body_and_another_line(source: CovelSource) -> None:
    address = call_of(source, "2")
    world = "{{ world.name }}"
    tree = rebuilt(source, address, Changes(body=f"You tell of {world}.", player_line="I ring the bell."))
    body = next(segment for segment in tree.walk() if segment.key == "body")
    assert body.whole_text.startswith("You tell of ")
    assert world not in body.whole_text
    line = next(leaf for leaf in tree.leaves() if leaf.kind is Kind.PLAYER_LINE)
    assert line.text == "I ring the bell."


def test_another_language(source: CovelSource) -> None:
    address = call_of(source, "2")
    mine, other = ("zh-CN", "en-US") if "ember" in source.location else ("en-US", "zh-CN")
    assert texts(rebuilt(source, address, Changes(locale=mine))) == texts(rebuilt(source, address))
    tree = rebuilt(source, address, Changes(locale=other))
    preamble = [leaf for leaf in tree.leaves() if leaf.kind is Kind.PREAMBLE]
    assert not any(leaf.taken for leaf in preamble)
    assert [leaf.text for leaf in preamble] != [
        leaf.text for leaf in rebuilt(source, address).leaves() if leaf.kind is Kind.PREAMBLE
    ]


def test_another_model_has_another_limit(source: CovelSource) -> None:
    address = call_of(source, "2")
    run = source.budget(address, Changes(model="a model that nobody knows"))
    assert run is not None
    assert run.limit is None
    assert texts(rebuilt(source, address, Changes(model="another"))) == texts(rebuilt(source, address, Changes()))


def test_protected_turns_keep_more(source: CovelSource) -> None:
    address = call_of(source, "8")
    usual = source.budget(address)
    assert usual is not None
    tight = usual.before - 20
    few = source.budget(address, Changes(window=tight + 10, reserve=10, protected_turns=1))
    many = source.budget(address, Changes(window=tight + 10, reserve=10, protected_turns=4))
    assert few is not None
    assert many is not None
    assert few.after <= many.after
    spared = [len(next(step for step in run.steps if step.name == "prune").protected) for run in (few, many)]
    assert spared[0] < spared[1]


def test_a_resumed_run_follows_edits_too() -> None:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    session = source.sessions()[0].id
    address = [call.address for call in source.calls(session, "4") if call.address.runtime == "harbor-clerk/ledger"][2]
    tree = rebuilt(source, address, Changes(player_line="No.", without=("cue",)))
    assert next(leaf.text for leaf in tree.leaves() if leaf.kind is Kind.PLAYER_LINE) == "No."
    assert not any(leaf.kind is Kind.CUE for leaf in tree.leaves())
    source.close()


def test_no_change_reaches_the_file(tmp_path: Path) -> None:
    before = (DATA / "tidewater.db").read_bytes()
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    address = call_of(source, "2")
    source.rebuilt(address, Changes(body="x", lore_on=("lore:storm",), window=900, reserve=1))
    source.close()
    assert (DATA / "tidewater.db").read_bytes() == before
