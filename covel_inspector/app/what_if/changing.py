"""Changes of a request as a reader makes them: one at a time, listed in words, each to be taken back. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from covel_inspector.app.figures import figure
from covel_inspector.domain import Changes, Kind, Segment, Sentence, plain, say

Names = Mapping[str, Sentence]
"""From keys of segments to their titles."""

FIXED = frozenset({Kind.GROUP, Kind.SEPARATOR, Kind.MARK, Kind.PRUNE_MARKER})
"""Kinds that cannot be left out or edited: they follow from everything else."""

TRIED_DEPTH = 4
"""Messages from the end at which a lorebook entry is tried when the reader names no depth."""

NO_WINDOW = -1
"""``max_turns`` for: the whole history."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change in words, and everything as it would be without it."""

    told: Sentence
    taken_back: Changes
    key: str = ""
    """The segment it is about, empty for a change of numbers."""


def leave_out(changes: Changes, key: str) -> Changes:
    """The request without a segment; a text it was given instead is forgotten."""
    changes = put_back(changes, key)
    return replace(changes, without=(*changes.without, key))


def put_back(changes: Changes, key: str) -> Changes:
    """Everything about one segment as it was."""
    return replace(
        changes,
        without=_less(changes.without, key),
        texts=tuple(pair for pair in changes.texts if pair[0] != key),
        lore_on=_less(changes.lore_on, key),
        lore_off=_less(changes.lore_off, key),
        lore_depth=tuple(pair for pair in changes.lore_depth if pair[0] != key),
    )


def with_text(changes: Changes, segment: Segment, text: str) -> Changes:
    """Another text for a segment. The player's line is a change of its own: lorebook keys are looked for in it."""
    if segment.kind is Kind.PLAYER_LINE:
        return replace(changes, player_line=None if text == segment.whole_text else text)
    changes = put_back(changes, segment.key)
    if text == segment.whole_text:
        return changes
    return replace(changes, texts=(*changes.texts, (segment.key, text)))


def force_lore(changes: Changes, key: str, *, is_on: bool | None) -> Changes:
    """A lorebook entry in or out, whatever its keys say; None: as the keys say. Where it stands is another question."""
    changes = replace(put_back(changes, key), lore_depth=changes.lore_depth)
    if is_on is None:
        return changes
    if is_on:
        return replace(changes, lore_on=(*changes.lore_on, key))
    return replace(changes, lore_off=(*changes.lore_off, key))


def lore_at_depth(changes: Changes, key: str, depth: int) -> Changes:
    """A lorebook entry at another place: ``depth`` messages from the end. Whether it is in stays as it is."""
    others = tuple(pair for pair in changes.lore_depth if pair[0] != key)
    return replace(changes, lore_depth=(*others, (key, depth)))


def has_one_text(segment: Segment) -> bool:
    """Whether one text can stand for a segment: not for a branch over several messages."""
    return len({leaf.place.part for leaf in segment.leaves() if leaf.place is not None}) == 1


def changed_text(changes: Changes, segment: Segment) -> str | None:
    """The text that a segment was given instead of its own; None when it was given none."""
    if segment.kind is Kind.PLAYER_LINE:
        return changes.player_line
    return dict(changes.texts).get(segment.key)


def listed(changes: Changes, names: Names) -> tuple[Change, ...]:
    """All changes in words: numbers first, then what is about single segments."""
    return (*_of_numbers(changes), *_of_texts(changes), *_of_segments(changes, names))


def names_of(segments: Iterable[Segment]) -> dict[str, Sentence]:
    """Titles by key; the first one of a key counts."""
    names: dict[str, Sentence] = {}
    for segment in segments:
        names.setdefault(segment.key, segment.title)
    return names


def _of_numbers(changes: Changes) -> Iterator[Change]:
    if changes.window is not None:
        told = say("window of {n} tokens", n=figure(changes.window))
        yield Change(told, replace(changes, window=None))
    if changes.reserve is not None:
        told = say("reserve of {n} tokens for the answer", n=figure(changes.reserve))
        yield Change(told, replace(changes, reserve=None))
    if changes.protected_turns is not None:
        told = say("protected turns: {n}", n=changes.protected_turns)
        yield Change(told, replace(changes, protected_turns=None))
    if changes.max_turns is not None:
        told = (
            say("history without a window of turns")
            if changes.max_turns < 0
            else say("history of at most {n} turns", n=changes.max_turns)
        )
        yield Change(told, replace(changes, max_turns=None))
    if changes.include_summaries is not None:
        told = say("with summaries") if changes.include_summaries else say("without summaries")
        yield Change(told, replace(changes, include_summaries=None))
    if changes.locale is not None:
        yield Change(say("language {tag}", tag=changes.locale), replace(changes, locale=None))
    if changes.model is not None:
        yield Change(say("model {name}", name=changes.model), replace(changes, model=None))


def _of_texts(changes: Changes) -> Iterator[Change]:
    if changes.player_line is not None:
        told = say("player line: “{text}”", text=_short(changes.player_line))
        yield Change(told, replace(changes, player_line=None), "player-line")
    if changes.body is not None:
        told = say("another body ({n} characters)", n=figure(len(changes.body)))
        yield Change(told, replace(changes, body=None), "body")


def _of_segments(changes: Changes, names: Names) -> Iterator[Change]:
    sayings: tuple[tuple[Iterable[str], Callable[[Sentence], Sentence]], ...] = (
        (changes.without, lambda name: say("without {name}", name=name)),
        ((key for key, _ in changes.texts), lambda name: say("another text for {name}", name=name)),
        (changes.lore_on, lambda name: say("forced in: {name}", name=name)),
        (changes.lore_off, lambda name: say("forced out: {name}", name=name)),
    )
    for keys, saying in sayings:
        for key in keys:
            yield Change(saying(names.get(key, plain(key))), put_back(changes, key), key)
    for key, depth in changes.lore_depth:
        told = say("{name} at depth {n}", name=names.get(key, plain(key)), n=depth)
        others = tuple(pair for pair in changes.lore_depth if pair[0] != key)
        yield Change(told, replace(changes, lore_depth=others), key)


def _less(keys: tuple[str, ...], key: str) -> tuple[str, ...]:
    return tuple(one for one in keys if one != key)


def _short(text: str, most: int = 40) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
