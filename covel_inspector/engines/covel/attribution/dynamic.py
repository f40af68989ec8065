"""Whose segment is a tagged block that no row and no declared text explains? Follows the reference on attribution, 3.3.

The table names segments of plugins that come with the engine. It is only believed for active plugins, and only
where such a segment may stand.
"""

from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.blocks import Block
from covel_inspector.engines.covel.attribution.claims import Label, unknown_block
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.records.naming import segment_key, segment_title

SEGMENT_POINT = "prompt.segment@1"

STABLE_PART, TAIL, TURN_CONTEXT = "stable part", "tail", "turn context"
"""Where a block was found: with the stable segments, behind the last cache mark, or in the turn context."""

_VOLATILITY = {TAIL: Volatility.TURN, TURN_CONTEXT: Volatility.TURN}
_POSITION = {TAIL: "pre-history", TURN_CONTEXT: "system"}


@dataclass(frozen=True, slots=True)
class _Known:
    plugins: tuple[str, ...]
    segment: str
    position: str
    audience: str
    """``self``: only for runtimes of its own plugin."""
    volatility: Volatility

    def may_stand(self, where: str) -> bool:
        if where == STABLE_PART:
            return self.volatility is not Volatility.TURN
        return self.volatility is Volatility.TURN and self.position == _POSITION[where]


_NARRATORS = ("narrator", "chat-mode-narrator")
_SESSION, _TURN = Volatility.SESSION, Volatility.TURN
_BUILT_IN: dict[str, tuple[_Known, ...]] = {
    "existing-characters": (_Known(("char-creator",), "character-roster", "pre-history", "self", _SESSION),),
    "character-fields": (_Known(("char-creator",), "character-fields", "pre-history", "self", _TURN),),
    "dimension-rules": (_Known(("world-init",), "dimension-rules", "system", "self", _SESSION),),
    "dimension-values": (_Known(("world-init",), "dimension-values", "system", "self", _TURN),),
    "world-dimensions": (
        _Known(("world-init",), "static-dimensions", "system", "story", _SESSION),
        _Known(("world-init",), "dimensions", "system", "story", _TURN),
    ),
    "character-notes": (_Known(("character-blueprint",), "character-notes", "system", "story", _SESSION),),
    "music-moods": (_Known(("music",), "music-moods", "system", "story", _SESSION),),
    "player-character": (_Known(_NARRATORS, "player-character", "system", "self", _TURN),),
    "character-profiles": (_Known(_NARRATORS, "character-profiles", "system", "self", _TURN),),
}


def name_block(text: str, block: Block, where: str, moment: CallMoment, index: SessionIndex) -> Label:
    """The label of a block of extension segments: its plugin if there is a reason to name one, else unknown."""
    for known in _BUILT_IN.get(block.tag, ()):
        plugin = _provider(known, where, moment, index)
        if plugin:
            declared = _declares(index, plugin, known.segment) or _declares(index, plugin, block.tag)
            return _built_in(block, known, plugin, declared, where)
    declaring = [plugin for plugin in sorted(index.active) if _declares(index, plugin, block.tag)]
    if len(declaring) == 1:
        reason = say("{plugin} declares a segment with the name of this tag", plugin=declaring[0])
        return _label(block, declaring[0], block.tag, Grade.TAG, reason, where)
    if block.tag not in _BUILT_IN:
        only = _only_provider(index)
        if only:
            reason = say("{plugin} is the only active plugin that adds segments by code", plugin=only)
            return _label(block, only, block.label, Grade.GUESS, reason, where)
        owner = index.vocabulary.owner(text[block.inner[0] : block.inner[1]])
        if owner and _may_provide(index, owner):
            reason = say("most of its phrases stand in rows of {plugin}", plugin=owner)
            return _label(block, owner, block.label, Grade.GUESS, reason, where)
    return unknown_block(block.label, candidates(index), _VOLATILITY.get(where), _POSITION.get(where, ""))


def candidates(index: SessionIndex) -> tuple[Sentence, ...]:
    """The active plugins that may have added a segment, as a note; empty when files do not tell."""
    named = [plugin for plugin in sorted(index.active) if _provides(index, plugin)]
    return (say("Active plugins that add segments by code: {plugins}", plugins=", ".join(named)),) if named else ()


def _provider(known: _Known, where: str, moment: CallMoment, index: SessionIndex) -> str:
    if not known.may_stand(where):
        return ""
    active = [plugin for plugin in known.plugins if plugin in index.active]
    if known.audience == "self":
        return moment.plugin_id if moment.plugin_id in active else ""
    return active[0] if len(active) == 1 else ""


def _built_in(block: Block, known: _Known, plugin: str, declared: bool, where: str) -> Label:
    reason = (
        say("a known tag of {plugin}, and its manifest declares the segment", plugin=plugin)
        if declared
        else say("a known tag of {plugin}, which is active", plugin=plugin)
    )
    label = _label(block, plugin, known.segment, Grade.TAG if declared else Grade.GUESS, reason, where)
    return replace(label, volatility=known.volatility, position=known.position, audience=known.audience)


def _label(block: Block, plugin: str, segment: str, grade: Grade, reason: Sentence, where: str) -> Label:
    return Label(
        segment_key(plugin, segment),
        Kind.EXTENSION,
        segment_title(block.label),
        grade,
        reason,
        Origin(plugin=plugin, segment=segment),
        _VOLATILITY.get(where),
        _POSITION.get(where, ""),
    )


def _provides(index: SessionIndex, plugin: str) -> bool:
    checkout = index.evidence.checkout
    manifest = checkout.plugins.get(plugin) if checkout is not None else None
    return manifest is not None and any(point == SEGMENT_POINT for point, _ in manifest.extensions)


def _declares(index: SessionIndex, plugin: str, segment: str) -> bool:
    checkout = index.evidence.checkout
    manifest = checkout.plugins.get(plugin) if checkout is not None else None
    return manifest is not None and (SEGMENT_POINT, segment) in manifest.extensions


def _only_provider(index: SessionIndex) -> str:
    """The one active plugin that adds segments by code, when the files of all active plugins are at hand."""
    checkout = index.evidence.checkout
    if checkout is None or any(plugin not in checkout.plugins for plugin in index.active):
        return ""
    providers = [plugin for plugin in index.active if _provides(index, plugin)]
    return providers[0] if len(providers) == 1 else ""


def _may_provide(index: SessionIndex, plugin: str) -> bool:
    checkout = index.evidence.checkout
    manifest = checkout.plugins.get(plugin) if checkout is not None else None
    return manifest is None or _provides(index, plugin)
