"""Code points and UTF-16 units, against Python's own encoder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.utf16 import Utf16Map, cut_utf16, from_utf16, shared_utf16, to_utf16, utf16_length

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


@given(TEXTS, st.integers(0, 50), st.integers(0, 50))
def test_a_cut_is_a_slice_of_units(text: str, start: int, end: int) -> None:
    encoded = text.encode("utf-16-be", "surrogatepass")
    assert cut_utf16(text, start, end).encode("utf-16-be", "surrogatepass") == encoded[2 * start : 2 * end]


@given(TEXTS, TEXTS, TEXTS)
def test_shared_units_are_those_of_the_encoded_texts(same: str, a: str, b: str) -> None:
    first, second = (
        # Halves that stand side by side are one character, as in every text that was read from JSON.
        (same + rest).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        for rest in (a, b)
    )
    one, two = first.encode("utf-16-be", "surrogatepass"), second.encode("utf-16-be", "surrogatepass")
    units_a, units_b = ([data[n : n + 2] for n in range(0, len(data), 2)] for data in (one, two))
    both = enumerate(zip(units_a, units_b, strict=False))
    expected = next((n for n, (x, y) in both if x != y), min(len(units_a), len(units_b)))
    assert shared_utf16(first, second) == expected
