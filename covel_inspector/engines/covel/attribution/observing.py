"""What several calls tell together about segments made by code: observations, never declarations.

Follows the reference on attribution, section 3, step 4.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from covel_inspector.domain import Kind, Segment, SegmentTree, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.learning import Lesson

_LEAST_TURNS = 3


@dataclass(frozen=True, slots=True)
class Observation:
    """A segment over many turns, by its key.

    ``seen`` counts the turns that held it, ``turns`` those in which one of its ``runtimes`` made a call, ``texts``
    its different texts. ``volatility`` and ``audience`` say what that suggests; None or empty when it is too little.
    """

    key: str
    seen: int
    turns: int
    texts: int
    runtimes: tuple[str, ...]
    volatility: Volatility | None
    audience: str

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """The observation in sentences."""
        notes = [say("Seen in {seen} of {turns} turns.", seen=self.seen, turns=self.turns)]
        if self.seen >= _LEAST_TURNS:
            notes.append(
                say("The text was the same each time.")
                if self.texts == 1
                else say("{n} different texts were seen.", n=self.texts)
            )
        if len(self.runtimes) > 1:
            notes.append(say("Seen in requests of {runtimes}.", runtimes=", ".join(self.runtimes)))
        return tuple(notes)


@dataclass(slots=True)
class _Sightings:
    turns: set[str] = field(default_factory=set)
    texts: set[int] = field(default_factory=set)
    runtimes: set[str] = field(default_factory=set)
    cached: set[bool] = field(default_factory=set)
    """Whether it stood before the last cache mark of the system prompt."""


def learn_observations(lessons: Iterable[Lesson]) -> Mapping[str, Observation]:
    """Observations of all segments made by code, by segment key."""
    turns_of: dict[str, set[str]] = defaultdict(set)
    stories: set[str] = set()
    sightings: dict[str, _Sightings] = defaultdict(_Sightings)
    for lesson in lessons:
        runtime, turn = lesson.moment.runtime_id, lesson.moment.turn_id
        turns_of[runtime].add(turn)
        if _tells_story(lesson):
            stories.add(runtime)
        marked = max((boundary.place for boundary in lesson.tree.boundaries), default=None)
        for leaf in lesson.tree.leaves():
            if not leaf.key.startswith("segment:"):
                continue
            seen = sightings[leaf.key.partition("#")[0]]
            seen.turns.add(turn)
            seen.texts.add(hash(leaf.text))
            seen.runtimes.add(runtime)
            seen.cached.add(marked is not None and leaf.place is not None and leaf.place < marked)
    return {key: _observation(key, seen, turns_of, stories) for key, seen in sightings.items()}


def with_observations(tree: SegmentTree, observations: Mapping[str, Observation]) -> SegmentTree:
    """The tree with what was observed added to the notes of its segments."""
    return replace(tree, groups=tuple(_noted(group, observations) for group in tree.groups))


def _noted(segment: Segment, observations: Mapping[str, Observation]) -> Segment:
    if segment.children:
        return replace(segment, children=tuple(_noted(child, observations) for child in segment.children))
    seen = observations.get(segment.key.partition("#")[0])
    return replace(segment, notes=(*segment.notes, *seen.notes)) if seen is not None else segment


def _observation(key: str, seen: _Sightings, turns_of: Mapping[str, set[str]], stories: set[str]) -> Observation:
    turns = set().union(*(turns_of[runtime] for runtime in seen.runtimes))
    return Observation(
        key,
        len(seen.turns),
        len(turns),
        len(seen.texts),
        tuple(sorted(seen.runtimes)),
        _volatility(seen),
        _audience(seen, stories),
    )


def _volatility(seen: _Sightings) -> Volatility | None:
    """Place and change must agree: kept in the cached part and the same, or behind it and another text each turn."""
    if len(seen.turns) < _LEAST_TURNS or len(seen.cached) != 1:
        return None
    if True in seen.cached:
        return Volatility.SESSION if len(seen.texts) < len(seen.turns) else None
    return Volatility.TURN if len(seen.texts) > 1 else None


def _audience(seen: _Sightings, stories: set[str]) -> str:
    plugins = {runtime.partition("/")[0] for runtime in seen.runtimes}
    if len(plugins) == 1:
        return "self"
    return "story" if seen.runtimes <= stories else ""


def _tells_story(lesson: Lesson) -> bool:
    manifest = lesson.index.runtime(lesson.moment.runtime_id)
    if manifest is not None:
        return manifest.visibility == "story"
    return any(leaf.kind in (Kind.WORLD_LORE, Kind.PICTURES) for leaf in lesson.tree.leaves())
