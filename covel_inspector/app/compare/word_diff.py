"""Which words changed between the two texts on screen: small texts at once, large ones beside the window."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from covel_inspector.app.compare.passages import Passage
from covel_inspector.domain import Segment
from covel_inspector.text.diff import TextDiff, diff_texts

AT_ONCE = 12_000
"""Code points of both texts together up to which a comparison is done at once; it takes a few milliseconds."""

_MOST_MARKS = 4000
"""Changed stretches that are drawn; further ones would only make the widget slow."""

Spans = tuple[tuple[int, int], ...]
"""Stretches of one text: sorted, disjoint, in code points."""


@dataclass(frozen=True, slots=True)
class ChangedSpans:
    """Changed stretches of both texts."""

    a: Spans
    b: Spans


def changed_spans(difference: TextDiff) -> ChangedSpans:
    """The stretches to mark on either side."""
    changes = difference.changes[:_MOST_MARKS]
    return ChangedSpans(
        tuple((hunk.a_start, hunk.a_end) for hunk in changes if hunk.a_end > hunk.a_start),
        tuple((hunk.b_start, hunk.b_end) for hunk in changes if hunk.b_end > hunk.b_start),
    )


def changed_words(
    a: Sequence[Passage], b: Sequence[Passage], partners: Mapping[int, Segment]
) -> tuple[dict[str, Spans], dict[str, Spans]]:
    """The changed stretches of passages that both sides show, by key of the passage.

    Passages that are too long, or cut, are left out: their tint says that they changed.
    """
    by_segment = {id(passage.segment): passage for passage in a}
    words_a: dict[str, Spans] = {}
    words_b: dict[str, Spans] = {}
    for there in b:
        partner = partners.get(id(there.segment))
        here = by_segment.get(id(partner)) if partner is not None else None
        if here is None or not here.text or not there.text or here.text == there.text or here.rest or there.rest:
            continue
        if len(here.text) + len(there.text) <= AT_ONCE:
            spans = changed_spans(diff_texts(here.text, there.text))
            words_a[here.key], words_b[there.key] = spans.a, spans.b
    return words_a, words_b


def counterpart(difference: TextDiff, index: int, *, from_a: bool) -> int:
    """The code point of the other text that lies opposite; behind the end of a shorter change: that end."""
    hunks = difference.hunks
    number = bisect_right(hunks, index, key=lambda hunk: hunk.a_start if from_a else hunk.b_start) - 1
    if number < 0:
        return 0
    hunk = hunks[number]
    if from_a:
        return min(hunk.b_start + index - hunk.a_start, hunk.b_end)
    return min(hunk.a_start + index - hunk.b_start, hunk.a_end)


class _Job(QRunnable):
    """One comparison in the thread pool. ``number`` tells late answers from wanted ones."""

    def __init__(self, owner: "WordDiffs", number: int, a: str, b: str) -> None:
        super().__init__()
        self._owner, self._number, self._a, self._b = owner, number, a, b

    def run(self) -> None:
        """Compare, and hand the outcome to the window's thread through the owner's signal."""
        owner, number = self._owner, self._number
        found = diff_texts(self._a, self._b, cancelled=lambda: owner.number != number)
        if owner.number == number:
            # The window may be going away at this very moment: then nobody waits for the answer.
            with suppress(RuntimeError):
                owner.answered.emit(number, found)


class WordDiffs(QObject):
    """Compares two texts; the answer to the last question comes by :attr:`ready`, earlier ones are dropped."""

    ready = Signal(object)
    """A :class:`TextDiff`."""
    answered = Signal(int, object)
    """From a worker: number of the question and its :class:`TextDiff`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.number = 0
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self.answered.connect(self._deliver)

    def ask(self, a: str, b: str) -> TextDiff | None:
        """The comparison itself when it is quick, else None: then it comes by :attr:`ready`."""
        self.number += 1
        if len(a) + len(b) <= AT_ONCE or a == b:
            return diff_texts(a, b)
        self._pool.start(_Job(self, self.number, a, b))
        return None

    def forget(self) -> None:
        """Nobody waits for an answer any more."""
        self.number += 1

    def close(self) -> None:
        """Stop and wait for the worker."""
        self.forget()
        self._pool.waitForDone()

    @Slot(int, object)
    def _deliver(self, number: int, found: TextDiff) -> None:
        if number == self.number:
            self.ready.emit(found)
