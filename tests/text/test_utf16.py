"""Code points and UTF-16 units, against Python's own encoder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.utf16 import Utf16Map, from_utf16, to_utf16, utf16_length

TEXTS = st.text(alphabet=st.characters() | st.sampled_from("a左𠮷🔥\ud800\udc00\uffff"), max_size=40)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(TEXTS)
def test_length_is_what_the_encoder_says(text: str) -> None:
    assert utf16_length(text) == units(text)
    assert Utf16Map(text).length_utf16 == units(text)


@given(TEXTS)
def test_every_index_goes_there_and_back(text: str) -> None:
    index_map = Utf16Map(text)
    for index in range(len(text) + 1):
        index_utf16 = index_map.to_utf16(index)
        assert index_utf16 == units(text[:index]) == to_utf16(text, index)
        assert index_map.from_utf16(index_utf16) == index == from_utf16(text, index_utf16)


@pytest.mark.parametrize(("index_utf16", "index"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (6, 4)])
def test_between_two_units_is_the_character_they_form(index_utf16: int, index: int) -> None:
    assert Utf16Map("a𠮷b🔥").from_utf16(index_utf16) == index


def test_two_lone_surrogates_stay_two() -> None:
    text = "\ud83d" + "\udd25"
    assert utf16_length(text) == 2
    assert Utf16Map(text).from_utf16(1) == 1
