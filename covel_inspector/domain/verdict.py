"""Recorded against rebuilt: the verdict of a call."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.request import Group, Place
from covel_inspector.domain.segment import Kind
from covel_inspector.domain.sentence import Sentence


class Status(StrEnum):
    """Outcome of comparing the two trees of one call."""

    IDENTICAL = "identical"
    NORMALISED = "same-after-normalisation"
    DIFFERS = "differs"
    IMPOSSIBLE = "cannot-be-rebuilt"
    NOTHING_RECORDED = "nothing-recorded"


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the two differ: ``recorded`` and ``rebuilt`` are places in the two requests, None = not there."""

    group: Group
    title: Sentence
    recorded: Place | None
    rebuilt: Place | None
    note: Sentence


@dataclass(frozen=True, slots=True)
class Taken:
    """Text that the rebuild had to take from the recording, by kind, in code points."""

    kind: Kind
    title: str
    characters: int
    why: Sentence


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the comparison says.

    ``independent`` and ``total`` count code points of the system prompt and the messages of the rebuilt request:
    how much came from rows and files, and all of it. ``taken`` lists what came from the recording.
    """

    status: Status
    reason: Sentence
    differences: tuple[Difference, ...] = ()
    normalisations: tuple[Sentence, ...] = ()
    independent: int = 0
    total: int = 0
    taken: tuple[Taken, ...] = ()

    @property
    def independent_share(self) -> float:
        """0.0 to 1.0; 0.0 when nothing was rebuilt."""
        return self.independent / self.total if self.total else 0.0
