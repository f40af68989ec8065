"""What of a plugin stands in the requests of a turn, and why the rest does not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from covel_inspector.domain import (
    AbsenceReason,
    Absent,
    Changes,
    DeclaredSegment,
    Fate,
    Grade,
    Kind,
    PieceUse,
    Segment,
    Sentence,
    say,
)
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.explain.hooks import Removed, removed_by_hooks
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.records.manifests import PluginManifest, RuntimeManifest
from covel_inspector.engines.covel.records.naming import TITLES, own_data_title, segment_title

_BROUGHT = frozenset({Kind.BODY, Kind.EXTENSION, Kind.LORE, Kind.OWN_DATA, Kind.RESPONSE_FORMAT})
"""Kinds of segments that a plugin brings into a request."""


@dataclass(frozen=True, slots=True)
class Request:
    """A recorded request, or a rebuilt one that was never sent, with what is asked of it for every plugin.

    ``pieces`` are the segments that plugins brought, by key; ``trimmed`` what the budget left out.
    ``has_unknown``: some of its text is of unknown source.
    """

    sight: Sight
    pieces: Mapping[str, Segment]
    tokens: int
    removed: Mapping[str, Removed]
    trimmed: Mapping[str, Absent]
    has_unknown: bool

    @property
    def runtime(self) -> str:
        """The runtime that made it."""
        return self.sight.address.runtime

    @property
    def plugin(self) -> str:
        """The plugin of that runtime."""
        return self.sight.moment.plugin_id

    def share(self, tokens: int) -> float:
        """Part of the request's tokens."""
        return tokens / self.tokens if self.tokens else 0.0


def request_of(sight: Sight) -> Request | None:
    """A request; None when nothing was recorded of it. One that was never sent is rebuilt."""
    shown = sight.recorded if sight.call.is_sent else sight.rebuild(Changes())
    if shown is None:
        return None
    pieces: dict[str, Segment] = {}
    for group in shown.groups:
        for segment in _topmost(group):
            pieces.setdefault(segment.key.partition("#")[0], segment)
    rebuilt = sight.rebuild(Changes())
    trimmed = {one.key: one for one in rebuilt.absent if one.reason is AbsenceReason.PRUNED} if rebuilt else {}
    tokens = sum(group.tokens(covel_tokens) for group in shown.groups)
    has_unknown = any(leaf.kind is Kind.UNKNOWN for leaf in shown.leaves())
    return Request(sight, pieces, tokens, removed_by_hooks(sight), trimmed, has_unknown)


def _topmost(segment: Segment) -> Iterator[Segment]:
    for child in segment.children:
        if child.kind in _BROUGHT:
            yield child
        else:
            yield from _topmost(child)


def sent_pieces(plugin: str, requests: Iterable[Request]) -> Iterator[PieceUse]:
    """Everything of a plugin that stands in a request, and what a hook took out of it."""
    for request in requests:
        for key, segment in request.pieces.items():
            if _owner(segment) == plugin:
                yield _sent(key, segment, request)
        for key, removed in request.removed.items():
            if removed.segment.origin.plugin == plugin and removed.segment.kind in _BROUGHT:
                yield _use(key, removed.segment.kind, removed.segment.title, request, Fate.HOOK, _by_hook(removed))


def _owner(segment: Segment) -> str:
    return segment.origin.plugin or next((leaf.origin.plugin for leaf in segment.leaves()), "")


def _sent(key: str, segment: Segment, request: Request) -> PieceUse:
    tokens = segment.tokens(covel_tokens)
    # A body that is not all there is claimed by most of its lines, with a note that says so.
    is_altered = segment.kind is Kind.BODY and segment.grade is Grade.TEMPLATE and bool(segment.notes)
    fate = Fate.ALTERED if is_altered else Fate.SENT
    if not request.sight.call.is_sent:
        fate = Fate.UNSENT
    why = segment.notes[0] if is_altered else segment.reason
    address = request.sight.address
    return PieceUse(key, segment.kind, segment.title, address, fate, why, tokens, request.share(tokens))


def missing_bodies(
    plugin: PluginManifest, requests: Sequence[Request], called: set[str], active: bool | None
) -> Iterator[PieceUse]:
    """Bodies that stand in no request: their runtimes did not run, or something else stands there."""
    for runtime in plugin.runtimes:
        if runtime.type != "agent":
            continue
        own = [request for request in requests if request.runtime == runtime.id]
        if not own:
            fate, why = _why_not_run(runtime, called, active)
            yield _use("body", Kind.BODY, TITLES[Kind.BODY], None, fate, why)
        for request in own:
            if "body" not in request.pieces:
                why = say("the request does not hold this body: the file is newer, or a hook replaced it")
                yield _use("body", Kind.BODY, TITLES[Kind.BODY], request, Fate.UNKNOWN, why)
            yield from _missing_own_data(runtime, request)


