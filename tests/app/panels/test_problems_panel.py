"""The Problems panel: findings and unreadable things, their weight, their place, and what can be done."""

from collections.abc import Callable

import pytest
from fake_source import ENGLISH, FakeSource, fake_source
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from window_making import MakeWindow, texts_of

from covel_inspector.app.page import LinkTo, Page
from covel_inspector.app.panels.problems import ProblemsPanel
from covel_inspector.app.panels.problems_rows import ICONS, finding_page, found_of, problem_rows
from covel_inspector.app.window import MainWindow
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Address, Finding, FindingPlace, LoreHistory, LoreState, Problem, Severity, plain
from covel_inspector.resource_files import resource_path

HERE = Address(ENGLISH, "2", "narrator", 0)
PLACE = FindingPlace("plugins/narrator/PLUGIN.md", 12, "lorebook_entries", "night", HERE, "lore:night")
FINDING = Finding("keyed-lore", Severity.HINT, plain("Keyed lore"), plain("It breaks."), plain("Move it."), PLACE, 3)


def told(page: Page) -> str:
    facts = [f"{fact.label}: {fact.value or ' ↳ '.join(str(link.text) for link in fact.links)}" for fact in page.facts]
    return "\n".join([str(page.title), *facts, *(str(sentence) for sentence in page.lead)])


def test_errors_come_first(qapp: object) -> None:
    problems = fake_source().problems()
    findings = fake_source().findings(ENGLISH)
    found = found_of(problems, (FINDING, *findings))
    assert [finding.severity for finding in found] == [
        Severity.ERROR,
        Severity.WARNING,
        Severity.WARNING,
        Severity.HINT,
    ]
    rows = problem_rows(found, frozenset(Severity), Wording("en"))
    assert [row.cells[0].text for row in rows] == ["error", "warning", "warning", "hint"]
    assert rows[-1].cells[1].text == "Keyed lore — It breaks."
    assert rows[-1].cells[2].text == "plugins/narrator/PLUGIN.md:12 · turn 2 · narrator · lorebook_entries night"
    assert rows[-1].cells[3].text == "3"
    assert len({row.key for row in rows}) == 4
    only = problem_rows(found, frozenset({Severity.HINT}), Wording("en"))
    assert [row.subject.severity for row in only] == [Severity.HINT]


def test_same_problem_twice_has_two_rows_with_keys_of_their_own(qapp: object) -> None:
    problem = Problem(Severity.ERROR, "rows 1", plain("broken"))
    rows = problem_rows(found_of((problem, problem), ()), frozenset(Severity), Wording("en"))
    assert len({row.key for row in rows}) == 2


def test_page_has_place_reason_remedy_and_rule() -> None:
    page = finding_page(found_of((), (FINDING,))[0])
    for words in ("Keyed lore", "It breaks.", "Remedy: Move it.", "Rule: keyed-lore", "Weight: hint",
                  "Seen in: 3 calls; the place names the first"):  # fmt: skip
        assert words in told(page)
    way = "plugins/narrator/PLUGIN.md:12 ↳ lorebook_entries · night ↳ turn 2 · narrator · call 1, segment lore:night"
    assert f"Where: {way}" in told(page)
    where = next(fact for fact in page.facts if str(fact.label) == "Where")
    assert [link.to for link in where.links] == [LinkTo.FILE, LinkTo.COPY, LinkTo.PLACE]
    bare = Problem(Severity.WARNING, "a.md:3", plain("a tab"))
    assert "Where: a.md:3" in told(finding_page(found_of((bare,), ())[0]))


@pytest.mark.parametrize("severity", list(Severity))
def test_every_severity_has_a_drawing(severity: Severity) -> None:
    assert resource_path("icons", f"{ICONS[severity]}.svg").is_file()


@pytest.fixture
def panel(opened: MainWindow, qtbot: QtBot) -> ProblemsPanel:
    opened.commands["problems"].trigger()
    made = opened.bottom.panel
    assert isinstance(made, ProblemsPanel)
    qtbot.waitUntil(lambda: len(made.list.listed.rows) == 5)
    return made


