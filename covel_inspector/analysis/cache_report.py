"""Builds the cache report of a session: every request beside the one before, with cause, prediction and money."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from covel_inspector.analysis.cache import CacheSimulation, Forecast
from covel_inspector.analysis.cache_rows import (
    BoundaryReading,
    CacheReport,
    CacheRow,
    Cost,
    Prediction,
    RuntimeCache,
    StripBlock,
)
from covel_inspector.analysis.causes import Cause, Measured, ProviderFacts, Side, find_cause
from covel_inspector.analysis.counters import CachedCount, RuleCounter, engine_counter
from covel_inspector.analysis.map import blocks, boundary_tokens
from covel_inspector.analysis.prefix import PairKind, PrefixMeasurement, PrefixPair, size_of, texts_of
from covel_inspector.analysis.provider_tables import Price, ProviderTables, Strategy, default_tables
from covel_inspector.analysis.shared import shared_prefix
from covel_inspector.analysis.token_table import TokenTable
from covel_inspector.domain import (
    Address,
    Boundary,
    Call,
    MeasuredRequest,
    Place,
    SegmentTree,
    Sentence,
    Setter,
    Source,
    Usage,
    say,
)
from covel_inspector.text.figures import grouped

__all__ = [
    "BoundaryReading",
    "CacheReport",
    "CacheRow",
    "Cost",
    "Prediction",
    "RuntimeCache",
    "StripBlock",
    "cache_report",
]

Progress = Callable[[int, int], None]
"""Called after each request with how many are done and how many there are; may raise to stop."""

_COUNTER = RuleCounter(
    "prefix estimate",
    say("Estimated by characters, as the engine's prefix report does (Chinese, Japanese, Korean 1, others ¼ token)"),
    lambda text: size_of(text).tokens,
)
_CLOSE = 0.1
"""Share of a minimum within which an estimate may fall on either side of it."""


def cache_report(
    source: Source,
    session: str,
    runtime: str | None = None,
    progress: Progress | None = None,
    tables: ProviderTables | None = None,
) -> CacheReport:
    """The report of a session, or of one of its runtimes.

    Reads the session's requests once in their order, since a cache depends on all calls before; trees are asked for
    only of the wanted runtime. Raises SourceError, and whatever ``progress`` raises.
    """
    builder = _Builder(source, session, runtime, tables or default_tables())
    total = len(builder.calls)
    for number, request in enumerate(source.measured(session), 1):
        builder.add(request)
        if progress is not None:
            progress(number, total)
    return builder.report()


@dataclass(slots=True)
class _Last:
    """The requests that the next one of a runtime is compared with."""

    turn: Side
    call: Side


@dataclass(slots=True)
class _Rows:
    plugin: str
    rows: list[CacheRow] = field(default_factory=list)


class _Builder:
    def __init__(self, source: Source, session: str, runtime: str | None, tables: ProviderTables) -> None:
        self.calls: dict[str, Call] = {call.row: call for call in source.calls(session)}
        self._source = source
        self._session = session
        self._runtime = runtime
        self._tables = tables
        self._engine = engine_counter(source.estimator_name, CachedCount(source.estimate))
        self._turns = {turn.number: turn for turn in source.turns(session)}
        self._simulation = CacheSimulation(tables)
        self._measurement = PrefixMeasurement(ignore_marks=True, with_inner=True)
        self._last: dict[str, _Last] = {}
        self._runtimes: dict[str, _Rows] = {}
        self._readers: dict[Address, list[tuple[Address, Place | None]]] = {}
        self._places: dict[Address, tuple[Place, ...]] = {}

    def add(self, request: MeasuredRequest) -> None:
        """Take the next request of the session."""
        pair = self._measurement.add(request)
        call = self.calls.get(request.row)
        reported = call.usage.input if call is not None and call.usage is not None else None
        forecast = self._simulation.add(request, reported)
        if call is None or (self._runtime is not None and call.address.runtime != self._runtime):
            return
        address = call.address
        tree = self._source.recorded(address)
        side = Side(call, tree, self._turns.get(address.turn), dict(request.parameters))
        last = self._last.get(address.runtime)
        before = None if pair is None or last is None else last.turn if pair.kind is PairKind.TURN else last.call
        rows = self._runtimes.setdefault(address.runtime, _Rows(call.plugin))
        rows.rows.append(self._row(request, side, before, pair, forecast))
        self._note_readers(side, last)
        if last is None or pair is None or pair.kind is PairKind.TURN:
            self._last[address.runtime] = _Last(side, side)
        else:
            last.call = side

    def report(self) -> CacheReport:
        """Everything that was taken, with the later readers of each boundary filled in."""
        runtimes = tuple(
            RuntimeCache(name, rows.plugin, tuple(self._with_readers(row) for row in rows.rows))
            for name, rows in self._runtimes.items()
        )
        functions = self._source.function_calls(self._session) if self._runtime is None else ()
        notes = tuple(_notes(runtimes, len(functions)))
        return CacheReport(self._session, runtimes, _COUNTER.note, notes, self._source.estimator_name)

    def _row(
        self,
        request: MeasuredRequest,
        side: Side,
        before: Side | None,
        pair: PrefixPair | None,
        forecast: Forecast | None,
    ) -> CacheRow:
        call = side.call
        tokens = (
            pair.tokens if pair is not None else size_of("".join(texts_of(request.parts, ignore_marks=True))).tokens
        )
        shared = pair.shared_tokens if pair is not None else 0
        cause = find_cause(before, side, Measured(tokens, shared), _facts(forecast))
        predicted = None if forecast is None else _prediction(forecast, call.usage)
        price = self._tables.price(call.model, call.provider, request.protocol)
        table = None if side.tree is None else TokenTable(side.tree, _COUNTER)
        return CacheRow(
            address=call.address,
            kind=PairKind.TURN if pair is None else pair.kind,
            against=None if before is None else before.call.address,
            model=call.model,
            provider=call.provider,
            protocol=request.protocol,
            started_at=call.started_at,
            tokens=tokens,
            shared=shared,
            cause=cause,
            usage=call.usage,
            predicted=predicted,
            disagreement=_disagreement(forecast, predicted, call.usage),
            cost=None if price is None else _cost(price, call.usage, predicted, cause, tokens),
            boundaries=() if side.tree is None else self._boundaries(call.address, side.tree, forecast),
            strip=() if table is None else _strip(table),
            strip_shared=0 if table is None else _shared_tokens(before, table),
        )

    def _boundaries(
        self, address: Address, tree: SegmentTree, forecast: Forecast | None
    ) -> tuple[BoundaryReading, ...]:
        table = TokenTable(tree, self._engine, has_fixed=True)
        boundaries = tree.boundaries
        self._places[address] = tuple(boundary.place for boundary in boundaries)
        counts = boundary_tokens(tree, table)
        read = _boundaries_read(boundaries, counts, table.total, forecast)
        return tuple(
            BoundaryReading(boundary.number, boundary.setter, tokens, boundary.note, number < read)
            for number, (boundary, tokens) in enumerate(zip(boundaries, counts, strict=True))
        )

    def _note_readers(self, side: Side, last: _Last | None) -> None:
        """Up to where this request begins like the two that it can read from."""
        if last is None or side.tree is None:
            return
        for earlier in dict.fromkeys((last.turn.call.address, last.call.call.address)):
            tree = last.turn.tree if earlier == last.turn.call.address else last.call.tree
            if tree is not None:
                end = shared_prefix(tree.request, side.tree.request).a
                self._readers.setdefault(earlier, []).append((side.call.address, end))

    def _with_readers(self, row: CacheRow) -> CacheRow:
        readers = self._readers.get(row.address, [])
        places = self._places.get(row.address, ())
        return replace(
            row,
            boundaries=tuple(
                replace(
                    boundary,
                    readers=tuple(
                        address
                        for address, end in readers
                        if end is None or (place.part, place.end) <= (end.part, end.start)
                    ),
                )
                for boundary, place in zip(row.boundaries, places, strict=True)
            ),
        )


def _boundaries_read(
    boundaries: Sequence[Boundary], counts: Sequence[int], whole: int, forecast: Forecast | None
) -> int:
    """How many of the boundaries, from the front, the forecast says are read."""
    if forecast is None or not forecast.read:
        return 0
    marked = [number for number, boundary in enumerate(boundaries) if boundary.setter is Setter.PROVIDER]
    marks = sorted(station.tokens for station in forecast.stations if station.mark)
    if forecast.rule.strategy is Strategy.MARKS and len(marked) == len(set(marks)):
        read = [number for number, tokens in zip(marked, sorted(set(marks)), strict=True) if tokens <= forecast.read]
        return read[-1] + 1 if read else 0
    # Texts of the record and of the body differ a little, so places are compared by their share of the whole.
    return sum(1 for tokens in counts if tokens * forecast.whole <= forecast.read * whole)


def _facts(forecast: Forecast | None) -> ProviderFacts:
    if forecast is None:
        return ProviderFacts()
    rule = forecast.rule
    return ProviderFacts(
        minimum=rule.minimum,
        lifetime=rule.lifetime,
        pause=forecast.pause,
        message_parameters=rule.message_parameters,
        all_parameters=rule.all_parameters,
        has_cache=rule.strategy is not Strategy.NONE,
        predicted=forecast.read,
    )


def _prediction(forecast: Forecast, usage: Usage | None) -> Prediction:
    reported = usage.input if usage is not None else None
    whole = reported or forecast.whole
    cached = forecast.scaled(forecast.read, reported)
    step = forecast.rule.step
    cached = round(cached / step) * step
    written = max(0, forecast.scaled(forecast.kept, reported) - cached)
    steps = None if usage is None or usage.cached is None else _steps_between(forecast, cached, usage.cached, reported)
    return Prediction(cached, written, max(0, whole - cached - written), steps, forecast.rule.told, forecast.why)


def _steps_between(forecast: Forecast, predicted: int, reported: int, whole: int | None) -> int:
    """Boundaries between two ends of what was read: marks, or a provider's steps."""
    if forecast.rule.strategy is Strategy.PREFIX:
        return round(abs(predicted - reported) / max(1, forecast.rule.step))
    places = sorted({0, *(forecast.scaled(station.tokens, whole) for station in forecast.stations)})

    def nearest(tokens: int) -> int:
        return min(range(len(places)), key=lambda index: abs(places[index] - tokens))

    return abs(nearest(predicted) - nearest(reported))


