"""What the calls of a session tell together about extension segments: observations, never declarations.

Follows the reference on attribution, section 3, step 4: the same text in every turn speaks for a segment that stays,
another text in each for one of the turn, as long as its place says the same; the runtimes that have it, and those that
made calls without it, speak for its audience.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from covel_inspector.domain import (
    Grade,
    Group,
    Kind,
    Observation,
    Place,
    Segment,
    SegmentTree,
    Standing,
    Volatility,
)
from covel_inspector.engines.covel.attribution.audiences import Listeners
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex

LEAST_TURNS = 3
"""Turns that must hold a segment before anything is said of what that suggests."""

LEAST_LOOSE = 5
"""The same where its place tells nothing, so that its texts alone must."""

_PREFIX = "segment:"
_OPENED = re.compile(r"^<([A-Za-z][A-Za-z0-9_-]*)", re.MULTILINE)


@dataclass(slots=True)
class _Sightings:
    """One key in all calls. ``texts`` by runtime, then by turn: the hashes of its texts there."""

    leaf: Segment
    texts: dict[str, dict[str, set[int]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    standings: set[Standing] = field(default_factory=set)
    counts_as: set[Volatility | None] = field(default_factory=set)
    meant_for: set[str] = field(default_factory=set)
    is_doubled: bool = False
    is_guess: bool = True
    """Whose it is was guessed each time."""

    @property
    def turns(self) -> set[str]:
        """The turns that held it."""
        return {turn for turns in self.texts.values() for turn in turns}


class SegmentObserving:
    """Looks at the calls of one session, one after the other in the order they were made; nothing of them is kept.

    The turns of all calls are named as people call them.
    """

    def __init__(self, index: SessionIndex) -> None:
        self._listeners = Listeners(index)
        self._turns_of: dict[str, dict[str, None]] = defaultdict(dict)
        self._order: dict[str, None] = {}
        self._sightings: dict[str, _Sightings] = {}
        self._together: set[tuple[str, str]] = set()
        self._hidden: dict[str, set[tuple[str, str]]] = defaultdict(set)
        """Runtimes and turns whose unclaimed texts open a tag: a segment may hide there."""

    def see(self, tree: SegmentTree, moment: CallMoment, turn: str) -> None:
        """Take a recorded call into account."""
        runtime = moment.runtime_id
        self._listeners.see(tree, moment)
        self._turns_of[runtime][turn] = None
        self._order[turn] = None
        here: set[str] = set()
        for leaf, standing in _segments(tree):
            key = leaf.key.partition("#")[0]
            seen = self._sightings.setdefault(key, _Sightings(leaf))
            seen.is_doubled = seen.is_doubled or key in here
            seen.texts[runtime][turn].add(hash(leaf.text))
            seen.standings.add(standing)
            seen.counts_as.add(leaf.volatility)
            seen.meant_for.add(leaf.audience)
            seen.is_guess = seen.is_guess and leaf.grade is Grade.GUESS
            here.add(key)
        for tag in _tags_without_source(tree):
            self._hidden[tag].add((runtime, turn))
        for unnamed in (key for key in here if not _is_named(key)):
            self._together.update((unnamed, key) for key in here if self._name_of(key) == self._name_of(unnamed))

    def observations(self) -> dict[str, Observation]:
        """What was seen of each segment so far, by key.

        A block whose plugin is not known shares the observation of the named one that it must be: the only one of its
        name in its runtime and its place, never in the same request.
        """
        merged = self._merged()
        found = {key: self._observation(key, parts) for key, parts in merged.items()}
        return {part: found[key] for key, parts in merged.items() for part in (key, *parts)}

    # Inside

    def _name_of(self, key: str) -> str:
        return _name(self._sightings[key].leaf)

    def _merged(self) -> dict[str, list[str]]:
        """Keys to be told of, each with those of blocks that are the same segment without a known plugin."""
        named: dict[str, list[str]] = defaultdict(list)
        for key in self._sightings:
            if _is_named(key):
                named[self._name_of(key)].append(key)
        merged: dict[str, list[str]] = {key: [] for keys in named.values() for key in keys}
        for key, seen in self._sightings.items():
            if _is_named(key):
                continue
            fitting = [one for one in named[self._name_of(key)] if _may_be(self._sightings[one], seen)]
            if len(fitting) == 1 and (key, fitting[0]) not in self._together:
                merged[fitting[0]].append(key)
            else:
                merged[key] = []
        return merged

    def _observation(self, key: str, others: Sequence[str]) -> Observation:
        named = self._sightings[key]
        seen = named
        for other in others:
            seen = _joined(seen, self._sightings[other])
        runtimes = tuple(sorted(seen.texts))
        turns = {turn for runtime in runtimes for turn in self._turns_of[runtime]}
        holding = seen.turns
        changed, steps, changes = self._steps(seen)
        observation = Observation(
            key=key,
            name=_name(seen.leaf),
            kind=seen.leaf.kind,
            title=seen.leaf.title,
            origin=seen.leaf.origin,
            seen=len(holding),
            turns=len(turns),
            texts=len({text for by_turn in seen.texts.values() for texts in by_turn.values() for text in texts}),
            steps=steps,
            changes=changes,
            standing=next(iter(seen.standings)) if len(seen.standings) == 1 else Standing.MIXED,
            runtimes=runtimes,
            missing=tuple(turn for turn in self._order if turn in turns - holding),
            changed=tuple(turn for turn in self._order if turn in changed),
            is_doubled=seen.is_doubled,
            unnamed=len(holding - named.turns),
            counts_as=next(iter(seen.counts_as)) if len(seen.counts_as) == 1 else None,
            meant_for=next(iter(seen.meant_for)) if len(seen.meant_for) == 1 else "",
        )
        if observation.seen < LEAST_TURNS:
            return observation
        volatilities = _volatilities(observation, has_gaps=self._has_gaps(seen))
        return self._with_audience(replace(observation, volatilities=volatilities), seen)

    def _steps(self, seen: _Sightings) -> tuple[set[str], int, int]:
        """Turns with another text than in the turn before, how many steps there were, and how many changed it."""
        changed: set[str] = set()
        steps = changes = 0
        for runtime, by_turn in seen.texts.items():
            before: set[int] | None = None
            for turn in self._turns_of[runtime]:
                texts = by_turn.get(turn)
                if texts is not None and before is not None:
                    steps += 1
                    if texts != before or len(texts) > 1:
                        changes += 1
                        changed.add(turn)
                before = texts
        return changed, steps, changes

    def _has_gaps(self, seen: _Sightings) -> bool:
        """True when a runtime that had it once was called without it later."""
        for runtime, by_turn in seen.texts.items():
            turns = iter(self._turns_of[runtime])
            next(turn for turn in turns if turn in by_turn)
            if any(turn not in by_turn for turn in turns):
                return True
        return False

    def _with_audience(self, observation: Observation, seen: _Sightings) -> Observation:
        holding, having = seen.turns, list(seen.texts)
        hidden = self._hidden.get(_tag(seen.leaf), set())
        without = [
            runtime
            for runtime, turns in self._turns_of.items()
            if runtime not in seen.texts
            and sum(turn in holding and (runtime, turn) not in hidden for turn in turns) >= LEAST_TURNS
        ]
        found = self._listeners.audience(seen.leaf.origin.plugin, having, without)
        is_guess = seen.is_guess and self._listeners.audience("", having, without).name != found.name
        return replace(
            observation,
            audience=found.name,
            may_be_contract=found.may_be_contract,
            audience_is_guess=is_guess,
        )


def _segments(tree: SegmentTree) -> Iterator[tuple[Segment, Standing]]:
    """The extension segments of a tree, and those that nobody can name, with where they stand."""
    mark = max((boundary.place for boundary in tree.boundaries), default=None, key=_position)
    for group in tree.groups:
        is_system = group.key == Group.SYSTEM.value
        for branch in group.children:
            in_turn = branch.kind is Kind.TURN_CONTEXT
            for leaf in branch.leaves():
                if leaf.place is None or not leaf.key.startswith(_PREFIX):
                    continue
                standing = Standing.TURN if in_turn else Standing.LOOSE
                if is_system and mark is not None:
                    standing = Standing.KEPT if _position(leaf.place) < _position(mark) else Standing.END
                yield leaf, standing


def _position(place: Place) -> tuple[int, int]:
    return place.part, place.start


def _is_named(key: str) -> bool:
    return not key.startswith(f"{_PREFIX}?/")


def _name(leaf: Segment) -> str:
    """What its title names it by: the tag that encloses it, or its id."""
    return str(leaf.title.values.get("name", "")) or leaf.origin.segment


def _tag(leaf: Segment) -> str:
    opened = _OPENED.match(leaf.text)
    return opened[1] if opened is not None else ""


def _tags_without_source(tree: SegmentTree) -> Iterator[str]:
    """Tags that open in texts which nobody claims."""
    for leaf in tree.leaves():
        if leaf.kind is Kind.UNKNOWN and not leaf.key.startswith(_PREFIX):
            yield from _OPENED.findall(leaf.text)


def _may_be(named: _Sightings, other: _Sightings) -> bool:
    """Whether two of one name stand alike: another plugin may use the same tag for other runtimes or places."""
    return named.standings == other.standings and other.texts.keys() <= named.texts.keys()


def _joined(named: _Sightings, other: _Sightings) -> _Sightings:
    joined = _Sightings(
        named.leaf,
        standings=named.standings | other.standings,
        counts_as=set(named.counts_as),
        meant_for=set(named.meant_for),
        is_doubled=named.is_doubled or other.is_doubled,
        is_guess=named.is_guess,
    )
    for one in (named, other):
        for runtime, by_turn in one.texts.items():
            for turn, texts in by_turn.items():
                joined.texts[runtime][turn] |= texts
    return joined


def _volatilities(seen: Observation, *, has_gaps: bool) -> tuple[Volatility, ...]:
    """Those that fit; place and texts must agree. Where the place tells nothing, more turns must say the same."""
    if seen.is_doubled:
        return ()
    stays = not seen.changes and not has_gaps
    match seen.standing:
        case Standing.KEPT:
            if stays:
                return (Volatility.STABLE, Volatility.SESSION)
            return (Volatility.SESSION,) if 2 * seen.changes < seen.steps else ()
        case Standing.END | Standing.TURN:
            return (Volatility.TURN,) if seen.changes else ()
        case Standing.LOOSE:
            if seen.seen < LEAST_LOOSE:
                return ()
            if stays:
                return (Volatility.STABLE, Volatility.SESSION)
            return (Volatility.TURN,) if seen.changes == seen.steps > 0 else ()
        case _:
            return ()
