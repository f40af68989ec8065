"""Recorded against rebuilt: where the two requests of one call differ, in segments."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from covel_inspector.domain import (
    Difference,
    Group,
    Kind,
    Part,
    Place,
    Segment,
    SegmentTree,
    Sentence,
    Status,
    Taken,
    Verdict,
    plain,
    say,
)
from covel_inspector.engines.covel.records.naming import SENTINEL

_COMPARED = (Group.SYSTEM, Group.MESSAGES)
_QUIET = (Kind.SEPARATOR,)
MOST_DIFFERENCES = 100

Normalisation = tuple[Sentence, Callable[[str], str]]

NORMALISATIONS: tuple[Normalisation, ...] = (
    (say("cache marks left out"), lambda text: text.replace(SENTINEL, "")),
    (say("line ends made equal"), lambda text: text.replace("\r\n", "\n").replace("\r", "\n")),
    (say("blanks at line ends left out"), lambda text: "\n".join(line.rstrip(" \t") for line in text.split("\n"))),
)
"""Named changes under which two requests may still count as the same, tried one after the other and added up."""


def judge(recorded: SegmentTree, rebuilt: SegmentTree) -> Verdict:
    """The verdict of a call that has both trees. Tools and response format are not judged: no rows give them."""
    total, independent, taken = shares(rebuilt)
    old = [part for part in recorded.request.parts if part.group in _COMPARED]
    new = [part for part in rebuilt.request.parts if part.group in _COMPARED]
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
                say("the same after: {names}", names=plain("; ".join(str(name) for name in names))),
                tuple(differences(recorded, rebuilt)),
                names,
                independent,
                total,
                taken,
            )
    found = tuple(differences(recorded, rebuilt))
    first = found[0].title if found else say("the order of messages")
    reason = say("{n} segments differ, the first is: {first}", n=len(found), first=first)
    return Verdict(Status.DIFFERS, reason, found, (), independent, total, taken)


def shares(rebuilt: SegmentTree) -> tuple[int, int, tuple[Taken, ...]]:
    """Code points of system prompt and messages: all, those from rows and files, and what was taken, by source.

    Marks and blanks between segments count with neither side.
    """
    total = independent = 0
    taken: dict[tuple[Kind, str], Taken] = {}
    for name in _COMPARED:
        group = rebuilt.group(name)
        for leaf in group.leaves() if group is not None else ():
            if leaf.kind in (Kind.MARK, Kind.SEPARATOR):
                continue
            total += len(leaf.text)
            if not leaf.taken:
                independent += len(leaf.text)
                continue
            key = (leaf.kind, str(leaf.title))
            known = taken.get(key)
            characters = len(leaf.text) + (known.characters if known else 0)
            taken[key] = Taken(leaf.kind, str(leaf.title), characters, leaf.reason)
    return total, independent, tuple(taken.values())


@dataclass(frozen=True, slots=True)
class _Keyed:
    leaf: Segment
    group: Group
    role: str


def differences(recorded: SegmentTree, rebuilt: SegmentTree) -> Iterator[Difference]:
    """The segments that stand in one request only, differ in text or role, or stand elsewhere; at most a hundred."""
    old, new = _keyed(recorded), _keyed(rebuilt)
    count = 0
    for path, there in old.items():
        here = new.get(path)
        note = _note(there, here)
        if note is not None and count < MOST_DIFFERENCES:
            count += 1
            yield Difference(
                there.group, there.leaf.title, there.leaf.place, here.leaf.place if here is not None else None, note
            )
    for path, here in new.items():
        if path not in old and count < MOST_DIFFERENCES:
            count += 1
            note = say("the rebuild has it, the recording has not")
            yield Difference(here.group, here.leaf.title, None, here.leaf.place, note)
    if count == 0:
        yield from _moved(recorded, rebuilt)


def _note(there: _Keyed, here: _Keyed | None) -> Sentence | None:
    if here is None:
        return None if there.leaf.kind in _QUIET else say("recorded, but the rebuild does not have it")
    if there.leaf.text != here.leaf.text:
        at = _first_difference(there.leaf.text, here.leaf.text)
        return say("the texts part at character {n}", n=at + 1)
    if there.role != here.role:
        return say("role {recorded} was recorded, {rebuilt} rebuilt", recorded=there.role, rebuilt=here.role)
    return None


def _moved(recorded: SegmentTree, rebuilt: SegmentTree) -> Iterator[Difference]:
    """Same segments, other order: the first part that is not the same."""
    for number, (there, here) in enumerate(zip(recorded.request.parts, rebuilt.request.parts, strict=False)):
        if (there.group, there.role, there.field, there.text) != (here.group, here.role, here.field, here.text):
            leaf = recorded.leaf_at(number, 0)
            title = leaf.title if leaf is not None else say("Message {n}", n=there.index)
            place = Place(number, 0, len(there.text))
            yield Difference(there.group, title, place, None, say("something else stands here in the rebuild"))
            return


def _keyed(tree: SegmentTree) -> dict[str, _Keyed]:
    found: dict[str, _Keyed] = {}
    for name in _COMPARED:
        group = tree.group(name)
        for leaf in group.leaves() if group is not None else ():
            key = f"{name}/{leaf.key}"
            number = 2
            while key in found:
                key = f"{name}/{leaf.key}~{number}"
                number += 1
            found[key] = _Keyed(leaf, name, leaf.role)
    return found


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


def _first_difference(a: str, b: str) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
