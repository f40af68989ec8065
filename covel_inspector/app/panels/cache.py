"""The Cache panel: how much of each request the provider could serve from its cache, and what broke it."""

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.panel import Panel, Work
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say


class CachePanel(Panel):
    """Bars for all turns of a runtime, and the cause of the break in words for the turn the reader is at."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme)

    def wanted(self) -> Work | Sentence | None:
        """The report over the session, for the runtime the reader is at."""
        return say("There is nothing to tell about this turn yet.")
