"""Extension segments: who may see them, in which order, and where they land.

Follows the reference on the assembler, section 6.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from covel_inspector.engines.covel.assembler.params import Manifest, PromptSegment
from covel_inspector.engines.covel.javascript import code_unit_key

_VOLATILITY = {"stable": 0, "session": 1, "turn": 2}


@dataclass(frozen=True, slots=True)
class Landing:
    """Segments by the place where they land, each list in prompt order; ``unseen`` are for other runtimes."""

    stable: tuple[PromptSegment, ...]
    """System prompt, with the stable extensions."""
    turn_tail: tuple[PromptSegment, ...]
    """System prompt, behind the last cache mark."""
    turn_context: tuple[PromptSegment, ...]
    before_history: tuple[PromptSegment, ...]
    after_history: tuple[PromptSegment, ...]
    by_depth: tuple[PromptSegment, ...]
    unseen: tuple[PromptSegment, ...]


def is_for(segment: PromptSegment, manifest: Manifest) -> bool:
    """True when the runtime belongs to the segment's audience."""
    if segment.contract is not None:
        return segment.contract == manifest.output_contract
    if segment.audience == "self":
        return segment.plugin_id == manifest.plugin_id
    if segment.audience == "story":
        return manifest.tells_story
    return segment.audience == "all"


def sort_key(segment: PromptSegment) -> tuple[int, float, bytes, bytes]:
    """Volatility, order (0 when absent), provider and id by code unit."""
    return (
        _VOLATILITY.get(segment.volatility, 0),
        segment.order or 0,
        code_unit_key(segment.plugin_id),
        code_unit_key(segment.id),
    )


def land(segments: Iterable[PromptSegment], manifest: Manifest) -> Landing:
    """Filter by audience, sort, and deal the segments out to their places."""
    places: dict[str, list[PromptSegment]] = {place: [] for place in Landing.__slots__}
    seen: list[PromptSegment] = []
    for segment in segments:
        (seen if is_for(segment, manifest) else places["unseen"]).append(segment)
    seen.sort(key=sort_key)
    for segment in seen:
        places[place_of(segment)].append(segment)
    return Landing(**{place: tuple(landed) for place, landed in places.items()})


def place_of(segment: PromptSegment) -> str:
    """The name of the list in :class:`Landing` where a segment lands."""
    turn = segment.volatility == "turn"
    if segment.position == "system":
        return "turn_context" if turn else "stable"
    if segment.position == "pre-history":
        if segment.role in ("", "system"):
            return "turn_tail" if turn else "stable"
        return "before_history"
    return "by_depth" if segment.position == "depth" else "after_history"
