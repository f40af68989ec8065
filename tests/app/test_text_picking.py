"""Selecting text selects its segment, and the Why panel tells where each stretch of it comes from."""

from dataclasses import replace
from pathlib import Path

import pytest
from asking import ask
from fake_source import ENGLISH
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.compare.source_edit import SourceEdit
from covel_inspector.app.page import LinkTo, Page
from covel_inspector.app.picked_text import PickedSpan, PickedText
from covel_inspector.app.start import open_source
from covel_inspector.app.state import Mode
from covel_inspector.app.why_chain import Further
from covel_inspector.app.why_text import text_page
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Grade, Kind, Origin, Place, TemplateVariable, ValueSource, Volatility, plain

DATA = Path(__file__).parents[1] / "data"


def facts(page: Page) -> dict[str, str]:
    found = {}
    for fact in page.facts:
        links = " ↳ ".join(str(link.text) for link in fact.links)
        found[str(fact.label)] = " | ".join(filter(None, (str(fact.value) if fact.value is not None else "", links)))
    return found


def drag(edit: SourceEdit, qtbot: QtBot, words: str) -> None:
    """Select words with the mouse, as a reader does."""
    cursor = edit.document().find(words)
    assert not cursor.isNull(), words
    first, last = QTextCursor(cursor), QTextCursor(cursor)
    first.setPosition(cursor.selectionStart())
    last.setPosition(cursor.selectionEnd())
    start, end = edit.cursorRect(first).center(), edit.cursorRect(last).center()
    qtbot.mousePress(edit.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(edit.viewport(), end)
    edit.setTextCursor(cursor)
    qtbot.mouseRelease(edit.viewport(), Qt.MouseButton.LeftButton, pos=end)


@pytest.fixture
def window(make_window: object, qtbot: QtBot) -> MainWindow:
    """A window on the sample story whose narrator has variables in its body."""
    made = make_window(opener=open_source)
    with qtbot.waitSignal(made.inspector.prepared, timeout=20_000):
        made.open(str(DATA / "tidewater.db"), str(DATA / "sample-root"), "fdec:4:tide-narrator:0")
    return made


def test_mouse_selection_goes_to_the_leaf_and_keeps_its_text(window: MainWindow, qtbot: QtBot) -> None:
    window.compare.choose_place("body")
    edit = window.compare.panes.b.edit
    whole = window.compare.panes.b.source
    drag(edit, qtbot, "Tidewater. The"[:6])
    assert window.compare.tree.current_row().key == "literal:0", "the first one is in the text of the body"
    drag(edit, qtbot, "Ines Calder")
    assert window.compare.tree.current_row().key == "variable:player.character"
    assert window.compare.panes.b.source == whole, "the text that is read stays where it is"
    assert edit.textCursor().selectedText() == "Ines Calder"
    page = window.why.page
    assert str(page.title) == "Selected text · 11 characters"
    assert page.quote == "Ines Calder"
    qtbot.waitUntil(lambda: "characters · ines-calder" in facts(window.why.page)["From"], timeout=20_000)
    known = facts(window.why.page)
    assert known["From"] == (
        "plugins/tide-narrator/PLUGIN.md:36 ↳ variable player.character ↳ characters · ines-calder"
    )
    assert known["Segment"] == "Value of player.character"
    assert known["Stands in"].startswith("System prompt › Runtime body › Value of player.character, characters ")


def test_selection_over_several_segments_tells_each_way(window: MainWindow, qtbot: QtBot) -> None:
    window.compare.choose_place("body")
    edit = window.compare.panes.b.edit
    drag(edit, qtbot, "is Tidewater. The player")
    assert window.compare.tree.current_row().key == "body"
    qtbot.waitUntil(
        lambda: "worlds · tidewater" in facts(window.why.page).get("Value of world.name", ""), timeout=20_000
    )
    known = facts(window.why.page)
    assert known["Value of world.name"].startswith("9 characters, by template | plugins/tide-narrator/PLUGIN.md:34")
    assert "Text of the body" in known
    assert "The selection covers 3 segments." in [str(one) for one in window.why.page.paragraphs]


def test_keys_select_too_and_another_segment_ends_the_selection(opened: MainWindow, qtbot: QtBot) -> None:
    opened.compare.choose_place("messages")
    edit = opened.compare.panes.b.edit
    edit.setFocus()
    cursor = edit.document().find("red lantern.")
    cursor.setPosition(cursor.selectionStart())
    edit.setTextCursor(cursor)
    for _ in range(3):
        qtbot.keyClick(edit, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert edit.hasFocus()
    assert opened.inspector.state.picked.text == "red"
    assert opened.compare.tree.current_row().key == "player-line"
    assert str(opened.why.page.title) == "Selected text · 3 characters"
    opened.compare.choose_place("body")
    assert opened.inspector.state.picked is None
    assert str(opened.why.page.title) == "Runtime body"


def test_selection_counts_also_while_the_whole_call_is_told_of(opened: MainWindow, qtbot: QtBot) -> None:
    opened.compare.choose_place("player-line")
    opened.inspector.state.select(None)
    assert str(opened.why.page.title) == "turn 2 · narrator"
    drag(opened.compare.panes.b.edit, qtbot, "red")
    assert str(opened.why.page.title) == "Selected text · 3 characters"


def test_click_goes_to_the_leaf_without_selecting_text(opened: MainWindow, qtbot: QtBot) -> None:
    opened.compare.choose_place("messages")
    edit = opened.compare.panes.b.edit
    cursor = edit.document().find("red lantern.")
    cursor.setPosition(cursor.selectionStart() + 2)
    edit.setTextCursor(cursor)
    qtbot.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=edit.cursorRect(cursor).center())
    assert opened.inspector.state.picked is None
    assert opened.inspector.state.selected.key == "player-line"
    assert str(opened.why.page.title) == "Player line"


def test_selection_on_the_left_side_belongs_to_it(opened: MainWindow, qtbot: QtBot) -> None:
    opened.compare.choose_place("player-line")
    drag(opened.compare.panes.a.edit, qtbot, "walk")
    picked = opened.inspector.state.picked
    assert (picked.text, picked.is_a) == ("walk", True)
    page = opened.why.page
    assert page.quote == "walk"
    assert facts(page)["Stands in"] == "Messages › Player line, message 2, characters 3–6"
    assert facts(page)["Side"] == "left: turn 1 · narrator"


def test_what_is_selected_on_a_side_is_looked_up_in_the_call_of_that_side(window: MainWindow, qtbot: QtBot) -> None:
    inspector = window.inspector
    inspector.go("fdec:6:tide-narrator:0")
    qtbot.waitUntil(lambda: inspector.latest.b.address_text.endswith(":6:tide-narrator:0"), timeout=20_000)
    pair = next(pair for pair in inspector.latest.comparison.walk() if pair.key == "variable:player.character")
    assert ('"wet":false' in pair.a.text, '"wet":true' in pair.b.text) == (True, True)
    inspector.state.select(pair)
    changed, same = (f"The value is {how} turn before." for how in ("another than in the", "the same as in the"))
    qtbot.waitUntil(lambda: changed in map(str, window.why.page.paragraphs), timeout=20_000)
    for is_a, side, said in ((True, "left: turn 5", same), (False, "right: turn 6", changed)):
        segment = pair.a if is_a else pair.b
        inspector.state.pick(PickedText(segment.text, (PickedSpan(segment, 0, len(segment.text)),), is_a))
        qtbot.waitUntil(lambda said=said: said in map(str, window.why.page.paragraphs), timeout=20_000)
        assert facts(window.why.page)["Side"].startswith(side)
        assert {changed, same} & set(map(str, window.why.page.paragraphs)) == {said}


def test_selection_in_prose_goes_to_its_segment(opened: MainWindow, qtbot: QtBot) -> None:
    opened.inspector.state.set_mode(Mode.READ)
    page = opened.compare.read.b
    cursor = page.document().find("red lanterns.")
    page.setTextCursor(cursor)
    qtbot.mouseRelease(page.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    picked = opened.inspector.state.picked
    assert picked is not None
    assert picked.text == "red lanterns."
    assert [(span.leaf.key, span.start, span.end) for span in picked.spans] == [("lore:night", 24, 37)]
    assert opened.inspector.state.selected.key == "lore:night"


def test_place_of_some_characters_is_pointed_out(opened: MainWindow) -> None:
    tree = opened.inspector.latest.b.tree
    leaf = next(leaf for leaf in tree.leaves() if leaf.key == "player-line")
    start = leaf.place.start + leaf.text.index("lantern")
    opened.compare.choose_place(Place(leaf.place.part, start, start + 7))
    edit = opened.compare.panes.b.edit
    assert edit.textCursor().selectedText() == "lantern"
    assert opened.inspector.state.picked is None, "what we point out is not what the reader selected"


def pair_of(key: str) -> tuple[Pair, object]:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    return next(pair for pair in prepared.comparison.walk() if pair.key == key), prepared


def test_page_of_one_stretch_tells_what_is_known_of_its_segment() -> None:
    pair, prepared = pair_of("body")
    page = text_page(PickedText("Narrator", (PickedSpan(pair.b, 2, 10),)), pair, prepared, None)
    known = facts(page)
    assert str(page.title) == "Selected text · 8 characters"
    assert known["From"] == "plugins/narrator/PLUGIN.md:12"
    assert known["Evidence"] == "exact: as declared"
    assert known["Stands in"] == "System prompt › Runtime body, characters 43–50"
    assert (page.quote, page.count_text, page.left_out) == ("Narrator", "Narrator", ())


def test_unknown_stretches_are_called_unknown_and_blanks_are_left_aside() -> None:
    pair, prepared = pair_of("body")
    strange = replace(pair.b, key="unknown:0", kind=Kind.UNKNOWN, title=plain("Unknown"), grade=Grade.UNKNOWN)
    strange = replace(strange, origin=Origin())
    blank = replace(pair.b, key="separator:0", kind=Kind.SEPARATOR, title=plain("Blank"))
    spans = (PickedSpan(pair.b, 0, 4), PickedSpan(blank, 0, 2), PickedSpan(strange, 0, 5))
    page = text_page(PickedText("text", spans), pair, prepared, None)
    assert facts(page)["Unknown"] == "5 characters, of unknown source"
    assert "Blank" not in facts(page)
    many = tuple(PickedSpan(replace(pair.b, title=plain(f"piece {n}")), 0, 1) for n in range(40))
    said = [str(one) for one in text_page(PickedText("text", many), pair, prepared, None).paragraphs]
    assert said == ["The selection covers 40 segments.", "… and 28 more"]


def test_what_was_looked_up_ends_the_way() -> None:
    pair, prepared = pair_of("body")
    value = replace(pair.b, key="variable:hour", title=plain("Value"), origin=Origin(variable="hour"))
    variable = TemplateVariable(
        "hour", "19", ValueSource.WORLD, plain("the world's row"), Volatility.TURN, Origin(table="worlds", rows=("t",)),
        changed=True,
    )  # fmt: skip
    spans = (PickedSpan(value, 0, 2), PickedSpan(pair.b, 0, 2))
    page = text_page(PickedText("text", spans), pair, prepared, Further("x", {"hour": variable}))
    way = next(fact for fact in page.facts if str(fact.label) == "Value").links
    assert [(link.to, str(link.text)) for link in way] == [
        (LinkTo.PANEL, "variable hour"),
        (LinkTo.COPY, "worlds · t"),
    ]
