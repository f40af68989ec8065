"""Common heads and tails of texts, against a loop."""

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.prefix import common_prefix, common_suffix

TEXTS = st.text(alphabet="ab左", max_size=300)


def looped(a: str, b: str) -> int:
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


@given(TEXTS, TEXTS, TEXTS)
def test_common_prefix(head: str, a: str, b: str) -> None:
    assert common_prefix(head + a, head + b) == looped(head + a, head + b)


@given(TEXTS, TEXTS, TEXTS)
def test_common_suffix(tail: str, a: str, b: str) -> None:
    assert common_suffix(a + tail, b + tail) == looped((a + tail)[::-1], (b + tail)[::-1])


def test_common_suffix_can_be_limited() -> None:
    assert common_suffix("xxabc", "yabc", 2) == 2


def test_a_megabyte() -> None:
    text = "左右" * 500_000
    assert common_prefix(text + "a", text + "b") == len(text)
    assert common_prefix(text, text[:777_777] + "b" + text) == 777_777
