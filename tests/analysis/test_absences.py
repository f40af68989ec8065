"""What a recorded request does not hold, told with what its rebuilding knows."""

from hand_built_turns import leaf, tree

from covel_inspector.analysis.absences import with_absences_of
from covel_inspector.domain import AbsenceReason, Absent, Group, Kind, Origin, plain


def absent(key: str, *rows: str) -> Absent:
    origin = Origin(table="turn_messages", rows=rows) if rows else Origin()
    return Absent(key, Kind.LORE, plain(key), AbsenceReason.NO_KEY, plain("no key"), origin=origin)


BODY = [(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a")])]


def test_what_only_the_rebuilding_knows_is_added():
    told = with_absences_of(tree(BODY, (), [absent("x")]), tree(BODY, (), [absent("x"), absent("y")]))
    assert [one.key for one in told.absent] == ["x", "y"]


def test_what_stands_in_the_recording_is_not_called_absent():
    recorded = tree(BODY)
    told = with_absences_of(recorded, tree(BODY, (), [absent("one")]))
    assert told is recorded
    sent = leaf("story:1", Kind.STORY, "Story", "b", origin=Origin(table="turn_messages", rows=("r1",)))
    told = with_absences_of(tree([(Group.SYSTEM, [sent])]), tree(BODY, (), [absent("history:r1", "r1")]))
    assert not told.absent
