"""Predicts what a provider's cache reads and keeps of each request, by published rules. A hint, never a bill.

Takes the recorded requests of a session in the order in which they were made, because each of them changes what the
next one finds. Two strategies: *marks* (what stands before a mark is kept; a later request finds it when it begins the
same way and has a mark there or not far behind) and *prefix* (the provider looks for the longest common beginning with
any recent request, and reads it in whole steps). Tokens are the prefix measurement's estimate of the texts without
cache marks, plus a fixed number for each picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from covel_inspector.analysis.prefix import Size, size_of, texts_of
from covel_inspector.analysis.provider_tables import CachingRule, ProviderTables, Strategy
from covel_inspector.domain import MeasuredRequest, Sentence, say
from covel_inspector.text.figures import grouped
from covel_inspector.text.prefix import common_prefix

_MOST_RECENT = 40
"""Requests of one model among which a common beginning is looked for."""


@dataclass(frozen=True, slots=True)
class Station:
    """A place in a request: estimated tokens before it, and the number of the mark there (0 = no mark)."""

    tokens: int
    mark: int = 0


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the rule gives for one request, in estimated tokens: all of it, what is read, up to where it is kept.

    ``stations`` are where its cache marks stand and where it was found to agree with what was kept. ``pause`` is the
    time in seconds since the same runtime's call before, None for the first.
    """

    rule: CachingRule
    whole: int
    read: int
    kept: int
    stations: tuple[Station, ...]
    why: Sentence
    pause: float | None

    def scaled(self, tokens: int, reported: int | None) -> int:
        """Estimated tokens in the provider's own scale, if it reported how many the whole input has."""
        return _scaled(tokens, self.whole, reported)


@dataclass(slots=True)
class _Entry:
    """Something that is kept, and when it was last used."""

    last: float


@dataclass(frozen=True, slots=True)
class _Recent:
    texts: tuple[str, ...]
    at: float


Model = tuple[str, str]


