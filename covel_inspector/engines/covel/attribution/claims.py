"""Claims on stretches of one part, and how they and what nobody claims become leaves without gap or overlap."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from covel_inspector.domain import Grade, Kind, Origin, Part, Place, Segment, Sentence, Volatility, say
from covel_inspector.engines.covel.records.naming import TITLES, segment_key, segment_title

NOWHERE = Origin()

_SEPARATOR_REASON = say("only blanks stand here")
_UNKNOWN_REASON = say("no source in the database or the files matches this text")
_SEPARATORS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Label:
    """What is said about a stretch: a segment without its text and place."""

    key: str
    kind: Kind
    title: Sentence
    grade: Grade
    reason: Sentence
    origin: Origin = NOWHERE
    volatility: Volatility | None = None
    position: str = ""
    order: float | None = None
    audience: str = ""
    notes: tuple[Sentence, ...] = ()

    def doubted(self, why: Sentence) -> "Label":
        """The same as a guess, with the reason first among its notes."""
        return replace(self, grade=Grade.GUESS, notes=(why, *self.notes))

    def leaf(self, text: str, place: Place, role: str = "") -> Segment:
        """The label on a stretch: ``text`` is what stands at ``place``."""
        return Segment(
            self.key,
            self.kind,
            self.title,
            text,
            place,
            (),
            role,
            self.origin,
            self.volatility,
            self.position,
            self.order,
            self.audience,
            self.grade,
            self.reason,
            self.notes,
        )

    def branch(self, children: Sequence[Segment], role: str = "") -> Segment:
        """The label on a group of segments, whose keys are made unique."""
        return Segment(
            self.key,
            self.kind,
            self.title,
            "",
            None,
            with_unique_keys(children),
            role,
            self.origin,
            self.volatility,
            self.position,
            self.order,
            self.audience,
            self.grade,
            self.reason,
            self.notes,
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """A label on the code points ``start`` to ``end`` of a part; with ``inner`` claims it becomes a branch."""

    start: int
    end: int
    label: Label
    inner: tuple["Claim", ...] = field(default=())


def with_unique_keys(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The segments; where a key comes again it is numbered (``key#2``)."""
    if len({segment.key for segment in segments}) == len(segments):
        return tuple(segments)
    seen: dict[str, int] = {}
    unique: list[Segment] = []
    for segment in segments:
        count = seen[segment.key] = seen.get(segment.key, 0) + 1
        unique.append(segment if count == 1 else replace(segment, key=f"{segment.key}#{count}"))
    return tuple(unique)


def unknown(number: int, notes: tuple[Sentence, ...] = (), reason: Sentence = _UNKNOWN_REASON) -> Label:
    """The label of a stretch nobody claims; ``number`` counts them among their siblings."""
    return Label(f"unknown:{number}", Kind.UNKNOWN, TITLES[Kind.UNKNOWN], Grade.UNKNOWN, reason, notes=notes)


def unknown_block(
    tag: str, notes: tuple[Sentence, ...] = (), volatility: Volatility | None = None, position: str = ""
) -> Label:
    """The label of a tagged block nobody claims: two turns pair it by its tag."""
    return Label(
        segment_key("", tag),
        Kind.UNKNOWN,
        segment_title(tag),
        Grade.UNKNOWN,
        say("a tagged block that no file and no row explains"),
        Origin(segment=tag),
        volatility,
        position,
        notes=notes,
    )


def leaves(part: Part, number: int, claims: Sequence[Claim]) -> list[Segment]:
    """The leaves (or branches) of part ``number``: the claims in order, and fillers for what lies between them.

    Claims must come in order and not overlap; an overlapping one is dropped, because the earlier one is surer.
    """
    return _Row(part, number).fill(claims, 0, len(part.text))


class _Row:
    """Siblings being laid into a stretch of one part."""

    def __init__(self, part: Part, number: int) -> None:
        self._part = part
        self._number = number
        self._segments: list[Segment] = []
        self._unknown = 0

    def fill(self, claims: Sequence[Claim], start: int, end: int) -> list[Segment]:
        """Lays the claims between ``start`` and ``end``, and fillers for the rest."""
        position = start
        for claim in claims:
            if claim.start < position or claim.end > end or claim.end < claim.start:
                continue
            if claim.start > position:
                self._gap(position, claim.start)
            if claim.inner:
                inner = _Row(self._part, self._number).fill(claim.inner, claim.start, claim.end)
                self._segments.append(claim.label.branch(inner, self._part.role))
            else:
                self._lay(claim.label, claim.start, claim.end)
            position = claim.end
        if position < end:
            self._gap(position, end)
        return self._segments

    def _gap(self, start: int, end: int) -> None:
        """Blanks at both ends of a gap are separators, the text between them is unknown."""
        text = self._part.text[start:end]
        first = start + len(text) - len(text.lstrip(_SEPARATORS))
        last = max(first, end - len(text) + len(text.rstrip(_SEPARATORS)))
        if start < first:
            self._lay(_separator(len(self._segments)), start, first)
        if first < last:
            self._lay(unknown(self._unknown), first, last)
            self._unknown += 1
        if last < end:
            self._lay(_separator(len(self._segments)), last, end)

    def _lay(self, label: Label, start: int, end: int) -> None:
        part = self._part
        self._segments.append(label.leaf(part.text[start:end], Place(self._number, start, end), part.role))


@lru_cache(maxsize=1024)
def _separator(number: int) -> Label:
    """The label of a blank stretch that is the ``number``-th of its siblings."""
    return Label(f"separator:{number}", Kind.SEPARATOR, TITLES[Kind.SEPARATOR], Grade.STRUCTURAL, _SEPARATOR_REASON)
