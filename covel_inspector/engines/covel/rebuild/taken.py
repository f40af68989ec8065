"""Pieces that only the recording can give: segments made by plugin code, the event directory, old values.

What is taken keeps its place: a segment found in the stable part of the system prompt is given back to the assembler
as one that lands there. Follows the reference on attribution, section 1, and on the assembler, section 6.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Group, Kind, Segment, SegmentTree, say
from covel_inspector.engines.covel.assembler.params import PromptSegment, Provenance
from covel_inspector.engines.covel.records.naming import segment_key

LEARNED = say("the engine's own sentence, learned from recorded requests")
"""Why a fixed sentence of the engine reads as it does."""

_TAKEN = (Kind.EXTENSION, Kind.UNKNOWN)
_FAR = 1_000_000
"""Orders from here on, on both sides of 0, are made up here: no plugin declares them."""


@dataclass(frozen=True, slots=True)
class Landing:
    """Where in a recorded request a segment stands."""

    position: str
    volatility: str
    depth: int | None = None

    @property
    def place(self) -> tuple[str, int | None, bool]:
        """What two segments share that are sorted together."""
        return self.position, self.depth, self.volatility == "turn"


def taken_segments(recorded: SegmentTree, known: Iterable[str]) -> list[PromptSegment]:
    """The extension segments of a recorded request that are not ``known`` (keys of declared static segments).

    Their order is the recorded one: ``order`` counts up within a landing place.
    """
    skip = set(known)
    landed = list(_landed(recorded))
    found: list[PromptSegment] = []
    for number, (leaf, landing) in enumerate(landed):
        if leaf.kind not in _TAKEN or leaf.key.partition("#")[0] in skip or not leaf.text.strip():
            continue
        # Declared segments are stable and of order 0: what stands before one must sort before it.
        before = any(other.key in skip and there.place == landing.place for other, there in landed[number + 1 :])
        plugin = leaf.origin.plugin or "?"
        name = leaf.origin.segment or leaf.key.replace("segment:?/", "").replace("segment:" + plugin + "/", "")
        found.append(
            PromptSegment(
                id=name,
                content=leaf.text,
                position=landing.position,
                depth=landing.depth,
                role=leaf.role,
                audience="all",
                volatility="stable" if before else landing.volatility,
                order=len(found) + (-_FAR if before else _FAR),
                plugin_id=plugin,
                provenance=Provenance(
                    leaf.origin, Grade.STRUCTURAL, say("taken from the recording: plugin code makes this segment")
                ),
            )
        )
    return found


def taken_keys(segments: Iterable[PromptSegment]) -> set[str]:
    """The keys under which taken segments stand in the rebuilt tree."""
    return {segment_key(segment.plugin_id, segment.id) for segment in segments}


def is_made_up(segment: Segment) -> bool:
    """Whether a segment of a rebuilt tree was sorted by an order that :func:`taken_segments` made up."""
    return segment.order is not None and abs(segment.order) >= _FAR


def with_claims_of(segment: Segment, recorded: Segment | None) -> Segment:
    """A taken segment with what its recording is known to declare, and no more: nobody knows what its plugin said."""
    if recorded is None:
        return replace(segment, order=None, audience="", volatility=None, notes=())
    return replace(
        segment,
        position=recorded.position or segment.position,
        order=recorded.order,
        audience=recorded.audience,
        volatility=recorded.volatility,
        notes=recorded.notes,
    )


def _landed(recorded: SegmentTree) -> Iterable[tuple[Segment, Landing]]:
    yield from _in_system(recorded)
    yield from _in_messages(recorded)


def _in_system(recorded: SegmentTree) -> Iterable[tuple[Segment, Landing]]:
    system = recorded.group(Group.SYSTEM)
    if system is None:
        return
    leaves = list(system.leaves())
    last_mark = max((n for n, leaf in enumerate(leaves) if leaf.kind is Kind.MARK), default=-1)
    behind = {Kind.LORE, Kind.EVENTS, Kind.ACTIVATION}
    last_fixed = max((n for n, leaf in enumerate(leaves) if leaf.kind in behind), default=-1)
    for number, leaf in enumerate(leaves):
        if number > max(last_mark, last_fixed):
            yield leaf, Landing("pre-history", "turn")
        else:
            yield leaf, Landing("system", "session")


def _in_messages(recorded: SegmentTree) -> Iterable[tuple[Segment, Landing]]:
    messages = recorded.group(Group.MESSAGES)
    if messages is None:
        return
    top = list(messages.children)
    flat = [
        (leaf, child.kind if child.kind in (Kind.TURN_CONTEXT, Kind.PICTURES) else leaf.kind, child)
        for child in top
        for leaf in child.leaves()
    ]
    base = {Kind.HISTORY, Kind.NOTE, Kind.SUMMARY, Kind.PLAYER_LINE, Kind.STORY, Kind.CUE}
    base_parts = _parts_of(flat, base)
    first_base = min(base_parts, default=None)
    last_base = max(base_parts, default=None)
    for leaf, kind, child in flat:
        if leaf.place is None or child.key == "loop":
            continue
        part = leaf.place.part
        if kind is Kind.TURN_CONTEXT:
            yield leaf, Landing("system", "turn")
        elif first_base is None or last_base is None or (part < first_base and leaf.role != "system"):
            yield leaf, Landing("pre-history", "stable")
        elif part > last_base:
            yield leaf, Landing("post-history", "stable")
        else:
            # A system message before the history is a depth item too: as pre-history it would be in the system prompt.
            behind = sum(1 for other in base_parts if other > part)
            yield leaf, Landing("depth", "stable", behind)


def _parts_of(flat: Iterable[tuple[Segment, Kind, Segment]], kinds: set[Kind]) -> set[int]:
    return {leaf.place.part for leaf, kind, _ in flat if kind in kinds and leaf.place is not None}
