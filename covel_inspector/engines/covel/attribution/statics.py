"""Segments that a plugin declares with a fixed text. They only address their own plugin."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.blocks import Blocks, ends_paragraph
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.records.manifests import Checkout, FilePlace, StaticSegment
from covel_inspector.engines.covel.records.naming import segment_key, segment_title

Stretch = tuple[int, int]
"""Code points of a text, from and up to."""

_COPIES = say("The text of this declared segment stands in other places too, or where none belongs: it may be a copy.")
_SAME_TEXT = say("Several segments of the plugin declare this text: which of them this is cannot be told.")


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


def without_copies(text: str, claims: Iterable[Claim], stable: Stretch, tail: Stretch, is_foreign: bool) -> list[Claim]:
    """The claims on a system prompt, declared segments as guesses where it is not sure that the engine wrote them.

    ``stable`` is where they belong: a single one that stands there is the segment itself. In the ``tail`` and inside
    a bigger tagged block stands none; ``is_foreign``: marks of another hand make every place unsure.
    """
    claims = list(claims)
    exact = [claim for claim in claims if claim.label.kind is Kind.EXTENSION and claim.label.grade is Grade.EXACT]
    if not exact:
        return claims
    blocks = Blocks(text)
    places: dict[str, list[Claim]] = defaultdict(list)
    for claim in exact:
        if not is_foreign and not _lies_in(claim, tail) and not blocks.enclose(claim.start, claim.end):
            places[claim.label.key].append(claim)
    kept: set[int] = set()
    for found in places.values():
        inside = [claim for claim in found if _lies_in(claim, stable)]
        sure = inside if len(inside) == 1 else found
        if len(sure) == 1:
            kept.add(sure[0].start)
    doubtful = {claim.start for claim in exact} - kept
    return [_doubted(claim, _COPIES) if claim.start in doubtful else claim for claim in claims]


def _lies_in(claim: Claim, stretch: Stretch) -> bool:
    return stretch[0] <= claim.start and claim.end <= stretch[1]


def _doubted(claim: Claim, doubt: Sentence) -> Claim:
    if claim.label.kind is not Kind.EXTENSION:
        return claim
    return replace(claim, label=claim.label.doubted(doubt))


def statics_in(statics: Iterable[IndexedStatic], text: str, start: int, end: int) -> list[Claim]:
    """Every place of the declared segments of the system prompt in a stretch, between blank lines, in order.

    What stands inside a longer declared segment or inside a tagged block of the stretch is a part of it. Segments
    with one text share its places in turn, as guesses.
    """
    by_text: dict[str, dict[str, IndexedStatic]] = defaultdict(dict)
    for static in statics:
        if not static.message_role:
            by_text[static.text].setdefault(static.label.key, static)
    claims = [claim for written, owners in by_text.items() for claim in _shared(written, owners, text, start, end)]
    if not claims:
        return []
    blocks = Blocks(text, start, end)
    claims.sort(key=lambda claim: (claim.start, -claim.end))
    found: list[Claim] = []
    for claim in claims:
        if (not found or claim.start >= found[-1].end) and not blocks.enclose(claim.start, claim.end):
            found.append(claim)
    return found


def _shared(written: str, owners: dict[str, IndexedStatic], text: str, start: int, end: int) -> Iterator[Claim]:
    labels = [static.label for static in owners.values()]
    for number, at in enumerate(_places(written, text, start, end)):
        claim = Claim(at, at + len(written), labels[number % len(labels)])
        yield claim if len(labels) == 1 else _doubted(claim, _SAME_TEXT)


def _places(written: str, text: str, start: int, end: int) -> Iterator[int]:
    at = text.find(written, start, end)
    while at >= 0:
        begins = at == start or (at >= start + 2 and text.startswith("\n\n", at - 2))
        if begins and ends_paragraph(text, at + len(written), end):
            yield at
        at = text.find(written, at + 1, end)
