"""Segments that a plugin declares with a fixed text. They only address their own plugin."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Kind, Origin, Volatility, say
from covel_inspector.engines.covel.attribution.blocks import ends_paragraph
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.records.manifests import Checkout, FilePlace, StaticSegment
from covel_inspector.engines.covel.records.naming import segment_key, segment_title

_COPIES = say(
    "The text of this declared segment stands in other places too: which one the engine wrote cannot be told."
)


@dataclass(frozen=True, slots=True)
class IndexedStatic:
    """One variant of a declared segment; ``message_role`` is empty when it belongs to the system prompt."""

    text: str
    position: str
    depth: int | None
    message_role: str
    label: Label


def index_statics(checkout: Checkout | None, active: Iterable[str], locale: str) -> dict[str, list[IndexedStatic]]:
    """The declared segments of the active plugins by plugin id, variants of the session's locale first."""
    found: dict[str, list[IndexedStatic]] = defaultdict(list)
    if checkout is None:
        return found
    for plugin_id in active:
        plugin = checkout.plugins.get(plugin_id)
        for segment in plugin.segments if plugin is not None else ():
            variants = sorted(segment.content.variants.items(), key=lambda item: (item[0] != locale, item[0]))
            seen: set[str] = set()
            for tag, text in variants:
                if text and text not in seen:
                    seen.add(text)
                    place = segment.content.places.get(tag) or plugin.place if plugin is not None else FilePlace("")
                    found[plugin_id].append(_indexed(plugin_id, segment, text, place))
    return dict(found)


def _indexed(plugin_id: str, segment: StaticSegment, text: str, place: FilePlace) -> IndexedStatic:
    in_system = segment.position == "system" or (segment.position == "pre-history" and segment.role in ("", "system"))
    position = f"depth {segment.depth}" if segment.position == "depth" else segment.position
    label = Label(
        segment_key(plugin_id, segment.id),
        Kind.EXTENSION,
        segment_title(segment.id),
        Grade.EXACT,
        say("equal to the segment {segment} declared in {file}", segment=segment.id, file=place.path),
        Origin(plugin=plugin_id, segment=segment.id, file=place.path, line=place.line),
        Volatility.STABLE,
        position,
        segment.order,
        "self",
    )
    return IndexedStatic(text, segment.position, segment.depth, "" if in_system else segment.role or "system", label)


def without_copies(claims: Iterable[Claim], stable: tuple[int, int]) -> list[Claim]:
    """The claims, declared segments that stand more than once as guesses.

    ``stable`` is the stretch where declared segments belong: a single one that stands there is the segment itself.
    """
    claims = list(claims)
    places: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.label.kind is Kind.EXTENSION and claim.label.grade is Grade.EXACT:
            places[claim.label.key].append(claim)
    doubtful: set[int] = set()
    for found in places.values():
        inside = [claim for claim in found if stable[0] <= claim.start and claim.end <= stable[1]]
        kept = inside if len(inside) == 1 else found if len(found) == 1 else []
        doubtful.update(claim.start for claim in found if claim not in kept)
    return [_doubted(claim) if claim.start in doubtful else claim for claim in claims]


def _doubted(claim: Claim) -> Claim:
    if claim.label.kind is not Kind.EXTENSION:
        return claim
    return replace(claim, label=replace(claim.label, grade=Grade.GUESS, notes=(_COPIES, *claim.label.notes)))


def statics_in(statics: Iterable[IndexedStatic], text: str, start: int, end: int) -> Iterator[Claim]:
    """The first place of each declared segment of the system prompt in a stretch, between blank lines."""
    found: set[str] = set()
    for static in statics:
        if static.message_role or static.label.key in found:
            continue
        at = text.find(static.text, start, end)
        while at >= 0:
            begins = at == start or (at >= start + 2 and text.startswith("\n\n", at - 2))
            if begins and ends_paragraph(text, at + len(static.text), end):
                found.add(static.label.key)
                yield Claim(at, at + len(static.text), static.label)
                break
            at = text.find(static.text, at + 1, end)