def tab(window: MainWindow) -> str:
    number = next(n for n in range(window.bottom.tabs.count()) if "Problems" in window.bottom.tabs.tabText(n))
    return window.bottom.tabs.tabText(number)


def test_tab_counts_before_anybody_looks(opened: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: tab(opened) == "Problems 2+")
    opened.status.problems.click()
    assert opened.bottom.current == "problems"
    qtbot.waitUntil(lambda: tab(opened) == "Problems 5")
    opened.inspector.close()
    assert tab(opened) == "Problems"


def test_filter_by_weight(panel: ProblemsPanel) -> None:
    buttons = panel._buttons
    assert [button.text() for button in buttons.values()] == ["1 error", "4 warnings", "0 hints"]
    buttons[Severity.WARNING].click()
    assert [row.subject.severity for row in panel.list.listed.rows] == [Severity.ERROR]
    buttons[Severity.ERROR].click()
    assert "hidden by the filter" in panel.empty.text()
    assert panel.empty.isVisible()
    buttons[Severity.WARNING].click()
    assert len(panel.list.listed.rows) == 4


def test_enter_goes_to_the_call_or_copies_the_file(opened: MainWindow, panel: ProblemsPanel, qtbot: QtBot) -> None:
    panel.list.setFocus()
    panel.list.choose(panel.list.listed.rows[0])
    with qtbot.waitSignal(opened.inspector.prepared):
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert opened.inspector.address_text == f"{ENGLISH}:2+1:painter:0"
    finding = panel.list.first_row(lambda row: row.subject.rule == "made-up-rule")
    panel.list.choose(finding)
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == "plugins/narrator/PLUGIN.md", "no folder is given, so it is copied"


class Calm(FakeSource):
    """Nothing is wrong with it."""

    def findings(self, session: str) -> tuple[Finding, ...]:
        return ()

    def lorebook(self, address: Address) -> tuple[LoreState, ...]:
        return ()

    def lorebook_history(self, session: str, runtime: str) -> LoreHistory:
        return LoreHistory(session, runtime, (), ())

    def template(self, address: Address) -> None:
        return None


def test_nothing_wrong_is_said(make_window: Callable[..., MainWindow], qtbot: QtBot) -> None:
    whole = fake_source()
    window = make_window(opener=lambda _location, _root: Calm(whole._sessions, whole._turns, whole._calls))
    with qtbot.waitSignal(window.inspector.prepared):
        window.open("fake-story.db")
    window.show_problems()
    panel = window.bottom.panel
    qtbot.waitUntil(lambda: panel._answer is not None)
    assert "No problem was found" in panel.empty.text()
    assert panel.empty.isVisible()
    assert tab(window) == "Problems"


def test_panel_speaks_chinese(opened: MainWindow, panel: ProblemsPanel) -> None:
    opened.look.choose_language("zh-CN")
    assert panel.list.listed.rows[0].cells[0].text == "错误"
    assert panel._buttons[Severity.WARNING].text() == "4 个警告"


@pytest.mark.parametrize("problems", [(), (Problem(Severity.ERROR, "rows 1", plain("broken")),)])
def test_a_file_without_turns_says_so_and_still_shows_what_is_unreadable(
    problems: tuple[Problem, ...], make_window: MakeWindow, qtbot: QtBot
) -> None:
    window = make_window(opener=lambda _location, _root: FakeSource((), (), (), problems))
    window.bottom.show_panel("problems")
    panel = window.bottom.panel
    assert isinstance(panel, ProblemsPanel)
    with qtbot.waitSignal(window.inspector.problems_read):
        window.open("fake-story.db")
    told = texts_of(panel)
    assert "Looking for problems" not in told
    assert ("This file holds no turn" in told) is not bool(problems)
    assert [row.cells[0].text for row in panel.list.listed.rows] == ["error" for _ in problems]
