"""How much of a turn's first request repeats the turn before, as the engine's own prefix report measures it.

Follows the reference on the prefix report. Sizes, offsets and shares count UTF-16 units; tokens are that report's own
estimate. By default cache marks count as text, as they do there; a second mode leaves them out, because a provider's
cache does not see them. Beside the report's pairs of turns, the requests inside a turn can be paired too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from covel_inspector.analysis.prefix_shelf import Shelf
from covel_inspector.domain import MeasuredPart, MeasuredRequest
from covel_inspector.text.utf16 import cut_utf16, encoded_utf16, shared_utf16

ENDS_EARLIER = "(request ends earlier)"
IDENTICAL = "(identical)"
NO_PART = "(no such part)"
"""Labels of the report that name no part. They appear in its JSON as they are."""

_BEFORE, _BEHIND = 40, 80
"""Units of text shown around a difference."""

_DENSE_HIGH = bytes([*range(0x2F, 0xA0), *range(0xAC, 0xD7), *range(0xF9, 0xFB)])
"""High bytes of units that all count as one token each; 2E and D7 only in part."""


class PairKind(StrEnum):
    """Which two requests are compared."""

    TURN = "turn"
    STEP = "step"
    RETRY = "retry"
    RERUN = "rerun"
    """Another run in the same turn: resumed, or retried by hand."""


@dataclass(frozen=True, slots=True)
class Size:
    """A text's UTF-16 units, and how many of them are Chinese, Japanese or Korean by the report's rule."""

    units: int
    dense: int

    @property
    def tokens(self) -> int:
        """The report's estimate: one for a dense unit, a quarter for others; halves round up."""
        return self.dense + (self.units - self.dense + 2) // 4

    def __add__(self, other: "Size") -> "Size":
        return Size(self.units + other.units, self.dense + other.dense)


@dataclass(frozen=True, slots=True)
class PrefixPair:
    """A request compared with the one before. ``turn`` counts the opened turns of the entry, from 1.

    ``was`` and ``now`` are the surroundings of the first difference, None when nothing differs. ``row_before`` and
    ``row`` are the records of the two requests.
    """

    kind: PairKind
    turn: int
    size: int
    tokens: int
    shared: int
    shared_tokens: int
    first_difference: str
    offset: int
    was: str | None
    now: str | None
    row_before: str
    row: str


