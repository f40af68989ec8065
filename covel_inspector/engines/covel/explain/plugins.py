"""Each plugin in one turn: what it declares, and what of it was sent."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from covel_inspector.domain import Address, Call, DeclaredSegment, Kind, PieceUse, PluginReport, Sentence, say
from covel_inspector.engines.covel.explain.declared import (
    declared_segments,
    observed_segment,
    runtime_report,
    settings_of,
    topics_of,
)
from covel_inspector.engines.covel.explain.plugin_uses import (
    Request,
    lost_later,
    missing_bodies,
    missing_segments,
    sent_pieces,
)
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.manifests import PluginManifest

SEGMENT_POINT = "prompt.segment@1"
"""The extension point at which plugin code adds segments."""


def plugin_reports(
    record: SessionRecord, calls: Sequence[Call], readable: Iterable[Request]
) -> tuple[PluginReport, ...]:
    """All plugins that the session names, the files hold or a request shows; active ones first.

    ``calls`` are all calls of the turn that were sent, ``readable`` the requests of those that can be read, and those
    that were never sent. What stands in a request is told of every one; what is missing is told of each runtime's first
    request, and of later ones where the first held it.
    """
    turn = _Turn.of(readable)
    checkout = record.evidence.checkout
    declared = checkout.plugins if checkout is not None else {}
    active = record.evidence.session.active_plugins
    seen = {segment.origin.plugin for request in turn.first for segment in request.pieces.values()}
    names = dict.fromkeys((*active, *sorted(declared), *sorted(seen - {""})))
    by_runtime: dict[str, list[Address]] = defaultdict(list)
    for call in calls:
        by_runtime[call.address.runtime].append(call.address)
    return tuple(
        _report(name, declared.get(name), record, turn, by_runtime, name in active if active else None)
        for name in names
    )


@dataclass(frozen=True, slots=True)
class _Turn:
    """The requests of a turn: all of them, in order, each runtime's first one, and the others."""

    requests: Sequence[Request]
    first: Sequence[Request]
    later: Sequence[Request]

    @classmethod
    def of(cls, readable: Iterable[Request]) -> "_Turn":
        """Sort the requests."""
        first: dict[str, Request] = {}
        requests = list(readable)
        later = [request for request in requests if first.setdefault(request.runtime, request) is not request]
        return cls(requests, tuple(first.values()), later)

    def amounts(self, uses: Iterable[PieceUse]) -> tuple[int, float, int]:
        """Tokens of pieces, their share of all requests of the turn, and how many of these hold any.

        Of the requests that were sent; of the others where no sent one holds a piece.
        """
        held: dict[Address, int] = defaultdict(int)
        for use in uses:
            if use.address is not None and use.tokens:
                held[use.address] += use.tokens
        for is_sent in (True, False):
            these = [request for request in self.requests if request.sight.call.is_sent is is_sent]
            found = [held[request.sight.address] for request in these if request.sight.address in held]
            if found:
                return sum(found), sum(found) / max(1, sum(request.tokens for request in these)), len(found)
        return 0, 0.0, 0


def _report(
    name: str,
    plugin: PluginManifest | None,
    record: SessionRecord,
    turn: _Turn,
    by_runtime: dict[str, list[Address]],
    active: bool | None,
) -> PluginReport:
    requests = turn.first
    sent = list(sent_pieces(name, turn.requests))
    told = {(use.key, use.address) for use in sent}
    called = set(by_runtime)
    locale = record.evidence.session.locale
    segments = declared_segments(plugin, locale) if plugin is not None else ()
    made = _made_by_code(name, segments, turn.requests)
    missing: list[PieceUse] = []
    if plugin is not None:
        missing.extend(missing_bodies(plugin, requests, called, active))
        missing.extend(missing_segments(plugin, segments, requests, called, active))
    tokens, share, holding = turn.amounts(sent)
    lost = [use for use in lost_later(name, requests, turn.later) if (use.key, use.address) not in told]
    uses = (*sent, *missing, *lost)
    notes = tuple(_notes(name, plugin, record))
    if plugin is None:
        return PluginReport(
            name, name, is_declared=False, active=active, segments=made, uses=uses, tokens=tokens, share=share,
            requests=holding, notes=notes,
        )  # fmt: skip
    return PluginReport(
        id=name,
        name=plugin.display_name or name,
        version=plugin.version,
        active=active,
        user_copy=plugin.user_copy,
        file=plugin.place.path,
        line=plugin.place.line,
        segments=(*segments, *made),
        points=tuple(f"{point} · {extension}" if extension else point for point, extension in plugin.extensions),
        hooks=plugin.hooks,
        events=topics_of(plugin),
        settings=settings_of(plugin),
        runtimes=tuple(runtime_report(runtime, by_runtime.get(runtime.id, ())) for runtime in plugin.runtimes),
        uses=uses,
        tokens=tokens,
        share=share,
        requests=holding,
        unattributed=None if made or active is False else _unattributed(plugin, turn),
        notes=notes,
    )


def _made_by_code(
    name: str, declared: Sequence[DeclaredSegment], requests: Sequence[Request]
) -> tuple[DeclaredSegment, ...]:
    known = {segment.key for segment in declared}
    found: dict[str, DeclaredSegment] = {}
    for request in requests:
        for key, segment in request.pieces.items():
            if segment.kind is Kind.EXTENSION and segment.origin.plugin == name and key not in known:
                found.setdefault(key, observed_segment(segment))
    return tuple(found.values())


def _unattributed(plugin: PluginManifest, turn: _Turn) -> Sentence | None:
    """What a recording cannot tell of the segments that plugin code may have added."""
    if all(point != SEGMENT_POINT for point, _ in plugin.extensions):
        return None
    if not turn.requests:
        return say("Its code may have added segments, but no request of this turn can be read.")
    if any(request.has_unknown for request in turn.requests):
        return say(
            "Its code may have added segments: this turn's requests hold text of unknown source, and whether any of it "
            "is from this plugin cannot be told."
        )
    return say("Its code may add segments; none of them was found in this turn's requests.")


def _notes(name: str, plugin: PluginManifest | None, record: SessionRecord) -> Iterator[Sentence]:
    checkout = record.evidence.checkout
    if plugin is None:
        yield (
            say("No folder was given, so nothing that it declares is known.")
            if checkout is None
            else say("The folder that was given holds no plugin of this name.")
        )
        return
    if checkout is not None:
        for copy in checkout.copies(name)[1:]:
            yield say("Another copy, in {file}, does not count.", file=copy.place.path)
