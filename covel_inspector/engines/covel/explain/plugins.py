"""Each plugin in one turn: what it declares, and what of it was sent."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

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
    that were never sent. All is told of each runtime's first request; of later ones only what they lack.
    """
    first: dict[str, Request] = {}
    later = [request for request in readable if first.setdefault(request.runtime, request) is not request]
    requests = list(first.values())
    checkout = record.evidence.checkout
    declared = checkout.plugins if checkout is not None else {}
    active = record.evidence.session.active_plugins
    seen = {segment.origin.plugin for request in requests for segment in request.pieces.values()}
    names = dict.fromkeys((*active, *sorted(declared), *sorted(seen - {""})))
    by_runtime: dict[str, list[Address]] = defaultdict(list)
    for call in calls:
        by_runtime[call.address.runtime].append(call.address)
    total = sum(request.tokens for request in requests)
    reports = []
    for name in names:
        is_active = name in active if active else None
        report = _report(name, declared.get(name), record, requests, by_runtime, is_active, total)
        reports.append(replace(report, uses=(*report.uses, *lost_later(name, requests, later))))
    return tuple(reports)


def _report(
    name: str,
    plugin: PluginManifest | None,
    record: SessionRecord,
    requests: Sequence[Request],
    by_runtime: dict[str, list[Address]],
    active: bool | None,
    total: int,
) -> PluginReport:
    sent = list(sent_pieces(name, requests))
    called = set(by_runtime)
    locale = record.evidence.session.locale
    segments = declared_segments(plugin, locale) if plugin is not None else ()
    made = _made_by_code(name, segments, requests)
    missing: list[PieceUse] = []
    if plugin is not None:
        missing.extend(missing_bodies(plugin, requests, called, active))
        missing.extend(missing_segments(plugin, segments, requests, called, active))
    tokens = sum(use.tokens for use in sent)
    share = tokens / total if total else 0.0
    uses = (*sent, *missing)
    notes = tuple(_notes(name, plugin, record, sends_nothing=active is True and not made and bool(requests)))
    if plugin is None:
        return PluginReport(
            name, name, is_declared=False, active=active, segments=made, uses=uses, tokens=tokens, share=share,
            notes=notes,
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


def _notes(
    name: str, plugin: PluginManifest | None, record: SessionRecord, *, sends_nothing: bool
) -> Iterator[Sentence]:
    checkout = record.evidence.checkout
    if plugin is None:
        yield (
            say("No folder was given, so nothing that it declares is known.")
            if checkout is None
            else say("The folder that was given holds no plugin of this name.")
        )
        return
    if sends_nothing and any(point == SEGMENT_POINT for point, _ in plugin.extensions):
        yield say("Its code may add segments; none of them was found in this turn's requests.")
    if checkout is not None:
        for copy in checkout.copies(name)[1:]:
            yield say("Another copy, in {file}, does not count.", file=copy.place.path)
