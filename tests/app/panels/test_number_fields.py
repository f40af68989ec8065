"""Numbers to type and to drag: words for some, snapping to what was, and silence when they only follow."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QValidator
from pytestqt.qtbot import QtBot

from covel_inspector.app.panels.number_fields import NumberField, TokenSlider


def field(qtbot: QtBot) -> NumberField:
    made = NumberField(-1, 100_000)
    qtbot.addWidget(made)
    made.set_words({-1: "as it was"})
    made.show()
    return made


def test_a_number_is_grouped_and_a_word_stands_for_one(qtbot: QtBot) -> None:
    made = field(qtbot)
    with qtbot.assertNotEmitted(made.chosen):
        made.show_number(12_345)
        assert made.text() == "12\u202f345"
        made.show_number(-1)
    assert made.text() == "as it was"
    assert made.valueFromText("as it was") == -1
    assert made.valueFromText("12 345") == 12_345


def test_typing_and_enter_chooses(qtbot: QtBot) -> None:
    made = field(qtbot)
    made.selectAll()
    with qtbot.waitSignal(made.chosen) as chosen:
        qtbot.keyClicks(made, "2048")
        qtbot.keyClick(made, Qt.Key.Key_Return)
    assert chosen.args == [2048]


def test_what_cannot_be_a_number_cannot_be_typed(qtbot: QtBot) -> None:
    made = field(qtbot)
    states = {text: made.validate(text, 0) for text in ("12", "abc", "", "999999999999999999", "as it was")}
    assert {text: state[0] for text, state in states.items() if isinstance(state, tuple)} == {
        "12": QValidator.State.Acceptable,
        "abc": QValidator.State.Invalid,
        "": QValidator.State.Intermediate,
        "999999999999999999": QValidator.State.Invalid,
        "as it was": QValidator.State.Acceptable,
    }


def test_a_field_in_which_is_typed_is_not_overwritten(qtbot: QtBot) -> None:
    made = field(qtbot)
    made.show_number(10)
    made.setFocus()
    qtbot.waitUntil(made.hasFocus)
    made.selectAll()
    qtbot.keyClicks(made, "77")
    made.show_number(20)
    assert made.lineEdit().text() == "77"


def test_equal_ways_are_equal_ratios_and_the_usual_value_is_caught(qtbot: QtBot) -> None:
    made = TokenSlider(is_steep=True)
    qtbot.addWidget(made)
    made.set_span(100, 10_000, 1980)
    made.setValue(500)
    assert made.tokens == 1000
    made.setValue(made._position(1980) + 4)
    assert made.tokens == 1980
    made.setValue(0)
    assert made.tokens == 100
    made.setValue(1000)
    assert made.tokens == 10_000


def test_following_says_nothing_and_a_drag_is_not_disturbed(qtbot: QtBot) -> None:
    made = TokenSlider(is_steep=False)
    qtbot.addWidget(made)
    made.set_span(0, 1000, None)
    with qtbot.assertNotEmitted(made.dragged):
        made.show_tokens(400)
    assert made.value() == 400
    made.setSliderDown(True)
    made.set_span(0, 5000, None)
    made.show_tokens(900)
    assert (made.value(), made.tokens) == (400, 400)
    with qtbot.waitSignal(made.dragged) as dragged:
        made.setValue(250)
    assert dragged.args == [250]
