"""Lists, labels and paragraphs follow the reader's language."""

from covel_inspector.domain import plain, say
from covel_inspector.domain.listing import enumerated, joined, labelled, shortened
from covel_inspector.report.wording import catalogue

ENGLISH, CHINESE = catalogue("en"), catalogue("zh-CN")
BODY, TOOLS = say("Body"), say("Tools")


def test_items_stand_in_a_line() -> None:
    assert ENGLISH.text(enumerated([BODY, "a", TOOLS])) == "Body, a, Tools"
    assert CHINESE.text(enumerated([BODY, "a", TOOLS])).count("、") == 2


def test_no_items_are_an_empty_line() -> None:
    assert ENGLISH.text(enumerated([])) == ""


def test_a_label_has_the_colon_of_its_language() -> None:
    assert ENGLISH.text(labelled(BODY, "a")) == "Body: a"
    assert CHINESE.text(labelled("b", plain("a"))) == "b：a"


def test_sentences_of_a_paragraph_have_the_gap_of_their_language() -> None:
    assert ENGLISH.text(joined(plain("One."), plain("Two."), plain("Three."))) == "One. Two. Three."
    assert CHINESE.text(joined(plain("一。"), plain("二。"), plain("三。"))) == "一。二。三。"
    assert joined(BODY) is BODY


def test_lists_of_any_length_can_be_told() -> None:
    names = [f"entry {n}" for n in range(5001)]
    assert ENGLISH.text(enumerated(names)) == ", ".join(names)
    assert ENGLISH.text(joined(*map(plain, names))) == " ".join(names)
    assert hash(enumerated(names)) == hash(enumerated(names))


def test_long_lists_are_shortened() -> None:
    names = [f"entry {n}" for n in range(500)]
    assert ENGLISH.text(shortened(names)) == ", ".join(names[:20]) + " … and 480 more"
    assert "480" in CHINESE.text(shortened(names))
    assert ENGLISH.text(shortened(["a", "b", "c"], 1)) == "a … and 2 more"
    assert ENGLISH.text(shortened(["a", "b"], 1)) == "a, b"
