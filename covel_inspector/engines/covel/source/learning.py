"""Learns the engine's fixed sentences from some recorded calls of a session, before anything is rebuilt."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from covel_inspector.domain import SegmentTree
from covel_inspector.engines.covel.attribution import CallMoment, attribute, learn_pack
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.javascript.locales import instruction_language
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.source.turns import CallPlace
from covel_inspector.engines.covel.textpack import FORMAT, TextPack, default_pack

_EACH_END = 3
_AT_MOST = 60


def learned_record(
    database: CovelDatabase, record: SessionRecord, places: Sequence[CallPlace], given: TextPack | None
) -> SessionRecord:
    """The record with a pack in which learned sentences stand over ours; a pack that was given stays as it is."""
    if given is not None:
        return record
    language = instruction_language(record.evidence.session.locale)
    texts = learn_pack(_trees(database, record, _telling(places)), language)
    learned = TextPack.from_json(
        {"format": FORMAT, "texts": {key: dict(variants) for key, variants in texts.items()}}, "the recordings"
    )
    return replace(record, pack=default_pack().overlaid(learned), learned=frozenset(texts))


def _telling(places: Sequence[CallPlace]) -> list[CallPlace]:
    """Calls worth a look: the first and last of each runtime, and repeated attempts."""
    of_runtime: dict[str, list[CallPlace]] = defaultdict(list)
    for place in places:
        if not place.row.concealed and place.row.problem is None:
            of_runtime[place.row.runtime_id].append(place)
    chosen: dict[str, CallPlace] = {}
    for calls in of_runtime.values():
        retried = [place for place in calls if place.row.attempt > 0][:_EACH_END]
        for place in [*calls[:_EACH_END], *retried, *calls[-_EACH_END:]]:
            chosen[place.row.id] = place
    return list(chosen.values())[:_AT_MOST]


def _trees(database: CovelDatabase, record: SessionRecord, places: Iterable[CallPlace]) -> list[SegmentTree]:
    trees: list[SegmentTree] = []
    for place in places:
        call = database.call_payload(place.row.id)
        if isinstance(call, RecordedCall) and call.messages:
            row = place.row
            moment = CallMoment(row.turn_id, row.runtime_id, row.plugin_id, row.started_at, place.step, row.attempt)
            trees.append(attribute(call, moment, record.index))
    return trees
