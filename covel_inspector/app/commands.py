"""Every command of the window, declared once: the menus, the palette and the help are made from this table."""

import re
from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.app.panels.registry import PANELS
from covel_inspector.app.targets import TITLES, TargetKind
from covel_inspector.app.three_counts import COUNT_COMMAND, COUNT_TITLE
from covel_inspector.domain import Sentence, plain, say
from covel_inspector.report.wording import LANGUAGES


class Menu(StrEnum):
    """The menus, in their order."""

    FILE = "file"
    GO = "go"
    COMPARE = "compare"
    VIEW = "view"
    TOOLS = "tools"
    HELP = "help"


MENU_TITLES: dict[Menu, Sentence] = {
    Menu.FILE: say("&File"),
    Menu.GO: say("&Go"),
    Menu.COMPARE: say("&Compare"),
    Menu.VIEW: say("&View"),
    Menu.TOOLS: say("&Tools"),
    Menu.HELP: say("&Help"),
}


class Needs(StrEnum):
    """What must be there for a command to make sense."""

    NOTHING = "nothing"
    SOURCE = "source"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Command:
    """A command. ``shortcut`` is Qt's portable form; ``choice`` names the radio group it belongs to."""

    id: str
    menu: Menu
    title: Sentence
    shortcut: str = ""
    needs: Needs = Needs.NOTHING
    submenu: Sentence | None = None
    choice: str = ""
    checkable: bool = False
    line_before: bool = False


_ACCESS_KEY = re.compile(r"\(&\w\)")
"""How Chinese menus name their access keys: behind the title."""

_THEME = say("Theme")
_LANGUAGE = say("Language")
_WITH = say("Compare with")
_PANELS = say("Panels")