class CacheSimulation:
    """A provider's cache over the requests of one session, all runtimes together: models share their caches."""

    def __init__(self, tables: ProviderTables) -> None:
        self._tables = tables
        self._kept: dict[tuple[Model, bytes], _Entry] = {}
        self._recent: dict[Model, list[_Recent]] = {}
        self._last_of_runtime: dict[str | None, float] = {}

    def add(self, request: MeasuredRequest, reported: int | None = None) -> Forecast | None:
        """The forecast for the next request; None without a rule or without a readable time.

        ``reported`` is the provider's count of the whole input, if there is one: minimums are compared in its scale.
        """
        rule = self._tables.rule(request.model, request.provider, request.protocol)
        now = seconds(request.started_at)
        if rule is None or now is None:
            return None
        last = self._last_of_runtime.get(request.runtime)
        self._last_of_runtime[request.runtime] = now
        pause = None if last is None else now - last
        if rule.strategy is Strategy.MARKS:
            return self._marks(request, rule, now, pause, reported)
        if rule.strategy is Strategy.PREFIX:
            return self._prefix(request, rule, now, pause, reported)
        return Forecast(rule, _whole(request, rule), 0, 0, (), say("This model caches nothing."), pause)

    def _marks(
        self, request: MeasuredRequest, rule: CachingRule, now: float, pause: float | None, reported: int | None
    ) -> Forecast:
        chain = _chain(request, rule)
        whole = chain[-1].tokens if chain else 0
        model = (request.provider, request.model)
        marks = [number for number, link in enumerate(chain) if link.mark]
        found, expired = self._find(chain, marks, model, rule, now)
        kept = 0
        for number in marks:
            if _scaled(chain[number].tokens, whole, reported) >= (rule.minimum or 0):
                self._kept[model, chain[number].digest] = _Entry(now)
                kept = chain[number].tokens
        stations = [Station(chain[number].tokens, chain[number].mark) for number in marks]
        if found is not None:
            self._kept[model, found.digest].last = now
            stations.append(Station(found.tokens, found.mark))
        read = 0 if found is None else found.tokens
        why = _why_marks(found, expired, kept, marks, rule)
        stations.sort(key=lambda station: station.tokens)
        return Forecast(rule, whole, read, kept, tuple(stations), why, pause)

    def _find(
        self, chain: Sequence["_Link"], marks: Sequence[int], model: Model, rule: CachingRule, now: float
    ) -> tuple["_Link | None", float | None]:
        """The longest kept beginning that a mark reaches, and how old the best one is that is kept no longer."""
        expired: float | None = None
        reach = sorted({number for mark in marks for number in range(max(0, mark - rule.lookback), mark + 1)})
        for number in reversed(reach):
            entry = self._kept.get((model, chain[number].digest))
            if entry is None:
                continue
            age = now - entry.last
            if rule.lifetime is None or age <= rule.lifetime:
                return chain[number], expired
            expired = age if expired is None else expired
        return None, expired

    def _prefix(
        self, request: MeasuredRequest, rule: CachingRule, now: float, pause: float | None, reported: int | None
    ) -> Forecast:
        texts = texts_of(request.parts, ignore_marks=True)
        whole = _whole(request, rule)
        recent = self._recent.setdefault((request.provider, request.model), [])
        alive = [one for one in recent if rule.lifetime is None or now - one.at <= rule.lifetime]
        shared = max((_shared(one, request, texts, rule) for one in alive), default=0)
        old = max((_shared(one, request, texts, rule) for one in recent), default=0)
        recent.append(_Recent(texts, now))
        del recent[:-_MOST_RECENT]
        tokens = _scaled(shared, whole, reported)
        read = 0
        if rule.minimum is not None and tokens >= rule.minimum and tokens:
            read = shared * (tokens // rule.step * rule.step) // tokens
        why = _why_prefix(tokens, old > shared, rule) if recent[:-1] else say("No earlier request of this model.")
        return Forecast(rule, whole, read, 0, (Station(shared),) if shared else (), why, pause)


@dataclass(frozen=True, slots=True)
class _Link:
    """A place between two parts, or behind a mark: the digest and the estimated tokens of everything before it."""

    digest: bytes
    tokens: int
    mark: int


def _chain(request: MeasuredRequest, rule: CachingRule) -> list[_Link]:
    """Places from the front to the end, marks numbered in order."""
    digest = blake2b(digest_size=16)
    before = Size(0, 0)
    pictures = marks = 0
    links: list[_Link] = []
    for part in request.parts:
        text = part.bare
        digest.update(f"\0{part.role}\0{len(text)}\0".encode())
        for position in part.marks:
            marks += 1
            if position < len(text):
                reached = digest.copy()
                reached.update(text[:position].encode("utf-8", "surrogatepass"))
                tokens = (before + size_of(text[:position])).tokens + pictures * rule.picture_tokens
                links.append(_Link(reached.digest(), tokens, marks))
        digest.update(text.encode("utf-8", "surrogatepass"))
        before += size_of(text)
        pictures += part.pictures
        ends_with_mark = bool(part.marks) and part.marks[-1] >= len(text)
        tokens = before.tokens + pictures * rule.picture_tokens
        links.append(_Link(digest.digest(), tokens, marks if ends_with_mark else 0))
    return links


def _whole(request: MeasuredRequest, rule: CachingRule) -> int:
    return _tokens(request, len(request.parts), rule)


def _tokens(request: MeasuredRequest, count: int, rule: CachingRule, rest: str = "") -> int:
    """Estimated tokens of the first parts of a request and of the beginning of the next one."""
    sizes = [size_of(part.bare) for part in request.parts[:count]]
    pictures = sum(part.pictures for part in request.parts[:count])
    return sum(sizes, size_of(rest)).tokens + pictures * rule.picture_tokens


def _shared(recent: _Recent, request: MeasuredRequest, texts: Sequence[str], rule: CachingRule) -> int:
    """Estimated tokens that a request shares with an earlier one from the front on."""
    both = enumerate(zip(recent.texts, texts, strict=False))
    count = next((number for number, (old, new) in both if old != new), min(len(recent.texts), len(texts)))
    rest = ""
    if count < min(len(texts), len(recent.texts)):
        rest = texts[count][: common_prefix(recent.texts[count], texts[count])]
    return _tokens(request, count, rule, rest)


def _why_marks(
    found: _Link | None, expired: float | None, kept: int, marks: Sequence[int], rule: CachingRule
) -> Sentence:
    if found is not None:
        if found.mark:
            return say("Everything before mark {n} was kept from an earlier request.", n=found.mark)
        return say("The beginning was kept from an earlier request, which had a mark further back.")
    if not marks:
        return say("The body carries no cache mark.")
    if expired is not None and rule.lifetime is not None:
        return say(
            "The beginning had been kept, but {minutes} minutes passed, and it is kept for {lifetime}.",
            minutes=minutes(expired),
            lifetime=minutes(rule.lifetime),
        )
    if not kept and rule.minimum is not None:
        return say(
            "The request is shorter than the {minimum} tokens from which this model caches.",
            minimum=grouped(rule.minimum, " "),
        )
    return say("No earlier request of this model begins the same way up to a mark.")


def _why_prefix(tokens: int, had_longer: bool, rule: CachingRule) -> Sentence:
    if rule.minimum is None:
        return say("From how many tokens on this model caches is not known.")
    if tokens >= rule.minimum:
        return say("A recent request begins with the same {tokens} tokens.", tokens=grouped(tokens, " "))
    if had_longer and rule.lifetime is not None:
        return say(
            "A request that begins the same way is older than the {minutes} minutes for which it is kept.",
            minutes=minutes(rule.lifetime),
        )
    return say(
        "Recent requests begin with the same {tokens} tokens, and this model caches no prefix below {minimum}.",
        tokens=grouped(tokens, " "),
        minimum=grouped(rule.minimum, " "),
    )


def seconds(moment: str) -> float | None:
    """Seconds since 1970 of an ISO time; None for a text that is none."""
    try:
        return datetime.fromisoformat(moment).timestamp()
    except ValueError:
        return None


def minutes(duration: float) -> str:
    """A duration in seconds as minutes, short ones with one place."""
    return f"{duration / 60:.0f}" if duration >= 60 else f"{duration / 60:.1f}"


def _scaled(tokens: int, whole: int, reported: int | None) -> int:
    return tokens if not reported or not whole else round(tokens * reported / whole)
