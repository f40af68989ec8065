"""Laying segments one behind the other in the parts of a request."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import Kind, Origin, Place, Segment, Sentence, say
from covel_inspector.engines.covel.assembler.params import NOWHERE, Provenance
from covel_inspector.engines.covel.records.naming import TITLES

_BLANK_REASON = say("joins the pieces around it")


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a part that a segment is to stand for."""

    part: int
    start: int
    text: str
    role: str

    @property
    def end(self) -> int:
        """Behind the last code point."""
        return self.start + len(self.text)

    @property
    def place(self) -> Place:
        """The stretch as a place."""
        return Place(self.part, self.start, self.end)

    def within(self, start: int, text: str) -> "Spot":
        """A stretch inside this one; ``start`` counts from its beginning."""
        return Spot(self.part, self.start + start, text, self.role)


def leaf(
    spot: Spot, key: str, kind: Kind, title: Sentence, reason: Sentence, provenance: Provenance = NOWHERE, **more: Any
) -> Segment:
    """A leaf that stands for the spot; provenance gives origin, grade, and reason when it has one.

    ``more`` are fields of Segment; notes of the provenance come before those in ``more``.
    """
    notes: tuple[Sentence, ...] = more.pop("notes", ())
    origin: Origin = more.pop("origin", provenance.origin)
    return Segment(
        key=key,
        kind=kind,
        title=title,
        text=spot.text,
        place=spot.place,
        role=spot.role,
        origin=origin,
        grade=provenance.grade,
        reason=reason if provenance.reason is None else provenance.reason,
        notes=provenance.notes + notes if provenance.notes else notes,
        **more,
    )


def known(
    origin: Origin,
    plugin: str = "",
    runtime: str = "",
    segment: str = "",
    table: str = "",
    rows: tuple[str, ...] = (),
    variable: str = "",
) -> Origin:
    """The origin with the fields filled in that it leaves empty."""
    return Origin(
        origin.plugin or plugin,
        origin.runtime or runtime,
        origin.segment or segment,
        origin.file,
        origin.line,
        origin.table or table,
        origin.rows or rows,
        origin.variable or variable,
    )


class Row:
    """Segments laid one behind the other in one part, with separators for what stands between them."""

    def __init__(self, spot: Spot) -> None:
        self.segments: list[Segment] = []
        self._spot = spot
        self._offset = 0
        self._gap = ""

    @property
    def offset(self) -> int:
        """Code points laid so far, from the start of the spot."""
        return self._offset

    def lay(self, text: str, describe: Callable[[Spot], Segment]) -> None:
        """The next segment; nothing for the empty text, so that a gap before it joins the gap behind it."""
        if not text:
            return
        self._close_gap()
        self.segments.append(describe(self._spot.within(self._offset, text)))
        self._offset += len(text)

    def skip(self, gap: str) -> None:
        """Text that belongs to no piece: it becomes a separator."""
        self._gap += gap

    def finish(self) -> list[Segment]:
        """All segments, up to the last separator."""
        self._close_gap()
        return self.segments

    def _close_gap(self) -> None:
        if self._gap:
            spot = self._spot.within(self._offset, self._gap)
            key = f"separator:{len(self.segments)}"
            title = TITLES[Kind.SEPARATOR]
            self.segments.append(leaf(spot, key, Kind.SEPARATOR, title, _BLANK_REASON))
            self._offset += len(self._gap)
            self._gap = ""
