"""The Template panel: the body with the values of its variables, and the way between panel and request."""

from dataclasses import replace
from pathlib import Path

import pytest
from fake_source import ENGLISH, fake_source
from fake_trees import piece, tree
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.page import LinkTo, Page
from covel_inspector.app.panels.template import TemplatePanel
from covel_inspector.app.panels.template_page import variable_page
from covel_inspector.app.panels.template_rows import SOURCES, variable_rows
from covel_inspector.app.panels.template_runs import LONGEST, Style, body_runs
from covel_inspector.app.panels.template_text import TemplateText
from covel_inspector.app.start import open_source
from covel_inspector.app.theme_colours import DARK, LIGHT
from covel_inspector.app.window import MainWindow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Address, Kind, Origin, Place, TemplateReport, ValueSource, plain

DATA = Path(__file__).parents[2] / "data"
HERE = Address(ENGLISH, "2", "narrator", 0)


@pytest.fixture
def wording(qapp: object) -> Wording:
    return Wording("en")


def report() -> TemplateReport:
    made = fake_source().template(HERE)
    assert made is not None
    return made


def test_body_reads_with_its_values(wording: Wording) -> None:
    runs = body_runs(report(), wording)
    assert "".join(run.text for run in runs if not run.is_ours) == "The place is Tidewater.\nHe says: I row out."
    styles = [(run.text, run.style) for run in runs if run.variable]
    assert styles == [
        ("world.name ", Style.NAME),
        ("Tidewater", Style.VALUE),
        ("≠ player.message ", Style.NAME),
        ("I row out.", Style.CHANGED),
    ]


def test_missing_empty_cut_and_long_values_are_marked(wording: Wording) -> None:
    made = report()
    place, line = made.variables
    missing = replace(made, variables=(replace(place, is_missing=True), line))
    assert (Style.MISSING, "no value") in [(run.style, run.text) for run in body_runs(missing, wording)]
    pieces = (*made.pieces[:1], replace(made.pieces[1], text=""), *made.pieces[2:])
    assert (Style.NOTE, "empty") in [(run.style, run.text) for run in body_runs(replace(made, pieces=pieces), wording)]
    pieces = (*made.pieces[:1], replace(made.pieces[1], text="x" * (LONGEST + 40)), *made.pieces[2:])
    cut = replace(made, pieces=pieces, variables=(replace(place, cut=plain("cut at 600")), line))
    notes = [run.text for run in body_runs(cut, wording) if run.style is Style.NOTE]
    assert notes == [" … 40 more characters", " ✂ cut at 600"]
    unknown = replace(made, variables=())
    assert [run.style for run in body_runs(unknown, wording)].count(Style.MISSING) == 2


def test_rows_of_variables(wording: Wording) -> None:
    made = report()
    place, line = variable_rows(made, wording)
    assert [cell.text for cell in place.cells] == ["world.name", "Tidewater", "the world", "3"]
    assert (place.cells[0].icon, line.cells[0].icon) == ("same", "changed")
    assert line.spoken.endswith("changed")
    gone = replace(made.variables[0], is_missing=True, changed=None)
    row = variable_rows(replace(made, variables=(gone,)), wording)[0]
    assert (row.cells[1].text, row.cells[1].tone, row.cells[0].icon) == ("no value", "error", "error")
    unsure = replace(made.variables[0], changed=None, value="")
    row = variable_rows(replace(made, variables=(unsure,)), wording)[0]
    assert (row.cells[1].text, row.cells[0].icon) == ("empty", "unsure")
    assert set(SOURCES) == set(ValueSource)


def told(page: Page) -> str:
    facts = []
    for fact in page.facts:
        links = [str(link.text) for link in fact.links]
        facts.append(f"{fact.label}: {' ↳ '.join(filter(None, (str(fact.value or ''), *links)))}")
    return "\n".join([*facts, *map(str, (*page.lead, *page.paragraphs, *page.warnings)), page.quote])


def test_everything_about_a_variable_is_told() -> None:
    made = report()
    place, line = made.variables
    page = told(variable_page(line, made, None, "letters"))
    for words in ("Before: I walk.", "It is another value than in the turn before.", "I row out.", "Changes: per turn",
                  "From: the player's row ↳ plugins/narrator/PLUGIN.md:13"):  # fmt: skip
        assert words in page
    assert "The same value as in the turn before." in told(variable_page(place, made, None, "letters"))
    odd = replace(
        place, changed=None, is_missing=True, cut=plain("cut at 600"), uses=2, notes=(plain("a remark"),),
        origin=Origin(table="worlds", rows=("tide",)),
    )  # fmt: skip
    page = told(variable_page(odd, made, None, "letters"))
    for words in ("It has no value, so nothing stands in its place.", "cut at 600", "a remark", "Stands there: 2 times",
                  "There is no call in the turn before", "PLUGIN.md:12 ↳ worlds · tide"):  # fmt: skip
        assert words in page
    emptied = replace(line, before="")
    assert "Before: empty" in told(variable_page(emptied, made, None, "letters"))