def _why_not_run(runtime: RuntimeManifest, called: set[str], active: bool | None) -> tuple[Fate, Sentence]:
    if active is False:
        return Fate.NOT_ACTIVE, say("the plugin is not active in this session")
    if runtime.id in called:
        return Fate.UNKNOWN, say("{runtime} was called, but nothing of its request can be read", runtime=runtime.id)
    if not called:
        return Fate.UNKNOWN, say("no call of this turn is recorded")
    return Fate.NOT_RUN, say("{runtime} called no model in this turn", runtime=runtime.id)


def _missing_own_data(runtime: RuntimeManifest, request: Request) -> Iterator[PieceUse]:
    for data in runtime.self_data:
        tag = data.tag.removeprefix("<").removesuffix(">")
        key = f"own-data:{tag}"
        if key not in request.pieces:
            why = say("the request holds no block of this tag")
            yield _use(key, Kind.OWN_DATA, own_data_title(tag), request, Fate.UNKNOWN, why)


def missing_segments(
    plugin: PluginManifest,
    segments: Iterable[DeclaredSegment],
    requests: Sequence[Request],
    called: set[str],
    active: bool | None,
) -> Iterator[PieceUse]:
    """Declared segments that stand in no request of their own plugin's runtimes."""
    own = [request for request in requests if request.plugin == plugin.id]
    for segment in segments:
        title = segment_title(segment.id)
        if not own:
            fate, why = _why_no_request(plugin, called, active)
            yield _use(segment.key, Kind.EXTENSION, title, None, fate, why)
        for request in own:
            if segment.key in request.pieces or segment.key in request.removed:
                continue
            fate, why = _why_missing(segment, request, active)
            yield _use(segment.key, Kind.EXTENSION, title, request, fate, why)


def lost_later(plugin: str, requests: Iterable[Request], later: Iterable[Request]) -> Iterator[PieceUse]:
    """Pieces of a plugin that a runtime's first request of the turn held and a later one does not."""
    first = {request.runtime: request for request in requests}
    for request in later:
        for key, segment in first[request.runtime].pieces.items():
            if _owner(segment) == plugin and key not in request.pieces:
                fate, why = _why_lost(key, request)
                yield _use(key, segment.kind, segment.title, request, fate, why)


def _why_lost(key: str, request: Request) -> tuple[Fate, Sentence]:
    if key in request.trimmed:
        return Fate.TRIMMED, request.trimmed[key].note
    if key in request.removed:
        return Fate.HOOK, _by_hook(request.removed[key])
    return Fate.UNKNOWN, say("the runtime's first request of this turn held it, this one does not")


def _why_no_request(plugin: PluginManifest, called: set[str], active: bool | None) -> tuple[Fate, Sentence]:
    if active is False:
        return Fate.NOT_ACTIVE, say("the plugin is not active in this session")
    agents = [runtime.id for runtime in plugin.runtimes if runtime.type == "agent"]
    if not agents:
        return Fate.AUDIENCE, say(
            "it is for the runtimes of its own plugin, and this plugin has none that calls a model"
        )
    if called & set(agents):
        return Fate.UNKNOWN, say("nothing of the plugin's requests can be read")
    if not called:
        return Fate.UNKNOWN, say("no call of this turn is recorded")
    return Fate.NOT_RUN, say("it is for the runtimes of its own plugin, and none of them called a model in this turn")


def _why_missing(segment: DeclaredSegment, request: Request, active: bool | None) -> tuple[Fate, Sentence]:
    if active is False:
        return Fate.NOT_ACTIVE, say("the plugin is not active in this session")
    if not segment.text.strip():
        return Fate.EMPTY, say("it has no text in the session's language")
    trimmed = request.trimmed.get(segment.key)
    if trimmed is not None:
        return Fate.TRIMMED, trimmed.note
    return Fate.UNKNOWN, say(
        "the request does not hold the file's text: the file may be newer than the call, or a hook took it out"
    )


def _by_hook(removed: Removed) -> Sentence:
    return say("the hook {hook} of {plugin} took it out", hook=removed.hook or "?", plugin=removed.plugin or "?")


def _use(key: str, kind: Kind, title: Sentence, request: Request | None, fate: Fate, why: Sentence) -> PieceUse:
    return PieceUse(key, kind, title, request.sight.address if request is not None else None, fate, why)
