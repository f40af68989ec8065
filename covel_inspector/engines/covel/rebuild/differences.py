"""Where a recorded and a rebuilt request part, in segments: changed, missing, added, moved, each with a likely why.

Leaves are aligned by what they are and what they say, so that one changed message is one difference and not a missing
one and an added one. Marks and blanks are told of only when nothing else differs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from covel_inspector.domain import Difference, Grade, Group, Kind, Origin, Segment, SegmentTree, Sentence, say
from covel_inspector.text.prefix import common_prefix

COMPARED = (Group.SYSTEM, Group.MESSAGES)
"""Groups that are judged: no row or file gives tools or a response format."""

MOST_DIFFERENCES = 100
_TABLES = {"world.name": "worlds", "player.character": "characters", "characters.npcs": "characters"}
"""Where the values of variables have their rows, where that is one table."""

_QUIET = (Kind.SEPARATOR, Kind.MARK)


@dataclass(frozen=True, slots=True)
class _Leaf:
    segment: Segment
    group: Group

    @property
    def identity(self) -> tuple[Group, str, str]:
        """What two leaves share that count as the same."""
        return self.group, self.segment.role, self.segment.text

    @property
    def is_quiet(self) -> bool:
        return self.segment.kind in _QUIET


def differences(recorded: SegmentTree, rebuilt: SegmentTree) -> tuple[Difference, ...]:
    """The differences in wire order, at most a hundred. Empty when all parts are the same."""
    old, new = _leaves(recorded), _leaves(rebuilt)
    told = list(_differences([leaf for leaf in old if not leaf.is_quiet], [leaf for leaf in new if not leaf.is_quiet]))
    if not told:
        told = list(_differences(old, new))
    return tuple(told[:MOST_DIFFERENCES])


def _leaves(tree: SegmentTree) -> list[_Leaf]:
    return [
        _Leaf(leaf, name)
        for name in COMPARED
        if (group := tree.group(name)) is not None
        for leaf in group.leaves()
        if leaf.text
    ]


def _differences(old: Sequence[_Leaf], new: Sequence[_Leaf]) -> Iterator[Difference]:
    pairs = list(_pairs(old, new))
    gone = {there.identity: there for there, here in pairs if there is not None and here is None}
    come = {here.identity: here for there, here in pairs if here is not None and there is None}
    for there, here in pairs:
        if there is not None and here is not None:
            yield _changed(there, here)
        elif there is not None:
            elsewhere = come.get(there.identity)
            yield _missing(there) if elsewhere is None else _moved(there, elsewhere)
        elif here is not None and here.identity not in gone:
            yield _added(here)


def _pairs(old: Sequence[_Leaf], new: Sequence[_Leaf]) -> Iterator[tuple[_Leaf | None, _Leaf | None]]:
    """The leaves that are not the same, as pairs; None = nothing on that side."""
    matcher = SequenceMatcher(None, [leaf.identity for leaf in old], [leaf.identity for leaf in new], autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag != "equal":
            yield from _paired(old[first:last], new[begin:end])


def _paired(old: Sequence[_Leaf], new: Sequence[_Leaf]) -> Iterator[tuple[_Leaf | None, _Leaf | None]]:
    """By key first; then one that nobody explains with the one that should stand there; the others alone."""
    free = {leaf.segment.key: leaf for leaf in new}
    partner = {n: free.pop(leaf.segment.key) for n, leaf in enumerate(old) if leaf.segment.key in free}
    left = [leaf for leaf in new if leaf.segment.key in free]
    for number, there in enumerate(old):
        here = partner.get(number)
        if here is None and left and (there.segment.kind is Kind.UNKNOWN or left[0].segment.kind is there.segment.kind):
            here = left.pop(0)
        yield there, here
    for leaf in left:
        yield None, leaf


def _changed(there: _Leaf, here: _Leaf) -> Difference:
    title = here.segment.title if there.segment.kind is Kind.UNKNOWN else there.segment.title
    if there.segment.text == here.segment.text:
        what = say(
            "role {recorded} was recorded, {rebuilt} rebuilt",
            recorded=there.segment.role or "?",
            rebuilt=here.segment.role or "?",
        )
    else:
        at = common_prefix(there.segment.text, here.segment.text)
        what = say("the texts part at character {n}", n=at + 1)
    return _difference(there.group, title, there, here, what, _why_changed(there.segment, here.segment))


def _missing(there: _Leaf) -> Difference:
    why = None
    if there.segment.kind is Kind.UNKNOWN:
        why = say("no row or file holds this text now: it was edited or removed since, or plugin code made it")
    return _difference(
        there.group, there.segment.title, there, None, say("recorded, but the rebuild does not have it"), why
    )


def _added(here: _Leaf) -> Difference:
    why = _newer(here.segment)
    return _difference(
        here.group, here.segment.title, None, here, say("the rebuild has it, the recording has not"), why
    )


def _moved(there: _Leaf, here: _Leaf) -> Difference:
    return _difference(there.group, there.segment.title, there, here, say("it stands elsewhere in the rebuild"), None)


def _why_changed(there: Segment, here: Segment) -> Sentence | None:
    newer = _newer(here)
    if newer is not None:
        return newer
    if here.origin.variable:
        return _other_value(here.origin)
    if here.origin.file and here.origin.table:
        return say(
            "the row in {table}, or what {file} says of it, reads otherwise now than what was sent",
            table=here.origin.table,
            file=here.origin.file,
        )
    if here.origin.file:
        return say("the file {file} reads otherwise now than what was sent", file=here.origin.file)
    if here.origin.table:
        return say("the row in {table} reads otherwise now than what was sent", table=here.origin.table)
    if there.kind is Kind.UNKNOWN:
        return say("no row or file holds the recorded text now")
    return None


def _other_value(origin: Origin) -> Sentence:
    """The file of a variable's value is where the variable stands; the value itself comes from elsewhere."""
    table = origin.table or _TABLES.get(origin.variable, "")
    if table:
        return say(
            "the row in {table} from which {variable} has its value reads otherwise now than what was sent",
            table=table,
            variable=origin.variable,
        )
    return say(
        "what gives {variable} its value, a row or a setting, reads otherwise now than what was sent",
        variable=origin.variable,
    )


def _newer(here: Segment) -> Sentence | None:
    """What a guessed piece says of itself: mostly that its row is newer than the call."""
    return here.notes[0] if here.grade is Grade.GUESS and here.notes else None


def _difference(
    group: Group, title: Sentence, there: _Leaf | None, here: _Leaf | None, what: Sentence, why: Sentence | None
) -> Difference:
    return Difference(
        group,
        title,
        there.segment.place if there is not None else None,
        here.segment.place if here is not None else None,
        what if why is None else say("{what}; {why}", what=what, why=why),
    )
