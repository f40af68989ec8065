"""What the Cache panel says: short names of causes, headlines, figures with the word that says where each is from."""

from collections.abc import Iterator

from covel_inspector.analysis.cache_rows import BoundaryReading, CacheReport, CacheRow
from covel_inspector.analysis.causes import CauseKind
from covel_inspector.analysis.prefix import PairKind
from covel_inspector.analysis.token_bridge import prefix_bridge
from covel_inspector.app.figures import figure, percent
from covel_inspector.domain import Sentence, say
from covel_inspector.domain.names import estimator_name
from covel_inspector.report.cache import CAUSE_KIND
from covel_inspector.report.names import SETTER

_NOT_IN_THE_TEXT = frozenset(
    {
        CauseKind.MODEL,
        CauseKind.PROVIDER,
        CauseKind.PARAMETERS,
        CauseKind.EXPIRED,
        CauseKind.BELOW_MINIMUM,
        CauseKind.RELAY,
    }
)
"""Causes that leave the shared text as it is and still keep a cache from being read."""


def where(row: CacheRow) -> Sentence:
    """Turn, and the call when it is not the first: "Turn 12, call 2"."""
    if row.kind is PairKind.TURN:
        return say("Turn {turn}", turn=row.address.turn)
    return say("Turn {turn}, call {n}", turn=row.address.turn, n=row.address.call + 1)


def headline(row: CacheRow) -> Sentence:
    """What happened to the prefix of a request, in one line."""
    cause, at = row.cause, where(row)
    shared, tokens = figure(row.shared), figure(row.tokens)
    if cause.kind is CauseKind.FIRST_CALL:
        return say("{where} is the first request of {runtime}", where=at, runtime=row.address.runtime)
    if cause.kind is CauseKind.CONCEALED:
        return say("{where} or the request before it is concealed", where=at)
    if cause.kind in _NOT_IN_THE_TEXT:
        return say(
            "{where} repeats {shared} of {tokens} tokens, but no cache was there for them",
            where=at,
            shared=shared,
            tokens=tokens,
        )
    if cause.kind is CauseKind.HELD:
        return say(
            "{where} repeats the request before it and goes on: {shared} of {tokens} tokens",
            where=at,
            shared=shared,
            tokens=tokens,
        )
    if not cause.is_break:
        return say("{where} repeats {shared} of {tokens} tokens, as meant", where=at, shared=shared, tokens=tokens)
    if cause.title is None:
        return say("{where} breaks after {shared} of {tokens} tokens", where=at, shared=shared, tokens=tokens)
    return say(
        "{where} breaks after {shared} of {tokens} tokens, in {segment}",
        where=at,
        shared=shared,
        tokens=tokens,
        segment=cause.title,
    )


def cause_name(row: CacheRow) -> Sentence:
    """The short name of a cause, marked when it is only likely."""
    name = CAUSE_KIND[row.cause.kind]
    return say("{cause}, likely", cause=name) if row.cause.is_guess else name


def measured(row: CacheRow) -> Sentence:
    """The measurement's own figures; none where no text is kept."""
    if not row.is_measured:
        return say("measured: –")
    return say(
        "measured: {shared} of {tokens} tokens shared ({share}, estimated)",
        shared=figure(row.shared),
        tokens=figure(row.tokens),
        share=percent(row.share),
    )


def reported(row: CacheRow) -> Sentence:
    """What the provider counted."""
    usage = row.usage
    if usage is None or (usage.cached is None and usage.cache_write is None):
        return say("the provider reported nothing about its cache")
    pieces = [say("{n} read", n=figure(usage.cached or 0))]
    if usage.cache_write is not None:
        pieces.append(say("{n} written", n=figure(usage.cache_write)))
    counted = _joined(pieces)
    if usage.input is None:
        return say("reported by the provider: {counted}", counted=counted)
    return say("reported by the provider: {counted}, of {n}", counted=counted, n=figure(usage.input))


def counted_elsewhere(row: CacheRow, segments: int) -> Sentence:
    """Why the request has other figures here than in its heading (``segments``) and in the provider's report."""
    return prefix_bridge(row.tokens, segments, row.usage.input if row.usage is not None else None, figure)


def predicted(row: CacheRow) -> Sentence | None:
    """What its published rules would give."""
    found = row.predicted
    if found is None:
        return None
    return say(
        "predicted by its rules: {read} read, {written} written, {rest} neither",
        read=figure(found.cached),
        written=figure(found.written),
        rest=figure(found.uncached),
    )


def cost(row: CacheRow) -> Sentence | None:
    """Money, as far as the price table goes."""
    found = row.cost
    if found is None:
        return None
    if found.lost > 0:
        return say(
            "price of the input: about {paid}, of which {lost} for the break",
            paid=money(found.paid, found.currency),
            lost=money(found.lost, found.currency),
        )
    if found.paid > found.without_cache:
        return say(
            "price of the input: about {paid}, {all} without a cache: writing into a cache costs more than plain input",
            paid=money(found.paid, found.currency),
            all=money(found.without_cache, found.currency),
        )
    return say(
        "price of the input: about {paid}, {all} without a cache",
        paid=money(found.paid, found.currency),
        all=money(found.without_cache, found.currency),
    )


def boundaries_told(row: CacheRow, report: CacheReport) -> Iterator[Sentence]:
    """By what the tokens before boundaries are counted, and a line for each; nothing where there are none."""
    if row.boundaries:
        yield say("Boundaries, as Structure counts: {estimator}", estimator=estimator_name(report.boundary_estimator))
    yield from map(boundary_line, row.boundaries)


def boundary_line(reading: BoundaryReading) -> Sentence:
    """One boundary: who sets it, what lies before it, and who reads it."""
    head = say(
        "Boundary {n}: {tokens} tokens before it · {setter}",
        n=reading.number,
        tokens=figure(reading.tokens),
        setter=SETTER[reading.setter],
    )
    read = say("read by this call") if reading.is_read else say("not read by this call")
    if not reading.readers:
        return say("{boundary} · {read} · no later call begins like this", boundary=head, read=read)
    readers = _joined([say("turn {turn}, call {n}", turn=one.turn, n=one.call + 1) for one in reading.readers])
    return say("{boundary} · {read} · readable by {readers}", boundary=head, read=read, readers=readers)


def money(amount: float, currency: str) -> str:
    """An amount with three figures that count: 0.0137 USD."""
    digits = 2 if amount >= 1 or amount == 0 else 4
    return f"{amount:.{digits}f}\u202f{currency}"


def _joined(pieces: list[Sentence]) -> Sentence:
    found = pieces[0]
    for piece in pieces[1:]:
        found = say("{a}, {b}", a=found, b=piece)
    return found
