"""Which call is meant."""

from dataclasses import replace

import pytest
from fake_source import CHINESE, ENGLISH, fake_source

from covel_inspector.app.picking import (
    Lists,
    cached_share,
    call_a_turn_before,
    call_before,
    calls_of,
    first_call,
    last_turn,
    main_runtime,
    runtimes,
)
from covel_inspector.domain import Address, Usage


@pytest.fixture
def lists() -> Lists:
    source = fake_source()
    return Lists.of(source.sessions()[0], source.turns(ENGLISH), source.calls(ENGLISH))


def test_main_runtime_ran_in_most_turns_or_sent_most(lists: Lists) -> None:
    assert main_runtime(lists) == "narrator"
    source = fake_source()
    other = Lists.of(source.sessions()[1], source.turns(CHINESE), source.calls(CHINESE))
    assert main_runtime(other) == "narrator"
    assert main_runtime(Lists.of(source.sessions()[0], (), ())) == ""


def test_turn_lands_at_the_preferred_runtime_or_at_its_first(lists: Lists) -> None:
    assert str(first_call(lists, "2", "harbor-clerk/ledger").address) == "tide-01:2:harbor-clerk/ledger:0"
    assert str(first_call(lists, "2+1", "narrator").address) == "tide-01:2+1:omens/quiet:0"
    assert first_call(lists, "3", "narrator") is None


def test_session_lands_at_its_last_turn_with_a_call(lists: Lists) -> None:
    assert last_turn(lists, "narrator").number == "2"
    assert last_turn(lists, "nobody").number == "3"
    assert last_turn(Lists.of(lists.session, (), ()), "narrator") is None


def test_runtimes_and_calls_of_a_turn(lists: Lists) -> None:
    assert runtimes(lists, "2") == ("narrator", "harbor-clerk/ledger")
    assert [call.address.call for call in calls_of(lists, "2", "narrator")] == [0, 1]


@pytest.mark.parametrize(
    ("address", "turn_before", "before"),
    [
        (Address(ENGLISH, "2", "narrator", 0), "tide-01:1:narrator:0", "tide-01:1:narrator:0"),
        (Address(ENGLISH, "2", "narrator", 1), "tide-01:1:narrator:0", "tide-01:2:narrator:0"),
        (Address(ENGLISH, "1", "narrator", 0), None, None),
        (Address(ENGLISH, "2+1", "painter", 0), None, None),
    ],
)
def test_earlier_calls(lists: Lists, address: Address, turn_before: str | None, before: str | None) -> None:
    there, just_before = call_a_turn_before(lists, address), call_before(lists, address)
    assert (str(there.address) if there else None) == turn_before
    assert (str(just_before.address) if just_before else None) == before


def test_turn_before_skips_turns_without_the_runtime() -> None:
    source = fake_source()
    calls = [call for call in source.calls(CHINESE) if call.address.turn != "2"]
    lists = Lists.of(source.sessions()[1], source.turns(CHINESE), calls)
    found = call_a_turn_before(lists, Address(CHINESE, "3", "narrator", 0))
    assert str(found.address) == f"{CHINESE}:1:narrator:0"


def test_cached_share_counts_only_what_was_reported(lists: Lists) -> None:
    call = lists.calls[0]
    reported = [replace(call, usage=Usage(100, 1, 90, 0)), replace(call, usage=Usage(100, 1, 0, 0))]
    silent = [replace(call, usage=None), replace(call, usage=Usage(100)), replace(call, usage=Usage(0, 0, 0, 0))]
    assert cached_share(reported + silent) == pytest.approx(0.45)
    assert cached_share(silent) is None