def test_page_leads_to_the_value_in_the_request() -> None:
    made = report()
    value = piece("variable:world.name", Kind.BODY, "Value", "Tidewater", origin=Origin(variable="world.name"))
    request = tree([("system", [value])])
    link = variable_page(made.variables[0], made, request, "letters").links[0]
    assert (link.to, link.target, link.place) == (LinkTo.PLACE, str(HERE), Place(0, 0, 9))
    assert variable_page(made.variables[1], made, request, "letters").links == ()


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_text_marks_changes_by_more_than_colour(qtbot: QtBot, wording: Wording, colours: object) -> None:
    text = TemplateText()
    qtbot.addWidget(text)
    text.apply_theme(colours)
    text.show_runs(body_runs(report(), wording))
    cursor = QTextCursor(text.document().find("I row out."))
    assert cursor.charFormat().background().color().name() == colours.changed
    assert cursor.charFormat().fontWeight() > text.font().weight()


def test_copying_gives_what_was_sent(qtbot: QtBot, wording: Wording) -> None:
    made = report()
    pieces = (*made.pieces[:1], replace(made.pieces[1], text="Tide\u00a0water 𠮷\r\n"), *made.pieces[2:])
    text = TemplateText()
    qtbot.addWidget(text)
    text.show_runs(body_runs(replace(made, pieces=pieces), wording))
    text.selectAll()
    sent = "The place is Tide\u00a0water 𠮷\r\n.\nHe says: I row out."
    assert text.createMimeDataFromSelection().text() == sent


def test_click_names_the_piece(qtbot: QtBot, wording: Wording) -> None:
    text = TemplateText()
    qtbot.addWidget(text)
    text.resize(500, 200)
    text.show()
    text.show_runs(body_runs(report(), wording))
    cursor = text.document().find("Tidewater")
    place = text.cursorRect(cursor).center() - QPoint(8, 0)
    with qtbot.waitSignal(text.piece_chosen) as chosen:
        qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args[0] == 1


@pytest.fixture
def window(make_window: object, qtbot: QtBot) -> MainWindow:
    """A window on the sample story whose narrator has variables in its body."""
    made = make_window(opener=open_source)
    with qtbot.waitSignal(made.inspector.prepared, timeout=20_000):
        made.open(str(DATA / "tidewater.db"), str(DATA / "sample-root"), "fdec:4:tide-narrator:0")
    return made


def template_panel(window: MainWindow, qtbot: QtBot) -> TemplatePanel:
    window.bottom.show_panel("template")
    panel = window.bottom.panel
    assert isinstance(panel, TemplatePanel)
    qtbot.waitUntil(lambda: bool(panel.list.listed.rows), timeout=20_000)
    return panel


def test_variable_is_chosen_in_the_request_and_back(window: MainWindow, qtbot: QtBot) -> None:
    panel = template_panel(window, qtbot)
    assert [row.key for row in panel.list.listed.rows] == ["world.name", "player.character"]
    assert panel.file.text().replace("\u200b", "") == "plugins/tide-narrator/PLUGIN.md:32"
    panel.list.choose(panel.list.listed.rows[1])
    selected = window.inspector.state.selected
    assert isinstance(selected, Pair)
    assert selected.shown.origin.variable == "player.character"
    assert "as recorded: its row is newer" in told(panel.page_view.page)
    window.compare.choose_place("variable:world.name")
    assert panel.list.current_row().key == "world.name"
    panel._choose_piece(0)
    assert window.inspector.state.selected.key == "literal:0"
    panel._choose_piece(3)
    assert window.inspector.state.selected.key == "variable:player.character"


def test_why_tells_file_variable_and_row_and_leads_here(window: MainWindow, qtbot: QtBot) -> None:
    window.compare.choose_place("variable:world.name")
    why = window.why

    def chain() -> list[str]:
        fact = next(fact for fact in why.page.facts if str(fact.label) == "From")
        return [str(link.text) for link in fact.links]

    qtbot.waitUntil(lambda: len(chain()) == 3, timeout=20_000)
    assert chain() == ["plugins/tide-narrator/PLUGIN.md:34", "variable world.name", "worlds · tidewater"]
    where = next(fact for fact in why.page.facts if str(fact.label) == "Stands in")
    assert str(where.value).startswith("System prompt › Runtime body, characters ")
    assert any("Origin of its value: the world's row" in str(sentence) for sentence in why.page.paragraphs)
    link = next(link for link in why.area.links if str(link.text) == "variable world.name")
    window.links.follow(link)
    panel = window.bottom.panel
    assert isinstance(panel, TemplatePanel)
    qtbot.waitUntil(lambda: panel.list.current_row() is not None, timeout=20_000)
    assert panel.list.current_row().key == "world.name"


def test_body_that_is_not_at_hand_is_explained(opened: MainWindow, qtbot: QtBot) -> None:
    opened.inspector.choose_runtime("harbor-clerk/ledger")
    opened.bottom.show_panel("template")
    panel = opened.bottom.panel
    qtbot.waitUntil(lambda: "not at hand" in panel.nothing_known.text() and panel.nothing_known.isVisible())
    opened.inspector.go_to_turn(ENGLISH, "3")
    assert "the player's text did not fit" in panel.notice.text()
    assert "body could be shown" in panel.notice.text()


def test_body_without_variables_says_so(window: MainWindow, qtbot: QtBot) -> None:
    window.inspector.choose_runtime("harbor-clerk/ledger")
    window.bottom.show_panel("template")
    panel = window.bottom.panel
    qtbot.waitUntil(panel.empty.isVisible, timeout=20_000)
    assert "has no variables" in panel.empty.text()
    panel.focus_panel()
    assert panel.text.hasFocus()
