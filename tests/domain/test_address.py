"""The text form of an address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.domain import Address, AddressError

NAMES = st.text(min_size=1, max_size=12)
PLAIN = NAMES.filter(lambda text: ":" not in text)


@given(st.just("") | PLAIN, PLAIN, NAMES, st.integers(0, 10**9))
def test_there_and_back(session: str, turn: str, runtime: str, call: int) -> None:
    address = Address(session, turn, runtime, call)
    assert Address.parse(str(address)) == address


def test_a_runtime_may_hold_colons_and_slashes() -> None:
    assert Address.parse("s1:12+1:npc-graph/extractor:x:3") == Address("s1", "12+1", "npc-graph/extractor:x", 3)


def test_the_session_may_be_empty() -> None:
    assert Address.parse(":12:narrator:0") == Address("", "12", "narrator", 0)


@pytest.mark.parametrize("text", ["", "12", "s:12", "s:12:narrator", "s::narrator:0", "::::"])
def test_what_is_no_address_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(AddressError, match="SESSION:TURN:RUNTIME:CALL"):
        Address.parse(text)


@pytest.mark.parametrize("call", ["x", "-1", "1.5", "１", ""])
def test_a_call_is_a_number(call: str) -> None:
    with pytest.raises(AddressError, match="is no number"):
        Address.parse(f"s:12:narrator:{call}")


def test_addresses_can_be_sorted() -> None:
    assert min([Address("a", "1", "n", 1), Address("a", "1", "n", 0)]).call == 0


def test_what_is_wrong_can_be_read_in_another_language() -> None:
    with pytest.raises(AddressError) as caught:
        Address.parse("s:12:narrator:x")
    assert "{call}" in caught.value.sentence.template
    assert str(caught.value) == str(caught.value.sentence)
    assert str(AddressError("It is gone.").sentence) == "It is gone."


def test_a_call_whose_row_cannot_be_read_has_an_address_without_a_runtime() -> None:
    assert str(Address.parse("s:12::0")) == "s:12::0"
    assert Address.parse("s:12::0").runtime == ""
