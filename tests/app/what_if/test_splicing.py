"""What was not touched in an editor comes back as it was, whatever the widget made of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.app.what_if.splicing import as_shown, from_file, spliced

ODD = st.text(alphabet=st.sampled_from("ab 你\n\r\u00a0\u2028\u2029\ud83d🔥"), max_size=24)
EDITS = st.text(alphabet=st.sampled_from("ab 你\n🔥"), max_size=6)


@given(ODD)
def test_untouched_text_comes_back(source: str) -> None:
    shown, places = as_shown(source)
    assert len(places) == len(shown) + 1
    assert spliced(source, shown) == source


@given(ODD, st.data(), EDITS)
def test_only_the_edited_stretch_differs(source: str, data: st.DataObject, put_in: str) -> None:
    shown, _ = as_shown(source)
    start = data.draw(st.integers(0, len(shown)))
    end = data.draw(st.integers(start, len(shown)))
    edited = shown[:start] + put_in + shown[end:]
    made = spliced(source, edited)
    assert as_shown(made)[0] == edited


def test_line_ends_far_from_the_edit_stay() -> None:
    source = "one\r\ntwo\u2028three\ud83d\r\nfour"
    shown, _ = as_shown(source)
    assert shown == "one\ntwo\nthree\nfour"
    assert spliced(source, shown.replace("two", "2")) == "one\r\n2\u2028three\ud83d\r\nfour"


@pytest.mark.parametrize(
    ("source", "saved", "text"),
    [
        ("a\nb", "a\nb\n", "a\nb"),
        ("a\nb\n", "a\nb\n", "a\nb\n"),
        ("a\nb", "a\r\nc\r\n", "a\nc"),
        ("a\r\nb", "a\r\nb", "a\r\nb"),
        ("a", "\ufeffb", "b"),
        ("\ufeffa", "\ufeffb", "\ufeffb"),
        ("a", "", ""),
    ],
)
def test_signs_that_editors_add_are_no_edits(source: str, saved: str, text: str) -> None:
    assert from_file(source, saved) == text
