"""Learns the engine's fixed sentences from some recorded calls of a session, before anything is rebuilt."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from covel_inspector.engines.covel.attribution import CallMoment, Lesson, attribute, learn_pack, overlay
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.source.turns import CallPlace
from covel_inspector.engines.covel.textpack import TextPack, default_pack

_EACH_END = 3
_AT_MOST = 60


def learned_record(
    database: CovelDatabase,
    record: SessionRecord,
    places: Sequence[CallPlace],
    pruned_turns: Collection[str],
    given: TextPack | None,
) -> SessionRecord:
    """The record with a pack in which learned sentences stand over ours; a pack that was given stays as it is."""
    if given is not None:
        return replace(record, is_pack_given=True)
    texts = learn_pack(_lessons(database, record, _telling(places, pruned_turns)))
    return replace(record, pack=overlay(default_pack(), texts), learned=frozenset(texts))


def _telling(places: Sequence[CallPlace], pruned_turns: Collection[str]) -> list[CallPlace]:
    """Calls worth a look: the first and last of each runtime, repeated attempts, and some that were trimmed."""
    of_runtime: dict[str, list[CallPlace]] = defaultdict(list)
    for place in places:
        if not place.row.concealed and place.row.problem is None:
            of_runtime[place.row.runtime_id].append(place)
    chosen: dict[str, CallPlace] = {}
    for calls in of_runtime.values():
        retried = [place for place in calls if place.row.attempt > 0][:_EACH_END]
        pruned = [place for place in calls if place.turn in pruned_turns][:_EACH_END]
        for place in [*calls[:_EACH_END], *retried, *pruned, *calls[-_EACH_END:]]:
            chosen[place.row.id] = place
    return list(chosen.values())[:_AT_MOST]


def _lessons(database: CovelDatabase, record: SessionRecord, places: Iterable[CallPlace]) -> list[Lesson]:
    lessons: list[Lesson] = []
    for place in places:
        call = database.call_payload(place.row.id)
        if isinstance(call, RecordedCall) and call.messages:
            row = place.row
            moment = CallMoment(row.turn_id, row.runtime_id, row.plugin_id, row.started_at, place.step, row.attempt)
            lessons.append(Lesson(attribute(call, moment, record.index), moment, record.index))
    return lessons
