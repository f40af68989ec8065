"""Search that takes for the same what a reader takes for the same, with hits in the source text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.text.folding import Folded, Span, find_all, find_exact, fold

TEXTS = st.text(alphabet=st.characters() | st.sampled_from('aAＡée\u0301ßﬁ左 \n\u00a0\u200bｶﾞガ“"🔥'), max_size=40)


@pytest.mark.parametrize(
    ("text", "phrase", "hit"),
    [
        ("the Left Hand", "left hand", "Left Hand"),
        ("ＡＢＣ", "abc", "ＡＢＣ"),
        ("第１２回合", "12", "１２"),
        ("she lost her left\nhand", "left hand", "left\nhand"),
        ("left\u00a0hand", "left hand", "left\u00a0hand"),
        ("left\u3000hand", "left hand", "left\u3000hand"),
        ("a café", "CAFE\u0301", "café"),
        ("a cafe\u0301.", "café", "cafe\u0301"),
        ("Straße", "strasse", "Straße"),
        ("ﬁnal", "final", "ﬁnal"),
        ("“Stop”, he said", '"stop"', "“Stop”"),
        ("it’s", "IT'S", "it’s"),
        ("ｶﾞﾗｽ", "ガラス", "ｶﾞﾗｽ"),
        ("zero\u200bwidth", "zerowidth", "zero\u200bwidth"),
        ("🔥左手🔥", "左手", "左手"),
        ("全角，标点！", ",标点!", "，标点！"),
    ],
)
def test_found(text: str, phrase: str, hit: str) -> None:
    (span,) = find_all(text, phrase)
    assert text[span.start : span.end] == hit


@pytest.mark.parametrize(
    ("text", "phrase"), [("左手", "右手"), ("cafe", "café"), ("国", "國"), ("abc", ""), ("abc", "\u200b")]
)
def test_not_found(text: str, phrase: str) -> None:
    assert find_all(text, phrase) == []


def test_a_hit_inside_a_ligature_covers_it() -> None:
    assert find_all("ﬁn", "i") == [Span(0, 1)]


def test_hits_do_not_overlap_and_can_be_limited() -> None:
    assert find_all("aaaa", "aa") == [Span(0, 2), Span(2, 4)]
    assert find_all("aaaa", "a", limit=2) == [Span(0, 1), Span(1, 2)]
    assert find_all("aaaa", "a", limit=0) == []


@given(TEXTS, st.data())
def test_every_stretch_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    phrase = text[start:end]
    # A combining mark belongs to the letter before it, so a phrase cannot begin with one or end before one.
    if not fold(phrase) or fold(text[:start]) + fold(phrase) + fold(text[end:]) != fold(text):
        return
    assert phrase in Folded(text)
    for span in find_all(text, phrase):
        assert 0 <= span.start < span.end <= len(text)
        assert fold(phrase) in fold(text[span.start : span.end])


@given(TEXTS)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXTS, st.text(alphabet="aA左 ", min_size=1, max_size=3))
def test_exact_hits_are_what_str_finds(text: str, phrase: str) -> None:
    spans = find_exact(text, phrase)
    assert len(spans) == text.count(phrase)
    assert all(text[span.start : span.end] == phrase for span in spans)


def test_exact_hits_can_be_limited() -> None:
    assert find_exact("aAaA", "a", limit=1) == [Span(0, 1)]
    assert find_exact("abc", "") == []
