"""For whom a segment is, by the runtimes that have it and those that do not.

Follows the reference on attribution, section 3, step 4, and the reference on the assembler, section 6: *self* means the
runtimes of the segment's own plugin, *story* those that tell the story, a contract those that declare it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from covel_inspector.domain import Kind, SegmentTree
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex

SELF, STORY = "self", "story"

_ONLY_IN_STORIES = frozenset({Kind.WORLD_LORE, Kind.PICTURES})
"""What the engine gives to runtimes that tell the story and to no others."""


@dataclass(frozen=True, slots=True)
class Audience:
    """``name`` is empty when more than one audience fits, or none. ``may_be_contract``: one by contract fits too."""

    name: str = ""
    may_be_contract: bool = False


class Listeners:
    """The runtimes of a session, as far as an audience may depend on them."""

    def __init__(self, index: SessionIndex) -> None:
        self._index = index
        self._plugins: dict[str, str] = {}
        self._shown: set[str] = set()
        """Runtimes whose requests hold what only story runtimes get."""

    def see(self, tree: SegmentTree, moment: CallMoment) -> None:
        """Take a call into account."""
        runtime = moment.runtime_id
        self._plugins[runtime] = moment.plugin_id or runtime.partition("/")[0]
        if runtime not in self._shown and any(leaf.kind in _ONLY_IN_STORIES for leaf in tree.leaves()):
            self._shown.add(runtime)

    def audience(self, owner: str, having: Sequence[str], without: Sequence[str]) -> Audience:
        """The one audience that explains both who has a segment of the plugin ``owner`` and who lacks it.

        ``owner`` is empty when nobody knows it. ``without`` holds only runtimes that were called often enough.
        """
        if not without:
            return Audience()  # For all: every other audience fits as well.
        may_be_self, may_be_story = self._fits_self(owner, having, without), self._fits_story(having, without)
        may_be_contract = self._fits_contract(having, without)
        if may_be_self and not may_be_story and (owner or not may_be_contract):
            return Audience(SELF)
        if may_be_story and not may_be_self and any(self._tells_story(runtime) for runtime in having):
            return Audience(STORY, may_be_contract)
        return Audience()

    def _fits_self(self, owner: str, having: Sequence[str], without: Sequence[str]) -> bool:
        plugins = {self._plugins[runtime] for runtime in having}
        is_one = plugins == {owner} if owner else len(plugins) == 1
        return is_one and not any(self._plugins[runtime] in plugins for runtime in without)

    def _fits_story(self, having: Sequence[str], without: Sequence[str]) -> bool:
        """Nothing speaks against it; a runtime of which nobody knows may tell the story or not."""
        return not any(self._tells_story(runtime) is False for runtime in having) and not any(
            self._tells_story(runtime) for runtime in without
        )

    def _fits_contract(self, having: Sequence[str], without: Sequence[str]) -> bool:
        contracts = {self._contract(runtime) for runtime in having}
        if len(contracts) != 1:
            return None in contracts
        contract = next(iter(contracts))
        return contract is None or (bool(contract) and all(self._contract(one) != contract for one in without))

    def _tells_story(self, runtime: str) -> bool | None:
        """None when neither files nor requests tell."""
        manifest = self._index.runtime(runtime)
        if manifest is not None and manifest.visibility:
            return manifest.visibility == STORY
        return True if runtime in self._shown else None

    def _contract(self, runtime: str) -> str | None:
        """The contract of its output, empty without one; None when it is not known."""
        manifest = self._index.runtime(runtime)
        return manifest.output_contract if manifest is not None else None
