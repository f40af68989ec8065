"""Changed words: at once for small texts, beside the window for large ones, and never late."""

import pytest

from covel_inspector.app.compare.word_diff import AT_ONCE, WordDiffs, changed_spans, counterpart
from covel_inspector.text.diff import diff_texts


@pytest.fixture
def diffs(qapp):
    made = WordDiffs()
    yield made
    made.close()


def test_small_texts_are_compared_at_once(diffs):
    found = diffs.ask("体力 7/10", "体力 6/10")
    assert changed_spans(found).a == ((3, 4),)
    assert changed_spans(found).b == ((3, 4),)


def test_large_texts_come_later(diffs, qtbot):
    a = "\n".join(f"line {number}" for number in range(AT_ONCE // 8))
    with qtbot.waitSignal(diffs.ready) as caught:
        assert diffs.ask(a, a.replace("line 7\n", "line seven\n")) is None
    assert len(changed_spans(caught.args[0]).b) == 1


def test_only_the_last_question_is_answered(diffs, qtbot):
    answers = []
    diffs.ready.connect(answers.append)
    long = "x\n" * AT_ONCE
    for ending in ("one", "two", "three"):
        assert diffs.ask(long, long + ending) is None
    qtbot.waitUntil(lambda: bool(answers))
    diffs.close()
    qtbot.wait(20)
    assert [answer.hunks[-1].b_end for answer in answers] == [len(long) + 5]


def test_a_question_that_was_given_up_is_not_answered(diffs, qtbot):
    answers = []
    diffs.ready.connect(answers.append)
    diffs.ask("x\n" * AT_ONCE, "y\n" * AT_ONCE)
    diffs.forget()
    diffs.close()
    qtbot.wait(20)
    assert answers == []


def test_what_lies_opposite():
    a, b = "one\ntwo\nthree\n", "one\nand a half\ntwo\nthree\n"
    found = diff_texts(a, b)
    assert counterpart(found, 0, from_a=True) == 0
    assert counterpart(found, a.index("three"), from_a=True) == b.index("three")
    assert counterpart(found, b.index("three") + 2, from_a=False) == a.index("three") + 2
    assert counterpart(found, b.index("half"), from_a=False) == a.index("two")


def test_opposite_of_nothing_is_the_beginning():
    assert counterpart(diff_texts("", ""), 0, from_a=True) == 0
