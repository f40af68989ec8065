"""What a comparison of two texts says: hunks, in code points of both texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class HunkKind(StrEnum):
    """What happened to a stretch on the way from A to B."""

    EQUAL = "equal"
    INSERT = "insert"
    DELETE = "delete"
    REPLACE = "replace"


class Outcome(StrEnum):
    """How a comparison ended. Every outcome gives hunks that rebuild B from A."""

    COMPLETE = "complete"
    BOUNDED = "bounded"
    """Some stretch was too costly to look into: it is shown as replaced, though parts of it may be the same."""
    CANCELLED = "cancelled"
    """The caller lost interest: what had not been looked at is shown as replaced."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of A (``a_start`` to ``a_end``) and what stands for it in B, both in code points."""

    kind: HunkKind
    a_start: int
    a_end: int
    b_start: int
    b_end: int


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Hunks that tile both texts in order; no two neighbours are both equal or both changed.

    ``steps`` is the work that was done: elements looked at, the unit in which :class:`DiffLimits` counts.
    """

    hunks: tuple[Hunk, ...]
    outcome: Outcome
    steps: int = 0

    @property
    def changes(self) -> tuple[Hunk, ...]:
        """The hunks that are not equal."""
        return tuple(hunk for hunk in self.hunks if hunk.kind is not HunkKind.EQUAL)


@dataclass(frozen=True, slots=True)
class DiffLimits:
    """How much work a comparison may do. All figures count steps or elements, never time."""

    steps: int = 8_000_000
    """Elements looked at, all in all. What is left then is shown as replaced."""
    edits: int = 600
    """Edits in a stretch without anchors; its cost grows with the square of it."""
    long_line: int = 4000
    """Code points from which a line is cut into sentences."""
    kept_island: int = 32
    """An equal stretch of more code points is never taken for confetti."""
    kept_share: float = 0.2
    """A changed block in which less than this share is equal is shown as replaced as a whole."""


def hunk_of(a_start: int, a_end: int, b_start: int, b_end: int) -> Hunk:
    """A changed hunk of the kind its two lengths ask for."""
    if a_start == a_end:
        return Hunk(HunkKind.INSERT, a_start, a_end, b_start, b_end)
    if b_start == b_end:
        return Hunk(HunkKind.DELETE, a_start, a_end, b_start, b_end)
    return Hunk(HunkKind.REPLACE, a_start, a_end, b_start, b_end)


def tidy(hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
    """Joins neighbours of one sort and drops empty hunks."""
    tidied: list[Hunk] = []
    for hunk in hunks:
        if hunk.a_start == hunk.a_end and hunk.b_start == hunk.b_end:
            continue
        if tidied and (tidied[-1].kind is HunkKind.EQUAL) == (hunk.kind is HunkKind.EQUAL):
            last = tidied.pop()
            if hunk.kind is HunkKind.EQUAL:
                tidied.append(Hunk(HunkKind.EQUAL, last.a_start, hunk.a_end, last.b_start, hunk.b_end))
            else:
                tidied.append(hunk_of(last.a_start, hunk.a_end, last.b_start, hunk.b_end))
        else:
            tidied.append(hunk)
    return tuple(tidied)


def apply(a: str, b: str, hunks: Sequence[Hunk]) -> str:
    """B, rebuilt: equal stretches are taken from A, the others from B. Used to prove that hunks are true."""
    return "".join(
        a[hunk.a_start : hunk.a_end] if hunk.kind is HunkKind.EQUAL else b[hunk.b_start : hunk.b_end] for hunk in hunks
    )