COMMANDS: tuple[Command, ...] = (
    Command("open", Menu.FILE, say("Open a story database…"), "Ctrl+O"),
    Command("open-sample", Menu.FILE, say("Open the sample story")),
    Command("choose-root", Menu.FILE, say("Choose the Covel folder…"), needs=Needs.SOURCE),
    Command("reload", Menu.FILE, say("Read the file again"), "F5", Needs.SOURCE, line_before=True),
    Command("close", Menu.FILE, say("Close the file"), "Ctrl+W", Needs.SOURCE),
    Command("quit", Menu.FILE, say("Quit"), "Ctrl+Q", line_before=True),
    Command("previous-turn", Menu.GO, say("Previous turn"), "Alt+Left", Needs.SOURCE),
    Command("next-turn", Menu.GO, say("Next turn"), "Alt+Right", Needs.SOURCE),
    Command("first-turn", Menu.GO, say("First turn"), "Alt+Home", Needs.SOURCE),
    Command("last-turn", Menu.GO, say("Last turn"), "Alt+End", Needs.SOURCE),
    Command("previous-call", Menu.GO, say("Previous call in this turn"), "Alt+Up", Needs.CALL, line_before=True),
    Command("next-call", Menu.GO, say("Next call in this turn"), "Alt+Down", Needs.CALL),
    Command("quick-open", Menu.GO, say("Go to a turn or address…"), "Ctrl+P", Needs.SOURCE, line_before=True),
    Command("focus-story", Menu.GO, say("To the story"), "Ctrl+1", Needs.SOURCE, line_before=True),
    Command("focus-compare", Menu.GO, say("To the request"), "Ctrl+2", Needs.SOURCE),
    Command("focus-why", Menu.GO, say("To the reasons"), "Ctrl+3", Needs.SOURCE),
    Command("focus-panels", Menu.GO, say("To the panels"), "Ctrl+4", Needs.SOURCE),
    Command("focus-filter", Menu.GO, say("To the filter"), "Ctrl+E", Needs.SOURCE),
    Command("next-difference", Menu.COMPARE, say("Next difference"), "F8", Needs.CALL),
    Command("previous-difference", Menu.COMPARE, say("Previous difference"), "Shift+F8", Needs.CALL),
    Command("switch-side", Menu.COMPARE, say("Switch side"), "F6", Needs.CALL),
    Command("with-previous-turn", Menu.COMPARE, TITLES[TargetKind.PREVIOUS_TURN], "", Needs.SOURCE, _WITH, "target"),
    Command("with-rebuilt", Menu.COMPARE, TITLES[TargetKind.REBUILT], "Ctrl+B", Needs.SOURCE, _WITH, "target"),
    Command("with-previous-call", Menu.COMPARE, TITLES[TargetKind.PREVIOUS_CALL], "", Needs.SOURCE, _WITH, "target"),
    Command("with-address", Menu.COMPARE, TITLES[TargetKind.ADDRESS], "Ctrl+Shift+O", Needs.SOURCE, _WITH, "target"),
    Command("with-what-if", Menu.COMPARE, TITLES[TargetKind.WHAT_IF], "", Needs.SOURCE, _WITH, "target"),
    Command("with-none", Menu.COMPARE, TITLES[TargetKind.NONE], "", Needs.SOURCE, _WITH, "target"),
    Command("swap", Menu.COMPARE, say("Go to the other side"), "Ctrl+Shift+X", Needs.CALL),
    Command("leave-out", Menu.COMPARE, say("What if: without the segment"), "Ctrl+D", Needs.CALL, line_before=True),
    Command("edit-text", Menu.COMPARE, say("What if: edit the text…"), "Ctrl+T", Needs.CALL),
    Command("reset-what-if", Menu.COMPARE, say("What if: take all changes back"), "Ctrl+Shift+Z", Needs.SOURCE),
    Command("open-draft", Menu.COMPARE, say("What if: open a draft…"), needs=Needs.SOURCE),
    Command("save-draft", Menu.COMPARE, say("What if: save as a draft…"), needs=Needs.SOURCE),
    Command("structure", Menu.VIEW, say("Structure"), "Ctrl+Shift+S", choice="mode"),
    Command("read", Menu.VIEW, say("Read"), "Ctrl+Shift+R", choice="mode"),
    Command("wire", Menu.VIEW, say("Wire"), "Ctrl+Shift+W", choice="mode"),
    Command("expand-all", Menu.VIEW, say("Expand all"), "Ctrl+]", Needs.CALL, line_before=True),
    Command("collapse-all", Menu.VIEW, say("Collapse all"), "Ctrl+[", Needs.CALL),
    Command("show-story", Menu.VIEW, say("Story panel"), "F9", checkable=True, line_before=True),
    Command("show-why", Menu.VIEW, say("Why panel"), "Shift+F9", checkable=True),
    Command("show-panels", Menu.VIEW, say("Panels at the bottom"), "Ctrl+J", checkable=True),
    *(
        Command(
            f"panel-{panel.id}",
            Menu.VIEW,
            say("Show the panel “{panel}”", panel=panel.title),
            f"Ctrl+Alt+{number}",
            Needs.SOURCE,
            _PANELS,
        )
        for number, panel in enumerate(PANELS, 1)
    ),
    Command("larger", Menu.VIEW, say("Larger text"), "Ctrl++", line_before=True),
    Command("smaller", Menu.VIEW, say("Smaller text"), "Ctrl+-"),
    Command("usual-size", Menu.VIEW, say("Usual text size"), "Ctrl+0"),
    Command("theme-system", Menu.VIEW, say("As the system"), submenu=_THEME, choice="theme", line_before=True),
    Command("theme-light", Menu.VIEW, say("Light"), submenu=_THEME, choice="theme"),
    Command("theme-dark", Menu.VIEW, say("Dark"), submenu=_THEME, choice="theme"),
    Command("language-system", Menu.VIEW, say("As the system"), submenu=_LANGUAGE, choice="language"),
    *(
        Command(f"language-{tag}", Menu.VIEW, plain(name), submenu=_LANGUAGE, choice="language")
        for tag, name in LANGUAGES.items()
    ),
    Command("palette", Menu.TOOLS, say("All commands…"), "Ctrl+Shift+P"),
    Command(COUNT_COMMAND, Menu.TOOLS, COUNT_TITLE, checkable=True),
    Command("copy-address", Menu.TOOLS, say("Copy the address"), "Ctrl+Shift+C", Needs.CALL),
    Command("problems", Menu.TOOLS, say("Problems"), "Ctrl+Shift+M", Needs.SOURCE),
    Command("shortcuts", Menu.HELP, say("Keyboard shortcuts"), "F1"),
    Command("filter-help", Menu.HELP, say("The filter's language")),
    Command("about", Menu.HELP, say("About covel-inspector"), line_before=True),
)


def without_mnemonic(title: str) -> str:
    """A menu text without the mark of its access key, for the palette and the help."""
    return _ACCESS_KEY.sub("", title).replace("&&", "\0").replace("&", "").replace("\0", "&")