@dataclass(slots=True)
class PrefixEntry:
    """All calls of one runtime in one session. ``inner`` are pairs inside turns."""

    session: str
    runtime: str | None
    turns: int = 0
    calls: int = 0
    total_chars: int = 0
    first_request_chars: list[int] = field(default_factory=list)
    pairs: list[PrefixPair] = field(default_factory=list)
    inner: list[PrefixPair] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """Sum over the pairs of turns."""
        return sum(pair.tokens for pair in self.pairs)

    @property
    def shared_tokens(self) -> int:
        """Sum over the pairs of turns."""
        return sum(pair.shared_tokens for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class _Kept:
    turn_id: str
    row: str
    execution: str


@dataclass(slots=True)
class _Open:
    """What is kept of an entry: the request that opened its turn, and the last one with the sizes of its parts."""

    turn: _Kept
    last: _Kept
    sizes: list[Size]


Key = tuple[str, str | None]


def measure(
    requests: Iterable[MeasuredRequest], *, ignore_marks: bool = False, with_inner: bool = False
) -> list[PrefixEntry]:
    """Entries in order of first appearance. Keeps two requests of each entry, packed when there are many.

    ``ignore_marks`` compares the texts without cache marks; ``with_inner`` fills :attr:`PrefixEntry.inner`.
    """
    measurement = PrefixMeasurement(ignore_marks=ignore_marks, with_inner=with_inner)
    for request in requests:
        measurement.add(request)
    return list(measurement.entries.values())


class PrefixMeasurement:
    """Takes requests one after the other; ``entries`` grow as they come."""

    def __init__(self, *, ignore_marks: bool, with_inner: bool) -> None:
        self.entries: dict[Key, PrefixEntry] = {}
        self._ignore_marks = ignore_marks
        self._with_inner = with_inner
        self._open: dict[Key, _Open] = {}
        self._shelf = Shelf()

    def add(self, request: MeasuredRequest) -> PrefixPair | None:
        """Measure the next request; its pair with an earlier one, None when it is compared with none."""
        key = (request.session, request.runtime)
        entry = self.entries.setdefault(key, PrefixEntry(request.session, request.runtime))
        now = texts_of(request.parts, ignore_marks=self._ignore_marks)
        kept = _Kept(request.turn_id, request.row, request.execution)
        opened = self._open.get(key)
        last = self._shelf.get((key, "last"))
        sizes = _sizes(now, last, opened.sizes if opened is not None else ())
        size = sum([one.units for one in sizes])
        entry.calls += 1
        entry.total_chars += size
        pair = None
        if opened is not None and opened.turn.turn_id == request.turn_id:
            if self._with_inner:
                pair = _pair(_inner_kind(opened.last, request), entry, request, now, last, opened.last, sizes)
                entry.inner.append(pair)
            opened.last, opened.sizes = kept, sizes
        else:
            entry.turns += 1
            entry.first_request_chars.append(size)
            if opened is not None:
                before = self._shelf.get((key, "turn"))
                pair = _pair(PairKind.TURN, entry, request, now, before, opened.turn, sizes)
                entry.pairs.append(pair)
            self._open[key] = _Open(kept, kept, sizes)
            self._shelf.put((key, "turn"), now, size)
        self._shelf.put((key, "last"), now, size)
        return pair


def _sizes(now: Sequence[str], before: Sequence[str], known: Sequence[Size]) -> list[Size]:
    """Sizes of the parts; a part that stands in the request before at the same place has the size it had there."""
    rows = zip(now, before, known, strict=False)
    sizes = [size if text is old or text == old else size_of(text) for text, old, size in rows]
    return sizes + [size_of(text) for text in now[len(sizes) :]]


def _inner_kind(before: _Kept, request: MeasuredRequest) -> PairKind:
    if before.execution != request.execution:
        return PairKind.RERUN
    return PairKind.RETRY if request.attempt > 0 else PairKind.STEP


def texts_of(parts: Sequence[MeasuredPart], *, ignore_marks: bool) -> tuple[str, ...]:
    """The texts that are compared."""
    return tuple([part.bare for part in parts] if ignore_marks else [part.text for part in parts])


def size_of(text: str) -> Size:
    """Units and dense units of a text. Dense are 2E80–9FFF, AC00–D7AF and F900–FAFF."""
    if text.isascii():
        return Size(len(text), 0)
    encoded = encoded_utf16(text)
    high = encoded[::2]
    dense = len(high) - len(high.translate(None, _DENSE_HIGH))
    if b"\x2e" in high:
        dense += sum(1 for above, low in zip(high, encoded[1::2], strict=True) if above == 0x2E and low >= 0x80)
    if b"\xd7" in high:
        dense += sum(1 for above, low in zip(high, encoded[1::2], strict=True) if above == 0xD7 and low <= 0xAF)
    return Size(len(high), dense)


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """Where two rows of texts part: ``index`` of the part, or None when all that both have is the same.

    ``offset`` counts equal units inside that part, ``shared`` all equal units from the front.
    """

    index: int | None
    offset: int
    shared: int


def first_difference(before: Sequence[str], now: Sequence[str], sizes: Sequence[Size]) -> FirstDifference:
    """Walks the parts of the later request, whose sizes are given."""
    both = enumerate(zip(before, now, strict=False))
    index = next((number for number, (old, new) in both if old != new), min(len(before), len(now)))
    shared = sum([size.units for size in sizes[:index]])
    if index == len(now):
        return FirstDifference(None, 0, shared)
    offset = shared_utf16(before[index], now[index]) if index < len(before) else 0
    return FirstDifference(index, offset, shared + offset)


def _pair(
    kind: PairKind,
    entry: PrefixEntry,
    request: MeasuredRequest,
    now: Sequence[str],
    before: Sequence[str],
    earlier: _Kept,
    sizes: Sequence[Size],
) -> PrefixPair:
    found = first_difference(before, now, sizes)
    whole, same = _sum(sizes), _sum(sizes[: found.index])
    label = ENDS_EARLIER if len(before) > len(now) else IDENTICAL
    was = after = None
    if found.index is not None:
        label, text = request.parts[found.index].label, now[found.index]
        same += size_of(cut_utf16(text, 0, found.offset))
        start, end = max(0, found.offset - _BEFORE), found.offset + _BEHIND
        was = cut_utf16(before[found.index], start, end) if found.index < len(before) else NO_PART
        after = cut_utf16(text, start, end)
    return PrefixPair(
        kind=kind,
        turn=entry.turns,
        size=whole.units,
        tokens=whole.tokens,
        shared=found.shared,
        shared_tokens=same.tokens,
        first_difference=label,
        offset=found.offset,
        was=was,
        now=after,
        row_before=earlier.row,
        row=request.row,
    )


def _sum(sizes: Sequence[Size]) -> Size:
    return Size(sum([size.units for size in sizes]), sum([size.dense for size in sizes]))
