"""Counts what is shown with the tokenizers of its models, in a worker, each text once; only where the reader asked.

A vocabulary takes some 70 MB of memory for as long as the program runs, so none is loaded before.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from covel_inspector.analysis.tokens import tokenizer
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.three_counts import Counted
from covel_inspector.app.work import Failure, Ticket
from covel_inspector.domain import Source


class SideCounts(QObject):
    """Follows what is prepared; one for each inspector."""

    counted = Signal(object, object)
    """The counts of side A and of side B, each a Counted or None."""
    switched = Signal()
    """Counting was turned on or off."""

    def __init__(self, inspector: Inspector) -> None:
        super().__init__(inspector)
        self._inspector = inspector
        self._is_on = False
        inspector.prepared.connect(self._ask)

    @classmethod
    def of(cls, inspector: Inspector) -> "SideCounts":
        """The one that counts for an inspector."""
        return inspector.findChild(cls) or cls(inspector)

    @property
    def is_on(self) -> bool:
        """Whether tokenizers count."""
        return self._is_on

    def switch(self, *, is_on: bool) -> None:
        """Turn counting on or off; what is shown is counted, or no longer."""
        if is_on is self._is_on:
            return
        self._is_on = is_on
        if not is_on:
            self.counted.emit(None, None)
        elif self._inspector.latest is not None:
            self._ask(self._inspector.latest)
        self.switched.emit()

    @Slot(object)
    def _ask(self, prepared: Prepared) -> None:
        desk = self._inspector.opened_panel_desk or self._inspector.desk
        if desk is not None and self._is_on:
            job = partial(_count_sides, sides=(prepared.a, prepared.b))
            desk.ask_patiently(job, self._take, self._no_count, "tokens of both sides")

    @Slot(object)
    def _take(self, counts: Sequence[Counted | None]) -> None:
        if self._is_on:
            self.counted.emit(counts[0], counts[1])

    @Slot(object)
    def _no_count(self, _trouble: Failure) -> None:
        """The estimates stay alone; the log has the reason."""


def _count_sides(_source: Source, ticket: Ticket, *, sides: Sequence[Side | None]) -> list[Counted | None]:
    return [_count(side, ticket) if side is not None and side.tree is not None else None for side in sides]


def _count(side: Side, ticket: Ticket) -> Counted | None:
    if side.tree is None:
        return None
    counter = tokenizer(side.call.model if side.call is not None else "")
    no_text = {leaf.place.part for leaf in side.tree.leaves() if leaf.place is not None and leaf.fixed_tokens}
    tokens = 0
    for number, part in enumerate(side.tree.request.parts):
        ticket.check()
        if number not in no_text:
            tokens += counter.count(part.text)
    return Counted(tokens, counter.name, counter.exact, counter.note, len(no_text))
