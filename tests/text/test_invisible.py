"""Characters that a screen would swallow are drawn, and positions lead there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.invisible import draw_invisible, label_of

TEXTS = st.text(
    alphabet=st.characters() | st.sampled_from("a左\0\r\n\t\u00a0\ue000\ufeff\u2028\ud800\u200d👩"), max_size=40
)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("a\0b", "a␀b"),
        ("\x1b[31m", "␛[31m"),
        ("\x7f", "␡"),
        ("10\u00a0km", "10⟨NBSP⟩km"),
        ("\ue000END\ue000", "⟨E000⟩END⟨E000⟩"),
        ("\ufefftext", "⟨BOM⟩text"),
        ("a\u2028b", "a⟨LS⟩b"),
        ("\ud83d half", "⟨D83D⟩ half"),
        ("a\u200bb", "a⟨ZWSP⟩b"),
        ("\u202eabc\u202c", "⟨RLO⟩abc⟨PDF⟩"),
        ("a\r\nb", "a␍\nb"),
        ("a\rb", "a␍b"),
        ("\U000e0041", "\U000e0041"),
        ("\U000f0000", "⟨F0000⟩"),
        ("a\u200db", "a⟨ZWJ⟩b"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("❤️‍🔥", "❤️‍🔥"),
        ("plain 左　手\t\n", "plain 左　手\t\n"),
    ],
)
def test_drawn(text: str, drawn: str) -> None:
    assert draw_invisible(text).text == drawn


def test_marks_name_what_they_stand_for() -> None:
    (mark,) = draw_invisible("10\u00a0km").marks
    assert (mark.source, mark.start, mark.end) == (2, 2, 8)
    assert mark.name == "U+00A0 NBSP"
    assert draw_invisible("\ue000").marks[0].name == "U+E000"


@given(TEXTS)
def test_positions_lead_there_and_back(text: str) -> None:
    drawn = draw_invisible(text)
    for source in range(len(text) + 1):
        assert drawn.to_source(drawn.to_drawn(source)) == source
    assert drawn.to_drawn(len(text)) == len(drawn.text)
    for mark in drawn.marks:
        assert drawn.text[mark.start : mark.end] == label_of(text[mark.source])
        assert {drawn.to_source(position) for position in range(mark.start, mark.end)} == {mark.source}


@given(TEXTS)
def test_nothing_is_left_that_a_text_widget_would_rewrite(text: str) -> None:
    assert not set(draw_invisible(text).text) & set("\r\0\u00a0\u2028\u2029\ufeff\ud800")


def test_a_printable_text_needs_no_look_at_each_character() -> None:
    printable = filter(str.isprintable, map(chr, range(0x110000)))
    hidden = [character for character in printable if draw_invisible(f"{character}\n").marks]
    assert hidden == ["\u034f"]
