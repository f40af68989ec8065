"""Sentences of the engine that stand inside segments of another source: a heading over a lore entry, a closing note.

What was learned from recordings counts as taken, wherever it stands. Follows the reference on attribution, section 1,
and on the assembler, section 4.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from covel_inspector.domain import Kind, Segment
from covel_inspector.engines.covel.assembler.escaping import escape
from covel_inspector.engines.covel.textpack import TextPack

_PLACEHOLDER = re.compile(r"\{[A-Za-z][A-Za-z0-9]*\}")


class _Spot(Enum):
    """Where in a leaf a sentence may stand."""

    START = auto()
    WHOLE = auto()
    ANYWHERE = auto()
    IN_JSON = auto()


_WITHIN: Mapping[Kind, Mapping[str, _Spot]] = {
    Kind.LORE: {"lore.heading": _Spot.START},
    Kind.SUMMARY: {"summary.note": _Spot.ANYWHERE, "truncation.summary": _Spot.ANYWHERE},
    Kind.EVENTS: {"events.instruction": _Spot.ANYWHERE},
    Kind.INPUTS: {"inputs.storyNote": _Spot.IN_JSON},
    Kind.OWN_DATA: {"plugindata.none": _Spot.ANYWHERE, "plugindata.more": _Spot.ANYWHERE},
    Kind.PICTURES: {
        "pictures.heading": _Spot.START,
        "pictures.item": _Spot.START,
        "pictures.item.plain": _Spot.START,
    },
    Kind.BODY: {"npcs.unlisted": _Spot.ANYWHERE},
    Kind.PLAYER_LINE: {"turn.emptyInput": _Spot.WHOLE, "turn.manualTrigger": _Spot.WHOLE},
    Kind.TOOL_RESULT: {"truncation.toolResult": _Spot.ANYWHERE},
    Kind.PRUNE_MARKER: {"pruned.marker": _Spot.WHOLE},
    Kind.LOOP_NOTE: {"ledger.foldTitle": _Spot.ANYWHERE, "ledger.omitted": _Spot.ANYWHERE},
}
"""Kind of a segment → keys of the text pack whose sentences stand in it, beside text of its own."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence as a pattern; ``size`` are the code points between its placeholders."""

    pattern: re.Pattern[str]
    size: int
    spot: _Spot

    def count(self, text: str) -> int:
        """Code points of the sentence in a text, what fills its placeholders left out."""
        if self.spot is _Spot.START:
            return self.size if self.pattern.match(text) else 0
        if self.spot is _Spot.WHOLE:
            return self.size if self.pattern.fullmatch(text) else 0
        return self.size * sum(1 for _ in self.pattern.finditer(text))


@dataclass(frozen=True, slots=True)
class EngineWords:
    """The learned sentences, by the kind of segment in which they stand."""

    sentences: Mapping[Kind, tuple[_Sentence, ...]] = field(default_factory=dict)

    @classmethod
    def learned_from(cls, pack: TextPack, learned: Collection[str], language: str) -> "EngineWords":
        """The sentences of a pack whose keys are in ``learned``. Raises TextPackError when the pack lacks one."""
        return cls(
            {
                kind: tuple(_sentence(pack.text(key, language), spot) for key, spot in keys.items() if key in learned)
                for kind, keys in _WITHIN.items()
            }
        )

    def within(self, leaf: Segment) -> int:
        """Code points of learned sentences in a leaf, 0 to all of them.

        A text that only imitates a sentence is counted too: the independent share is rather too low than too high.
        """
        found = sum(sentence.count(leaf.text) for sentence in self.sentences.get(leaf.kind, ()))
        return min(found, len(leaf.text))


def _sentence(template: str, spot: _Spot) -> _Sentence:
    if spot is _Spot.IN_JSON:
        template = escape(json.dumps(template, ensure_ascii=False)[1:-1])
    literals = _PLACEHOLDER.split(template)
    pattern = re.compile(r"[^\n]*?".join(re.escape(literal) for literal in literals))
    size = sum(len(literal) for literal in literals)
    if not size:
        # A sentence of placeholders only would match everywhere.
        pattern = re.compile(r"(?!)")
    return _Sentence(pattern, size, spot)
