"""The panels at the bottom of the window, in the order of their tabs. A new panel is one line here."""

from collections.abc import Callable
from dataclasses import dataclass

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.budget import BudgetPanel
from covel_inspector.app.panels.cache import CachePanel
from covel_inspector.app.panels.compaction import CompactionPanel
from covel_inspector.app.panels.lorebook import LorebookPanel
from covel_inspector.app.panels.panel import Panel
from covel_inspector.app.panels.plugins import PluginsPanel
from covel_inspector.app.panels.problems import ProblemsPanel
from covel_inspector.app.panels.template import TemplatePanel
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say

MakePanel = Callable[[Inspector, Wording, Theme], Panel]


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """A panel: its id (kept in the settings), title, and how it is made when its tab is first shown.

    ``shortcut`` is Qt's portable form, empty for none. ``is_early``: made with the window, for one that counts things
    before anybody looks.
    """

    id: str
    title: Sentence
    make: MakePanel
    shortcut: str = ""
    is_early: bool = False


PANELS: tuple[PanelSpec, ...] = (
    PanelSpec("cache", say("Cache"), CachePanel, "Ctrl+Alt+1"),
    PanelSpec("budget", say("Budget"), BudgetPanel, "Ctrl+Alt+2"),
    PanelSpec("compaction", say("Compaction"), CompactionPanel, "Ctrl+Alt+3"),
    PanelSpec("lorebook", say("Lorebook"), LorebookPanel, "Ctrl+Alt+5"),
    PanelSpec("plugins", say("Plugins"), PluginsPanel, "Ctrl+Alt+6"),
    PanelSpec("template", say("Template"), TemplatePanel, "Ctrl+Alt+7"),
    PanelSpec("problems", say("Problems"), ProblemsPanel, is_early=True),
)
