"""Recorded against rebuilt: where the two requests of one call differ, in segments."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from covel_inspector.domain import (
    Difference,
    Kind,
    Part,
    SegmentTree,
    Sentence,
    Status,
    Taken,
    Verdict,
    say,
)
from covel_inspector.domain.listing import enumerated, labelled
from covel_inspector.engines.covel.rebuild.borrowed import Borrowed
from covel_inspector.engines.covel.rebuild.differences import COMPARED, differences
from covel_inspector.engines.covel.records.naming import SENTINEL, SLOT_BLOCKS, TITLES

Normalisation = tuple[Sentence, Callable[[str], str]]

NORMALISATIONS: tuple[Normalisation, ...] = (
    (say("cache marks left out"), lambda text: text.replace(SENTINEL, "")),
    (say("line ends made equal"), lambda text: text.replace("\r\n", "\n").replace("\r", "\n")),
    (say("blanks at line ends left out"), lambda text: "\n".join(line.rstrip(" \t") for line in text.split("\n"))),
)
"""Named changes under which two requests may still count as the same, tried one after the other and added up."""

_NOTHING_BORROWED = Borrowed()


def judge(recorded: SegmentTree, rebuilt: SegmentTree, borrowed: Borrowed = _NOTHING_BORROWED) -> Verdict:
    """The verdict of a call that has both trees. Tools and response format are not judged: no rows give them.

    ``borrowed`` tells what of the recording stands inside segments that rows and files give.
    """
    total, independent, taken = shares(rebuilt, borrowed)
    old = [part for part in recorded.request.parts if part.group in COMPARED]
    new = [part for part in rebuilt.request.parts if part.group in COMPARED]
    if _same(old, new, ()):
        reason = say("every character of the rebuilt request is the recorded one")
        return Verdict(Status.IDENTICAL, reason, (), (), independent, total, taken)
    used: list[Normalisation] = []
    for normalisation in NORMALISATIONS:
        used.append(normalisation)
        if _same(old, new, used):
            names = tuple(name for name, _ in used)
            return Verdict(
                Status.NORMALISED,
                say("the same after: {names}", names=enumerated(names)),
                differences(recorded, rebuilt),
                names,
                independent,
                total,
                taken,
            )
    found = differences(recorded, rebuilt)
    return Verdict(Status.DIFFERS, _told(found), found, (), independent, total, taken)


def _told(found: Sequence[Difference]) -> Sentence:
    """The first difference with its reason, and how many there are."""
    if not found:
        return say("the parts of the messages are cut otherwise")
    first = labelled(found[0].title, found[0].note)
    if len(found) == 1:
        return say("one place differs: {first}", first=first)
    return say("{n} places differ, the first is {first}", n=len(found), first=first)


def shares(rebuilt: SegmentTree, borrowed: Borrowed = _NOTHING_BORROWED) -> tuple[int, int, tuple[Taken, ...]]:
    """Code points of system prompt and messages: all, those from rows and files, and what was taken, by source.

    Marks and blanks between segments count with neither side. What is ``borrowed`` inside a segment of another source,
    such as the heading over a lore entry, counts as taken.
    """
    total = 0
    taken: dict[tuple[Kind, str], Taken] = {}
    for name in COMPARED:
        group = rebuilt.group(name)
        for leaf in group.leaves() if group is not None else ():
            if leaf.kind in (Kind.MARK, Kind.SEPARATOR):
                continue
            total += len(leaf.text)
            if leaf.taken:
                # The slots of a block were taken together, so they are told of together.
                title = TITLES[leaf.kind] if leaf.kind in SLOT_BLOCKS else leaf.title
                _add(taken, Taken(leaf.kind, str(title), len(leaf.text), leaf.reason))
            else:
                for one in borrowed.within(leaf):
                    _add(taken, one)
    found = tuple(one for one in taken.values() if one.characters)
    return total, total - sum(one.characters for one in found), found


def _add(taken: dict[tuple[Kind, str], Taken], more: Taken) -> None:
    key = (more.kind, more.title)
    known = taken.get(key)
    taken[key] = replace(more, characters=more.characters + (known.characters if known is not None else 0))


def _same(old: list[Part], new: list[Part], normalisations: tuple[Normalisation, ...] | list[Normalisation]) -> bool:
    if len(old) != len(new):
        return False
    return all(
        (there.group, there.role, there.field, there.name) == (here.group, here.role, here.field, here.name)
        and _normal(there.text, normalisations) == _normal(here.text, normalisations)
        for there, here in zip(old, new, strict=True)
    )


def _normal(text: str, normalisations: tuple[Normalisation, ...] | list[Normalisation]) -> str:
    for _, change in normalisations:
        text = change(text)
    return text
