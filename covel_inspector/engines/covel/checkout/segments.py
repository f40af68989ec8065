"""Static segments: ``contributes.prompt`` of a PLUGIN.md and its locale variants. Reference on plugins, section 4."""

from typing import Any

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.fields import Fields
from covel_inspector.engines.covel.checkout.variants import Pages
from covel_inspector.engines.covel.javascript import parse_locale
from covel_inspector.engines.covel.records.manifests import FilePlace, Localized, StaticSegment

POSITIONS = ("system", "pre-history", "post-history")


def static_segments(contributes: Fields, pages: Pages) -> tuple[StaticSegment, ...]:
    """The segments the main file declares, their texts completed from the variants. The main file decides the rest."""
    segments: dict[str, StaticSegment] = {}
    for entry in contributes.entries("prompt"):
        segment = _segment(entry)
        if segment is None:
            continue
        if segment.id in segments:
            entry.report(Severity.WARNING, say("A second segment has the id '{id}'; the first counts", id=segment.id))
            continue
        segments[segment.id] = segment
    main = pages.main
    for tag, page in pages.by_tag.items():
        if page is main or page.head is None:
            continue
        variant = Fields.of(contributes.desk, page.file, page.head).section("contributes")
        for entry in variant.entries("prompt"):
            owner = segments.get(entry.text("id"))
            if owner is None:
                entry.report(
                    Severity.WARNING,
                    say("The file without a locale declares no segment '{id}'", id=entry.text("id")),
                )
            else:
                _complete(owner.content, entry, tag)
    return tuple(segments.values())


def _segment(entry: Fields) -> StaticSegment | None:
    segment_id = entry.text("id")
    if not segment_id:
        entry.report(Severity.WARNING, say("A segment without an id is not used"))
        return None
    content = Localized({}, {})
    _complete(content, entry, "")
    if not content.variants:
        entry.report(Severity.WARNING, say("The segment '{id}' has no content", id=segment_id))
    position, depth = _position(entry)
    return StaticSegment(
        id=segment_id,
        content=content,
        position=position,
        depth=depth,
        role=entry.text("role"),
        order=entry.number("order"),
        place=entry.place("id"),
    )


def _position(entry: Fields) -> tuple[str, int | None]:
    value = entry.raw("position")
    if isinstance(value, dict):
        depth = value.get("depth")
        if isinstance(depth, int) and not isinstance(depth, bool):
            return "depth", depth
    elif isinstance(value, str) and value in POSITIONS:
        return value, None
    entry.report(
        Severity.WARNING,
        say("A position is 'system', 'pre-history', 'post-history' or {depth: n}"),
        "position",
    )
    return (value if isinstance(value, str) else ""), None


def _complete(content: Localized, entry: Fields, tag: str) -> None:
    """Add what an entry says to a segment's texts. A variant file decides its own tag; other tags stay as they were."""
    value: Any = entry.raw("content")
    if isinstance(value, str):
        _put(content, tag, value, entry.text_place("content"), entry)
    elif isinstance(value, dict):
        for written, text in value.items():
            locale = parse_locale(written)
            if locale is None or not isinstance(text, str):
                entry.report(Severity.WARNING, say("A content map holds texts by locale"), "content", written)
            elif locale.tag not in content.variants or locale.tag == tag:
                _put(content, locale.tag, text, entry.text_place("content", written), entry)
    elif value is not None:
        entry.report(Severity.WARNING, say("A content is a text, or a map of texts by locale"), "content")


def _put(content: Localized, tag: str, text: str, place: FilePlace, entry: Fields) -> None:
    earlier = content.variants.get(tag)
    if earlier is not None and earlier != text:
        entry.report(
            Severity.HINT,
            say(
                "This text differs from the one at {place}",
                place=f"{content.places[tag].path}:{content.places[tag].line}",
            ),
            "content",
        )
    if earlier != text:
        content.variants[tag] = text
        content.places[tag] = place