def _disagreement(forecast: Forecast | None, predicted: Prediction | None, usage: Usage | None) -> Sentence | None:
    if forecast is None or predicted is None or usage is None or usage.cached is None:
        return None
    if predicted.steps is None or predicted.steps <= 1:
        return None
    minimum = forecast.rule.minimum
    near = max((forecast.scaled(station.tokens, usage.input) for station in forecast.stations), default=0)
    if minimum is not None and 0 in (usage.cached, predicted.cached) and abs(near - minimum) <= minimum * _CLOSE:
        return say(
            "The shared beginning has about {tokens} tokens, so near the minimum of {minimum} that the estimate cannot "
            "tell on which side it is.",
            tokens=grouped(near, " "),
            minimum=grouped(minimum, " "),
        )
    if usage.cached < predicted.cached:
        return say(
            "The provider read less than its rules would give: it may have kept the prefix for less long, or the calls "
            "went to different machines."
        )
    return say(
        "The provider read more than its rules would give: it may have kept the prefix for longer, or found it in "
        "calls that are not recorded here."
    )


def _cost(price: Price, usage: Usage | None, predicted: Prediction | None, cause: Cause, tokens: int) -> Cost | None:
    if usage is not None and usage.input:
        cached, written = usage.cached or 0, usage.cache_write or 0
        uncached = max(0, usage.input - cached - written)
        basis = say("reported by the provider")
    elif predicted is not None:
        cached, written, uncached = predicted.cached, predicted.written, predicted.uncached
        basis = say("predicted")
    else:
        return None
    whole = cached + written + uncached
    lost = (cause.tokens_lost or 0) * whole / tokens if tokens else 0.0
    dearer = (price.write if written else price.input) - price.read
    return Cost(
        paid=price.of(uncached, cached, written),
        without_cache=price.of(whole, 0, 0),
        lost=lost * max(0.0, dearer) / 1_000_000,
        currency=price.currency,
        basis=basis,
        price=price.told,
    )


def _strip(table: TokenTable) -> tuple[StripBlock, ...]:
    return tuple(StripBlock(block.key, block.kind, block.title, block.tokens) for block in blocks(table.tree, table))


def _shared_tokens(before: Side | None, table: TokenTable) -> int:
    tree: SegmentTree | None = None if before is None else before.tree
    if tree is None:
        return 0
    end = shared_prefix(tree.request, table.tree.request).b
    return table.total if end is None else table.before(end)


def _notes(runtimes: Iterable[RuntimeCache], functions: int) -> list[Sentence]:
    rows = [row for runtime in runtimes for row in runtime.rows]
    rules = dict.fromkeys(row.predicted.rule for row in rows if row.predicted is not None)
    prices = dict.fromkeys(row.cost.price for row in rows if row.cost is not None)
    notes = [say("Rules of caching: {source}", source=rule) for rule in rules]
    notes += [say("Prices: {source}", source=price) for price in prices]
    unpriced = dict.fromkeys(row.model for row in rows if row.cost is None and row.model)
    notes += [say("No price is known for {model}.", model=model) for model in unpriced]
    if functions:
        notes.append(say("Calls made by functions of plugins, whose prompts are not recorded: {n}.", n=functions))
    return notes
