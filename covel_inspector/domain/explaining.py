"""What a source can explain beyond the two trees of a call: lore, plugins, bodies, and what lint finds."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from covel_inspector.domain.address import Address
from covel_inspector.domain.findings import Finding, Rule
from covel_inspector.domain.lorebook import LoreHistory, LoreState
from covel_inspector.domain.observation import GoOn, Observation
from covel_inspector.domain.plugins import PluginReport
from covel_inspector.domain.template import TemplateReport


class Explains(Protocol):
    """The explaining half of a source. Empty answers where there is nothing to tell; none of these raises for a
    broken row. An address that names no call gives an empty answer too."""

    def lorebook(self, address: Address) -> Sequence[LoreState]:
        """Every lorebook entry of the session as this call found it: those that are in first, in prompt order."""
        ...

    def lorebook_history(self, session: str, runtime: str) -> LoreHistory:
        """When each entry was in, over the turns of one runtime."""
        ...

    def try_line(self, address: Address, text: str) -> Sequence[LoreState]:
        """The same as :meth:`lorebook`, had the player written ``text`` in this turn. ``sent`` is None throughout."""
        ...

    def plugins(self, session: str, turn: str) -> Sequence[PluginReport]:
        """What each plugin declares, and what of it was sent in one turn; active plugins first."""
        ...

    def observed(self, session: str, go_on: GoOn | None = None) -> Mapping[str, Observation] | None:
        """How each extension segment behaved over the recorded calls of a session, by key of its segments.

        Every call is read, which takes a while: ``go_on`` is asked before each. When it says no the answer is None,
        and the next question goes on from there. An answer is kept until the file changes.
        """
        ...

    def template(self, address: Address) -> TemplateReport | None:
        """The runtime's body with the values of its variables; None without a file that holds it, or when the call
        is concealed."""
        ...

    def finding_rules(self) -> Sequence[Rule]:
        """The rules that only this engine can check."""
        ...

    def findings(self, session: str) -> Sequence[Finding]:
        """What those rules find in a session and the files it uses."""
        ...
