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

    ``is_early``: made with the window, for one that counts things before anybody looks. The keys of a panel follow from
    its place: Ctrl+Alt and its number.
    """

    id: str
    title: Sentence
    make: MakePanel
    is_early: bool = False


PANELS: tuple[PanelSpec, ...] = (
    PanelSpec("cache", say("Cache"), CachePanel),
    PanelSpec("budget", say("Budget"), BudgetPanel),
    PanelSpec("compaction", say("Compaction"), CompactionPanel),
    PanelSpec("lorebook", say("Lorebook"), LorebookPanel),
    PanelSpec("plugins", say("Plugins"), PluginsPanel),
    PanelSpec("template", say("Template"), TemplatePanel),
    PanelSpec("problems", say("Problems"), ProblemsPanel, is_early=True),
)
