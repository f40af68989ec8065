"""Comparisons that were prepared before, or ahead of the reader. Kept and looked up in the source's thread only."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Question
from covel_inspector.app.sides import Prepared
from covel_inspector.app.targets import TargetKind
from covel_inspector.domain import Source

MOST = 8
"""Comparisons that are kept: the place, its neighbours, and some way back. A large one takes some megabytes."""

HEAVIEST = 1_000_000
"""Bytes of a request beyond which it is neither kept nor prepared ahead: nobody should wait for a guess."""


@dataclass(frozen=True, slots=True)
class _Kept:
    mark: str
    lists: Lists
    prepared: Prepared


class Ahead:
    """The last comparisons by their questions. Nothing is found once the file has changed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()

    def find(self, source: Source, question: Question) -> Prepared | None:
        """What was prepared for a question, as long as it still holds."""
        kept = self._kept.get(key_of(question))
        if kept is None or kept.lists is not question.lists or kept.mark != _mark(source):
            return None
        self._kept.move_to_end(key_of(question))
        return kept.prepared

    def keep(self, source: Source, question: Question, prepared: Prepared) -> None:
        """Keep what was prepared; the one that was used longest ago goes."""
        if not can_wait(question):
            return
        self._kept[key_of(question)] = _Kept(_mark(source), question.lists, prepared)
        self._kept.move_to_end(key_of(question))
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)


def key_of(question: Question) -> Hashable:
    """Equal for questions with equal answers, within one reading of the lists."""
    return question.spot, question.target


def can_wait(question: Question) -> bool:
    """Whether a question may be answered ahead: it is light, and follows no changes that the reader tries."""
    if question.target.kind is TargetKind.WHAT_IF:
        return False
    address = question.spot.address
    call = question.lists.call(address) if address is not None else None
    return call is None or call.payload_bytes <= HEAVIEST


def _mark(source: Source) -> str:
    return source.changed_since("")[0]
